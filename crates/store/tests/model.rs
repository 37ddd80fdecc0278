//! The store against a model: whatever happens to a tree, every checkpoint of the whole tree brings back exactly the tree
//! it saved, in any order, with steps, thinning and clean-up in between; one that was let go says so, and what a kept step names can be
//! read (CP4, CP5, CP8, T5).

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use project::{Context, Project, RelPath};
use proptest::prelude::*;
use testkit::Photo;
use vib_store::{
    Actor, CheckpointKind, Claims, Ending, EntryKind, Moment, NewStep, Outcome, Silent, SnapshotRequest,
    StepFilter, Store,
};

/// What can happen to a tree. Names are few, so that things meet.
#[derive(Debug, Clone)]
enum Step {
    Write(u8, u8),
    Remove(u8),
    MakeFolder(u8),
    Link(u8, u8),
    Mode(u8, bool),
    Rename(u8, u8),
    SaveTree,
    SaveFile(u8),
    GoBack(u8),
    CleanUp,
    /// An agent's step that writes a file, with a look at the whole tree before and after it.
    Work(u8, u8),
    /// The same, with looks at the file only.
    Edit(u8, u8),
    /// So many hours pass.
    Later(u16),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let name = 0..12_u8;
    let step = prop_oneof![
        6 => (name.clone(), any::<u8>()).prop_map(|(name, content)| Step::Write(name, content)),
        3 => name.clone().prop_map(Step::Remove),
        2 => name.clone().prop_map(Step::MakeFolder),
        1 => (name.clone(), name.clone()).prop_map(|(name, target)| Step::Link(name, target)),
        1 => (name.clone(), any::<bool>()).prop_map(|(name, executable)| Step::Mode(name, executable)),
        2 => (name.clone(), name.clone()).prop_map(|(from, to)| Step::Rename(from, to)),
        4 => Just(Step::SaveTree),
        3 => name.clone().prop_map(Step::SaveFile),
        2 => any::<u8>().prop_map(Step::GoBack),
        1 => Just(Step::CleanUp),
        3 => (name.clone(), any::<u8>()).prop_map(|(name, content)| Step::Work(name, content)),
        2 => (name.clone(), any::<u8>()).prop_map(|(name, content)| Step::Edit(name, content)),
        2 => (0..2_000_u16).prop_map(Step::Later),
    ];
    proptest::collection::vec(step, 1..40)
}

/// Twelve places: top level, in folders, in folders of folders, and names that are prefixes of each other.
fn place(number: u8) -> &'static str {
    ["a", "b", "a-b", "d/a", "d/b", "d/e/a", "d/e", "d", "f/x", "f", "d/e/f/g", "a.b"]
        [usize::from(number) % 12]
}

/// Does one step on the disk; impossible ones (a file in a file) do nothing.
fn disturb(root: &Path, step: &Step) {
    let at = |number: u8| root.join(place(number));
    match step {
        Step::Write(name, content) => {
            let path = at(*name);
            if path.parent().is_some_and(|parent| std::fs::create_dir_all(parent).is_ok())
                && !path.is_symlink()
            {
                let _ =
                    std::fs::write(path, format!("content {}\n", content % 5).repeat(usize::from(*content)));
            }
        }
        Step::Remove(name) => {
            let path = at(*name);
            let _ = if path.is_dir() && !path.is_symlink() {
                std::fs::remove_dir_all(path)
            } else {
                std::fs::remove_file(path)
            };
        }
        Step::MakeFolder(name) => drop(std::fs::create_dir_all(at(*name))),
        Step::Link(name, target) => drop(symlink(place(*target), at(*name))),
        Step::Mode(name, executable) => {
            let path = at(*name);
            if path.is_file() && !path.is_symlink() {
                let mode = if *executable { 0o755 } else { 0o640 };
                let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
            }
        }
        Step::Rename(from, to) => drop(std::fs::rename(at(*from), at(*to))),
        Step::SaveTree | Step::SaveFile(_) | Step::GoBack(_) | Step::CleanUp => {}
        Step::Work(name, content) | Step::Edit(name, content) => disturb(root, &Step::Write(*name, *content)),
        Step::Later(_) => {}
    }
}

/// An agent's step, framed by two looks.
fn work(store: &mut Store<'_>, step: &Step, root: &Path, saved: &mut Vec<(String, Photo)>) {
    let look = |store: &mut Store<'_>, moment: Moment, whole: bool, path: &RelPath| {
        let trigger = if matches!(moment, Moment::After(..)) { "after" } else { "tool" };
        let mut request = SnapshotRequest { moment, ..SnapshotRequest::new(CheckpointKind::Turn) };
        request.origin.trigger = Some(trigger.to_owned());
        if !whole {
            return store.snapshot_paths(&request, std::slice::from_ref(path)).unwrap();
        }
        let lock = store.lock_tree("test").unwrap();
        store.snapshot_tree(&lock, &request, &[], &Silent).unwrap()
    };
    let (name, whole) = match step {
        Step::Work(name, _) => (*name, true),
        Step::Edit(name, _) => (*name, false),
        _ => return,
    };
    let path = RelPath::new(place(name).as_bytes()).unwrap();
    let mut new = NewStep::of(Actor::Agent);
    new.session = Some("s".to_owned());
    if !whole {
        new.claims = Claims::Named(vec![path.clone()]);
    }
    let before = look(store, Moment::Before(Box::new(new)), whole, &path);
    if whole {
        saved.push((before.checkpoint.id.to_string(), Photo::of(root)));
    }
    disturb(root, step);
    let after = look(store, Moment::After(before.step.unwrap(), Outcome::of(Ending::Ran)), whole, &path);
    if whole {
        saved.push((after.checkpoint.id.to_string(), Photo::of(root)));
    }
}

/// What the steps name that are kept can be read; what was let go says so.
fn read_steps(store: &Store<'_>) {
    for step in store.steps(&StepFilter::default()).unwrap() {
        for change in store.changes_of(step.number).unwrap() {
            for entry in [change.before, change.after].into_iter().flatten() {
                if entry.kind == EntryKind::Dir {
                    continue;
                }
                match store.content(&entry.hash) {
                    Ok(_) => {}
                    Err(error) => assert!(change.expired && error.code() == "snapshot_expired", "{error}"),
                }
            }
        }
    }
}

fn go_back(store: &mut Store<'_>, root: &Path, target: &str, expected: &Photo) {
    let target = match store.resolve(target) {
        Ok(target) => target,
        Err(error) => {
            assert_eq!(error.code(), "snapshot_expired");
            return;
        }
    };
    let now = store.working_tree(&Silent).unwrap().view;
    let plan = store.plan(&target, &now, &[]).unwrap();
    if !plan.is_empty() {
        let lock = store.lock_tree("test").unwrap();
        let safety = store.safety_checkpoint(&lock, &plan, "test".to_owned(), &Silent).unwrap();
        let report = store.restore(&plan, safety, &vib_store::Account::of("undo"), &Silent).unwrap();
        assert!(report.kept.is_empty(), "{:?}", report.kept);
    }
    Photo::of(root).assert_same(expected);
}

proptest! {
    // `PROPTEST_CASES=2000` for a longer run.
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(60)
    ))]

    #[test]
    fn every_checkpoint_of_the_tree_brings_back_exactly_that_tree(steps in steps()) {
        let base = tempfile::tempdir().unwrap();
        let real = base.path().canonicalize().unwrap();
        let root = real.join("project");
        std::fs::create_dir(&root).unwrap();
        let get = |name: &str| (name == "HOME").then(|| real.join("home").into_os_string());
        let mut now: u64 = 1_767_268_800_000;
        let context = Context::with_environment(root.clone(), &get).with_clock(now);
        let project = Project::open(&context).unwrap();
        let mut store = Store::open(&context, &project).unwrap();
        let mut saved: Vec<(String, Photo)> = Vec::new();
        for step in &steps {
            match step {
                Step::SaveTree => {
                    let lock = store.lock_tree("test").unwrap();
                    let request = SnapshotRequest::new(CheckpointKind::Manual);
                    let made = store.snapshot_tree(&lock, &request, &[], &Silent).unwrap();
                    prop_assert!(made.problems.is_empty());
                    saved.push((made.checkpoint.id.to_string(), Photo::of(&root)));
                }
                Step::SaveFile(name) => {
                    let path = RelPath::new(place(*name).as_bytes()).unwrap();
                    store.snapshot_paths(&SnapshotRequest::new(CheckpointKind::Turn), &[path]).unwrap();
                }
                Step::GoBack(which) if !saved.is_empty() => {
                    let (id, photo) = saved[usize::from(*which) % saved.len()].clone();
                    go_back(&mut store, &root, &id, &photo);
                }
                Step::CleanUp => {
                    let lock = store.lock_tree("test").unwrap();
                    store.gc(&lock, None, &Silent).unwrap();
                }
                Step::Work(..) | Step::Edit(..) => work(&mut store, step, &root, &mut saved),
                Step::Later(hours) => {
                    now += u64::from(*hours) * 3_600_000;
                    context.set_clock(now);
                }
                other => disturb(&root, other),
            }
        }
        let report = store.check(&Silent).unwrap();
        prop_assert!(report.is_clean(), "{report:?}");
        prop_assert_eq!(store.lost().unwrap(), None);
        read_steps(&store);
        for (id, photo) in saved.iter().rev().chain(saved.iter()) {
            go_back(&mut store, &root, id, photo);
        }
    }
}
