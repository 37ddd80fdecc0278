//! `vib bisect`: which step broke it.

use std::process::Command;
use std::time::Duration;

use insta::assert_snapshot;
use testkit::{Photo, Sandbox};

use super::hook::Chat;
use super::shop;

/// Five steps, of which the third breaks the check.
fn broken_shop() -> Sandbox {
    let shop = shop();
    shop.write("check.sh", "! grep -q broken src/*.js\n");
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("improve the shop");
    chat.write("src/login.js", "check(user);\nlog(user);\n").unwrap();
    chat.write("src/new.js", "ok();\n").unwrap();
    chat.prompt("now the cart");
    chat.shell("sed -i s/count/broken/ src/cart.js && echo made > made.txt");
    chat.write("src/new.js", "ok();\nmore();\n").unwrap();
    chat.write("README.md", "# Shop\n\nBetter.\n").unwrap();
    shop
}

/// What a search found, for programs.
fn found(shop: &Sandbox, words: &[&str]) -> serde_json::Value {
    let arguments: Vec<&str> = ["bisect", "--json"].into_iter().chain(words.iter().copied()).collect();
    shop.vib(&arguments).ok().json()["data"].clone()
}

#[test]
fn the_step_is_named_with_its_request_command_and_files_and_the_way_back() {
    let shop = broken_shop();
    let before = Photo::of(&shop.root());
    assert_snapshot!(shop.vib(&["bisect", "--", "sh", "check.sh"]).text(&shop));
    before.assert_same(&Photo::of(&shop.root()));
    let data = found(&shop, &["--good", "s1", "--", "sh", "check.sh"]);
    assert_eq!(data["outcome"], "found");
    assert_eq!(
        (&data["culprits"][0]["number"], &data["culprits"][0]["undo"]),
        (&"s3".into(), &"vib undo s3".into())
    );
    assert!(data["answered"].as_u64() <= Some(4), "{data}");
    assert_eq!(std::fs::read_dir(shop.store().join("bisect")).unwrap().count(), 0);
    // And exactly that is taken back.
    shop.vib(&["undo", "s3", "--yes"]).ok();
    assert_eq!(shop.read("src/cart.js"), "let total = 0;\nlet count = 0;\n");
    assert_eq!(shop.read("src/new.js"), "ok();\nmore();\n");
    let output = shop.vib(&["bisect", "--good", "s5", "--", "sh", "-c", "true"]);
    assert_eq!(output.code, 1);
    assert!(output.stdout.contains("passes in the state that was taken to be bad"), "{}", output.stdout);
}

#[test]
fn dependencies_are_there_in_the_copy_and_what_the_check_writes_stays_there() {
    let shop = broken_shop();
    shop.write(".gitignore", "node_modules\n");
    shop.write("node_modules/tool/run", "ran\n");
    shop.write("node_modules/.cache/old", "old\n");
    let before = Photo::of(&shop.root());
    let check = "test -f node_modules/tool/run || exit 7; mkdir -p node_modules/.cache; echo x > node_modules/.cache/new; echo x > src/login.js; ! grep -q broken src/cart.js";
    let data = found(&shop, &["--", "sh", "-c", check]);
    assert_eq!(data["outcome"], "found", "{data}");
    assert_eq!(data["culprits"][0]["number"], "s3");
    assert_eq!(data["carried"], serde_json::json!(["node_modules"]));
    before.assert_same(&Photo::of(&shop.root()));
}

#[test]
fn ctrl_c_ends_everything_and_a_kill_is_cleaned_up_by_the_next_start() {
    use rustix::process::{Pid, Signal, kill_process};
    let shop = broken_shop();
    let copies = || std::fs::read_dir(shop.store().join("bisect")).map_or(0, Iterator::count);
    for signal in [Signal::INT, Signal::KILL] {
        let mark = shop.base().join("mark");
        let _ = std::fs::remove_file(&mark);
        let check = format!("echo $$ > '{}'; exec sleep 60", mark.display());
        let mut child = shop.command(&["bisect", "--", "sh", "-c", &check]).spawn().unwrap();
        while std::fs::read_to_string(&mark).is_ok_and(|text| text.ends_with('\n')).eq(&false) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let pid: u32 = std::fs::read_to_string(&mark).unwrap().trim().parse().unwrap();
        kill_process(Pid::from_child(&child), signal).unwrap();
        child.wait().unwrap();
        if signal == Signal::KILL {
            assert!(copies() > 0, "nobody could clean up");
            shop.vib(&["bisect", "--", "true"]);
        }
        assert_eq!(copies(), 0, "{signal:?}");
        let sleeps =
            || std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|words| words.starts_with(b"sleep"));
        for _ in 0..100 {
            if !sleeps() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!sleeps(), "{signal:?}: the check still runs");
    }
}

/// A shop with a test that reads a dependency and a package of its own, broken by the third of five steps.
pub(super) fn workspace(shop: &Sandbox, ignore: &str) {
    shop.write("packages/cart/index.txt", "42\n");
    shop.write("node_modules/left/index.txt", "left\n");
    shop.write(
        ".venv/lib/python3.12/site-packages/shop.pth",
        format!("{}\n", shop.root().join("packages").display()),
    );
    shop.write(".venv/pyvenv.cfg", "home = /usr/bin\n");
    shop.write(".venv/bin/tool", format!("#!{}/.venv/bin/python\n", shop.root().display()));
    // A tool of the workspace is found by way of two links.
    std::fs::create_dir_all(shop.root().join("node_modules/.bin")).unwrap();
    std::os::unix::fs::symlink("../@my/cart/index.txt", shop.root().join("node_modules/.bin/cart")).unwrap();
    std::fs::create_dir_all(shop.root().join("node_modules/@my")).unwrap();
    std::os::unix::fs::symlink("../../packages/cart", shop.root().join("node_modules/@my/cart")).unwrap();
    if !ignore.is_empty() {
        shop.write(".gitignore", ignore);
    }
    shop.checkpoint("before");
    let mut chat = Chat::new(shop);
    chat.prompt("go");
    for step in 1..=5 {
        let command = if step == 3 { "sed -i s/42/41/ packages/cart/index.txt" } else { "echo x >> log" };
        chat.shell(command);
    }
}

#[test]
fn dependency_folders_are_carried_however_they_are_left_out_and_links_back_lead_into_the_copy_b5_b6() {
    for ignore in ["node_modules/\n.venv/\n", "node_modules\n.venv\n", ""] {
        let shop = shop();
        workspace(&shop, ignore);
        let before = Photo::of(&shop.root());
        let check =
            "test -f node_modules/left/index.txt || exit 7; grep -q 42 node_modules/@my/cart/index.txt";
        let data = found(&shop, &["--", "sh", "-c", check]);
        assert_eq!(
            (&data["outcome"], &data["culprits"][0]["number"]),
            (&"found".into(), &"s3".into()),
            "{ignore:?}: {data}"
        );
        // An editable install: the path file names the copy.
        let check = "d=$(cat .venv/lib/*/site-packages/shop.pth); grep -q 42 $d/cart/index.txt";
        let data = found(&shop, &["--", "sh", "-c", check]);
        assert_eq!(
            (&data["outcome"], &data["culprits"][0]["number"]),
            (&"found".into(), &"s3".into()),
            "{ignore:?}: {data}"
        );
        assert_eq!(
            found(&shop, &["--", "grep", "-q", "42", "node_modules/.bin/cart"])["culprits"][0]["number"],
            "s3",
            "{ignore:?}"
        );
        let check = "! grep -q state .venv/bin/tool && exit 9; grep -q 42 packages/cart/index.txt";
        assert_eq!(found(&shop, &["--", "sh", "-c", check])["culprits"][0]["number"], "s3");
        // Writing through the link stays in the copy.
        let check = "echo built > node_modules/@my/cart/dist.txt; grep -q 42 node_modules/@my/cart/index.txt";
        assert_eq!(found(&shop, &["--", "sh", "-c", check])["touched"], serde_json::json!([]));
        before.assert_same(&Photo::of(&shop.root()));
    }
}

#[test]
fn variables_that_name_the_project_name_the_copy_b6() {
    let shop = shop();
    workspace(&shop, "node_modules/\n");
    let mut command =
        shop.command(&["bisect", "--json", "--", "sh", "-c", "grep -q 42 $PYTHONPATH/cart/index.txt"]);
    command.env("PYTHONPATH", shop.root().join("packages"));
    let output = Sandbox::run_with_input(&mut command, "");
    let data = output.ok().json()["data"].clone();
    assert_eq!((&data["outcome"], &data["culprits"][0]["number"]), (&"found".into(), &"s3".into()), "{data}");
}

#[test]
fn a_check_that_writes_into_the_project_is_told_b7() {
    let shop = broken_shop();
    shop.write("node_modules/tool/run", "ran\n");
    let root = shop.root().display().to_string();
    let poke = shop.base().join("poke.sh");
    std::fs::write(&poke, format!("cd '{root}' && echo poked >> README.md\n")).unwrap();
    let poke = format!("sh '{}'; ! grep -q broken src/cart.js", poke.display());
    let output = shop.vib(&["bisect", "--good", "s1", "--", "sh", "-c", &poke]);
    assert!(!output.stdout.contains("was not touched"), "{}", output.stdout);
    assert!(
        output.stdout.contains("changed in your folder") && output.stdout.contains("README.md"),
        "{}",
        output.stdout
    );
    // Among temporary files nothing can be closed, so that dependencies are copied: what is written there stays in the copy.
    let before = Photo::of(&shop.root());
    let check = "echo x >> node_modules/tool/run; test $(wc -l < node_modules/tool/run) -gt 1 || exit 125; ! grep -q broken src/cart.js";
    let output = shop.vib(&["bisect", "--", "sh", "-c", check]).ok();
    assert!(output.stdout.contains("s3") && output.stdout.contains("was not touched"), "{}", output.stdout);
    before.assert_same(&Photo::of(&shop.root()));
    // A script that names the project folder sees today's code, wherever it lies.
    let outside = shop.base().join("poke.sh").display().to_string();
    let output = shop.vib(&["bisect", "--", "sh", &outside]);
    assert!(output.stdout.contains("cannot be trusted"), "{}", output.stdout);
}

#[test]
fn what_was_taken_back_passes_now_and_only_what_was_tried_is_offered_m8() {
    let shop = broken_shop();
    shop.vib(&["undo", "s3", "--yes"]).ok();
    let output = shop.vib(&["bisect", "--", "sh", "check.sh"]).ok();
    assert!(output.stdout.contains("passes now") && !output.stdout.contains("vib undo"), "{}", output.stdout);
    // Changed since at the same place: said before it is tried.
    let shop = broken_shop();
    let chat = Chat::new(&shop);
    chat.shell("sed -i 's/broken/broken and later work/' src/cart.js");
    let output = shop.vib(&["bisect", "--", "sh", "check.sh"]).ok();
    assert!(output.stdout.contains("changed since at the same places: src/cart.js"), "{}", output.stdout);
    assert!(!output.stdout.contains("takes back exactly this step"), "{}", output.stdout);
}

#[test]
fn odd_checks_are_told_truthfully() {
    let shop = broken_shop();
    let checkpoints = || shop.data(&["history", "--all"]).to_string().len();
    let before = checkpoints();
    let output = shop.vib(&["bisect", "--", "sh", "-c", "exit 125"]);
    assert_eq!(output.code, 1, "{}", output.stdout);
    assert!(output.stdout.starts_with("No state could be judged"), "{}", output.stdout);
    assert_eq!(checkpoints(), before, "a search where nothing is unsaved leaves no checkpoint");
    // A check that does away with the folder it stands in.
    let output = shop
        .vib(&["bisect", "--", "sh", "-c", "! grep -q broken src/cart.js; r=$?; rm -rf \"$PWD\"; exit $r"])
        .ok();
    assert!(output.stdout.contains("s3"), "{}", output.stdout);
    // Requests, as the history names them.
    assert_eq!(
        found(&shop, &["--good", "r1", "--bad", "r2", "--", "sh", "check.sh"])["culprits"][0]["number"],
        "s3"
    );
    let told = shop.vib(&["bisect", "--good", "r9", "--", "true"]).stderr;
    assert!(told.contains("there is no request `r9`"), "{told}");
    // What fails everywhere may need what is not saved.
    shop.write(".gitignore", "conf.local\n");
    shop.write("conf.local", "ok\n");
    let output = shop.vib(&["bisect", "--", "sh", "-c", "test -f conf.local"]);
    assert!(
        output.stdout.contains("not in the copy, because it is not saved: conf.local"),
        "{}",
        output.stdout
    );
}

#[test]
fn a_step_that_takes_away_the_right_to_run_the_check_broke_it() {
    let shop = shop();
    shop.write("run.sh", "#!/bin/sh\nexit 0\n");
    shop.shell("chmod +x run.sh");
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("go");
    for step in 1..=5 {
        chat.shell(if step == 3 { "chmod -x run.sh" } else { "echo x >> log" });
    }
    let data = found(&shop, &["--", "./run.sh"]);
    assert_eq!((&data["outcome"], &data["culprits"][0]["number"]), (&"found".into(), &"s3".into()), "{data}");
    let output = shop.vib(&["bisect", "--", "./nowhere.sh"]);
    assert!(
        output.code == 1 && output.stdout.contains("is in none of the saved states"),
        "{}",
        output.stdout
    );
}

/// A project that lies among temporary files cannot be closed, so this one lies beside the tests' own products.
#[test]
fn where_the_kernel_can_the_project_is_closed_for_the_check_b7() {
    let shop = shop();
    let base = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let root = base.path().canonicalize().unwrap().join("project");
    std::fs::create_dir_all(&root).unwrap();
    std::fs::write(root.join("f.txt"), "good\n").unwrap();
    // A project of its own, whatever lies around the folder of the tests.
    assert!(Command::new("git").args(["init", "-q"]).current_dir(&root).status().unwrap().success());
    let vib = |words: &[&str]| Sandbox::run_with_input(shop.command(words).current_dir(&root), "");
    vib(&["checkpoint", "-m", "one"]).ok();
    std::fs::write(root.join("f.txt"), "bad\n").unwrap();
    vib(&["checkpoint", "-m", "two"]).ok();
    // The folder is named in a way that nobody refuses.
    let check = format!(
        "echo poked | tee -a '{}'/pro*ct/f.txt; echo out >> '{}'/beside; grep -q good f.txt",
        base.path().display(),
        base.path().display()
    );
    std::fs::write(base.path().join("beside"), "").unwrap();
    let data = vib(&["bisect", "--json", "--", "sh", "-c", &check]).ok().json()["data"].clone();
    assert_eq!(data["outcome"], "found", "{data}");
    if data["closed"] == true {
        assert_eq!(data["touched"], serde_json::json!([]), "{data}");
        assert_eq!(std::fs::read_to_string(root.join("f.txt")).unwrap(), "bad\n");
        assert!(
            !std::fs::read_to_string(base.path().join("beside")).unwrap().is_empty(),
            "what lies beside it stays open"
        );
    } else {
        assert_eq!(data["touched"], serde_json::json!(["f.txt"]), "{data}");
    }
    // Without the fence the truth is told.
    vib(&["config", "set", "guard.fence", "off"]).ok();
    let data = vib(&["bisect", "--json", "--", "sh", "-c", &check]).ok().json()["data"].clone();
    assert_eq!((&data["closed"], &data["touched"]), (&false.into(), &serde_json::json!(["f.txt"])), "{data}");
}

/// The check was written after the steps, and fails: nothing that was there before can have broken it. (M5)
#[test]
fn no_step_is_blamed_where_the_check_was_never_seen_to_pass_m5() {
    for (check, words) in [
        ("./late.sh", &["--", "./late.sh"][..]),
        ("sh late.sh", &["--", "sh", "late.sh"]),
        ("sh -c", &["--", "sh", "-c", "sh late.sh"]),
    ] {
        let shop = broken_shop();
        shop.write("late.sh", "#!/bin/sh\nexit 1\n");
        shop.shell("chmod +x late.sh");
        let arguments: Vec<&str> = ["bisect", "--json"].into_iter().chain(words.iter().copied()).collect();
        let data = shop.vib(&arguments).json()["data"].clone();
        assert_eq!(data["outcome"], "never_passed", "{check}: {data}");
        assert_eq!(data["culprits"].as_array().unwrap().len(), 0, "{check}: {data}");
        assert_eq!(data["check_not_there"], true, "{check}: {data}");
    }
}

#[test]
fn a_pass_with_another_script_or_recipe_is_not_counted() {
    for (file, text, other, check) in [
        ("check.sh", "! grep -q prcie src/cart.js\n", "true\n", &["sh", "check.sh"][..]),
        ("Makefile", "test:\n\t! grep -q prcie src/cart.js\n", "test:\n\ttrue\n", &["make", "test"]),
    ] {
        let shop = shop();
        shop.write(file, text);
        shop.write("src/cart.js", "let price = 0;\n");
        shop.checkpoint("before");
        let mut chat = Chat::new(&shop);
        chat.prompt("tidy up");
        chat.write(file, other).unwrap();
        chat.write("README.md", "# Shop, tidy\n").unwrap();
        chat.prompt("rename it");
        chat.write("src/cart.js", "let prcie = 0;\n").unwrap();
        chat.write("README.md", "# Shop, tidier\n").unwrap();
        chat.prompt("the check is back");
        chat.write(file, text).unwrap();
        let mut words = vec!["--"];
        words.extend(check);
        let data = found(&shop, &words);
        let named: Vec<&str> =
            data["culprits"].as_array().unwrap().iter().filter_map(|one| one["number"].as_str()).collect();
        assert!(named.contains(&"s3"), "{data}");
        assert_eq!(
            (&data["weak_tests"][0]["path"], &data["weak_tests"][0]["decides"]),
            (&file.into(), &true.into()),
            "{data}"
        );
    }
}

#[test]
fn a_pass_with_an_emptied_test_is_not_counted_and_a_recovery_is_not_blamed() {
    let shop = shop();
    shop.write("test.sh", "# assert\n! grep -q prcie src/cart.js\n");
    shop.write("memo.txt", "memo\n");
    shop.write("src/cart.js", "let price = 0;\n");
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("add a discount to the cart");
    chat.write("src/cart.js", "let price = 0;\nlet discount = 0;\n").unwrap();
    chat.prompt("clean up the project please");
    chat.shell("sed -i s/price/prcie/ src/cart.js; : > test.sh; rm memo.txt");
    for name in ["test.sh", "memo.txt"] {
        let preview = shop.vib(&["recover", "--preview", "--json", "restore", name]).ok().json();
        shop.vib(&["recover", "--yes", "--plan", preview["data"]["plan"].as_str().unwrap()]).ok();
    }
    let data = found(&shop, &["--", "sh", "test.sh"]);
    assert_eq!(data["outcome"], "found", "{data}");
    assert_eq!(data["culprits"][0]["number"], "s2", "{data}");
    assert_eq!(data["weak_tests"][0]["path"], "test.sh", "{data}");
    assert_eq!(
        (&data["weak_tests"][0]["by"], &data["weak_tests"][0]["back_by"]),
        (&"s2".into(), &"s3".into()),
        "{data}"
    );
    let text = shop.vib(&["bisect", "--", "sh", "test.sh"]).ok().stdout;
    assert!(text.contains("test.sh was emptied or removed, until s3 brought it back"), "{text}");
    assert!(text.contains("vib undo s2"), "{text}");
}

/// With a bad state of its own, what is said of now was tried on what is there now.
#[test]
fn passes_now_is_about_the_present_state_whatever_the_bad_one_was_b3() {
    let shop = broken_shop();
    shop.shell("sed -i s/broken/count/ src/cart.js && rm made.txt");
    let output = shop.vib(&["bisect", "--bad", "s4", "--", "sh", "check.sh"]).ok();
    assert!(
        output.stdout.contains("passes now") && !output.stdout.contains("fails now"),
        "{}",
        output.stdout
    );
}

/// A check may take away a file that it names: whether that was there is asked before.
#[test]
fn a_check_that_removes_a_file_which_it_names_is_judged_by_its_end_m1() {
    let shop = broken_shop();
    let data = found(&shop, &["--", "sh", "-c", "rm -f README.md; sh ./check.sh"]);
    assert_eq!((&data["outcome"], &data["culprits"][0]["number"]), (&"found".into(), &"s3".into()), "{data}");
    assert_eq!(data["skipped"], 0, "{data}");
}

/// A shell of the check goes to the project by the person's home, too.
#[test]
fn a_check_that_names_the_project_from_the_home_on_is_refused() {
    let shop = broken_shop();
    for home in ["~", "$HOME"] {
        let script = format!("cd {home}/project && sh check.sh");
        let mut command = shop.command(&["bisect", "--", "sh", "-c", &script]);
        command.env("HOME", shop.base());
        let output = Sandbox::run_with_input(&mut command, "");
        assert!(output.stderr.contains("names the project folder"), "{}{}", output.stdout, output.stderr);
    }
}
