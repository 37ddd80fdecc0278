//! A conversation, kept so that it can be taken up again: one line per message in the run's `notes/`, cleaned.
//!
//! What the model said is written before anything is done with it; what came of it is written before the log says that it ended. A line that
//! cleaning changed cannot be carried out from here: then the model is asked again.

use std::io::Write;
use std::path::PathBuf;

use engine::Engine;
use project::platform;
use providers::{Message, Part, Role};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::actions::edit::EditIntent;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    /// What the model is told.
    Told {
        /// The words.
        text: String,
    },
    /// What the model said.
    Said {
        /// The number of the action.
        n: u64,
        /// Words and calls.
        parts: Vec<Part>,
        /// It was cut off before its end.
        #[serde(default)]
        truncated: bool,
        /// The kept words are not exactly what was said.
        #[serde(default)]
        changed: bool,
    },
    /// The same is done under another number: a person answered.
    Again {
        /// The number.
        n: u64,
    },
    /// The lane as it was before a command.
    Before {
        /// The number of the action.
        n: u64,
        /// The checkpoint.
        checkpoint: String,
    },
    /// What is about to be written.
    About {
        /// What files were before.
        intent: EditIntent,
    },
    /// What came of it.
    Answered {
        /// The number of the action.
        n: u64,
        /// The calls that this answers.
        calls: Vec<String>,
        /// What the model is told.
        text: String,
        /// Why it was not done, as a code.
        #[serde(default)]
        code: Option<String>,
        /// It was no valid action.
        #[serde(default)]
        rejected: bool,
        /// Files were written.
        #[serde(default)]
        wrote: bool,
        /// How long it took.
        #[serde(default)]
        milliseconds: u64,
        /// What was asked for, as a digest.
        #[serde(default)]
        digest: String,
    },
}

/// A conversation's notes.
#[derive(Debug)]
pub struct Notes {
    file: PathBuf,
    all: Vec<Note>,
}

impl Notes {
    /// Those of this name; a line that was cut off, and what stands behind it, is passed over.
    pub fn open(folder: &std::path::Path, name: &str) -> Result<Self> {
        let place = folder.join("notes");
        platform::make_private_dir(&place)?;
        let file = place.join(format!("{name}.jsonl"));
        let bytes = std::fs::read(&file).unwrap_or_default();
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if whole < bytes.len() {
            // A kill cut the last line off: nobody was told of it.
            std::fs::OpenOptions::new().write(true).open(&file)?.set_len(whole as u64)?;
        }
        let lines = bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let all = lines.map_while(|line| serde_json::from_slice(line).ok()).collect();
        Ok(Self { file, all })
    }

    /// All of them.
    pub fn all(&self) -> &[Note] {
        &self.all
    }

    /// Writes one down, cleaned, and goes on with it as it was.
    pub fn add(&mut self, engine: &Engine, note: Note) -> Result<()> {
        let mut line = serde_json::to_vec(&kept(engine, note.clone())).map_err(std::io::Error::from)?;
        line.push(b'\n');
        let mut file = platform::open_private_append(&self.file)?;
        file.write_all(&line)?;
        file.sync_data()?;
        self.all.push(note);
        Ok(())
    }

    /// The conversation as a model reads it.
    pub fn messages(&self) -> Vec<Message> {
        let mut out: Vec<Message> = Vec::new();
        for (at, note) in self.all.iter().enumerate() {
            match note {
                // Nothing was done from it: it was asked for again.
                Note::Said { changed: true, .. } if !self.is_answered(at) => {}
                Note::Told { text } => out.push(Message::text(Role::User, text.clone())),
                Note::Said { parts, .. } => {
                    let said =
                        if parts.is_empty() { vec![Part::Text("…".to_owned())] } else { parts.clone() };
                    out.push(Message { role: Role::Assistant, parts: said });
                }
                Note::Answered { calls, text, .. } if calls.is_empty() => {
                    out.push(Message::text(Role::User, text.clone()));
                }
                Note::Answered { calls, text, code, .. } => {
                    let result = |id: &String| Part::Result {
                        id: id.clone(),
                        text: text.clone(),
                        is_error: code.is_some(),
                    };
                    out.push(Message { role: Role::User, parts: calls.iter().map(result).collect() });
                }
                Note::Again { .. } | Note::About { .. } | Note::Before { .. } => {}
            }
        }
        out
    }

    fn is_answered(&self, said: usize) -> bool {
        let next = self.all[said + 1..]
            .iter()
            .find(|note| matches!(note, Note::Said { .. } | Note::Answered { .. }));
        matches!(next, Some(Note::Answered { .. }))
    }

    /// What the model said last, if nobody answered it yet, and under which number it is done.
    pub fn open_action(&self) -> Option<(u64, &Note)> {
        let at =
            self.all.iter().rposition(|note| matches!(note, Note::Said { .. } | Note::Answered { .. }))?;
        let Note::Said { n, .. } = &self.all[at] else { return None };
        let again = self.all[at..].iter().rev().find_map(|note| match note {
            Note::Again { n } => Some(*n),
            _ => None,
        });
        Some((again.unwrap_or(*n), &self.all[at]))
    }

    /// What was about to be written under this number.
    pub fn intent(&self, number: u64) -> Option<&EditIntent> {
        self.all.iter().rev().find_map(|note| match note {
            Note::About { intent } if intent.n == number => Some(intent),
            _ => None,
        })
    }

    /// The lane before the command of this number.
    pub fn before(&self, number: u64) -> Option<&str> {
        self.all.iter().rev().find_map(|note| match note {
            Note::Before { n, checkpoint } if *n == number => Some(checkpoint.as_str()),
            _ => None,
        })
    }

    /// How often the last actions were refused with this code, since something was written or somebody said something.
    pub fn refused_in_a_row(&self, code: &str) -> usize {
        let mut times = 0;
        for note in self.all.iter().rev() {
            match note {
                Note::Told { .. } | Note::Answered { wrote: true, .. } => break,
                Note::Answered { code: Some(of), .. } if of == "declined" => break,
                Note::Answered { code: Some(of), .. } if of == code => times += 1,
                _ => {}
            }
        }
        times
    }

    /// Forgets what was said last and was kept with changes, so that it is asked for again.
    pub fn drop_last(&mut self) {
        self.all.pop();
    }
}

/// What is kept of a note: without secrets.
fn kept(engine: &Engine, mut note: Note) -> Note {
    let mut gate = engine.run_gate();
    let mut is_changed = false;
    let mut clean = |text: &mut String| {
        let cleaned = gate.clean(text).into_string();
        if cleaned != *text {
            is_changed = true;
            *text = cleaned;
        }
    };
    match &mut note {
        Note::Told { text } | Note::Answered { text, .. } => clean(text),
        Note::Said { parts, changed, .. } => {
            for part in parts.iter_mut() {
                match part {
                    Part::Text(text) | Part::Result { text, .. } => clean(text),
                    Part::Call { input, .. } => clean_value(input, &mut clean),
                }
            }
            *changed |= is_changed;
        }
        Note::Again { .. } | Note::About { .. } | Note::Before { .. } => {}
    }
    note
}

fn clean_value(value: &mut serde_json::Value, clean: &mut impl FnMut(&mut String)) {
    match value {
        serde_json::Value::String(text) => clean(text),
        serde_json::Value::Array(all) => all.iter_mut().for_each(|one| clean_value(one, clean)),
        serde_json::Value::Object(all) => all.values_mut().for_each(|one| clean_value(one, clean)),
        _ => {}
    }
}
