//! Honest work over many requests: an old failure that nobody asked about, wishes that swing, waiting without a clock.

use super::honest::Author;
use super::sources::{blocks, name_of};
use super::{Effect, Tool};

/// Requests that each ask for something of their own.
const WISHES: [&str; 12] = [
    "Make the discount five percent",
    "Rename the second helper, its name is misleading",
    "Now round to two places",
    "The shipping costs are missing",
    "세금도 계산해 줘",
    "把价格改成整数",
    "Use the new tax rate",
    "A comment above each function would be nice",
    "Support a second currency",
    "Handle negative amounts",
    "Log what was sold",
    "Sort the lines by name",
];
/// What people say who want much, and then little.
const SWINGS: [(&str, &str); 6] = [
    ("I need thirty helpers", "that is too much, one is enough"),
    ("sorry, I was wrong, all thirty please", "ok one is enough after all"),
    ("서른 개 만들어줘", "너무 많아, 하나면 돼"),
    ("写三十个函数", "太多了，只要一个"),
    ("Expand it to thirty functions", "Shrink"),
    ("Write all 30 handlers", "Too long. Keep only the first one."),
];
/// The first function that is edited: what the linter complains about stands in the first ones.
const AWAY: usize = 4;

impl Author {
    /// Each request changes another function, and an old complaint about the top of the same file stays as it is.
    pub(super) fn old_complaint(&mut self) {
        let path = self.source();
        if self.lint_was_red == Some(false) || blocks(&self.files[&path]).len() < AWAY + 2 {
            return self.old_failure();
        }
        self.lint_was_red = Some(true);
        let says = format!("{path}:2:80: error: line too long (90 > 79 characters)\n1 error");
        for round in 0..self.random.between(3, 10) {
            let wish = *self.random.one(&WISHES);
            self.next_request(wish);
            let all = blocks(&self.files[&path]);
            let block = all[AWAY + round % (all.len() - AWAY)].clone();
            let number = self.new_number() as usize;
            let changed = self.language.function(&name_of(&block), 40_000 + number);
            let call = self.edit_call(&path, &block, &changed);
            self.calls_at_once(vec![call]);
            self.run_red(self.language.lint(), says.clone());
        }
        self.next_request("Now commit that");
        self.run("git status --short", format!(" M {path}"));
    }

    /// A test has always failed; each request asks for something else, in one place that is worked on.
    pub(super) fn old_failure(&mut self) {
        let path = self.source();
        let name = path.trim_start_matches("src/").split('.').next().unwrap_or_default().to_owned();
        let says = format!("FAIL tests/{name}_test\n  x was never right\n1 failed, 11 passed in 0.1s");
        let mut wishes = WISHES;
        self.random.shuffle(&mut wishes);
        let how_many = self.random.between(3, 9);
        for wish in &wishes[..how_many] {
            self.next_request(wish);
            for _ in 0..self.random.between(1, 2) {
                let block = blocks(&self.files[&path])[0].clone();
                let number = self.new_number() as usize;
                let changed = self.language.function(&name_of(&block), 60_000 + number);
                let call = self.edit_call(&path, &block, &changed);
                self.calls_at_once(vec![call]);
            }
            self.run_red(self.language.test(), says.clone());
        }
    }

    /// The person wants thirty of it, then one, then thirty; each time it is written anew.
    pub(super) fn wishes_that_swing(&mut self) {
        let number = self.new_number() as usize;
        let path = format!("src/wish{number}.{}", self.language.ending());
        let by_shell = self.random.chance(40);
        for round in 0..self.random.between(3, 7) {
            let (much, little) = *self.random.one(&SWINGS);
            self.next_request(if round % 2 == 0 { much } else { little });
            let how_many = if round % 2 == 0 { 30 } else { 1 };
            let functions: Vec<String> = (0..how_many)
                .map(|at| self.language.function(&format!("wish{number}_{at}"), round * 100 + at))
                .collect();
            let text = functions.join("\n\n") + "\n";
            let effects = vec![Effect::Write(path.clone(), text.clone())];
            if by_shell {
                self.run_writing(format!("cat > {path} <<'END'\n{text}END"), effects);
            } else {
                self.call(Tool::Write { path: path.clone(), text }, effects, None, "");
            }
        }
    }

    /// A queue that is worked off, a state that is looked at with a nap in between, a file that something else writes.
    pub(super) fn waits_for_others(&mut self) {
        let times = self.random.between(4, 28);
        match self.random.below(5) {
            0 => (0..times).for_each(|_| self.run("python manage.py process_next_batch", "processed 100")),
            1 => (0..times).for_each(|_| {
                let look = self.look(None, "package.json", None);
                self.calls_at_once(vec![look]);
                self.run("sleep 5", "");
            }),
            2 => (0..times).for_each(|_| self.run("docker compose ps", "web  starting")),
            3 => (0..times).for_each(|_| self.run("sleep 2; cat dist/status.json", "{\"p\":1}")),
            _ => (0..times.min(4)).for_each(|_| {
                let look = self.look(None, "package.json", None);
                self.calls_at_once(vec![look]);
            }),
        }
        let call = {
            let path = self.source();
            self.change(&path)
        };
        self.calls_at_once(vec![call]);
    }
}
