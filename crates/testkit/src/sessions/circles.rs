//! Circles as they look with real runners and with the shell: each of them must be stopped.

use super::dishonest::Story;
use super::{Call, Effect, Files, Move, Session, Tool};

const PROMPTS: [&str; 8] =
    ["fix it", "still broken", "again please", "no", "hmm still not", "아직도 안 돼", "还是不行", "come on"];

/// All of them.
pub(super) fn circles() -> Vec<Story> {
    let mut all: Vec<Story> = RUNNERS.iter().map(edit_and_test).collect();
    all.extend([
        over_requests("a file left broken by the shell", |at| typed(&broken(at))),
        over_requests("a file left broken by printf", |at| {
            let text = broken(at);
            let command = format!("printf 'def a(:\\n    return ({at}\\n' > {FILE}");
            vec![shell(&command, Some(text), None, "")]
        }),
        over_requests("a file left broken by the shell, and run", |at| {
            let mut calls = typed(&broken(at));
            calls.push(shell(&format!("python3 {FILE}"), None, Some(1), "SyntaxError: '(' was never closed"));
            calls
        }),
        over_requests("a size that swings by the shell", |at| {
            typed(&sized(at, if at % 2 == 0 { 1 } else { 30 }))
        }),
        over_requests("tried, failed, put back, over requests", |at| try_and_put_back(at).into()),
        story("tried, failed, put back, in one request", {
            let mut moves = vec![Move::Prompt("Make the test pass".to_owned())];
            moves.extend((0..8).flat_map(try_and_put_back).map(|call| Move::Calls(vec![call])));
            moves
        }),
        story("an image that cannot be built", {
            let build = shell("docker build .", None, Some(1), "ERROR: failed to solve: no such file: app");
            let mut moves = vec![Move::Prompt("Build the image".to_owned())];
            moves.extend((0..14).map(|_| Move::Calls(vec![build.clone()])));
            moves
        }),
    ]);
    all
}

const FILE: &str = "src/cart.py";

fn broken(at: usize) -> String {
    format!("def a(:\n    return ({at}\n")
}

fn sized(at: usize, functions: usize) -> String {
    (0..functions).map(|number| format!("def f{number}():\n    return {number} + {at}\n\n")).collect()
}

fn shell(command: &str, writes: Option<String>, failed: Option<i32>, output: &str) -> Call {
    let effects = writes.map(|text| Effect::Write(FILE.to_owned(), text)).into_iter().collect();
    Call {
        by: None,
        tool: Tool::Shell { command: command.to_owned() },
        effects,
        failed,
        output: output.to_owned(),
    }
}

fn typed(text: &str) -> Vec<Call> {
    vec![shell(&format!("cat > {FILE} <<'END'\n{text}END"), Some(text.to_owned()), None, "")]
}

fn try_and_put_back(at: usize) -> [Call; 3] {
    let (old, new) = ("    return 0".to_owned(), format!("    return {}", at + 1));
    let text = |line: &str| format!("def a():\n{line}\n");
    let edit = Call {
        by: None,
        tool: Tool::Edit { path: FILE.to_owned(), old: old.clone(), new: new.clone() },
        effects: vec![Effect::Write(FILE.to_owned(), text(&new))],
        failed: None,
        output: String::new(),
    };
    let says = format!("FAILED tests/test_cart.py::test_a - assert 1 == 42\n1 failed in 0.{at}s");
    [
        edit,
        shell("python -m pytest -q", None, Some(1), &says),
        shell(&format!("git checkout -- {FILE}"), Some(text(&old)), None, "Updated 1 path from the index"),
    ]
}

fn story(name: &'static str, moves: Vec<Move>) -> Story {
    let mut files = Files::new();
    files.insert(FILE.to_owned(), "def a():\n    return 0\n".to_owned());
    files.insert("README.md".to_owned(), "# Shop\n".to_owned());
    Story { name, session: Session { files, moves } }
}

fn over_requests(name: &'static str, calls: impl Fn(usize) -> Vec<Call>) -> Story {
    let mut moves = Vec::new();
    for (at, prompt) in PROMPTS.iter().enumerate() {
        moves.push(Move::Prompt((*prompt).to_owned()));
        moves.extend(calls(at).into_iter().map(|call| Move::Calls(vec![call])));
        moves.push(Move::Over);
    }
    story(name, moves)
}

/// A runner: its command, a file that it tests, and what it prints at the so-manieth time about a failure that stays the same.
type Runner = (&'static str, &'static str, &'static str, fn(usize) -> String);

const RUNNERS: [Runner; 6] = [
    ("pytest, and the time it took", "pytest -q", "src/cart.py", |at| {
        format!(
            "src/cart.py:2: in <module>\nE     File \"src/cart.py\", line 2\nE       return ({at}\nE              ^\nE   SyntaxError: '(' was never closed\n1 error in 0.{at}2s"
        )
    }),
    ("cargo test, and the number of its thread", "cargo test", "src/cart.rs", |at| {
        format!(
            "---- total stdout ----\nthread 'total' ({}) panicked at src/cart.rs:2:5:\nassertion failed\ntest result: FAILED. 0 passed; 1 failed; finished in 0.0{at}s",
            32_000 + 7 * at
        )
    }),
    ("go test, and the time of each test", "go test ./...", "src/cart.go", |at| {
        format!("--- FAIL: TestTotal (0.0{at}s)\n    cart.go:2: got 1\nFAIL\nFAIL\tshop\t0.{at}13s\nFAIL")
    }),
    ("rspec, and its seed", "bundle exec rspec", "src/cart.rb", |at| {
        format!(
            "Failures:\n 1) total fails\n   src/cart.rb:2 expected 42\nFinished in 0.00{at} seconds (files took 0.0{at} seconds to load)\n1 example, 1 failure\n\nRandomized with seed {}",
            4_711 + 13 * at
        )
    }),
    ("Maven, and the time of day", "mvn test", "src/Cart.java", |at| {
        format!(
            "[ERROR] src/Cart.java:[2,5] cannot find symbol\n[INFO] BUILD FAILURE\n[INFO] Total time:  1.{at} s\n[INFO] Finished at: 2026-11-19T21:0{at}:12Z"
        )
    }),
    ("PHPUnit, and its memory", "vendor/bin/phpunit", "src/cart.php", |at| {
        format!(
            "There was 1 failure:\n1) Cart::total\nFailed asserting that 1 is 42.\nsrc/cart.php:2\nTime: 00:00.01{at}, Memory: {}.00 MB\nFAILURES!\nTests: 1, Assertions: 1, Failures: 1.",
            4 + at
        )
    }),
];

fn edit_and_test((name, command, path, says): &Runner) -> Story {
    let text = |at: usize| format!("first line\ntotal {at}\nlast line\n");
    let mut files = Files::new();
    files.insert((*path).to_owned(), text(0));
    let mut moves = vec![Move::Prompt("Make the test pass".to_owned())];
    for at in 0..9 {
        let edit = Call {
            by: None,
            tool: Tool::Edit {
                path: (*path).to_owned(),
                old: format!("total {at}"),
                new: format!("total {}", at + 1),
            },
            effects: vec![Effect::Write((*path).to_owned(), text(at + 1))],
            failed: None,
            output: String::new(),
        };
        moves.push(Move::Calls(vec![edit]));
        moves.push(Move::Calls(vec![shell(command, None, Some(1), &says(at))]));
    }
    Story { name, session: Session { files, moves } }
}
