//! Honest work that a breaker may take for a circle: each of these was stopped once.

use super::honest::Author;
use super::sources::{Language, blocks, name_of};
use super::{Effect, Move, Tool};

impl Author {
    /// A refactoring in many steps: the file cannot be read until the last one.
    pub(super) fn long_refactoring(&mut self) {
        let path = self.source();
        let block = blocks(&self.files[&path])[0].clone();
        let name = name_of(&block);
        let number = self.new_number() as usize;
        let mut half = self.language.half(&name, number);
        let call = self.edit_call(&path, &block, &half);
        self.calls_at_once(vec![call]);
        for step in 1..self.random.between(8, 28) {
            let next = self.language.half(&name, number * 100 + step);
            let call = self.edit_call(&path, &half, &next);
            self.calls_at_once(vec![call]);
            half = next;
        }
        let call = self.edit_call(&path, &half, &self.language.function(&name, number));
        self.calls_at_once(vec![call]);
    }

    pub(super) fn next_request(&mut self, words: &str) {
        self.moves.push(Move::Over);
        self.moves.push(Move::Prompt(words.to_owned()));
    }

    /// The person has something switched on and off, request by request; or a large part put in and taken out.
    pub(super) fn toggles(&mut self) {
        let path = self.source();
        let off = self.files[&path].clone();
        let mut on = off.clone();
        for extra in 0..self.random.between(1, 30) {
            on.push_str(&format!("\n{}\n", self.language.function(&format!("debug_{extra}"), extra)));
        }
        for round in 0..self.random.between(3, 8) {
            let text = if round % 2 == 0 { &on } else { &off }.clone();
            self.next_request(if round % 2 == 0 { "Now with the debug output" } else { "And off again" });
            let tool = Tool::Write { path: path.clone(), text: text.clone() };
            self.call(tool, vec![Effect::Write(path.clone(), text)], None, "");
        }
    }

    /// Something that the grammars do not know yet, and edits around it, request by request.
    pub(super) fn new_syntax(&mut self) {
        let path = self.source();
        let number = self.new_number();
        let news = match self.language {
            Language::JavaScript | Language::TypeScript => format!("const piped_{number} = a |> b(%);"),
            Language::Python => format!("class Box{number}[T = int]:\n    pass"),
            Language::Rust => format!("unsafe extern \"C\" {{\n    safe fn far_{number}(x: f64) -> f64;\n}}"),
        };
        let text = format!("{}\n{news}\n", self.files[&path]);
        let tool = Tool::Write { path: path.clone(), text: text.clone() };
        self.call(tool, vec![Effect::Write(path.clone(), text)], None, "");
        for _ in 0..self.random.between(2, 5) {
            self.next_request("Go on with the next one");
            let block = blocks(&self.files[&path])[0].clone();
            let number = self.new_number() as usize;
            let changed = self.language.function(&name_of(&block), 20_000 + number);
            let call = self.edit_call(&path, &block, &changed);
            self.calls_at_once(vec![call]);
        }
    }

    /// Commands that fail and judge nothing.
    pub(super) fn no_checks(&mut self) {
        let (command, says) = *self.random.one(&[
            ("git stash pop", "No stash entries found."),
            ("git commit -m wip", "On branch main\nnothing to commit, working tree clean"),
            (
                "python3 tools/show.py",
                "Traceback (most recent call last):\nModuleNotFoundError: No module named 'yaml'",
            ),
        ]);
        for _ in 0..self.random.between(3, 7) {
            let path = self.source();
            let call = self.change(&path);
            self.calls_at_once(vec![call]);
            self.run_red(command, says);
        }
    }

    /// Asking a few times about what changes elsewhere.
    pub(super) fn polls(&mut self) {
        let (command, most) =
            *self.random.one(&[("ls -la out/", 4), ("./run_race.sh", 4), ("tmux capture-pane -p -t 0", 15)]);
        for _ in 0..self.random.between(2, most) {
            self.run(command, "total 0");
        }
        self.edit_after_poll();
    }

    fn edit_after_poll(&mut self) {
        let path = self.source();
        let call = self.change(&path);
        self.calls_at_once(vec![call]);
    }
}
