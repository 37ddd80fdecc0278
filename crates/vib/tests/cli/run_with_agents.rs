//! `vib run --with … --best-of N`: several agents at one card, good and bad ones, judged by what vib finds out. (AG5)

use serde_json::Value;
use testkit::acp::{Act, ScriptedAgent};
use testkit::{Output, Sandbox};

const CALC: &str = "def add(a, b):\n    return a + b\n";
const TESTS: &str = "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n    assert add(0, 0) == 0\n\n\ndef test_mul():\n    \
                     from calc import mul\n    assert mul(2, 3) == 6\n    assert mul(0, 9) == 0\n";
const RUNNER: &str = "import sys\nimport test_calc\n\nfailed = 0\nfor name, test in sorted(vars(test_calc).items()):\n    if \
                      name.startswith(\"test_\"):\n        try:\n            test()\n            print(\"ok\", name)\n        except Exception as \
                      why:\n            failed = 1\n            print(\"FAIL\", name, type(why).__name__)\nsys.exit(failed)\n";
const AGENTS: [&str; 3] = ["gemini", "codex", "opencode"];

fn world() -> Sandbox {
    // Not below the folder for temporary files: that one is open behind every fence.
    let home = std::env::var_os("HOME").map_or_else(std::env::temp_dir, std::path::PathBuf::from);
    let place = home.join(".cache/vibelign-tests");
    std::fs::create_dir_all(&place).unwrap();
    let sandbox = Sandbox::new_in(env!("CARGO_BIN_EXE_vib"), &place).with_real_clock();
    sandbox.write("calc.py", CALC);
    sandbox.write("test_calc.py", TESTS);
    sandbox.write("run_tests.py", RUNNER);
    sandbox.write(".gitignore", "__pycache__/\n");
    let config = sandbox.base().join("config");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("config.toml"), "[verify]\nchecks = [\"python3 run_tests.py\"]\n").unwrap();
    sandbox.vib(&["checkpoint", "-m", "the beginning"]).ok();
    sandbox.vib(&["verify", "--yes", "--json"]);
    sandbox
}

/// Everything at the top of the project but vib's own folder.
fn files(sandbox: &Sandbox) -> Vec<(String, String)> {
    let names = std::fs::read_dir(sandbox.root()).unwrap().flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut all: Vec<_> =
        names.filter(|name| name != ".vibelign").map(|name| (name.clone(), sandbox.read(&name))).collect();
    all.sort();
    all
}

fn writes(file: &str, text: &str) -> Act {
    Act::Silently(format!("cat > {file} <<'END_OF_FILE'\n{text}END_OF_FILE\n"))
}

fn says(text: &str) -> Act {
    Act::Say(text.to_owned())
}

fn with_mul(body: &str) -> String {
    format!("{CALC}\n\ndef mul(a, b):\n{body}")
}

/// What an agent does, by name.
fn acts(kind: &str) -> Vec<Act> {
    let claim = says("All done. All tests pass.");
    let good = writes("calc.py", &with_mul("    return a * b\n"));
    match kind {
        "good" => vec![good, claim],
        "large" => {
            let long = "    result = 0\n    for _ in range(b):\n        result = add(result, a)\n    return result\n";
            vec![writes("calc.py", &with_mul(long)), claim]
        }
        "deletes the test" => {
            let without = TESTS.split("\n\ndef test_mul").next().unwrap();
            vec![writes("test_calc.py", without), writes("calc.py", &with_mul("    return 6\n")), claim]
        }
        "weakens the test" => {
            let weaker = TESTS.replace("    assert mul(0, 9) == 0\n", "");
            vec![writes("test_calc.py", &weaker), writes("calc.py", &with_mul("    return 6\n")), claim]
        }
        "empties the test" => {
            let empty = TESTS.replace("assert mul(2, 3) == 6\n    assert mul(0, 9) == 0", "assert True");
            vec![writes("test_calc.py", &empty), writes("calc.py", &with_mul("    return 7\n")), claim]
        }
        "renames the test" => {
            vec![writes("test_calc.py", &TESTS.replace("def test_mul", "def later_mul")), claim]
        }
        "liar" => vec![writes("NOTES.md", "mul was added and tested.\n"), claim],
        "half-done" => {
            let half = with_mul("    return 6\n");
            vec![writes("calc.py", &half), says("I could not finish: mul is still wrong for zero.")]
        }
        "breaks others" => {
            vec![
                writes("calc.py", "def add(a, b):\n    return a * b\n\n\ndef mul(a, b):\n    return a * b\n"),
                claim,
            ]
        }
        "does nothing" => vec![claim],
        "endless" => vec![good, Act::Hang],
        "crashes" => vec![good, Act::Die(9)],
        other => unreachable!("{other}"),
    }
}

/// Lets these agents do the card, and says what became of it.
fn compared(sandbox: &Sandbox, kinds: &[&str]) -> (Output, Value) {
    let mut words = vec!["run".to_owned(), "Add mul to calc.py".to_owned(), "--json".to_owned()];
    words.extend(["--with".to_owned(), AGENTS[..kinds.len()].join(",")]);
    if kinds.contains(&"endless") {
        words.extend(["--limit".to_owned(), "6s".to_owned()]);
    }
    for (agent, kind) in AGENTS.iter().zip(kinds) {
        let usage = serde_json::json!({"inputTokens": 100, "outputTokens": 20, "totalTokens": 120});
        let file = ScriptedAgent::new(acts(kind))
            .telling(usage)
            .save(&sandbox.base().join(format!("agent-{agent}")));
        words.extend(["--program".to_owned(), format!("{agent}={}", file.display())]);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = sandbox.vib(&words);
    let shown = sandbox.data(&["run", "show", "run1"]);
    (output, shown)
}

/// What was done, who has to win, and a word that has to be among the reasons.
const STORIES: &[(&[&str], Option<&str>, &str)] = &[
    (&["good", "deletes the test"], Some("a1"), "a2: tests went or check less"),
    (&["deletes the test", "good"], Some("a2"), "a1: tests went or check less"),
    (&["weakens the test", "good"], Some("a2"), "a1: tests went or check less"),
    (&["good", "empties the test"], Some("a1"), "a2: tests went or check less"),
    (&["renames the test", "good"], Some("a2"), "a1: tests went or check less"),
    (&["liar", "good"], Some("a2"), "a1: no check passed on it"),
    (&["good", "half-done"], Some("a1"), "a2: "),
    (&["breaks others", "good"], Some("a2"), "a1: it says that it is done, and"),
    (&["good", "does nothing"], Some("a1"), "a2: it changed nothing"),
    (&["endless", "good"], Some("a2"), "a1: it did not come to its end (limit)"),
    (&["good", "crashes"], Some("a1"), "a2: it did not come to its end (crashed)"),
    (&["large", "good"], Some("a2"), "smaller"),
    (&["good", "good"], Some("either"), "the next one left exactly the same behind"),
    (&["liar"], None, "no attempt passes"),
    (&["deletes the test", "weakens the test"], None, "no attempt passes"),
    (&["crashes", "does nothing"], None, "no attempt passes"),
    (&["deletes the test", "liar", "good"], Some("a3"), "a3: no other one passes"),
];

fn judge(stories: &[(&[&str], Option<&str>, &str)]) {
    for (kinds, wins, because) in stories {
        let sandbox = world();
        let before = files(&sandbox);
        let (output, shown) = compared(&sandbox, kinds);
        let card = &shown["cards"][0];
        match wins {
            Some("either") => assert!(card["recommended"].is_string(), "{kinds:?}: {card}"),
            _ => assert_eq!(card["recommended"].as_str(), *wins, "{kinds:?}: {card}\n{}", output.stderr),
        }
        let reasons: Vec<&str> =
            card["reasons"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(reasons.iter().any(|reason| reason.contains(because)), "{kinds:?}: {reasons:#?}");
        let status = if wins.is_some() { ("review", 0) } else { ("blocked", 1) };
        assert_eq!((card["status"].as_str(), output.code), (Some(status.0), status.1), "{kinds:?}");
        assert_eq!(card["attempts"].as_array().unwrap().len(), kinds.len());
        assert_eq!(files(&sandbox), before, "{kinds:?}: nothing of the project is touched");
    }
}

#[test]
fn attempts_are_judged_by_proof_ag5() {
    judge(&STORIES[..6]);
}

#[test]
fn attempts_are_judged_by_proof_further_ones_ag5() {
    judge(&STORIES[6..12]);
}

#[test]
fn attempts_are_judged_by_proof_and_the_rest_ag5() {
    judge(&STORIES[12..]);
}

#[test]
fn the_recommended_one_lands_and_a_dropped_one_comes_back_bit_for_bit() {
    let sandbox = world();
    compared(&sandbox, &["deletes the test", "good"]);
    let lanes = sandbox.data(&["lane", "list"]);
    let folder = |name: &str| {
        let all = lanes["lanes"].as_array().unwrap();
        let lane = all.iter().find(|lane| lane["name"] == name).unwrap();
        std::path::PathBuf::from(lane["folder"].as_str().unwrap())
    };
    let cheat = folder("run1-c1-a1");
    let text = |place: &std::path::Path, name: &str| std::fs::read(place.join(name)).unwrap();
    let was: Vec<_> = ["calc.py", "test_calc.py"].iter().map(|name| text(&cheat, name)).collect();
    sandbox.vib(&["run", "apply", "run1/c1", "--yes"]).ok();
    assert_eq!(sandbox.read("calc.py"), with_mul("    return a * b\n"));
    assert_eq!(sandbox.read("test_calc.py"), TESTS);
    sandbox.vib(&["run", "drop", "run1/c1/a1"]).ok();
    // Somebody takes the folder away: what was done is in the store.
    let _ = std::fs::remove_dir_all(&cheat);
    let back = sandbox.data(&["lane", "open", "run1-c1-a1"]);
    let place = std::path::PathBuf::from(back["folder"].as_str().unwrap());
    let is: Vec<_> = ["calc.py", "test_calc.py"].iter().map(|name| text(&place, name)).collect();
    assert_eq!(is, was);
    assert_ne!(is[1], TESTS.as_bytes());
}

#[test]
fn an_agent_that_is_not_there_is_refused_before_anything_is_written() {
    let sandbox = world();
    let error =
        sandbox.error(&["run", "Add mul", "--with", "copilot", "--program", "copilot=/nowhere/copilot"]);
    assert_eq!(error["code"], "agent_missing", "{error}");
    assert!(!sandbox.store().join("runs").exists());
    let error = sandbox.error(&["run", "Add mul", "--with", "somebody"]);
    assert_eq!(error["code"], "agent_unknown", "{error}");
    let error = sandbox.error(&["run", "Add mul"]);
    assert_eq!(error["code"], "no_provider", "{error}");
    let error = sandbox.error(&["run", "  "]);
    assert_eq!(error["code"], "usage", "{error}");
    assert!(!sandbox.store().join("runs").exists());
}
