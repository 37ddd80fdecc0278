//! Killed in the middle of bringing an old store up to date: it is the old one or the new one, and whole (A9)

use testkit::Sandbox;
use testkit::old_store::OldStore;

use super::kill::{Killer, assert_whole};
use super::{kills, sandbox};

fn install(project: &Sandbox, old: &OldStore) {
    old.install(&project.root(), &project.store());
}

/// The format in the file itself; a log beside it may know better.
fn format_in_file(project: &Sandbox) -> u32 {
    format_of(&project.store().join("store.db"))
}

#[test]
fn killed_while_a_store_is_brought_up_to_date_a9() {
    let old = OldStore::read();
    let project = sandbox().with_real_clock();
    project.vib(&["status"]).ok();
    let mut killer = Killer::new(0x5eed_0009);
    let (mut round, mut untouched) = (0, 0);
    while killer.wants_more(kills(50, 150)) {
        install(&project, &old);
        killer.run(&project, &["history", "--all"]);
        let copy = project.store().join("store.db.v1");
        if !copy.exists() {
            assert_eq!(
                format_in_file(&project),
                1,
                "round {round}: nothing is changed before the copy is there"
            );
            untouched += 1;
        }
        assert_whole(&project, round);
        assert_eq!(format_of(&copy), 1, "round {round}");
        for _ in 0..4 {
            let (id, _) =
                &old.checkpoints[usize::try_from(killer.dice.roll(old.checkpoints.len() as u64)).unwrap()];
            assert_eq!(project.vib(&["show", id]).code, 0, "round {round}: {id} is gone");
        }
        round += 1;
    }
    assert!(untouched < round, "no kill came after the beginning");
    let (id, files) = &old.checkpoints[0];
    project.vib(&["undo", id, "--yes"]).ok();
    for (path, text) in files {
        assert_eq!(&project.read(path), text, "{path}");
    }
}

fn format_of(file: &std::path::Path) -> u32 {
    let bytes = std::fs::read(file).unwrap();
    u32::from_be_bytes(bytes[60..64].try_into().unwrap())
}
