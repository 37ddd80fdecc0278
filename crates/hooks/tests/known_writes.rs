//! A command whose writes are known is looked at there only; nothing of what it really does is missed.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::process::Command;

use crate::world::World;
use serde_json::json;
use store::{Actor, Claims, Silent};

/// Runs a line for real, with both hooks, and then looks at everything. Whether only names were looked at; what it changed.
fn runs(line: &str) -> (bool, Vec<String>) {
    let world = World::new();
    for path in ["a", "b", "src/b.txt", "d/x", "docs/guide.md", "big/one", "big/two"] {
        world.write(path, &format!("{path}\nfoo\n"));
    }
    world.write(".gitignore", "*.log\n");
    world.write("old.log", "old\n");
    world.claude("UserPromptSubmit", json!({"prompt": "go"}));
    world.command(line, || {
        // Every line is relative, and the folder is the test's own.
        let status = Command::new("sh").arg("-c").arg(line).current_dir(&world.root).status().unwrap();
        assert!(status.success(), "{line}");
    });
    world.claude("UserPromptSubmit", json!({"prompt": "and now?", "prompt_id": "p2"}));
    let steps = world.steps();
    assert!(
        steps.iter().all(|(step, _)| step.actor == Actor::Agent),
        "{line} left something behind: {steps:#?}"
    );
    let (step, paths) = steps.last().unwrap().clone();
    let engine = world.engine();
    let opened = engine.store(&Silent).unwrap();
    let named = matches!(opened.store.claims_of(step.number).unwrap(), Claims::Named(_));
    (named, paths)
}

#[test]
fn what_is_known_is_looked_at_by_name_and_nothing_is_missed() {
    for (line, changed) in [
        ("sed -i s/foo/bar/ a src/b.txt", &["a", "src/b.txt"][..]),
        ("rm a", &["a"]),
        ("rm -f a nothing-there", &["a"]),
        ("cp a c", &["c"]),
        ("cp a docs", &["docs/a"]),
        ("cp a b docs/", &["docs/a", "docs/b"]),
        ("mv a c", &["a", "c"]),
        ("mv a docs/", &["a", "docs/a"]),
        ("mkdir -p new/deep/er", &["new", "new/deep", "new/deep/er"]),
        ("mkdir new && touch new/file", &["new", "new/file"]),
        ("mkdir new && cp a new && cp b new/c", &["new", "new/a", "new/c"]),
        ("touch fresh", &["fresh"]),
        ("echo x > c", &["c"]),
        ("echo x >> a", &["a"]),
        ("cat a b > c && rm a b", &["a", "b", "c"]),
        ("sort -r a > sorted && mv sorted a", &["a"]),
        ("grep foo a | tee c", &["c"]),
        ("cat > c <<'EOF'\ntext\nEOF", &["c"]),
        ("cd src && rm b.txt && echo x > c", &["src/b.txt", "src/c"]),
        ("chmod 755 a", &["a"]),
        (": > a", &["a"]),
        ("rm d/x && rmdir d", &["d", "d/x"]),
        ("echo new > old.log", &["old.log"]),
        ("true", &[]),
    ] {
        let (named, paths) = runs(line);
        assert_eq!(paths, changed, "{line}");
        assert!(named || line == "true", "{line}");
    }
}

#[test]
fn what_is_not_known_is_looked_for_everywhere() {
    for (line, changed) in [
        ("mv big large", &["big", "big/one", "big/two", "large", "large/one", "large/two"][..]),
        ("rm -r big", &["big", "big/one", "big/two"]),
        ("cp -r big copy", &["copy", "copy/one", "copy/two"]),
        ("for f in a b; do echo x > $f; done", &["a", "b"]),
        ("sh -c 'echo x > hidden'", &["hidden"]),
        ("ln -s a link && echo x > c", &["c", "link"]),
        ("sed -i.bak s/foo/bar/ a", &["a", "a.bak"]),
        ("rm big/*", &["big/one", "big/two"]),
    ] {
        let (named, paths) = runs(line);
        assert_eq!(paths, changed, "{line}");
        assert!(!named, "{line}");
    }
}
