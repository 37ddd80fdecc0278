//! Keep regions in every comment style, and every way to get around them.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use patch::{Options, apply, parse};

const STYLES: [(&str, &str); 14] = [
    ("// ", ""),
    ("# ", ""),
    ("<!-- ", " -->"),
    ("/* ", " */"),
    ("-- ", ""),
    ("; ", ""),
    ("% ", ""),
    ("{- ", " -}"),
    ("(* ", " *)"),
    ("\" ", ""),
    ("' ", ""),
    ("REM ", ""),
    ("  /// ", ""),
    ("{/* ", " */}"),
];

fn file(open: &str, close: &str) -> String {
    format!(
        "before one\nbefore two\n{open}VIBE-KEEP START core{close}\nkept one\nkept two\n{open}VIBE-KEEP END core{close}\nafter one\nafter two\n"
    )
}

/// The reasons why a patch is refused; empty if it is applied.
fn reasons(original: &str, hunk: &str) -> Vec<&'static str> {
    let text = format!("--- a/f\n+++ b/f\n{hunk}");
    let patch = parse(text.as_bytes()).unwrap();
    let result = apply(&patch.files[0], original.as_bytes(), &Options::default());
    assert_eq!(result.content.is_some(), result.refusals().next().is_none());
    result.refusals().map(|(_, refusal)| refusal.reason.code()).collect()
}

#[test]
fn lines_in_a_region_cannot_be_changed_in_any_comment_style_ed3() {
    for (open, close) in STYLES {
        let original = file(open, close);
        let refused = |hunk: &str| {
            assert_eq!(reasons(&original, hunk), ["keep_region"], "{open}{close}\n{hunk}");
        };
        refused("@@\n-kept one\n+changed\n kept two\n");
        refused("@@\n kept one\n+inserted between\n kept two\n");
        refused(&format!(
            "@@\n {open}VIBE-KEEP START core{close}\n+inserted right after the start\n kept one\n"
        ));
        refused(&format!(
            "@@\n kept two\n+inserted right before the end\n {open}VIBE-KEEP END core{close}\n"
        ));
    }
}

#[test]
fn markers_cannot_be_moved_deleted_or_changed_ed3() {
    for (open, close) in STYLES {
        let original = file(open, close);
        let (start, end) =
            (format!("{open}VIBE-KEEP START core{close}"), format!("{open}VIBE-KEEP END core{close}"));
        let refused = |hunk: &str| {
            assert_eq!(reasons(&original, hunk), ["keep_region"], "{open}{close}\n{hunk}");
        };
        refused(&format!("@@\n before two\n-{start}\n kept one\n"));
        refused(&format!("@@\n kept two\n-{end}\n after one\n"));
        refused(&format!("@@\n kept two\n-{end}\n+{open}VIBE-KEEP END other{close}\n after one\n"));
        // The end moved down, so that more would be kept, and up, so that less would be.
        refused(&format!("@@\n kept two\n-{end}\n after one\n+{end}\n after two\n"));
        refused(&format!("@@\n kept one\n+{end}\n kept two\n-{end}\n after one\n"));
        // A second start above makes the region another one without touching a line of it.
        refused(&format!("@@\n before one\n+{start}\n before two\n"));
        refused(&format!(
            "@@\n before one\n-before two\n-{start}\n-kept one\n-kept two\n-{end}\n after one\n"
        ));
    }
}

#[test]
fn lines_around_a_region_are_free() {
    for (open, close) in STYLES {
        let original = file(open, close);
        let applied = |hunk: &str| assert!(reasons(&original, hunk).is_empty(), "{open}{close}\n{hunk}");
        applied(&format!("@@\n before one\n-before two\n+changed\n {open}VIBE-KEEP START core{close}\n"));
        applied(&format!("@@\n before two\n+right above\n {open}VIBE-KEEP START core{close}\n kept one\n"));
        applied(&format!("@@\n kept two\n {open}VIBE-KEEP END core{close}\n+right below\n after one\n"));
    }
}

#[test]
fn a_mention_is_no_marker_and_an_open_region_protects_the_rest() {
    let mention =
        "text about VIBE-KEEP START core in a sentence\nlet s = \"VIBE-KEEP START core\";\nlast line\n";
    assert!(reasons(mention, "@@\n-last line\n+changed line\n").is_empty());
    let open = "first line\n# VIBE-KEEP START core\nsecond line\nthird line\n";
    assert_eq!(reasons(open, "@@\n second line\n-third line\n+changed\n"), ["keep_region"]);
    assert_eq!(reasons(open, "@@\n second line\n third line\n+appended\n"), ["keep_region"]);
    assert!(reasons(open, "@@\n-first line\n+changed\n # VIBE-KEEP START core\n").is_empty());
}

#[test]
fn regions_can_be_nested_and_repeated() {
    let text = "a line\n# VIBE-KEEP START x\none one\n# VIBE-KEEP START y\ntwo two\n# VIBE-KEEP END y\nthree three\n# VIBE-KEEP END x\nbetween them\n# VIBE-KEEP START x\nfour four\n# VIBE-KEEP END x\nlast line\n";
    for inside in ["one one", "two two", "three three", "four four"] {
        assert_eq!(reasons(text, &format!("@@\n-{inside}\n+changed\n")), ["keep_region"], "{inside}");
    }
    assert!(reasons(text, "@@\n-between them\n+changed\n").is_empty());
    assert!(reasons(text, "@@\n-last line\n+changed\n").is_empty());
}

#[test]
fn without_keep_regions_everything_is_free() {
    let original = file("# ", "");
    let patch = parse(b"--- a/f\n+++ b/f\n@@\n-kept one\n+changed\n kept two\n").unwrap();
    let options = Options { keep_regions: false, ..Options::default() };
    assert!(apply(&patch.files[0], original.as_bytes(), &options).content.is_some());
}
