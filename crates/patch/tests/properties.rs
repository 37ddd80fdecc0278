//! What holds for every text: apply ∘ diff = target, reverse restores, nothing panics, nothing lands elsewhere.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use patch::{FileResult, Options, apply, parse, reverse};
use proptest::prelude::*;

/// A unified diff from one text to another, as git would write it.
fn diff(old: &str, new: &str, context: usize) -> String {
    let text = similar::TextDiff::from_lines(old, new);
    text.unified_diff()
        .context_radius(context)
        .header("a/file", "b/file")
        .missing_newline_hint(true)
        .to_string()
}

fn run(original: &str, diff: &str) -> FileResult {
    let patch = parse(diff.as_bytes()).unwrap();
    assert_eq!(patch.files.len(), 1);
    apply(&patch.files[0], original.as_bytes(), &Options::default())
}

/// Lines that differ from each other most of the time, with some that repeat.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        3 => "[a-z]{2,6} = [0-9]{1,4};",
        1 => Just("}".to_owned()),
        1 => Just(String::new()),
        1 => "( {4}|\t)[a-z]{2,5}\\(\\);",
    ];
    (proptest::collection::vec(line, 0..40), any::<bool>()).prop_map(|(lines, newline)| {
        let mut text = lines.join("\n");
        if newline && !lines.is_empty() {
            text.push('\n');
        }
        text
    })
}

/// A text and an edited form of it.
fn edited() -> impl Strategy<Value = (String, String)> {
    (text(), proptest::collection::vec((0..60_usize, 0..3_u8, "[a-z]{4,9} [0-9]{3}"), 1..6)).prop_map(
        |(old, edits)| {
            let mut lines: Vec<String> = old.lines().map(str::to_owned).collect();
            for (at, kind, line) in edits {
                let at = at % (lines.len() + 1);
                match kind {
                    0 => lines.insert(at, line),
                    1 if at < lines.len() => drop(lines.remove(at)),
                    _ if at < lines.len() => lines[at] = line,
                    _ => lines.push(line),
                }
            }
            let mut new = lines.join("\n");
            if old.ends_with('\n') && !new.is_empty() {
                new.push('\n');
            }
            (old, new)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// What git would accept is applied exactly, or refused with a reason; never to other bytes.
    #[test]
    fn applying_a_diff_gives_the_target_ed2((old, new) in edited(), context in 0..5_usize) {
        prop_assume!(old != new);
        let diff = diff(&old, &new, context);
        let result = run(&old, &diff);
        if let Some(content) = &result.content {
            prop_assert_eq!(String::from_utf8_lossy(content), new.as_str(), "{}", diff);
        } else {
            // The numbers are right, so only an edit that looks done already may be refused.
            let reasons: Vec<&str> = result.refusals().map(|(_, refusal)| refusal.reason.code()).collect();
            prop_assert!(
                reasons.iter().all(|reason| ["hunk_already_applied", "hunk_ambiguous", "hunk_weak_context"].contains(reason)),
                "{reasons:?}\n{diff}"
            );
        }
    }

    /// With three lines of context and distinct lines nothing is ever refused.
    #[test]
    fn distinct_lines_are_always_found(
        lines in proptest::collection::vec("[a-z]{3,6}", 8..40),
        at in 0..40_usize,
        offset in -30..30_i64,
    ) {
        let numbered: Vec<String> = lines.iter().enumerate().map(|(n, line)| format!("{line} number {n}")).collect();
        let at = at % numbered.len();
        let old = numbered.join("\n") + "\n";
        let mut changed = numbered.clone();
        changed[at] = "something else entirely".to_owned();
        let new = changed.join("\n") + "\n";
        let shift = |text: &str| -> String {
            let header = text.lines().find(|line| line.starts_with("@@")).unwrap().to_owned();
            let start: i64 = header[4..].split([',', ' ']).next().unwrap().parse().unwrap();
            text.replace(&header, &format!("@@ -{} +{} @@", (start + offset).max(1), (start + offset).max(1)))
        };
        let result = run(&old, &shift(&diff(&old, &new, 3)));
        prop_assert_eq!(result.content.map(|bytes| String::from_utf8(bytes).unwrap()), Some(new));
    }

    /// Turning a patch around takes it back.
    #[test]
    fn reverse_restores((old, new) in edited()) {
        prop_assume!(old != new);
        let diff = diff(&old, &new, 3);
        let forward = parse(diff.as_bytes()).unwrap();
        let back = reverse(&forward);
        if let Some(content) = apply(&forward.files[0], old.as_bytes(), &Options::default()).content
            && let Some(restored) = apply(&back.files[0], &content, &Options::default()).content
        {
            prop_assert_eq!(String::from_utf8_lossy(&restored), old.as_str(), "{}", diff);
        }
    }

    /// A second application is refused or leaves the result alone: it never does the edit twice.
    #[test]
    fn nothing_is_applied_twice(
        lines in proptest::collection::vec("[a-z]{3,6}", 8..30),
        at in 0..30_usize,
    ) {
        let numbered: Vec<String> = lines.iter().enumerate().map(|(n, line)| format!("{line} number {n}")).collect();
        let at = at % numbered.len();
        let old = numbered.join("\n") + "\n";
        let mut changed = numbered.clone();
        changed.insert(at, "let inserted = true;".to_owned());
        let new = changed.join("\n") + "\n";
        let diff = diff(&old, &new, 3);
        let again = run(&new, &diff);
        prop_assert!(again.content.is_none(), "{}", diff);
    }

    /// Any bytes at all: an answer, never a panic.
    #[test]
    fn arbitrary_text_never_panics(text in proptest::collection::vec(any::<u8>(), 0..400), file in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(patch) = parse(&text) {
            for part in &patch.files {
                let _ = apply(part, &file, &Options::default());
            }
        }
    }

    /// Text that looks like patches, put together at random.
    #[test]
    fn broken_patches_never_panic(
        parts in proptest::collection::vec(prop_oneof![
            Just("--- a/x\n".to_owned()), Just("+++ b/x\n".to_owned()), Just("diff --git a/x b/x\n".to_owned()),
            "@@ -[0-9]{1,25},[0-9]{0,20} \\+[0-9]{0,3} @@( [a-z]{1,4})?\n", Just("@@\n".to_owned()), Just("@@ class A\n".to_owned()),
            "[ +-][a-c ]{0,3}\r?\n", "[a-c\t]{0,3}\n", Just(" ...\n".to_owned()), Just("```diff\n".to_owned()), Just("```\n".to_owned()),
            Just("\\ No newline at end of file\n".to_owned()), Just("rename from x\n".to_owned()), Just("new file mode 1\n".to_owned()),
            Just("*** Begin Patch\n".to_owned()), Just("*** Update File: x\n".to_owned()), Just("*** End of File\n".to_owned()),
            Just("*** Add File: y\n".to_owned()), Just("*** Move to: z\n".to_owned()), Just("*** End Patch\n".to_owned()),
            Just("<<<<<<< SEARCH\n".to_owned()), Just("=======\n".to_owned()), Just(">>>>>>> REPLACE\n".to_owned()),
            Just("// VIBE-KEEP START a\n".to_owned()), Just("+// VIBE-KEEP END a\n".to_owned()),
        ], 0..30),
        file in "([a-c ]{0,3}\r?\n){0,12}[a-c]?",
    ) {
        let text = parts.concat();
        if let Ok(patch) = parse(text.as_bytes()) {
            for patch in [&patch, &reverse(&patch)] {
                for part in &patch.files {
                    let result = apply(part, file.as_bytes(), &Options::default());
                    prop_assert_eq!(result.content.is_none(), result.refusals().next().is_some());
                    prop_assert_eq!(result.decisions.len(), part.hunks.len());
                }
            }
        }
    }
}
