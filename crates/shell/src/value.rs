//! Values while walking a command line: text that may have holes, and where it came from.

/// Stands for text that is not known before the command runs.
pub(crate) const HOLE: char = '\u{F8FF}';

/// Where a piece of text or a stream came from, as far as it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Taint {
    /// It came over the network.
    pub network: bool,
    /// It holds a secret.
    pub secret: bool,
    /// It was decoded from something unreadable.
    pub decoded: bool,
    /// It is the value of a variable that usually holds a key: to use one is ordinary, to send it away is worth a look.
    pub variable: bool,
}

impl Taint {
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            network: self.network || other.network,
            secret: self.secret || other.secret,
            decoded: self.decoded || other.decoded,
            variable: self.variable || other.variable,
        }
    }
}

/// One word of a command after expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arg {
    /// The text; [`HOLE`] where it is not known.
    pub text: String,
    /// Whether it has pattern characters that the shell would expand.
    pub glob: bool,
    /// Where it came from.
    pub taint: Taint,
}

impl Arg {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub(crate) fn hole() -> Self {
        Self::new(HOLE.to_string())
    }

    pub(crate) fn known(&self) -> bool {
        !self.text.contains(HOLE)
    }

    /// The same word with other text, for an option's value and the like.
    pub(crate) fn with_text(&self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self.clone() }
    }
}

/// What flows through a pipe, a variable or a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Data {
    /// The content, where it is known.
    pub text: Option<String>,
    /// Whether anything flows at all: a command at the start of a line reads the terminal.
    pub present: bool,
    /// Where it came from.
    pub taint: Taint,
    /// Whether every line is the name of a file below the current folder.
    pub names: bool,
    /// Those of the names that are more than files of the project: git's own data, vib's records, settings of agents.
    pub special: Vec<String>,
}

impl Data {
    /// The output of a command that prints nothing.
    pub(crate) fn nothing() -> Self {
        Self { text: Some(String::new()), ..Self::default() }
    }

    pub(crate) fn text(text: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.contains(crate::choices::is_mark) {
            if let Some(names) = crate::choices::only_names(&text) {
                return Self { present: true, names: true, special: names, ..Self::default() };
            }
            text = crate::choices::as_lines(&text);
        }
        let known = !text.contains(HOLE);
        Self { text: known.then_some(text), present: true, ..Self::default() }
    }

    pub(crate) fn unknown(taint: Taint) -> Self {
        Self { present: true, taint, ..Self::default() }
    }

    pub(crate) fn tainted(mut self, taint: Taint) -> Self {
        self.taint = self.taint.and(taint);
        self
    }
}

/// Words for messages: holes shown as `…`, cut to a readable length.
pub(crate) fn shown(argv: &[Arg]) -> String {
    let joined = argv.iter().map(|a| a.text.as_str()).collect::<Vec<_>>().join(" ");
    shorten(&joined)
}

/// The same for plain text.
pub(crate) fn shorten(text: &str) -> String {
    let clean: String = text
        .chars()
        .take(160)
        .map(|c| match c {
            HOLE => '…',
            c if crate::choices::is_mark(c) => ' ',
            c => c,
        })
        .collect();
    if text.chars().count() > 160 { format!("{clean}…") } else { clean }
}
