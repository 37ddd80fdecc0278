//! What belongs to a checkpoint (CP5)

use super::shop;

fn saved(shop: &testkit::Sandbox) -> Vec<String> {
    let file = shop.base().join(format!("out-{}.tar", std::fs::read_dir(shop.base()).unwrap().count()));
    shop.vib(&["store", "export", "--tar", file.to_str().unwrap()]).ok();
    let list = std::process::Command::new("tar").arg("tf").arg(&file).output().unwrap();
    String::from_utf8(list.stdout)
        .unwrap()
        .lines()
        .filter(|name| !name.ends_with('/'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn gitignore_ignore_and_vibignore_are_honoured_at_every_level() {
    let shop = shop();
    shop.write(".gitignore", "*.log\n/build/\n!keep.log\n");
    shop.write(".vibignore", "*.iso\n");
    shop.write("src/.gitignore", "generated/\n!important.log\n");
    shop.write("src/.ignore", "notes.txt\n");
    for path in [
        "a.log",
        "keep.log",
        "build/x",
        "src/build/x",
        "disk.iso",
        "src/generated/y",
        "src/important.log",
        "src/notes.txt",
        "src/x.log",
    ] {
        shop.write(path, "x");
    }
    shop.checkpoint("good");
    assert_eq!(
        saved(&shop),
        [
            ".gitignore",
            ".vibignore",
            "README.md",
            "keep.log",
            "src/.gitignore",
            "src/.ignore",
            "src/build/x",
            "src/cart.js",
            "src/important.log",
            "src/login.js",
        ]
    );
}

#[test]
fn a_changed_rule_takes_effect_below_even_if_nothing_else_changed() {
    let shop = shop();
    shop.write("src/deep/a.tmp", "x");
    shop.checkpoint("with");
    std::thread::sleep(std::time::Duration::from_millis(50));
    shop.checkpoint("settled");
    shop.write(".gitignore", "*.tmp\n");
    shop.checkpoint("without");
    assert!(!saved(&shop).contains(&"src/deep/a.tmp".to_owned()));
    shop.remove(".gitignore");
    shop.checkpoint("with again");
    assert!(saved(&shop).contains(&"src/deep/a.tmp".to_owned()));
}

#[test]
fn small_untracked_settings_are_saved_but_never_exported_cp5() {
    let shop = shop();
    shop.write(".gitignore", ".env*\nsecrets/\n");
    shop.write(".env", "A=1\n");
    shop.write(".env.local", "B=2\n");
    shop.write("packages/web/.env", "C=3\n");
    shop.write("secrets/dev.conf", "D=4\n");
    shop.vib(&["config", "set", "--project", "checkpoint.include", "secrets/*.conf"]).ok();
    shop.checkpoint("good");
    assert!(!saved(&shop).iter().any(|name| name.contains(".env") || name.contains("secrets")));
    shop.shell("rm .env .env.local packages/web/.env secrets/dev.conf");
    shop.vib(&["undo", "--yes"]).ok();
    for (path, text) in [
        (".env", "A=1\n"),
        (".env.local", "B=2\n"),
        ("packages/web/.env", "C=3\n"),
        ("secrets/dev.conf", "D=4\n"),
    ] {
        assert_eq!(shop.read(path), text, "{path}");
    }
}

#[test]
fn folders_that_tools_make_again_are_left_out_but_ordinary_names_are_not() {
    let shop = shop();
    shop.write("node_modules/left-pad/index.js", "x");
    shop.write("target/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n");
    shop.write("target/debug/out", "x");
    shop.write(".venv/pyvenv.cfg", "home = /usr/bin\n");
    shop.write(".venv/lib/x.py", "x");
    for path in ["build/x", "env/x", "Library/x", "dist/x", "vendor/x", "fake/CACHEDIR.TAG"] {
        shop.write(path, "mine");
    }
    shop.checkpoint("good");
    let names = saved(&shop);
    for path in ["build/x", "env/x", "Library/x", "dist/x", "vendor/x", "fake/CACHEDIR.TAG"] {
        assert!(names.contains(&path.to_owned()), "{path} must be saved: {names:?}");
    }
    assert!(!names.iter().any(|name| name.starts_with("node_modules")
        || name.starts_with("target")
        || name.starts_with(".venv")));
    shop.vib(&["config", "set", "checkpoint.skip_caches", "false"]).ok();
    shop.checkpoint("all");
    assert!(saved(&shop).contains(&"node_modules/left-pad/index.js".to_owned()));
}

#[test]
fn git_data_is_never_saved_at_any_depth() {
    let shop = shop();
    shop.write(".git/config", "x");
    shop.write("nested/.git/HEAD", "x");
    shop.write("nested/code", "x");
    shop.write("module/.git", "gitdir: ../.git/modules/module\n");
    shop.write("module/code", "x");
    shop.checkpoint("good");
    let names = saved(&shop);
    assert!(!names.iter().any(|name| name.contains(".git/") || name.ends_with(".git")), "{names:?}");
    assert!(names.contains(&"nested/code".to_owned()) && names.contains(&"module/code".to_owned()));
}
