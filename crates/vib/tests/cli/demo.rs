//! `vib demo`

use super::empty;

#[test]
fn the_story_is_true() {
    let sandbox = empty();
    let data = sandbox.data(&["demo"]);
    assert_eq!((&data["came_back"], &data["undo_was_undone"]), (&true.into(), &true.into()));
    assert!(!std::path::Path::new(data["folder"].as_str().unwrap()).exists(), "nothing is left behind");
    let output = sandbox.vib(&["demo"]).ok();
    assert_eq!(output.stdout.matches('✓').count(), 3, "{}", output.stdout);
    assert!(!output.stdout.contains("not-a-real-key"));
}
