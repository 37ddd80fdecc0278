//! Why something is left to a person.

use std::path::PathBuf;

/// A refusal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An agent is behind this process.
    #[error("only a person may {act}; this is {agent}")]
    Agent {
        /// What only a person may do.
        act: String,
        /// Who it is, and how that is known.
        agent: String,
    },
    /// The passphrase has to be typed at a terminal.
    #[error("this needs your passphrase, and there is no terminal to type it at")]
    NoTerminal,
    /// It was wrong.
    #[error("that is not the passphrase")]
    Wrong {
        /// So long until the next try, in seconds.
        wait: u64,
    },
    /// Too many wrong ones.
    #[error("the passphrase was wrong {failures} times; the next try is possible in {wait} s")]
    Wait {
        /// How often.
        failures: u32,
        /// In seconds.
        wait: u64,
    },
    /// The file with the passphrase cannot be read or written.
    #[error("the passphrase in `{}` cannot be checked: {detail}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        detail: String,
    },
    /// A passphrase that is too short to be one.
    #[error("a passphrase has at least {least} characters")]
    TooShort {
        /// How many.
        least: usize,
    },
    /// The second time something else was typed.
    #[error("the two passphrases are not the same; nothing was changed")]
    Differ,
    /// There is none to take away.
    #[error("no passphrase is set")]
    NotSet,
}

/// With a refusal as the error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A stable name, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Agent { .. } => "needs_person",
            Self::NoTerminal => "needs_terminal",
            Self::Wrong { .. } => "wrong_passphrase",
            Self::Wait { .. } => "passphrase_wait",
            Self::Unreadable { .. } => "lock_unreadable",
            Self::TooShort { .. } => "passphrase_too_short",
            Self::Differ => "passphrases_differ",
            Self::NotSet => "no_passphrase",
        }
    }

    /// What to do next.
    pub fn next(&self) -> String {
        match self {
            Self::Agent { .. } => "the person does it in a terminal of their own, not in one of the agent's (also not with `!` in its \
                                   chat); to go back, `/rollback` or \"undo that\" in the chat works too"
                .to_owned(),
            Self::NoTerminal => "type the command at a terminal yourself; `vib lock remove` takes the passphrase away".to_owned(),
            Self::Wrong { wait } => format!("wait {wait} s, then try again; `vib lock status` says what to do if you forgot it"),
            Self::Wait { .. } => "wait, then try again; `vib lock status` says what to do if you forgot it".to_owned(),
            Self::Unreadable { file, .. } => {
                format!("delete `{}` by hand to go on without a passphrase, then `vib lock set`", file.display())
            }
            Self::TooShort { .. } => "choose a longer one, such as a few words".to_owned(),
            Self::Differ => "run `vib lock set` again".to_owned(),
            Self::NotSet => "`vib lock set` sets one".to_owned(),
        }
    }
}
