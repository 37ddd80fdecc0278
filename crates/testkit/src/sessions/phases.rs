//! What honest agents do for a while.

use super::honest::Author;
use super::sources::{blocks, name_of};
use super::{Call, Effect, Foreign, Move, Tool};

#[derive(Debug, Clone, Copy)]
pub(super) enum Phase {
    Explore,
    Edit,
    BreakAndMend,
    TestsGetGreen,
    SameTestTwice,
    EditAndTest,
    NumberedBatch,
    FormatAndLint,
    OldLint,
    LookAtGit,
    Commit,
    Wait,
    Helpers,
    Shortened,
    AtOnce,
    TryAndTakeBack,
    NewFile,
    Browser,
    PersonHelps,
    LongRefactoring,
    Toggles,
    NewSyntax,
    NoChecks,
    Polls,
    OldComplaint,
    OldFailure,
    WishesThatSwing,
    WaitsForOthers,
}

impl Phase {
    pub const ALL: [Self; 28] = [
        Self::Explore,
        Self::Edit,
        Self::BreakAndMend,
        Self::TestsGetGreen,
        Self::SameTestTwice,
        Self::EditAndTest,
        Self::NumberedBatch,
        Self::FormatAndLint,
        Self::OldLint,
        Self::LookAtGit,
        Self::Commit,
        Self::Wait,
        Self::Helpers,
        Self::Shortened,
        Self::AtOnce,
        Self::TryAndTakeBack,
        Self::NewFile,
        Self::Browser,
        Self::PersonHelps,
        Self::LongRefactoring,
        Self::Toggles,
        Self::NewSyntax,
        Self::NoChecks,
        Self::Polls,
        Self::OldComplaint,
        Self::OldFailure,
        Self::WishesThatSwing,
        Self::WaitsForOthers,
    ];
}

impl Author {
    /// Lives through a phase.
    pub fn live(&mut self, phase: Phase) {
        match phase {
            Phase::Explore => self.explore(),
            Phase::Edit => self.edit_some(),
            Phase::BreakAndMend => self.break_and_mend(),
            Phase::TestsGetGreen => self.tests_get_green(),
            Phase::SameTestTwice => self.same_test_twice(),
            Phase::EditAndTest => self.edit_and_test(),
            Phase::NumberedBatch => self.numbered_batch(),
            Phase::FormatAndLint => self.format_and_lint(),
            Phase::OldLint => self.old_lint(),
            Phase::LookAtGit => self.look_at_git(),
            Phase::Commit => self.commit(),
            Phase::Wait => self.wait(),
            Phase::Helpers => self.helpers(),
            Phase::Shortened => self.shortened(),
            Phase::AtOnce => self.at_once(),
            Phase::TryAndTakeBack => self.try_and_take_back(),
            Phase::NewFile => self.new_file(),
            Phase::Browser => self.browser(),
            Phase::PersonHelps => self.person_helps(),
            Phase::LongRefactoring => self.long_refactoring(),
            Phase::Toggles => self.toggles(),
            Phase::NewSyntax => self.new_syntax(),
            Phase::NoChecks => self.no_checks(),
            Phase::Polls => self.polls(),
            Phase::OldComplaint => self.old_complaint(),
            Phase::OldFailure => self.old_failure(),
            Phase::WishesThatSwing => self.wishes_that_swing(),
            Phase::WaitsForOthers => self.waits_for_others(),
        }
    }

    /// Reads many files, whole and in parts, searches, and reads one again.
    fn explore(&mut self) {
        let mut paths = self.sources();
        self.random.shuffle(&mut paths);
        let how_many = self.random.between(2, paths.len());
        for path in &paths[..how_many] {
            if self.random.chance(40) {
                let word = name_of(&blocks(&self.files[path])[0]);
                let call = self.search(None, &word);
                self.calls_at_once(vec![call]);
            }
            if self.random.chance(20) {
                let pattern = format!("**/{}*", &path[4..7]);
                let found: String = self
                    .files
                    .keys()
                    .filter(|other| other.contains(&path[4..7]))
                    .map(|path| format!("{path}\n"))
                    .collect();
                self.call(Tool::Glob { pattern }, Vec::new(), None, found);
            }
            if self.random.chance(50) {
                for part in 0..self.random.between(1, 4) {
                    let call = self.look(None, path, Some((part * 20 + 1, part * 20 + 20)));
                    self.calls_at_once(vec![call]);
                }
            } else {
                let call = self.look(None, path, None);
                self.calls_at_once(vec![call]);
            }
        }
        if self.random.chance(60) {
            let call = self.look(None, &paths[0], None);
            self.calls_at_once(vec![call]);
        }
        if self.random.chance(20) {
            self.run("ls -la src", self.sources().join("\n"));
            self.run("wc -l src/*", format!("{} total", self.files.len() * 60));
        }
    }

    /// One change of a file that leaves it in order.
    pub(super) fn change(&mut self, path: &str) -> Call {
        let all = blocks(&self.files[path]);
        let block = self.random.one(&all).clone();
        let number = self.new_number();
        let new_function = self.language.function(&format!("helper_{number}"), number as usize);
        if self.random.chance(20) {
            return self.edit_call(path, &block, &format!("{block}\n\n{new_function}"));
        }
        if self.random.chance(10) && all.len() > 6 {
            return self.edit_call(path, &format!("{}\n\n", all[0]), "");
        }
        let changed = self.language.function(&name_of(&block), 1_000 + number as usize);
        self.edit_call(path, &block, &changed)
    }

    fn edit_one(&mut self) {
        let path = self.source();
        let call = self.change(&path);
        self.calls_at_once(vec![call]);
    }

    fn edit_some(&mut self) {
        for _ in 0..self.random.between(1, 8) {
            if self.random.chance(30) {
                let path = self.source();
                let call = self.look(None, &path, None);
                self.calls_at_once(vec![call]);
            }
            self.edit_one();
        }
    }

    /// Two to five edits that leave a file unreadable on the way, and the one that mends it.
    fn break_and_mend(&mut self) {
        let path = self.source();
        let all = blocks(&self.files[&path]);
        let block = self.random.one(&all).clone();
        let name = name_of(&block);
        let number = self.new_number() as usize;
        let mut half = self.language.half(&name, number);
        let call = self.edit_call(&path, &block, &half);
        self.calls_at_once(vec![call]);
        for step in 1..self.random.between(2, 5) {
            let next = self.language.half(&name, number * 10 + step);
            let call = self.edit_call(&path, &half, &next);
            self.calls_at_once(vec![call]);
            half = next;
        }
        let whole = self.language.function(&name, number * 10);
        let call = self.edit_call(&path, &half, &whole);
        self.calls_at_once(vec![call]);
    }

    fn green(&mut self) {
        self.tested += 1;
        let time = format!("{}.{:02}", 1 + self.tested % 7, self.random.below(100));
        let passed = 12 + self.tested;
        let output = match self.language.test() {
            "cargo test" => format!(
                "running {passed} tests\ntest result: ok. {passed} passed; 0 failed; finished in {time}s"
            ),
            "npm test" => format!(
                "Test Suites: 4 passed, 4 total\nTests: {passed} passed, {passed} total\nTime: {time} s"
            ),
            _ => format!("....................\n{passed} passed in {time}s"),
        };
        self.run(self.language.test(), output);
    }

    fn red_output(&mut self, name: &str, failing: usize) -> String {
        let time = format!("{}.{:02}", self.random.below(9), self.random.below(100));
        match self.language.test() {
            "cargo test" => format!(
                "test {name} ... FAILED\nthread '{name}' panicked at src/cart.rs:{}:5:\nassertion `left == right` failed: {name}\n\
                 test result: FAILED. 12 passed; {failing} failed; finished in {time}s",
                self.random.between(1, 200)
            ),
            "npm test" => format!(
                "FAIL tests/cart_test.js\n  x {name}\n    expect(received).toBe(expected)\n    {name}\n\
                 Tests: {failing} failed, 12 passed\nTime: {time} s"
            ),
            _ => format!(
                "FAILED tests/test_cart.py::{name} - AssertionError: {name}\n{failing} failed, 12 passed in {time}s"
            ),
        }
    }

    /// Tests that fail, each time in another way, until they pass.
    fn tests_get_green(&mut self) {
        for failing in (1..=self.random.between(1, 6)).rev() {
            let name = format!("test_rule_{failing}_{}", self.new_number());
            self.edit_one();
            let output = self.red_output(&name, failing);
            self.run_red(self.language.test(), output);
        }
        self.edit_one();
        self.green();
    }

    /// The same failing test twice without a change, then it stays red for one or two edits, then it is green.
    fn same_test_twice(&mut self) {
        let name = format!("test_total_{}", self.new_number());
        self.edit_one();
        let again = self.random.between(1, 2);
        for round in 0..=again {
            let output = self.red_output(&name, 1);
            self.run_red(self.language.test(), output);
            if round == 0 {
                let output = self.red_output(&name, 1);
                self.run_red(self.language.test(), output);
            }
            self.edit_one();
        }
        self.green();
    }

    /// A long loop in which everything passes.
    fn edit_and_test(&mut self) {
        for _ in 0..self.random.between(3, 20) {
            self.edit_one();
            self.green();
        }
    }

    fn numbered_batch(&mut self) {
        let how_many = self.random.between(4, 12);
        let kind = self.random.below(8);
        for number in 1..=how_many {
            match kind {
                0 => self.run(format!("python t{number}.py"), "ok"),
                1 => {
                    let (from, to) = (format!("assets/img{number}.svg"), format!("assets/pic{number}.svg"));
                    if let Some(text) = self.files.get(&from).cloned() {
                        let effects = vec![Effect::Remove(from.clone()), Effect::Write(to.clone(), text)];
                        self.run_writing(format!("mv {from} {to}"), effects);
                    }
                }
                2 => {
                    let path = format!("docs/ch{number}.md");
                    let text = self.files.get(&path).cloned().unwrap_or_default();
                    let after = text.replace("colour", "color");
                    self.run_writing(
                        format!("sed -i 's/colour/color/g' {path}"),
                        vec![Effect::Write(path, after)],
                    );
                }
                3 => self.run(format!("sqlite3 app.db < migrations/{number:03}_step.sql"), ""),
                4 => {
                    let path = format!("out/{number}/page.html");
                    let effects = vec![Effect::Write(path, format!("<p>{number}</p>\n"))];
                    self.run_writing(format!("mkdir -p out/{number} && node render.js {number}"), effects);
                }
                5 => {
                    let path = format!("notes/part{number}.txt");
                    let text = format!("part {number}\n");
                    let tool = Tool::Write { path: path.clone(), text: text.clone() };
                    self.call(tool, vec![Effect::Write(path, text)], None, "");
                }
                6 => self.run(format!("git show HEAD~{number} --stat"), " src/cart.js | 2 +-"),
                _ => {
                    let (from, to) = (format!("docs/ch{number}.md"), format!("docs/old/ch{number}.md"));
                    let text = self.files.get(&from).cloned().unwrap_or_default();
                    self.run_writing(format!("cp {from} {to}"), vec![Effect::Write(to, text)]);
                }
            }
        }
    }

    /// Runs that print the same each time.
    fn format_and_lint(&mut self) {
        let (format, says) = self.language.format();
        for _ in 0..self.random.between(1, 4) {
            self.edit_one();
            self.run(format, says);
            if self.random.chance(50) && self.lint_was_red != Some(true) {
                self.lint_was_red = Some(false);
                self.run(self.language.lint(), "All checks passed!");
            }
        }
    }

    /// A linter that has always complained about something else.
    fn old_lint(&mut self) {
        if self.lint_was_red == Some(false) {
            return self.format_and_lint();
        }
        let says = "src/legacy.x:10:1: error: `unused_thing` is not used\nsrc/legacy.x:31:1: error: line too long\n2 errors";
        if self.lint_was_red.is_none() && self.random.chance(50) {
            self.run_red(self.language.lint(), says);
        }
        self.lint_was_red = Some(true);
        for _ in 0..self.random.between(1, 3) {
            self.edit_one();
            self.run_red(self.language.lint(), says);
        }
        self.green();
    }

    fn look_at_git(&mut self) {
        for _ in 0..self.random.between(1, 4) {
            self.edit_one();
            let changed: String = self.touched.iter().map(|path| format!(" M {path}\n")).collect();
            self.run("git status --short", changed);
            if self.random.chance(60) {
                let number = self.fresh;
                self.run("git diff", format!("@@ -1,3 +1,3 @@\n-old\n+new {number}"));
            }
        }
        self.run("git log --oneline -5", "3f2a9c1 Add the cart\n99aa001 Start");
    }

    fn commit(&mut self) {
        let number = self.new_number();
        self.run("git add -A", "");
        self.run(
            format!("git commit -m 'Step {number}'"),
            format!("[main {number:07x}] Step {number}\n 2 files changed"),
        );
        self.run("git status --short", "");
        self.touched.clear();
    }

    fn wait(&mut self) {
        let times = self.random.between(2, 7);
        let kind = self.random.below(5);
        let id = self.new_number();
        for time in 0..times {
            let last = time + 1 == times;
            match kind {
                0 => self.run("sleep 5 && curl -s localhost:3000/health", if last { "ok" } else { "" }),
                1 => self.call(Tool::Poll { id }, Vec::new(), None, if last { "ready" } else { "" }),
                2 => {
                    self.run("gh run view 812 --json status", if last { "completed" } else { "in_progress" })
                }
                3 => self.run("tail -3 server.log", if last { "listening" } else { "starting" }),
                _ => self.run("sleep 30; ls dist", if last { "app.js" } else { "" }),
            }
        }
    }

    /// Helpers that look at the same files, one after the other.
    fn helpers(&mut self) {
        let mut paths = self.sources();
        self.random.shuffle(&mut paths);
        paths.truncate(self.random.between(1, 4));
        for _ in 0..self.random.between(1, 3) {
            let helper = self.new_number();
            let task = format!("Look at {} and say what is wrong (part {helper})", paths.join(", "));
            self.moves.push(Move::HelperBegins(helper));
            for path in paths.clone() {
                let call = self.look(Some(helper), &path, None);
                self.calls_at_once(vec![call]);
            }
            if self.random.chance(50) {
                let call = self.search(Some(helper), "return");
                self.calls_at_once(vec![call]);
            }
            self.call(Tool::Helper { task }, Vec::new(), None, format!("Nothing is wrong ({helper})."));
        }
    }

    /// After the conversation was shortened, everything is read again.
    fn shortened(&mut self) {
        let mut paths = self.sources();
        paths.truncate(self.random.between(2, 5));
        for round in 0..2 {
            if round > 0 {
                self.moves.push(Move::Shortened);
            }
            for path in paths.clone() {
                let call = self.look(None, &path, None);
                self.calls_at_once(vec![call]);
            }
        }
        self.edit_one();
    }

    /// Several calls at once: looks, then edits of several files and a command.
    fn at_once(&mut self) {
        let mut paths = self.sources();
        self.random.shuffle(&mut paths);
        paths.truncate(self.random.between(2, 5));
        let looks = paths.iter().map(|path| self.look(None, path, None)).collect();
        self.calls_at_once(looks);
        let edits = paths.iter().map(|path| self.change(path)).collect();
        self.calls_at_once(edits);
        let words: Vec<String> = paths.iter().map(|path| name_of(&blocks(&self.files[path])[0])).collect();
        let searches = words.iter().map(|word| self.search(None, word)).collect();
        self.calls_at_once(searches);
        self.green();
    }

    /// An idea that was none: tried, looked at, taken back; and then another one.
    fn try_and_take_back(&mut self) {
        let path = self.source();
        let before = self.files[&path].clone();
        let block = blocks(&before)[0].clone();
        let number = self.new_number() as usize;
        let changed = self.language.function(&name_of(&block), 5_000 + number);
        let call = self.edit_call(&path, &block, &changed);
        self.calls_at_once(vec![call]);
        let output = self.red_output(&format!("test_idea_{number}"), 3);
        self.run_red(self.language.test(), output);
        let call = self.edit_call(&path, &changed, &block);
        self.calls_at_once(vec![call]);
        let call = self.change(&path);
        self.calls_at_once(vec![call]);
        self.green();
    }

    /// The same key again and again moves something that no file shows.
    fn browser(&mut self) {
        for _ in 0..self.random.between(3, 8) {
            let tool = Tool::Foreign { tool: Foreign::PressKey, text: "Tab".to_owned() };
            self.call(tool, Vec::new(), None, "Pressed Tab");
        }
        let number = self.new_number();
        let tool = Tool::Foreign { tool: Foreign::GetText, text: "title".to_owned() };
        self.call(tool, Vec::new(), None, format!("Page {number}"));
    }

    /// The person edits a file that the agent works on, and runs a search in between.
    fn person_helps(&mut self) {
        let path = self.source();
        let first = self.look(None, &path, None);
        self.calls_at_once(vec![first]);
        for _ in 0..self.random.between(1, 4) {
            let number = self.new_number() as usize;
            let text = self.files[&path].clone()
                + "\n"
                + &self.language.function(&format!("by_hand_{number}"), number)
                + "\n";
            self.files.insert(path.clone(), text.clone());
            self.moves.push(Move::Person(Effect::Write(path.clone(), text)));
            let again = self.look(None, &path, None);
            self.calls_at_once(vec![again]);
        }
        let call = self.change(&path);
        self.calls_at_once(vec![call]);
    }

    fn new_file(&mut self) {
        let number = self.new_number() as usize;
        let path = format!("src/extra{number}.{}", self.language.ending());
        let functions: Vec<String> = (0..self.random.between(3, 9))
            .map(|at| self.language.function(&format!("extra{number}_{at}"), at))
            .collect();
        let text = functions.join("\n\n") + "\n";
        let tool = Tool::Write { path: path.clone(), text: text.clone() };
        self.call(tool, vec![Effect::Write(path.clone(), text)], None, "");
        let call = self.change(&path);
        self.calls_at_once(vec![call]);
        if self.random.chance(30) {
            let call = self.look(None, &path, None);
            self.calls_at_once(vec![call]);
        }
        if self.random.chance(30) {
            self.run_writing(format!("rm {path}"), vec![Effect::Remove(path)]);
        } else {
            self.touched.push(path);
        }
    }
}
