//! Sessions that lead nowhere: each of them must be stopped.

use super::circles::circles;
use super::sources::Language;
use super::{Call, Effect, Files, Foreign, Move, Session, Tool};

/// A session that leads nowhere.
#[derive(Debug, Clone)]
pub struct Story {
    /// What it is about.
    pub name: &'static str,
    /// What happens.
    pub session: Session,
}

const FILE: &str = "src/cart.js";
const LANGUAGE: Language = Language::JavaScript;

/// All of them.
pub fn stories() -> Vec<Story> {
    let mut all = vec![
        story("a file stays broken while the person says so", still_broken()),
        story("one file is read over and over", repeat(12, || vec![read()])),
        story(
            "three commands in a circle",
            repeat(8, || {
                vec![
                    command("git status --short", " M src/cart.js"),
                    command("ls src", "cart.js"),
                    command("git log --oneline -3", "3f2a9c1 Start"),
                ]
            }),
        ),
        story("a tool of another server is asked the same over and over", repeat(12, || vec![ask_browser()])),
        story("edits that never apply", one_turn((0..12).map(misses).collect())),
        story(
            "the same error after every edit",
            one_turn((0..10).flat_map(|at| [edit(at), red(at)]).collect()),
        ),
        story("the same error after every edit, prompt after prompt", same_error_over_turns()),
        story("a size that swings over turns", swings()),
    ];
    all.extend(circles());
    all
}

fn story(name: &'static str, moves: Vec<Move>) -> Story {
    let mut files = Files::new();
    files.insert(FILE.to_owned(), content(0));
    files.insert("README.md".to_owned(), "# Shop\n".to_owned());
    Story { name, session: Session { files, moves } }
}

fn function(name: &str, factor: usize) -> String {
    LANGUAGE.function(name, factor)
}

/// The file after so many edits: one function is another one.
fn content(edits: usize) -> String {
    let functions: Vec<String> =
        (0..12).map(|at| function(&format!("cart_{at}"), if at == 0 { 7 + edits } else { 3 })).collect();
    functions.join("\n\n") + "\n"
}

fn call(tool: Tool, after: Option<String>, failed: Option<i32>, output: &str) -> Call {
    let effects = after.map(|text| Effect::Write(FILE.to_owned(), text)).into_iter().collect();
    Call { by: None, tool, effects, failed, output: output.to_owned() }
}

fn read() -> Call {
    call(Tool::Read { path: FILE.to_owned(), lines: None }, None, None, &content(0))
}

fn ask_browser() -> Call {
    call(Tool::Foreign { tool: Foreign::GetText, text: "title".to_owned() }, None, None, "Shop")
}

fn command(command: &str, output: &str) -> Call {
    call(Tool::Shell { command: command.to_owned() }, None, None, output)
}

fn replace(old: String, new: String, after: String) -> Call {
    call(Tool::Edit { path: FILE.to_owned(), old, new }, Some(after), None, "")
}

fn edit(at: usize) -> Call {
    replace(function("cart_0", 7 + at), function("cart_0", 8 + at), content(at + 1))
}

fn red(at: usize) -> Call {
    let output = format!(
        "FAIL tests/cart_test.js\n  x adds up\n    expect(received).toBe(expected)\nTests: 1 failed, 11 passed\nTime: {at}.2 s"
    );
    call(Tool::Shell { command: "npm test".to_owned() }, None, Some(1), &output)
}

fn misses(at: usize) -> Call {
    let tool = Tool::Edit {
        path: FILE.to_owned(),
        old: format!("export function nothing_like_it_{at}() {{}}"),
        new: function("cart_0", at),
    };
    call(tool, None, Some(1), "String to replace not found in file.")
}

fn one_turn(calls: Vec<Call>) -> Vec<Move> {
    let mut moves = vec![Move::Prompt("Make the cart add up".to_owned())];
    moves.extend(calls.into_iter().map(|call| Move::Calls(vec![call])));
    moves
}

fn repeat(times: usize, calls: impl Fn() -> Vec<Call>) -> Vec<Move> {
    one_turn((0..times).flat_map(|_| calls()).collect())
}

/// The founding story: every edit leaves the file unreadable, and the person says "still broken".
fn still_broken() -> Vec<Move> {
    let mut moves = Vec::new();
    let (mut old, rest) = (function("cart_0", 7), content(0)[function("cart_0", 7).len()..].to_owned());
    for turn in 0..8 {
        moves.push(Move::Prompt(format!("It is still broken ({turn})")));
        for step in 0..2 {
            let new = LANGUAGE.half("cart_0", turn * 10 + step);
            moves.push(Move::Calls(vec![replace(old, new.clone(), format!("{new}{rest}"))]));
            old = new;
        }
        moves.push(Move::Over);
    }
    moves
}

fn same_error_over_turns() -> Vec<Move> {
    let mut moves = Vec::new();
    for turn in 0..8 {
        moves.push(Move::Prompt("The test still fails".to_owned()));
        moves.push(Move::Calls(vec![edit(turn)]));
        moves.push(Move::Calls(vec![red(turn)]));
        moves.push(Move::Over);
    }
    moves
}

/// In one turn the file grows to three times its size, in the next it shrinks again.
fn swings() -> Vec<Move> {
    let mut moves = Vec::new();
    for turn in 0..10 {
        let mut text = content(turn);
        if turn % 2 == 0 {
            for more in 0..24 {
                text.push_str(&format!("\n{}\n", function(&format!("more_{turn}_{more}"), more)));
            }
        }
        moves.push(Move::Prompt("No, not like that".to_owned()));
        let tool = Tool::Write { path: FILE.to_owned(), text: text.clone() };
        moves.push(Move::Calls(vec![call(tool, Some(text), None, "")]));
        moves.push(Move::Over);
    }
    moves
}
