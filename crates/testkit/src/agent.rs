//! [`Agent`]: a scripted agent that saves before each step, as a hook does, and then does something.

use std::cell::Cell;

use crate::Sandbox;

/// An agent in a session.
pub struct Agent<'s> {
    sandbox: &'s Sandbox,
    session: &'s str,
    turn: Cell<u32>,
}

impl<'s> Agent<'s> {
    /// A new session.
    pub fn new(sandbox: &'s Sandbox, session: &'s str) -> Self {
        Self { sandbox, session, turn: Cell::new(0) }
    }

    /// A person asks for something: a new turn, and a checkpoint of the whole tree.
    pub fn prompt(&self, text: &str) -> String {
        self.turn.set(self.turn.get() + 1);
        self.save(&["--prompt", text])
    }

    /// The edit tool: only the file is saved, then it is written.
    pub fn edit(&self, path: &str, text: &str) -> String {
        let id = self.save(&["--tool", "Edit", path]);
        self.sandbox.write(path, text);
        id
    }

    /// The shell tool: the whole tree is saved, then the script runs.
    pub fn shell(&self, script: &str) -> String {
        let id = self.save(&["--tool", "Bash"]);
        self.sandbox.shell(script);
        id
    }

    /// What a tool that may write anywhere does first: the whole tree is saved.
    pub fn save_for(&self, tool: &str) -> String {
        self.save(&["--tool", tool])
    }

    fn save(&self, more: &[&str]) -> String {
        let turn = self.turn.get().to_string();
        let mut arguments = vec![
            "checkpoint",
            "--kind",
            "turn",
            "--session",
            self.session,
            "--turn",
            &turn,
            "--agent",
            "test-agent",
        ];
        arguments.extend_from_slice(more);
        self.sandbox.data(&arguments)["checkpoint"]["id"].as_str().expect("an id").to_owned()
    }
}
