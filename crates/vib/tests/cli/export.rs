//! `vib store export` (CP9)

use testkit::Photo;

use super::shop;

#[test]
fn a_tar_has_everything_but_what_is_sensitive_cp9() {
    let shop = shop();
    shop.write(".env", "KEY=secret-value\n");
    shop.shell("chmod 755 src/cart.js && ln -s README.md link && mkdir empty");
    shop.checkpoint("good");
    let tar = shop.base().join("out.tar");
    let report = shop.data(&["store", "export", "--tar", tar.to_str().unwrap()]);
    assert_eq!((&report["files"], &report["left_out"]), (&4.into(), &1.into()));
    assert!(!std::fs::read(&tar).unwrap().windows(12).any(|bytes| bytes == b"secret-value"));
    let out = shop.base().join("out");
    std::fs::create_dir(&out).unwrap();
    let status = std::process::Command::new("tar").arg("xpf").arg(&tar).arg("-C").arg(&out).status().unwrap();
    assert!(status.success());
    shop.remove(".env");
    Photo::of(&out).assert_same(&Photo::of(&shop.root()));
    assert_eq!(shop.error(&["store", "export", "--tar", tar.to_str().unwrap()])["code"], "target_exists");
}

#[test]
fn a_git_branch_is_made_and_nothing_else_is_touched_cp9() {
    let shop = shop();
    shop.shell(
        "git init -q -b main . && git add -A && git -c user.name=x -c user.email=x@x commit -qm first",
    );
    shop.write(".env", "KEY=secret-value\n");
    shop.write("name with \"quotes\" 한국어.txt", "x\n");
    shop.checkpoint("one");
    shop.write("README.md", "two\n");
    shop.checkpoint("two");
    let git = |arguments: &[&str]| {
        let output =
            std::process::Command::new("git").args(arguments).current_dir(shop.root()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (head, status) = (git(&["rev-parse", "HEAD"]), git(&["status", "--porcelain"]));
    let report = shop.data(&["store", "export", "--git-branch", "vib-save", "--all"]);
    assert_eq!(report["checkpoints"], 2);
    assert_eq!((git(&["rev-parse", "HEAD"]), git(&["status", "--porcelain"])), (head, status));
    assert_eq!(git(&["show", "vib-save:README.md"]), "two\n");
    assert_eq!(git(&["show", "vib-save~1:README.md"]), "# Shop\n");
    let files = git(&["-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", "vib-save"]);
    assert!(files.contains("한국어") && !files.contains(".env"), "{files}");
    assert_eq!(shop.error(&["store", "export", "--git-branch", "vib-save"])["code"], "git_export");
    assert_eq!(shop.error(&["store", "export", "--git-branch", "bad name"])["code"], "git_export");
}
