//! [`Told`]: what a call said, before it ran, about what it would do. It proves later whose a change is: an edit owns what it announced and
//! nothing else; a command owns what it names, and what it was seen to change while nothing speaks for somebody else.

use std::collections::BTreeMap;

use project::RelPath;
use serde::{Deserialize, Serialize};

use crate::hash::ContentHash;

/// Stands for the name that a client makes up for a cell of a notebook.
pub const ANY_CELL_ID: &str = "any cell";

/// More text than this is not kept of one call; then only the hash of the result tells.
const MOST_TEXT: usize = 16 << 10;

/// What a call said about itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Told {
    /// The edits it announced, file by file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Announced>,
    /// Paths that a command names as written or removed, and what is in them: it may write others too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<String>,
    /// What a command is there for.
    #[serde(skip_serializing_if = "Trade::is_unknown")]
    pub trade: Trade,
    /// What a command says, with the text of the scripts that it runs: what it did not say may have been typed meanwhile. Kept until the step ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// Files in which there is more than a command said, with the names of these lines; none: all of them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unproven: BTreeMap<String, Vec<u32>>,
    /// It changed so many files that nobody compared each of them with what it said.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unproven_all: bool,
    /// When files were last touched that were changed by hand, milliseconds since 1970: a look finds them later, after what was done elsewhere meanwhile. (B1)
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub touched: BTreeMap<String, i64>,
    /// Its client asked the person whether it may run: it did not run all the time since it began. (M1)
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub waited: bool,
}

/// What a command is there for, as far as its words tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trade {
    /// To make new files out of those that are there.
    Builds,
    /// To look and report: tests, linters. Files of the project are not its trade.
    Reports,
    /// To write, or nobody knows.
    #[default]
    #[serde(other)]
    Writes,
}

impl Trade {
    fn is_unknown(&self) -> bool {
        *self == Self::Writes
    }
}

/// What an edit would do to one file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Announced {
    /// The file.
    pub path: String,
    /// The sha256 of what it would be, if nobody else changes it first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub becomes: Option<String>,
    /// The file would go.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub goes: bool,
    /// The whole new text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
    /// Texts that take the place of others, one after the other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub swaps: Vec<Swap>,
    /// It was not told in a form that can be compared.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unclear: bool,
    /// It was seen in the file: whatever comes now is another change.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub made: bool,
}

/// Text that takes the place of other text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swap {
    /// What is there.
    pub old: String,
    /// What comes instead.
    pub new: String,
    /// Everywhere, not only once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

impl Announced {
    /// An edit of this file of which only the result is known so far.
    pub fn of(path: &RelPath, result: Option<&[u8]>) -> Option<Self> {
        let path = std::str::from_utf8(path.as_bytes()).ok()?.to_owned();
        let becomes = result.map(|content| ContentHash::of(content).to_hex());
        Some(Self { path, becomes, ..Self::default() })
    }

    /// Texts are known, so that it can be found again in a file that others changed too.
    pub(super) fn has_text(&self) -> bool {
        self.whole.is_some() || !self.swaps.is_empty()
    }

    fn length(&self) -> usize {
        let swaps: usize = self.swaps.iter().map(|swap| swap.old.len() + swap.new.len()).sum();
        swaps + self.whole.as_ref().map_or(0, String::len)
    }

    /// The file with the edit in it, by its texts alone.
    pub fn applied_to(&self, content: &[u8]) -> Option<Vec<u8>> {
        if let Some(whole) = &self.whole {
            return Some(whole.clone().into_bytes());
        }
        let mut text = String::from_utf8(content.to_vec()).ok()?;
        for swap in &self.swaps {
            let (mut old, mut new) = (swap.old.clone(), swap.new.clone());
            if !text.contains(&old) && text.contains("\r\n") {
                // Clients show a file with plain line ends and write it back with its own.
                (old, new) = (with_carriage_returns(&old), with_carriage_returns(&new));
            }
            if old.is_empty() || !text.contains(&old) {
                return None;
            }
            text = if swap.all { text.replace(&old, &new) } else { text.replacen(&old, &new, 1) };
        }
        (!self.swaps.is_empty()).then(|| text.into_bytes())
    }
}

fn with_carriage_returns(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

impl Told {
    /// There is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// But for its own words there is nothing to say.
    pub(super) fn announces_nothing(&self) -> bool {
        Self { said: None, ..self.clone() }.is_empty()
    }

    /// As it is written down: texts that are too long are left out.
    pub(super) fn to_text(&self) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        if self.edits.iter().map(Announced::length).sum::<usize>() <= MOST_TEXT {
            return serde_json::to_string(self).ok();
        }
        let mut short = self.clone();
        for edit in &mut short.edits {
            edit.whole = None;
            edit.swaps.clear();
        }
        serde_json::to_string(&short).ok()
    }

    pub(super) fn from_text(text: Option<&str>) -> Self {
        text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    /// What is still worth knowing of a step that has ended: what it was there for (M4), and what else may have been typed while it ran.
    pub(super) fn of_ended(&self) -> Option<String> {
        let (trade, unproven) = (self.trade, self.unproven.clone());
        Self { trade, unproven, unproven_all: self.unproven_all, ..Self::default() }.to_text()
    }

    /// What was announced for a file.
    pub(super) fn about(&self, path: &[u8]) -> Option<&Announced> {
        self.edits.iter().find(|edit| edit.path.as_bytes() == path)
    }

    /// A command names this path or a folder around it.
    pub(super) fn names(&self, path: &RelPath) -> bool {
        self.named.iter().any(|named| RelPath::new(named.as_bytes()).is_ok_and(|named| path.is_in(&named)))
    }

    /// Something was announced and not seen yet.
    pub(super) fn is_open(&self) -> bool {
        self.edits.iter().any(|edit| !edit.made)
    }
}
