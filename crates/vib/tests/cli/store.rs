//! `vib store …` (CP9)

use insta::assert_snapshot;
use std::io::{Read, Seek, SeekFrom, Write};

use super::shop;

/// Changes one byte in the middle of the content of the first pack.
fn flip_a_byte(shop: &testkit::Sandbox, at: u64) {
    let pack = shop.store().join("packs/000001.pack");
    let mut file = std::fs::OpenOptions::new().read(true).write(true).open(pack).unwrap();
    let mut byte = [0];
    file.seek(SeekFrom::Start(at)).unwrap();
    file.read_exact(&mut byte).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&[byte[0] ^ 1]).unwrap();
}

#[test]
fn a_whole_store_says_so() {
    let shop = shop();
    shop.checkpoint("good");
    assert_snapshot!(shop.vib(&["store", "check"]).text(&shop), @r###"
    Everything is whole: 1 checkpoint and 3 pieces of content (50 B) verified.
    "###);
}

#[test]
fn a_flipped_byte_is_noticed_named_and_healed_from_the_project_cp9() {
    let shop = shop();
    let id = shop.checkpoint("good");
    flip_a_byte(&shop, 54);
    let output = shop.vib(&["store", "check", "--json"]);
    assert_eq!(output.code, 1);
    let damaged = output.json()["data"]["damaged"].clone();
    assert_eq!(damaged.as_array().unwrap().len(), 1);
    assert_eq!(damaged[0]["checkpoints"][0], id);
    assert_eq!(damaged[0]["paths"].as_array().unwrap().len(), 1);
    // The file is still in the project, so its content can be stored again.
    let repaired = shop.data(&["store", "check", "--repair"]);
    assert_eq!(repaired["repair"]["healed"], 1);
    shop.vib(&["store", "check"]).ok();
}

#[test]
fn what_is_lost_is_named_and_the_rest_can_be_used_cp9() {
    let shop = shop();
    let id = shop.checkpoint("good");
    flip_a_byte(&shop, 54);
    shop.shell("for f in README.md src/cart.js src/login.js; do echo changed > $f; done");
    let damaged = shop.vib(&["store", "check", "--json"]).json()["data"]["damaged"].clone();
    let lost = damaged[0]["paths"][0].as_str().unwrap().to_owned();
    let output = shop.vib(&["undo", &id, "--yes", "--json"]);
    assert_eq!(output.code, 1, "partly done is not done");
    let result = output.json()["data"]["result"].clone();
    assert_eq!(result["restored"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&result["kept"][0]["path"], &result["kept"][0]["code"]),
        (&lost.clone().into(), &"damaged_content".into())
    );
    assert_eq!(shop.read(&lost), "changed\n", "the file that could not be restored is not harmed");

    assert_eq!(shop.vib(&["store", "check", "--repair"]).code, 1);
    let report = shop.data(&["store", "check"]);
    assert_eq!(report["known_lost"], 1, "known now, and no longer an alarm");
}

#[test]
fn a_damaged_index_comes_back_from_its_copy_cp9() {
    let shop = shop();
    let id = shop.checkpoint("good");
    shop.vib(&["store", "gc"]).ok();
    shop.write("README.md", "later\n");
    shop.replace_index(b"not a database at all, sorry");
    assert_eq!(shop.error(&["history"])["code"], "damaged_index");
    let report = shop.data(&["store", "check", "--repair"]);
    assert!(report["repair"]["index_rebuilt"].as_str().unwrap().contains("backup copy"), "{report}");
    shop.vib(&["undo", &id, "--yes"]).ok();
    assert_eq!(shop.read("README.md"), "# Shop\n");
}

#[test]
fn a_damaged_index_without_a_copy_begins_anew_and_says_so() {
    let shop = shop();
    shop.checkpoint("good");
    shop.replace_index(&[0xaa; 8192]);
    let report = shop.data(&["store", "check", "--repair"]);
    let words = report["repair"]["index_rebuilt"].as_str().unwrap();
    assert!(words.contains("no backup copy") && words.contains("3 pieces of content"), "{words}");
    shop.checkpoint("works again");
    shop.vib(&["store", "check"]).ok();
}

#[test]
fn a_damaged_stat_index_hides_nothing() {
    let shop = shop();
    shop.checkpoint("good");
    let index = shop.store().join("stat.index");
    let mut bytes = std::fs::read(&index).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&index, bytes).unwrap();
    shop.write("src/cart.js", "changed\n");
    assert_eq!(shop.data(&["checkpoint"])["checkpoint"]["files_changed"], 1);
    std::fs::remove_file(&index).unwrap();
    shop.write("src/cart.js", "changed again\n");
    assert_eq!(shop.data(&["checkpoint"])["checkpoint"]["files_changed"], 1);
}

#[test]
fn a_newer_store_is_refused_and_not_touched() {
    let shop = shop();
    shop.checkpoint("good");
    shop.vib(&["store", "gc"]).ok();
    let db = shop.store().join("store.db");
    let mut bytes = std::fs::read(&db).unwrap();
    // The format number is at offset 60 of an SQLite file.
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&db, &bytes).unwrap();
    for arguments in [
        &["checkpoint"][..],
        &["undo", "--yes"],
        &["store", "gc"],
        &["store", "check", "--repair"],
        &["history"],
    ] {
        assert_eq!(shop.error(arguments)["code"], "newer_schema", "{arguments:?}");
    }
    assert!(std::fs::read(&db).unwrap() == bytes);
    assert_snapshot!(shop.vib(&["history"]).text(&shop), @r###"
    --- stderr
    error[newer_schema]: these checkpoints were written by a newer vib (format 99; this one knows 4)
    next: update vib; nothing was changed
    --- exit 3
    "###);
}

#[test]
fn all_projects_of_this_machine_are_listed() {
    let shop = shop();
    assert_snapshot!(shop.vib(&["store", "list"]).text(&shop), @r###"
    No project has checkpoints on this machine yet.
    "###);
    shop.checkpoint("good");
    assert_snapshot!(shop.vib(&["store", "list"]).text(&shop), @r###"
    [id]  [base]/project
    In a new clone of a project, `vib init --adopt ID` joins it to its checkpoints.
    "###);
    std::fs::rename(shop.root(), shop.base().join("elsewhere")).unwrap();
    std::fs::create_dir(shop.base().join("empty")).unwrap();
    let listed =
        testkit::Sandbox::run(shop.command(&["store", "list"]).current_dir(shop.base().join("empty")));
    assert!(listed.stdout.contains("this folder is gone"), "{}", listed.stdout);
}

#[test]
fn the_same_content_is_stored_once_cp3() {
    let shop = shop();
    for number in 0..20 {
        shop.write(&format!("copies/{number}.txt"), "the same words, twenty times\n");
    }
    shop.checkpoint("good");
    let stats = shop.data(&["store", "stats"]);
    assert_eq!(stats["contents"], 4);
    assert_eq!(stats["paths"], 3 + 20 + 2, "files and folders");
}
