//! Every kind of entry comes back as it was (CP5, CP8)

use testkit::{Photo, tree};

use super::empty;

#[test]
fn a_tree_with_every_kind_of_entry_survives_any_damage_cp5() {
    let project = empty();
    tree::every_kind(&project.root());
    let good = Photo::of(&project.root());
    project.checkpoint("good");

    // Content, modes, links, kinds, names, deletions: everything at once.
    project.shell(
        "chmod 644 run.sh && chmod 755 private && rm -f link-to-file broken-link && ln -s elsewhere broken-link \
         && rm -rf empty-folder deep closed && echo changed >> binary.bin && mv src renamed && echo x > empty \
         && rm -f -- -rf && printf 'shorter' > large.bin && mkdir link-to-file && echo junk > link-to-file/junk \
         && rm -f read-only && touch read-only",
    );
    for entry in std::fs::read_dir(project.root()).unwrap().flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().contains("utf-8") || name.to_string_lossy().contains('\n') {
            std::fs::remove_file(entry.path()).unwrap();
        }
    }
    let damaged = Photo::of(&project.root());
    project.vib(&["undo", "--yes"]).ok();
    Photo::of(&project.root()).assert_same(&good);
    project.vib(&["redo", "--yes"]).ok();
    Photo::of(&project.root()).assert_same(&damaged);
    project.vib(&["store", "check"]).ok();
}

#[test]
fn everything_comes_back_into_an_emptied_folder_cp7() {
    let project = empty();
    tree::every_kind(&project.root());
    std::fs::remove_dir_all(project.root().join("nested")).unwrap();
    let good = Photo::of(&project.root());
    project.checkpoint("good");
    project.shell("chmod -R u+w . && find . -mindepth 1 -delete");
    project.vib(&["undo", "--yes"]).ok();
    Photo::of(&project.root()).assert_same(&good);
}

#[test]
fn a_change_in_a_large_file_stores_only_its_surroundings() {
    let project = empty();
    tree::every_kind(&project.root());
    project.checkpoint("good");
    let before = project.data(&["store", "stats"])["stored_bytes"].as_u64().unwrap();
    let path = project.root().join("large.bin");
    let mut content = std::fs::read(&path).unwrap();
    content[4 << 20] ^= 0xff;
    std::fs::write(&path, &content).unwrap();
    project.checkpoint("one byte");
    let grown = project.data(&["store", "stats"])["stored_bytes"].as_u64().unwrap() - before;
    assert!(grown < 8 << 20, "{grown} bytes for one changed byte");
    project.write("large.bin", "gone");
    project.vib(&["undo", "--yes"]).ok();
    assert!(std::fs::read(&path).unwrap() == content);
}

#[test]
fn a_file_that_never_stops_changing_is_reported_never_torn_cp5() {
    let project = empty();
    project.write("quiet.txt", "quiet\n");
    let path = project.root().join("busy.txt");
    std::fs::write(&path, "a".repeat(1 << 20)).unwrap();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let (flag, busy) = (stop.clone(), path.clone());
    let writer = std::thread::spawn(move || {
        let mut letter = b'a';
        while !flag.load(std::sync::atomic::Ordering::Relaxed) {
            letter = if letter == b'z' { b'a' } else { letter + 1 };
            let _ = std::fs::write(&busy, vec![letter; 1 << 20]);
        }
    });
    let mut ids = Vec::new();
    for _ in 0..5 {
        let data = project.data(&["checkpoint"]);
        assert!(
            data["problems"]
                .as_array()
                .unwrap()
                .iter()
                .all(|p| p["path"] == "busy.txt" && p["code"] == "changing")
        );
        ids.push(data["checkpoint"]["id"].as_str().unwrap().to_owned());
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    writer.join().unwrap();
    // Whatever was saved of it is one whole state.
    for id in ids {
        let _ = project.vib(&["undo", &id, "busy.txt", "--yes"]);
        let content = std::fs::read(&path).unwrap_or_default();
        assert!(content.iter().all(|byte| *byte == content[0]), "a torn copy");
    }
    project.vib(&["store", "check"]).ok();
}
