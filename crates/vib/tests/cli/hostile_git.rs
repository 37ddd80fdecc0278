//! A repository's settings are somebody else's text: nothing that vib asks git starts a program they name. (S15)

use super::shop;

/// A repository whose every setting that names a program names one that leaves a mark.
#[test]
fn no_setting_of_a_repository_starts_a_program_s15() {
    let shop = shop();
    let mark = shop.base().join("started");
    let program = shop.base().join("program.sh");
    std::fs::write(&program, format!("#!/bin/sh\necho \"$0 $*\" >> {}\nexit 0\n", mark.display())).unwrap();
    shop.shell(&format!("chmod +x {}", program.display()));
    let named = program.display();
    shop.shell(
        "git init -q -b main . && git add -A && git -c user.name=x -c user.email=x@x commit -qm first && \
         echo more >> README.md && git -c user.name=x -c user.email=x@x commit -qam second",
    );
    // A signature, so that showing one would call the program.
    let signed = "tree $(git rev-parse HEAD^{tree})\\nparent $(git rev-parse HEAD)\\nauthor x <x@x> 1767268800 +0000\\n\
                  committer x <x@x> 1767268800 +0000\\ngpgsig -----BEGIN PGP SIGNATURE-----\\n \\n aGVsbG8=\\n -----END PGP SIGNATURE-----\\n\\nthird\\n";
    shop.shell(&format!(
        "git update-ref HEAD $(printf \"{signed}\" | git hash-object -t commit -w --stdin --literally)"
    ));
    for setting in [
        "gpg.program",
        "gpg.ssh.program",
        "core.fsmonitor",
        "core.pager",
        "pager.log",
        "diff.external",
        "core.sshCommand",
        "core.askPass",
        "core.editor",
        "core.alternateRefsCommand",
        "filter.evil.process",
        "diff.evil.textconv",
        "diff.evil.command",
    ] {
        shop.shell(&format!("git config {setting} {named}"));
    }
    shop.shell("git config log.showSignature true && echo '* diff=evil' > .git/info/attributes");
    for hook in ["reference-transaction", "post-index-change", "post-commit", "pre-auto-gc"] {
        shop.shell(&format!("mkdir -p .git/hooks && cp {named} .git/hooks/{hook}"));
    }
    // The world is as hostile as it should be: git itself would start something here.
    shop.shell("git log -1 >/dev/null 2>&1 || true");
    assert!(mark.exists(), "the settings are not hostile at all");
    std::fs::remove_file(&mark).unwrap();
    shop.checkpoint("good");
    shop.write("README.md", "");
    for arguments in [
        &["recover", "--explain"][..],
        &["explain"],
        &["guard"],
        &["status"],
        &["diff"],
        &["scan"],
        &["secrets", "scan"],
        &["secrets", "scan", "--staged"],
        &["secrets", "scan", "--history"],
        &["transfer", "--handoff"],
        &["store", "export", "--git-branch", "vib-save"],
    ] {
        let _ = shop.vib(arguments);
        let started = std::fs::read_to_string(&mark).unwrap_or_default();
        assert!(started.is_empty(), "`vib {}` started {started}", arguments.join(" "));
    }
    shop.shell("git rev-parse --verify -q vib-save >/dev/null");
}
