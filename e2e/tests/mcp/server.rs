//! Programs that listen, started and ended with the test.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A program that prints one line when it is ready.
pub struct Running {
    child: Child,
    /// That line.
    pub line: String,
}

impl Running {
    pub fn start(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("its first line");
        Self { child, line: line.trim().to_owned() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
