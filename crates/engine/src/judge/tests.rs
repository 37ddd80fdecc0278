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

#[test]
fn an_ignored_file_that_would_be_lost_is_saved_first_or_asked_about_t6() {
    let (base, root) = project();
    std::fs::write(root.join(".gitignore"), "*.sqlite\nuploads/\nnode_modules/\n").unwrap();
    std::fs::create_dir_all(root.join("uploads")).unwrap();
    std::fs::create_dir_all(root.join("node_modules/x")).unwrap();
    std::fs::write(root.join("node_modules/x/index.js"), "1").unwrap();
    std::fs::write(root.join("dev.sqlite"), "the only copy").unwrap();
    std::fs::write(root.join("a.sqlite"), "another").unwrap();
    std::fs::write(root.join("uploads/1.png"), "picture").unwrap();
    let context = world(base.path(), &root, None);
    for (command, lost) in [
        ("cp a.sqlite dev.sqlite", vec!["dev.sqlite"]),
        ("echo x > dev.sqlite", vec!["dev.sqlite"]),
        ("rm -rf uploads", vec!["uploads/1.png"]),
        ("find . -name '*.sqlite' -delete", vec!["a.sqlite", "dev.sqlite"]),
        ("rm *.sqlite", vec!["a.sqlite", "dev.sqlite"]),
        ("sh -c 'truncate -s 0 dev.sqlite'", vec!["dev.sqlite"]),
    ] {
        let report = judge_command(&context, command);
        assert_eq!(report.decision, Decision::Ask, "{command}: {:?}", report.verdict.reasons);
        assert!(!report.verdict.reversible_by_checkpoint, "{command}");
        assert!(report.why().contains("cannot be brought back"), "{command}: {}", report.why());
        assert_eq!(report.save_first, lost, "{command}");
    }
    for command in ["rm -rf node_modules", "cp dev.sqlite b.txt", "echo x >> uploads/new", "cat dev.sqlite"] {
        let report = judge_command(&context, command);
        assert!(report.decision < Decision::Ask && report.save_first.is_empty(), "{command}: {report:?}");
    }

    let engine = crate::Engine::open(world(base.path(), &root, None)).unwrap();
    let mut report = judge_command(engine.context(), "cp a.sqlite dev.sqlite");
    let request = store::SnapshotRequest::new(store::CheckpointKind::Turn);
    let saved = save_losses(&engine, &mut report, &request, &store::Silent).unwrap().unwrap();
    assert_eq!(report.decision, Decision::AllowWithCheckpoint, "{:?}", report.verdict.reasons);
    std::fs::write(root.join("dev.sqlite"), "another").unwrap();
    let id = saved.checkpoint.id.to_string();
    let old = crate::show::old_file(&engine, &id, Path::new("dev.sqlite"), &store::Silent).unwrap();
    assert_eq!(old.content, b"the only copy", "saved by name although it is ignored");

    let large = std::fs::File::create(root.join("big.sqlite")).unwrap();
    large.set_len(40 << 20).unwrap();
    let mut report = judge_command(engine.context(), "rm -f big.sqlite");
    assert!(
        report.save_first.is_empty() && report.why().contains("cannot be brought back"),
        "{}",
        report.why()
    );
    assert!(save_losses(&engine, &mut report, &request, &store::Silent).unwrap().is_none());
    assert_eq!(report.decision, Decision::Ask, "too much to save first");
}

#[test]
fn patterns_are_looked_up_in_the_real_folder_s7() {
    let (base, root) = project();
    std::fs::write(root.join(".git/config"), "[core]\n").unwrap();
    std::fs::write(root.join("x.tmp"), "x").unwrap();
    #[cfg(unix)]
    std::fs::hard_link(root.join(".git/config"), root.join("other-name")).unwrap();
    let context = world(base.path(), &root, None);
    let decide = |command: &str| judge_command(&context, command).decision;
    for command in
        ["rm -rf .g*", "find . -name .git -exec rm -rf {} +", "ls -A | xargs rm -rf", "npx rimraf '.*'"]
    {
        assert!(decide(command) >= Decision::Ask, "{command}");
    }
    #[cfg(unix)]
    assert!(decide("echo x > other-name") >= Decision::Ask);
    for command in ["rm -rf *.tmp", "find . -name '*.tmp' -delete", "ls | xargs wc -l", "rm -rf s*"] {
        assert!(decide(command) < Decision::Ask, "{command}");
    }
}
