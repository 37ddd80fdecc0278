//! `vib verify` without a command: the project's own checks in a private copy, held against the state before. (HK9)

use serde_json::{Value, json};
use testkit::{Photo, Sandbox};

use super::hook::Chat;
use super::shop;

/// How five kinds of runners name a test that failed.
const STYLES: [&str; 5] = [
    "not ok 1 - NAME",
    "FAILED tests/test_shop.py::NAME - assert 0",
    "test shop::NAME ... FAILED",
    "--- FAIL: NAME (0.01s)",
    "  ✕ NAME (3 ms)",
];

/// Tests `a` and `b`: each passes if its file says `ok`.
fn check(style: &str) -> String {
    let fails = |name: &str| {
        let line = style.replace("NAME", name);
        format!("grep -q ok {name}.txt || {{ printf '%s\\n' '{line}'; code=1; }}\n")
    };
    format!("code=0\n{}{}echo 'run in 12 ms'\nexit $code\n", fails("a"), fails("b"))
}

/// A project with a check, as it is before the work.
fn project(check: &str, a: &str, b: &str) -> Sandbox {
    let shop = shop();
    shop.write("Makefile", "test:\n\t@sh check.sh\n");
    shop.write("check.sh", check);
    shop.write("a.txt", a);
    shop.write("b.txt", b);
    shop.checkpoint("before");
    shop
}

/// The work of an agent: one request, one edit.
fn work(shop: &Sandbox, path: &str, text: &str) {
    let mut chat = Chat::new(shop);
    chat.prompt("improve the shop");
    chat.write(path, text).unwrap();
}

fn verified(shop: &Sandbox, more: &[&str]) -> Value {
    let mut words = vec!["verify", "--json", "--profile", "standard", "--yes"];
    words.extend(more);
    let output = shop.vib(&words);
    assert!(matches!(output.code, 0 | 1), "{}{}", output.stdout, output.stderr);
    output.json()["data"].clone()
}

/// The first check and how it stands, and how the whole ended.
fn standing(data: &Value) -> (&str, &str) {
    (data["checks"][0]["standing"].as_str().unwrap_or("none"), data["status"].as_str().unwrap())
}

#[test]
fn in_thirty_projects_a_regression_is_told_from_an_old_failure_hk9() {
    for style in STYLES {
        let check = check(style);
        // It held, and it holds.
        let shop = project(&check, "ok", "ok");
        work(&shop, "c.txt", "new");
        assert_eq!(standing(&verified(&shop, &[])), ("passes", "pass"), "{style}");
        // The work broke it.
        let shop = project(&check, "ok", "ok");
        work(&shop, "b.txt", "bad");
        let data = verified(&shop, &[]);
        assert_eq!(standing(&data), ("regression", "fail"), "{style}: {data}");
        assert!(data["checks"][0]["new_failures"].to_string().contains('b'), "{style}: {data}");
        // It was broken before, and still is.
        let shop = project(&check, "ok", "bad");
        work(&shop, "c.txt", "new");
        let data = verified(&shop, &[]);
        assert_eq!(standing(&data), ("old_failure", "still_fails"), "{style}: {data}");
        // It was broken before, and is broken in one place more.
        let shop = project(&check, "bad", "ok");
        work(&shop, "b.txt", "bad");
        let data = verified(&shop, &[]);
        assert_eq!(standing(&data), ("regression", "fail"), "{style}: {data}");
        let fresh = data["checks"][0]["new_failures"].as_array().unwrap();
        assert_eq!(fresh.len(), 1, "{style}: {data}");
        // It answers now so, now so.
        let flaky = format!("if [ -e \"$TMPDIR/once\" ]; then exit 0; fi\ntouch \"$TMPDIR/once\"\n{check}");
        let shop = project(&flaky, "ok", "bad");
        work(&shop, "c.txt", "new");
        assert_eq!(standing(&verified(&shop, &[])), ("flaky", "partial"), "{style}");
        // There is none.
        let shop = project(&check, "ok", "ok");
        shop.remove("Makefile");
        work(&shop, "b.txt", "bad");
        assert_eq!(standing(&verified(&shop, &[])), ("none", "nothing_to_run"), "{style}");
    }
}

#[test]
fn the_same_files_are_not_checked_twice_hk9() {
    let shop = project(&check(STYLES[0]), "ok", "ok");
    work(&shop, "b.txt", "bad");
    assert_eq!(verified(&shop, &[])["cached"], json!(false));
    let data = verified(&shop, &[]);
    assert_eq!((&data["cached"], standing(&data)), (&json!(true), ("regression", "fail")));
    // Another content, and back again: what is known of it is known.
    shop.write("b.txt", "ok");
    assert_eq!(standing(&verified(&shop, &[])), ("passes", "pass"));
    shop.write("b.txt", "bad");
    let data = verified(&shop, &[]);
    assert_eq!((&data["cached"], standing(&data)), (&json!(true), ("regression", "fail")), "{data}");
    assert_eq!(verified(&shop, &["--fresh"])["cached"], json!(false));
    // Held against a state that was broken as well.
    let old = shop.checkpoint("as it is");
    assert_eq!(standing(&verified(&shop, &["--base", &old])).0, "old_failure");
}

#[test]
fn nothing_is_run_that_nobody_allowed_and_an_agent_cannot_allow_it_hk9() {
    let shop = project("touch ran.txt; exit 1\n", "ok", "ok");
    work(&shop, "c.txt", "new");
    let output = shop.vib(&["verify", "--json", "--profile", "standard"]);
    let data = output.json()["data"].clone();
    assert_eq!((&data["status"], &data["not_allowed"]), (&json!("partial"), &json!(["make test"])), "{data}");
    assert_eq!(data["checks"], json!([]));
    let mut command = shop.command(&["verify", "--yes"]);
    let output = Sandbox::run(command.env("CLAUDECODE", "1"));
    assert_eq!(output.code, 1, "{}{}", output.stdout, output.stderr);
    assert!(output.stderr.contains("only a person"), "{}", output.stderr);
    // Once is enough.
    assert_eq!(verified(&shop, &[])["not_allowed"], json!([]));
    let data = shop.vib(&["verify", "--json", "--profile", "standard"]).json()["data"].clone();
    assert_eq!(data["not_allowed"], json!([]));
    assert!(!shop.exists("ran.txt"));
}

/// Processes whose command line holds this.
fn running(words: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(words) && line.starts_with("sleep") {
            found.push(line);
        }
    }
    found
}

#[test]
fn a_check_that_writes_everywhere_leaves_the_project_as_it_is_hk9() {
    let shop = project("exit 0\n", "ok", "ok");
    shop.write(".gitignore", "node_modules\n");
    shop.write("node_modules/tool/run", "ran\n");
    let root = shop.root();
    let root = root.display();
    shop.write(
        "check.sh",
        format!(
            "test -f node_modules/tool/run || exit 9\n\
             echo x > a.txt; rm b.txt; mkdir -p new/folder; echo x > new/folder/file\n\
             echo x > node_modules/tool/run; rm -f node_modules/tool/run; echo x > {root}/a.txt; rm -f {root}/b.txt; echo x > {root}/made.txt\n\
             exit 0\n"
        ),
    );
    let before = Photo::of(&shop.root());
    let data = verified(&shop, &[]);
    assert_eq!(standing(&data), ("passes", "pass"), "{data}");
    assert_eq!(data["fenced"], json!(true), "this machine has no fence: {data}");
    before.assert_same(&Photo::of(&shop.root()));
    assert_eq!(std::fs::read_dir(shop.store().join("verification")).unwrap().count(), 0, "the copy is gone");
}

#[test]
fn a_check_that_hangs_or_forks_is_ended_with_all_that_it_started_hk9() {
    let shop = project("sleep 98761\n", "ok", "ok");
    let before = Photo::of(&shop.root());
    let data = verified(&shop, &["--timeout", "2"]);
    assert_eq!(
        (standing(&data).0, &data["checks"][0]["now"]["status"]),
        ("no_answer", &json!("timed_out")),
        "{data}"
    );
    assert_eq!(running("98761"), [""; 0]);
    shop.write(
        "check.sh",
        "sleep 98762 &\nsetsid sleep 98762 &\nsetsid env -i sleep 98762 >/dev/null 2>&1 &\n(sh -c 'sleep 98762 & sleep 98762' &)\nexit 0\n",
    );
    let data = verified(&shop, &[]);
    assert_eq!(standing(&data).0, "passes", "{data}");
    assert_eq!(running("98762"), [""; 0]);
    shop.write("check.sh", "sleep 98761\n");
    before.assert_same(&Photo::of(&shop.root()));
}

#[test]
fn a_check_that_fills_the_disk_is_ended_hk9() {
    let shop = project(
        "i=0\nwhile [ $i -lt 4000 ]; do dd if=/dev/zero of=big.$i bs=1M count=4 2>/dev/null; i=$((i+1)); done\nsleep 98763\n",
        "ok",
        "ok",
    );
    let before = Photo::of(&shop.root());
    let data = verified(&shop, &["--max-write", "64", "--timeout", "60"]);
    assert_eq!(data["checks"][0]["now"]["status"], json!("filled_disk"), "{data}");
    before.assert_same(&Photo::of(&shop.root()));
    assert_eq!(running("98763"), [""; 0]);
    assert_eq!(std::fs::read_dir(shop.store().join("verification")).unwrap().count(), 0, "the copy is gone");
}

#[test]
fn what_a_check_says_is_cut_with_a_mark_and_without_secrets_hk9() {
    let key = [
        "sk-ant-api03-",
        "Zq8vR2mT7xK4nB9wLc3JhF6yPd1sGa5uEo0iVtXrNkQwMzHbYjCfDgSlUeAoIpTx-Zq8vR2mT7xK4nB9wLc3JhF6yP-AA",
    ]
    .concat();
    let shop = project(&format!("seq 1 5000\necho 'Error: key {key} refused'\nexit 1\n"), "ok", "ok");
    let data = verified(&shop, &[]);
    let now = &data["checks"][0]["now"];
    assert_eq!(now["cut"], json!(true));
    assert!(now["output"].as_str().unwrap().len() <= 4_200);
    assert!(!data.to_string().contains(&key) && data.to_string().contains("refused"), "{now}");
}

/// The same private copy as a bisect's: what leads back into the project leads into the copy, so the state before is judged by its own code. (B5, B6)
#[test]
fn what_leads_back_into_the_project_leads_into_the_copy_of_a_verification_too() {
    let check = "grep -q 42 node_modules/@my/cart/index.txt && d=$(cat .venv/lib/*/site-packages/shop.pth) \
                 && grep -q 42 $d/cart/index.txt && grep -q 42 $PYTHONPATH/cart/index.txt && test -f node_modules/left/index.txt\n";
    let shop = shop();
    shop.write("Makefile", "test:\n\t@sh check.sh\n");
    shop.write("check.sh", check);
    super::bisect::workspace(&shop, "");
    let before = Photo::of(&shop.root());
    let mut command = shop.command(&["verify", "--json", "--profile", "standard", "--yes"]);
    command.env("PYTHONPATH", shop.root().join("packages"));
    let data = Sandbox::run_with_input(&mut command, "").json()["data"].clone();
    // It fails now, and passed before the request that broke it.
    assert_eq!(standing(&data), ("regression", "fail"), "{data}");
    assert_eq!(data["carried"], json!([".venv", "node_modules"]), "{data}");
    assert_eq!((&data["touched"], &data["leads_back"]), (&json!([]), &Value::Null), "{data}");
    before.assert_same(&Photo::of(&shop.root()));
}

#[test]
fn what_changes_in_the_project_while_checks_run_is_told() {
    // No other test sleeps for just so long: the list of processes is the whole machine's.
    let nap = "sleep 3.0417";
    let shop = project(&format!("echo waits; {nap}\nexit 0\n"), "ok", "ok");
    let mut child = shop.command(&["verify", "--profile", "standard", "--yes"]);
    let child = child.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let copies = || std::fs::read_dir(shop.store().join("verification")).map_or(0, Iterator::count);
    let sleeps = || copies() > 1 && running(nap).iter().any(|line| line.starts_with(nap));
    assert!(
        (0..3_000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            sleeps()
        }),
        "the check never began"
    );
    shop.write("a.txt", "typed meanwhile\n");
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains("changed in your folder while it ran") && said.contains("a.txt"), "{said}");
    assert!(!said.contains("was not touched"), "{said}");
}

/// A reviewer: a program that reads the question and answers what it is told to.
fn reviewer(shop: &Sandbox, answer: &str) {
    let script = shop.base().join("reviewer.sh");
    std::fs::write(&script, format!("cat > /dev/null\nprintf '%s' '{answer}'\n")).unwrap();
    shop.vib(&["config", "set", "verify.review_command", &format!("sh {}", script.display())]).ok();
}

#[test]
fn a_deep_look_says_what_a_stranger_would_ask_and_what_the_reviewer_says_hk9() {
    let shop = project(&check(STYLES[0]), "ok", "ok");
    work(
        &shop,
        "src/total.js",
        "export function total() {\n  // TODO: the tax\n  console.log(1);\n  return 1;\n}\n",
    );
    let deep = || {
        let output = shop.vib(&["verify", "--json", "--profile", "deep", "--yes"]);
        assert!(matches!(output.code, 0 | 1), "{}{}", output.stdout, output.stderr);
        output.json()["data"].clone()
    };
    let facts = |data: &Value| -> Vec<String> {
        let facts = data["review"]["facts"].as_array().unwrap().iter();
        facts.map(|fact| fact["kind"].as_str().unwrap().to_owned()).collect()
    };
    let data = deep();
    assert_eq!(facts(&data), ["unfinished", "debug_left", "untested"], "{data}");
    assert_eq!(
        (data["review"]["risk"].as_str(), data["status"].as_str()),
        (Some("unknown"), Some("pass")),
        "{data}"
    );
    // Who objects is heard; who says nothing that can be understood has not said that it is fine.
    reviewer(
        &shop,
        r#"{"risk": "high", "note": "the tax is missing", "assumptions": ["prices are in cents"]}"#,
    );
    let data = deep();
    assert_eq!(
        (data["review"]["risk"].as_str(), data["status"].as_str()),
        (Some("high"), Some("fail")),
        "{data}"
    );
    assert_eq!(data["review"]["note"], "the tax is missing");
    reviewer(&shop, "it is all fine");
    let data = deep();
    assert_eq!(
        (data["review"]["risk"].as_str(), data["status"].as_str()),
        (Some("unknown"), Some("pass")),
        "{data}"
    );
    // A standard look asks nobody.
    assert_eq!(verified(&shop, &[])["review"], Value::Null);
}

#[test]
fn what_was_agreed_on_is_listed_and_ticked_by_a_person_hk8() {
    let shop = project(&check(STYLES[0]), "ok", "ok");
    shop.write(
        ".vibelign/config.toml",
        "[stop]\nacceptance = [\"`make test` passes\", \"the page looks right\"]\n",
    );
    let list = |words: &[&str]| -> Vec<Value> {
        let output = shop.vib(words);
        assert_eq!(output.code, 0, "{}{}", output.stdout, output.stderr);
        output.json()["data"]["criteria"].as_array().unwrap().iter().map(|one| one["shown"].clone()).collect()
    };
    assert_eq!(list(&["stop", "accept", "--json"]), [Value::Null, Value::Null]);
    verified(&shop, &[]);
    assert_eq!(list(&["stop", "accept", "--json"]), [json!("check"), Value::Null]);
    assert_eq!(list(&["stop", "accept", "2", "--json"]), [json!("check"), json!("person")]);
    assert_eq!(list(&["stop", "accept", "2", "--undo", "--json"]), [json!("check"), Value::Null]);
    assert_eq!(shop.vib(&["stop", "accept", "7"]).code, 2);
    // What is changed afterwards is not shown any more.
    work(&shop, "a.txt", "ok, and more\n");
    assert_eq!(list(&["stop", "accept", "--json"]), [Value::Null, Value::Null]);
}

#[test]
fn what_fails_or_gave_no_answer_does_not_hold_m1_m2() {
    // It fails as it did before: nothing new, and no success.
    let shop = project(&check(STYLES[0]), "ok", "bad");
    work(&shop, "c.txt", "new");
    verified(&shop, &[]);
    let output = shop.vib(&["verify", "--profile", "standard"]);
    assert_eq!(output.code, 1, "{}", output.stdout);
    assert!(output.stdout.contains("still fails as before"), "{}", output.stdout);
    assert!(!output.stdout.contains("It holds"), "{}", output.stdout);
    // It needs a file that is not saved: it cannot be run in the copy, so nobody knows.
    let shop = project("cat data/dev.txt || exit 1\n", "ok", "ok");
    shop.write(".gitignore", "data\n");
    shop.write("data/dev.txt", "x");
    work(&shop, "c.txt", "new");
    let data = verified(&shop, &[]);
    assert_eq!(standing(&data), ("no_answer", "partial"), "{data}");
    let output = shop.vib(&["verify", "--profile", "standard"]);
    assert_eq!(output.code, 1, "{}", output.stdout);
    assert!(output.stdout.contains("No answer"), "{}", output.stdout);
}

/// Whoever asks whether it holds gets the answer of the checks, however little changed; where none was run, that is said.
#[test]
fn nothing_holds_of_which_no_check_was_run_b2() {
    let shop = project(&check(STYLES[0]), "ok", "ok");
    work(&shop, "notes.txt", "little\n");
    let before = shop.vib(&["verify"]).ok().stdout;
    assert!(before.contains("no check of the project was run"), "nobody allowed it yet: {before}");
    verified(&shop, &[]);
    work(&shop, "a.txt", "bad\n");
    let output = shop.vib(&["verify"]);
    assert_eq!(output.code, 1, "{}", output.stdout);
    assert!(!output.stdout.contains("It holds"), "{}", output.stdout);
    work(&shop, "a.txt", "ok\n");
    let output = shop.vib(&["verify"]).ok().stdout;
    assert!(output.contains("It holds  standard"), "{output}");
    let quick = shop.vib(&["verify", "--profile", "quick"]).ok().stdout;
    assert!(!quick.contains("It holds"), "{quick}");
}
