//! Sessions of agents that get somewhere.

use super::phases::Phase;
use super::sources::{Language, project};
use super::{Call, Effect, Files, Move, Random, Session, Tool};

/// Writes an honest session of about so many calls (at least, at most). The same seed is the same session.
pub fn honest(seed: u64, least: usize, most: usize) -> Session {
    let mut random = Random::new(seed);
    let language = *random.one(&Language::ALL);
    let files = project(&mut random, language);
    let want = random.between(least, most);
    let mut author = Author {
        start: files.clone(),
        files,
        language,
        random,
        moves: Vec::new(),
        calls: 0,
        fresh: 0,
        tested: 0,
        lint_was_red: None,
        touched: Vec::new(),
    };
    const REQUESTS: [&str; 6] = [
        "Add a discount for regular customers",
        "The total is wrong when the cart is empty, please have a look",
        "Rename the helpers, they are hard to read",
        "Now do the same for the other files",
        "Clean up what you left behind",
        "Make the tests faster",
    ];
    while author.calls < want {
        let request = *author.random.one(&REQUESTS);
        author.moves.push(Move::Prompt(request.to_owned()));
        for _ in 0..author.random.between(1, 4) {
            if author.calls < want {
                let phase = *author.random.one(&Phase::ALL);
                author.live(phase);
            }
        }
        author.moves.push(Move::Over);
    }
    Session { files: author.start, moves: author.moves }
}

/// Who writes the session, and the state of the world in it.
pub(super) struct Author {
    start: Files,
    pub files: Files,
    pub language: Language,
    pub random: Random,
    pub moves: Vec<Move>,
    pub calls: usize,
    /// Numbers for new names.
    pub fresh: u32,
    /// How many tests there are by now; and the noise of times.
    pub tested: usize,
    /// The linter has complained all the time: nobody asked to change that.
    pub lint_was_red: Option<bool>,
    /// Files that were edited.
    pub touched: Vec<String>,
}

impl Author {
    /// A number that was not used before.
    pub fn new_number(&mut self) -> u32 {
        self.fresh += 1;
        self.fresh
    }

    /// One call.
    pub fn call(&mut self, tool: Tool, effects: Vec<Effect>, failed: Option<i32>, output: impl Into<String>) {
        self.calls_at_once(vec![Call { by: None, tool, effects, failed, output: output.into() }]);
    }

    /// Several at once.
    pub fn calls_at_once(&mut self, calls: Vec<Call>) {
        self.calls += calls.len();
        for effect in calls.iter().flat_map(|call| &call.effects) {
            match effect {
                Effect::Write(path, text) => drop(self.files.insert(path.clone(), text.clone())),
                Effect::Remove(path) => drop(self.files.remove(path)),
            }
        }
        self.moves.push(Move::Calls(calls));
    }

    /// A command that works.
    pub fn run(&mut self, command: impl Into<String>, output: impl Into<String>) {
        self.call(Tool::Shell { command: command.into() }, Vec::new(), None, output);
    }

    /// A command that does not.
    pub fn run_red(&mut self, command: impl Into<String>, output: impl Into<String>) {
        self.call(Tool::Shell { command: command.into() }, Vec::new(), Some(1), output);
    }

    /// A command that writes.
    pub fn run_writing(&mut self, command: impl Into<String>, effects: Vec<Effect>) {
        self.call(Tool::Shell { command: command.into() }, effects, None, "");
    }

    /// A look at a file.
    pub fn look(&self, by: Option<u32>, path: &str, lines: Option<(usize, usize)>) -> Call {
        let text = self.files.get(path).cloned().unwrap_or_default();
        let output = match lines {
            None => text,
            Some((from, to)) => {
                text.lines().skip(from - 1).take(to + 1 - from).map(|line| format!("{line}\n")).collect()
            }
        };
        Call {
            by,
            tool: Tool::Read { path: path.to_owned(), lines },
            effects: Vec::new(),
            failed: None,
            output,
        }
    }

    /// A search.
    pub fn search(&self, by: Option<u32>, pattern: &str) -> Call {
        let mut output = String::new();
        for (path, text) in self.files.iter().filter(|(path, _)| path.starts_with("src/")) {
            for (at, line) in text.lines().enumerate().filter(|(_, line)| line.contains(pattern)) {
                output.push_str(&format!("{path}:{}:{line}\n", at + 1));
            }
        }
        let tool = Tool::Grep { pattern: pattern.to_owned(), path: "src".to_owned() };
        Call { by, tool, effects: Vec::new(), failed: None, output }
    }

    /// An edit that puts one text in the place of another.
    pub fn edit_call(&self, path: &str, old: &str, new: &str) -> Call {
        let text = self.files.get(path).cloned().unwrap_or_default();
        assert!(text.contains(old), "an honest edit applies: {path}: {old}");
        let after = text.replacen(old, new, 1);
        Call {
            by: None,
            tool: Tool::Edit { path: path.to_owned(), old: old.to_owned(), new: new.to_owned() },
            effects: vec![Effect::Write(path.to_owned(), after)],
            failed: None,
            output: String::new(),
        }
    }

    /// The source files.
    pub fn sources(&self) -> Vec<String> {
        self.files.keys().filter(|path| path.starts_with("src/")).cloned().collect()
    }

    /// One of them.
    pub fn source(&mut self) -> String {
        let all = self.sources();
        // Work stays with few files.
        if !self.touched.is_empty() && self.random.chance(60) {
            return self.random.one(&self.touched).clone();
        }
        let path = self.random.one(&all).clone();
        if !self.touched.contains(&path) {
            self.touched.push(path.clone());
        }
        path
    }
}
