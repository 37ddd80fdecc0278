//! The rules of a patch that only show between the steps: what happens after the preview counts (ED2)

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::path::Path;

use project::Context;
use store::Silent;
use vib_engine::Engine;
use vib_engine::may::Actor;
use vib_engine::patch::{PatchOptions, apply, preview};
use vib_engine::undo::Confirmation;

const PATCH: &[u8] = b"\
--- a/one.txt
+++ b/one.txt
@@ -1,2 +1,2 @@
 first of one
-second of one
+changed in one
--- a/two.txt
+++ b/two.txt
@@ -1,2 +1,2 @@
 first of two
-second of two
+changed in two
";

/// A project with two files, in a world of its own.
fn engine(base: &Path) -> Engine {
    let base = base.canonicalize().unwrap();
    let root = base.join("project");
    std::fs::create_dir_all(&root).unwrap();
    for name in ["one", "two"] {
        let text = format!("first of {name}\nsecond of {name}\n");
        std::fs::write(root.join(format!("{name}.txt")), text).unwrap();
    }
    let state = base.join("state");
    let get = move |name: &str| (name == "VIBELIGN_STATE").then(|| state.clone().into_os_string());
    Engine::open(Context::with_environment(root, &get)).unwrap()
}

#[test]
fn a_file_that_changed_after_the_preview_stops_all_files() {
    let base = tempfile::tempdir().unwrap();
    let engine = engine(base.path());
    let shown = preview(&engine, Actor::Person, PATCH, &PatchOptions::default(), &Silent).unwrap();
    assert!(shown.is_applicable());
    let root = engine.project().root().to_path_buf();
    std::fs::write(root.join("two.txt"), "first of two\nsecond of two\nthird of two\n").unwrap();
    let error = apply(&engine, &shown, Confirmation::Flag, &Silent).unwrap_err();
    assert_eq!((error.code(), error.exit_code()), ("changed_since_preview", 1));
    assert_eq!(std::fs::read_to_string(root.join("one.txt")).unwrap(), "first of one\nsecond of one\n");
    assert!(std::fs::read_to_string(root.join("two.txt")).unwrap().ends_with("third of two\n"));
}

#[test]
fn a_file_that_appeared_where_a_new_one_shall_be_stops_all_files() {
    let base = tempfile::tempdir().unwrap();
    let engine = engine(base.path());
    let text = [PATCH, b"--- /dev/null\n+++ b/three.txt\n@@ -0,0 +1 @@\n+third\n"].concat();
    let shown = preview(&engine, Actor::Person, &text, &PatchOptions::default(), &Silent).unwrap();
    let root = engine.project().root().to_path_buf();
    std::fs::write(root.join("three.txt"), "mine\n").unwrap();
    let error = apply(&engine, &shown, Confirmation::Flag, &Silent).unwrap_err();
    assert_eq!(error.code(), "changed_since_preview");
    assert_eq!(std::fs::read_to_string(root.join("three.txt")).unwrap(), "mine\n");
    assert_eq!(std::fs::read_to_string(root.join("one.txt")).unwrap(), "first of one\nsecond of one\n");
}

#[test]
fn a_refused_preview_cannot_be_applied() {
    let base = tempfile::tempdir().unwrap();
    let engine = engine(base.path());
    let text = String::from_utf8(PATCH.to_vec()).unwrap().replace("-second of two", "-fourth of two");
    let shown = preview(&engine, Actor::Person, text.as_bytes(), &PatchOptions::default(), &Silent).unwrap();
    assert!(!shown.is_applicable());
    let error = apply(&engine, &shown, Confirmation::Flag, &Silent).unwrap_err();
    assert_eq!(error.code(), "hunk_other_version");
    let one = std::fs::read_to_string(engine.project().root().join("one.txt")).unwrap();
    assert_eq!(one, "first of one\nsecond of one\n");
}

#[test]
fn what_a_patch_wrote_is_saved_by_the_next_checkpoint_and_survives_cleaning() {
    let base = tempfile::tempdir().unwrap();
    let engine = engine(base.path());
    let shown = preview(&engine, Actor::Person, PATCH, &PatchOptions::default(), &Silent).unwrap();
    let report = apply(&engine, &shown, Confirmation::Flag, &Silent).unwrap();
    assert!(report.applied && report.snapshot_id.is_some());
    let mut opened = engine.store(&Silent).unwrap();
    let lock = opened.store.lock_tree("test").unwrap();
    opened.store.gc(&lock, None, &Silent).unwrap();
    let request = store::SnapshotRequest::new(store::CheckpointKind::Manual);
    let saved = opened.store.snapshot_tree(&lock, &request, &[], &Silent).unwrap();
    let view = opened.store.view(&saved.checkpoint, &opened.store.recorded_state().unwrap()).unwrap();
    let entry = opened.store.entry_in(&view, b"one.txt").unwrap().unwrap();
    assert_eq!(opened.store.content(&entry.hash).unwrap(), b"first of one\nchanged in one\n");
}
