//! What the model will do.

/// One answer of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// It calls tools: one, or several at once.
    Call(Vec<Tool>),
    /// It says something, which ends its turn.
    Say(String),
    /// It is overloaded and answers with an error; clients ask again.
    Fail,
}

/// A tool call, in no client's words. Paths are relative to the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tool {
    /// Makes a new file (not every client's tool overwrites one).
    Write {
        /// The file.
        path: String,
        /// All of its text, ending in a newline.
        content: String,
    },
    /// Replaces lines of a file that the agent has read or written before.
    Edit {
        /// The file.
        path: String,
        /// Whole lines, without the last newline; they occur once.
        old: String,
        /// Whole lines, without the last newline.
        new: String,
    },
    /// Runs a command line in the project folder.
    Bash {
        /// The command line.
        command: String,
    },
    /// Reads a file.
    Read {
        /// The file.
        path: String,
    },
    /// Reads some lines of a file.
    Lines {
        /// The file.
        path: String,
        /// The first line, counted from one.
        first: usize,
        /// The last one, read too.
        last: usize,
    },
    /// Searches the project for a text.
    Search {
        /// The text, without special characters.
        text: String,
    },
    /// Looks for files by their names.
    Find {
        /// Such as `*.txt`; in any folder.
        name: String,
    },
    /// Calls a tool of this one client, by its own name.
    Own {
        /// The tool.
        tool: String,
        /// Its arguments, as JSON.
        arguments: String,
    },
    /// Calls a tool of vib's MCP server.
    Mcp {
        /// The tool.
        tool: String,
        /// Its arguments, as JSON.
        arguments: String,
    },
}

impl Step {
    /// The model makes a new file.
    pub fn write(path: &str, content: &str) -> Self {
        Self::Call(vec![Tool::Write { path: path.to_owned(), content: content.to_owned() }])
    }

    /// The model replaces lines of a file.
    pub fn edit(path: &str, old: &str, new: &str) -> Self {
        Self::Call(vec![Tool::Edit { path: path.to_owned(), old: old.to_owned(), new: new.to_owned() }])
    }

    /// The model runs a command line. It is run for real: only harmless ones, with relative paths.
    pub fn bash(command: &str) -> Self {
        Self::Call(vec![Tool::Bash { command: command.to_owned() }])
    }

    /// The model reads a file.
    pub fn read(path: &str) -> Self {
        Self::Call(vec![Tool::Read { path: path.to_owned() }])
    }

    /// The model reads some lines of a file.
    pub fn lines(path: &str, first: usize, last: usize) -> Self {
        Self::Call(vec![Tool::Lines { path: path.to_owned(), first, last }])
    }

    /// The model searches the project for a text.
    pub fn search(text: &str) -> Self {
        Self::Call(vec![Tool::Search { text: text.to_owned() }])
    }

    /// The model looks for files by their names.
    pub fn find(name: &str) -> Self {
        Self::Call(vec![Tool::Find { name: name.to_owned() }])
    }

    /// The model calls a tool of vib's MCP server.
    pub fn mcp(tool: &str, arguments: &serde_json::Value) -> Self {
        Self::Call(vec![Tool::Mcp { tool: tool.to_owned(), arguments: arguments.to_string() }])
    }

    /// The model calls a tool of this one client, by its own name.
    pub fn own(tool: &str, arguments: &serde_json::Value) -> Self {
        Self::Call(vec![Tool::Own { tool: tool.to_owned(), arguments: arguments.to_string() }])
    }

    /// The model makes all the calls of these steps in one answer.
    pub fn together(steps: impl IntoIterator<Item = Self>) -> Self {
        let calls = steps.into_iter().flat_map(|step| match step {
            Self::Call(tools) => tools,
            Self::Say(_) | Self::Fail => Vec::new(),
        });
        Self::Call(calls.collect())
    }

    /// The model is overloaded once.
    pub fn fail() -> Self {
        Self::Fail
    }

    /// The model speaks and ends its turn.
    pub fn say(text: &str) -> Self {
        Self::Say(text.to_owned())
    }
}
