//! A saved state in a folder of its own: to the byte, moved by the difference, mended, and never the project.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::story::save;
use crate::world::World;
use proptest::prelude::*;
use testkit::{Photo, tree};
use vib_store::{CheckpointKind, Materialised, Silent, Store};

fn copy_folder(base: &tempfile::TempDir) -> PathBuf {
    base.path().canonicalize().unwrap().join("copy")
}

fn materialise(store: &Store<'_>, seq: i64, folder: &Path) -> Materialised {
    store.materialise(&store.recorded_state_at(seq), folder, &Silent).unwrap()
}

/// Everything in a folder but vib's own: names, kinds, modes, contents.
fn listed(root: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    fn walk(root: &Path, folder: &Path, out: &mut BTreeMap<String, (u32, Vec<u8>)>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let (path, facts) = (entry.path(), entry.metadata().unwrap());
            if entry.file_name() == ".vibelign" {
                continue;
            }
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if facts.is_dir() {
                out.insert(format!("{name}/"), (facts.mode() & 0o7777, Vec::new()));
                walk(root, &path, out);
            } else if facts.is_symlink() {
                out.insert(
                    name,
                    (0, std::fs::read_link(&path).unwrap().to_string_lossy().into_owned().into_bytes()),
                );
            } else {
                out.insert(name, (facts.mode() & 0o7777, std::fs::read(&path).unwrap()));
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(root, root, &mut out);
    out
}

#[test]
fn every_kind_of_entry_is_written_as_it_was_saved() {
    let world = World::new();
    tree::every_kind(world.root());
    std::fs::set_permissions(world.root().join("deep/a"), std::fs::Permissions::from_mode(0o555)).unwrap();
    let mut store = world.open();
    let seq = save(&mut store, CheckpointKind::Turn, false);
    let base = tempfile::tempdir().unwrap();
    let before = Photo::of(world.root());
    let copy = materialise(&store, seq, &copy_folder(&base));
    let mut wanted = listed(world.root());
    // What lies in a repository's own folder is saved by nobody.
    wanted.retain(|name, _| !name.starts_with("nested/.git"));
    assert_eq!(listed(copy.folder()), wanted);
    before.assert_same(&Photo::of(world.root()));
    assert_eq!(std::fs::metadata(copy.folder()).unwrap().mode() & 0o777, 0o700);
    let again = store.materialise(&store.recorded_state_at(seq), copy.folder(), &Silent);
    assert_eq!(again.unwrap_err().code(), "target_exists");
    vib_store::remove_folder(copy.folder()).unwrap();
    assert!(!copy.folder().exists());
    std::fs::set_permissions(world.root().join("deep/a"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn what_is_the_same_in_both_states_keeps_its_times() {
    let world = World::new();
    tree::many(world.root(), 200);
    let mut store = world.open();
    let one = save(&mut store, CheckpointKind::Turn, false);
    world.write("pkg0/mod0/f1.rs", "changed\n");
    world.write("new/file.rs", "new\n");
    std::fs::remove_file(world.root().join("pkg0/mod1/f41.rs")).unwrap();
    let two = save(&mut store, CheckpointKind::Turn, false);
    let base = tempfile::tempdir().unwrap();
    let mut copy = materialise(&store, one, &copy_folder(&base));
    let times = |copy: &Materialised| -> BTreeMap<PathBuf, i64> {
        listed(copy.folder())
            .keys()
            .filter(|name| !name.ends_with('/'))
            .map(|name| {
                (PathBuf::from(name), std::fs::metadata(copy.folder().join(name)).unwrap().mtime_nsec())
            })
            .collect()
    };
    let before = times(&copy);
    let moved = copy.move_to(&store, &store.recorded_state_at(two)).unwrap();
    assert_eq!((moved.written, moved.removed), (3, 1), "two files, a folder; one file gone");
    let after = times(&copy);
    let same = after.iter().filter(|(name, time)| before.get(*name) == Some(time)).count();
    assert_eq!(same, 198);
    assert_eq!(listed(copy.folder()), listed(world.root()));
    copy.move_to(&store, &store.recorded_state_at(one)).unwrap();
    assert_eq!(std::fs::read_to_string(copy.folder().join("pkg0/mod0/f1.rs")).unwrap().lines().count(), 4);
    assert!(copy.folder().join("pkg0/mod1/f41.rs").exists() && !copy.folder().join("new").exists());
}

#[test]
fn what_a_program_changed_of_the_state_is_mended_and_what_it_made_beside_it_stays() {
    let world = World::new();
    world.write("a.txt", "one\n");
    world.write("src/b.txt", "two\n");
    world.write("src/deep/c.txt", "three\n");
    let mut store = world.open();
    let one = save(&mut store, CheckpointKind::Turn, false);
    world.write("a.txt", "other\n");
    let two = save(&mut store, CheckpointKind::Turn, false);
    let base = tempfile::tempdir().unwrap();
    let mut copy = materialise(&store, one, &copy_folder(&base));
    assert_eq!(copy.mend().unwrap(), 0);
    let here = copy.folder().to_path_buf();
    std::fs::write(here.join("src/b.txt"), "TWO\n").unwrap();
    std::fs::create_dir(here.join("build")).unwrap();
    std::fs::write(here.join("build/cache"), "kept\n").unwrap();
    // A folder of the state becomes a link out of the copy: nothing is ever written through it.
    std::fs::remove_dir_all(here.join("src/deep")).unwrap();
    std::os::unix::fs::symlink(world.root(), here.join("src/deep")).unwrap();
    let project = Photo::of(world.root());
    assert!(copy.mend().unwrap() >= 2);
    copy.move_to(&store, &store.recorded_state_at(two)).unwrap();
    assert_eq!(std::fs::read_to_string(here.join("src/b.txt")).unwrap(), "two\n");
    assert_eq!(std::fs::read_to_string(here.join("src/deep/c.txt")).unwrap(), "three\n");
    assert!(std::fs::symlink_metadata(here.join("src/deep")).unwrap().is_dir());
    assert_eq!(std::fs::read_to_string(here.join("a.txt")).unwrap(), "other\n");
    assert_eq!(std::fs::read_to_string(here.join("build/cache")).unwrap(), "kept\n");
    project.assert_same(&Photo::of(world.root()));
}

#[test]
fn a_link_by_full_path_into_the_project_leads_into_the_copy() {
    let world = World::new();
    world.write("real.txt", "real\n");
    std::os::unix::fs::symlink(world.root().join("real.txt"), world.root().join("link")).unwrap();
    let mut store = world.open();
    let seq = save(&mut store, CheckpointKind::Turn, false);
    let base = tempfile::tempdir().unwrap();
    let copy = materialise(&store, seq, &copy_folder(&base));
    std::fs::write(copy.folder().join("link"), "written in the copy\n").unwrap();
    assert_eq!(std::fs::read_to_string(world.root().join("real.txt")).unwrap(), "real\n");
    assert_eq!(std::fs::read_to_string(copy.folder().join("real.txt")).unwrap(), "written in the copy\n");
}

/// What can happen to a tree between two looks.
#[derive(Debug, Clone)]
enum Act {
    Write(usize, u8),
    Remove(usize),
    /// A folder where a file was, or the other way round.
    Turn(usize),
    Mode(usize, u32),
    Link(usize, usize),
}

const NAMES: [&str; 8] = ["a", "b", "dir/c", "dir/d", "dir/in/e", "other/f", "other/g", "h"];

fn act(root: &Path, act: &Act) {
    let clear = |path: &Path| {
        if path.is_symlink() || path.is_file() {
            std::fs::remove_file(path).unwrap();
        } else if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap();
        }
    };
    let ready = |path: &Path| {
        let mut above = path.parent().unwrap().to_path_buf();
        while above != root {
            if above.symlink_metadata().is_ok_and(|facts| !facts.is_dir()) {
                std::fs::remove_file(&above).unwrap();
            }
            above.pop();
        }
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        clear(path);
    };
    match act {
        Act::Write(name, content) => {
            let path = root.join(NAMES[*name]);
            ready(&path);
            std::fs::write(path, vec![*content; usize::from(*content) * 3]).unwrap();
        }
        Act::Remove(name) => clear(&root.join(NAMES[*name].split('/').next().unwrap())),
        Act::Turn(name) => {
            let path = root.join(NAMES[*name]);
            let was_dir = path.is_dir();
            ready(&path);
            if was_dir {
                std::fs::write(path, "a file now").unwrap();
            } else {
                std::fs::create_dir_all(path.join("inner")).unwrap();
                std::fs::write(path.join("inner/x"), "in a folder now").unwrap();
            }
        }
        Act::Mode(name, mode) => {
            let path = root.join(NAMES[*name]);
            if path.is_file() && !path.is_symlink() {
                std::fs::set_permissions(path, std::fs::Permissions::from_mode(*mode)).unwrap();
            }
        }
        Act::Link(name, target) => {
            let path = root.join(NAMES[*name]);
            ready(&path);
            std::os::unix::fs::symlink(NAMES[*target], path).unwrap();
        }
    }
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let name = 0..NAMES.len();
    let one = prop_oneof![
        6 => (name.clone(), 1u8..40).prop_map(|(name, content)| Act::Write(name, content)),
        2 => name.clone().prop_map(Act::Remove),
        2 => name.clone().prop_map(Act::Turn),
        1 => (name.clone(), prop_oneof![Just(0o600), Just(0o755), Just(0o444)]).prop_map(|(name, mode)| Act::Mode(name, mode)),
        1 => (name.clone(), name).prop_map(|(name, target)| Act::Link(name, target)),
    ];
    proptest::collection::vec(one, 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(24)
    ))]

    #[test]
    fn from_any_state_to_any_other_the_folder_is_that_state(
        looks in proptest::collection::vec(acts(), 2..6),
        jumps in proptest::collection::vec((0usize..6, any::<bool>()), 1..8),
    ) {
        let world = World::new();
        let mut store = world.open();
        let mut states = Vec::new();
        for look in &looks {
            look.iter().for_each(|one| act(world.root(), one));
            states.push((save(&mut store, CheckpointKind::Turn, false), listed(world.root())));
        }
        let project = Photo::of(world.root());
        let base = tempfile::tempdir().unwrap();
        let mut copy = materialise(&store, states[0].0, &copy_folder(&base));
        prop_assert_eq!(&listed(copy.folder()), &states[0].1);
        for (jump, spoil) in jumps {
            let (seq, wanted) = &states[jump % states.len()];
            if spoil {
                // A program writes over a file of the state, and takes another away.
                let files: Vec<String> =
                    listed(copy.folder()).into_iter().filter(|(name, (mode, _))| !name.ends_with('/') && *mode > 0).map(|(name, _)| name).collect();
                if let Some(first) = files.first() {
                    std::fs::remove_file(copy.folder().join(first)).unwrap();
                }
                if let Some(last) = files.last().filter(|_| files.len() > 1) {
                    std::fs::remove_file(copy.folder().join(last)).unwrap();
                    std::fs::write(copy.folder().join(last), "spoilt").unwrap();
                }
                copy.mend().unwrap();
            }
            copy.move_to(&store, &store.recorded_state_at(*seq)).unwrap();
            prop_assert_eq!(&listed(copy.folder()), wanted);
        }
        project.assert_same(&Photo::of(world.root()));
    }
}
