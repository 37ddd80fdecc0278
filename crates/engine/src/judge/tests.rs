//! The use case as a hook calls it: a folder, a command, an answer.

use std::ffi::OsString;
use std::path::Path;

use super::*;

/// A world with a home at `base/home`, seen from `cwd`.
fn world(base: &Path, cwd: &Path, covered: Option<&'static str>) -> Context {
    let base = base.canonicalize().unwrap();
    let get = move |name: &str| match name {
        "HOME" => Some(base.join("home").into_os_string()),
        "VIBELIGN_GUARD_COVERED" => covered.map(OsString::from),
        _ => None,
    };
    Context::with_environment(cwd.canonicalize().unwrap(), &get)
}

fn project() -> (tempfile::TempDir, PathBuf) {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().join("home/app");
    std::fs::create_dir_all(root.join(".git")).unwrap();
    std::fs::create_dir_all(root.join("src")).unwrap();
    (base, root)
}

#[test]
fn the_checkpoint_question_is_answered_for_the_project_alone() {
    let (base, root) = project();
    let context = world(base.path(), &root, None);
    for (command, want) in [
        ("ls -la && git status", false),
        ("touch /tmp/x", false),
        ("touch src/a.rs", true),
        ("npm test", true),
        ("some-unknown-tool", true),
        ("cd src && sed -i s/a/b/ x", true),
        ("if then fi (", true),
    ] {
        assert_eq!(may_write(&context, command), want, "{command}");
        assert_eq!(judge_command(&context, command).needs_checkpoint, want, "{command}");
    }
    assert!(!root.join(".vibelign").exists(), "judging leaves nothing behind");
}

#[test]
fn the_answer_depends_on_who_takes_the_checkpoint() {
    let (base, root) = project();
    let lost = "rm -rf src";
    let plain = world(base.path(), &root, None);
    assert_eq!(judge_command(&plain, lost).decision, Decision::AllowWithCheckpoint);
    assert_eq!(judge_without_checkpoint(&plain, lost).decision, Decision::Ask);
    let told = world(base.path(), &root, Some("allow"));
    assert_eq!(judge_without_checkpoint(&told, lost).decision, Decision::AllowWithCheckpoint);
    let strict = world(base.path(), &root, Some("ask"));
    assert_eq!(judge_command(&strict, lost).decision, Decision::Ask);
}

#[test]
fn where_there_is_no_project_nothing_is_covered() {
    let (base, _) = project();
    let home = base.path().join("home");
    let report = judge_command(&world(base.path(), &home, None), "rm -rf notes");
    assert_eq!(report.root, None);
    assert!(report.decision >= Decision::Ask || !report.needs_checkpoint, "{report:?}");
    assert!(!report.verdict.reversible_by_checkpoint || report.verdict.deletes.is_empty(), "{report:?}");
    let top = judge_command(&world(base.path(), Path::new("/"), None), "rm -rf etc");
    assert_eq!(top.decision, Decision::Deny);
}

#[test]
fn the_aliases_of_the_repository_and_of_the_user_are_known() {
    let (base, root) = project();
    std::fs::write(root.join(".git/config"), "[alias]\n\tpublish = push --force\n").unwrap();
    std::fs::write(base.path().join("home/.gitconfig"), "[alias]\nst = status -sb\nwipe = !rm -rf ~\n")
        .unwrap();
    let context = world(base.path(), &root, None);
    assert_eq!(judge_command(&context, "git st").decision, Decision::Allow);
    assert_eq!(judge_command(&context, "git publish").decision, Decision::Ask);
    assert_eq!(judge_command(&context, "git wipe").decision, Decision::Deny);
}

#[test]
fn scripts_of_the_project_are_read() {
    let (base, root) = project();
    std::fs::write(root.join("good.sh"), "#!/bin/sh\nls src\n").unwrap();
    std::fs::write(root.join("bad.sh"), "#!/bin/sh\nset -e\ngit push --force\n").unwrap();
    let context = world(base.path(), &root, None);
    for (command, want) in [
        ("./good.sh", Decision::AllowWithCheckpoint),
        ("bash good.sh", Decision::AllowWithCheckpoint),
        ("./bad.sh", Decision::Ask),
        ("sh -e bad.sh", Decision::Ask),
        ("cat bad.sh | sh", Decision::Ask),
        ("cat bad.sh", Decision::Allow),
    ] {
        assert_eq!(judge_command(&context, command).decision, want, "{command}");
    }
}

#[test]
fn a_broken_settings_file_makes_every_change_a_question() {
    let (base, root) = project();
    std::fs::create_dir_all(base.path().join("home/.config/vibelign")).unwrap();
    std::fs::write(base.path().join("home/.config/vibelign/config.toml"), "guard = [").unwrap();
    let context = world(base.path(), &root, Some("allow"));
    let report = judge_command(&context, "touch x");
    assert_eq!(report.decision, Decision::Ask, "{report:?}");
    assert!(report.warnings.iter().any(|warning| warning.contains("config.toml")), "{:?}", report.warnings);
    assert_eq!(judge_command(&context, "ls").decision, Decision::Allow);
}

#[test]
fn the_report_has_a_schema() {
    let schema = serde_json::to_value(schemars::schema_for!(JudgeReport)).unwrap();
    for field in ["decision", "needs_checkpoint", "verdict", "warnings", "second_opinion"] {
        assert!(schema["properties"].get(field).is_some(), "{field}: {schema}");
    }
}
