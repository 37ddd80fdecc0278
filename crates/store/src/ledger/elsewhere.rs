//! A step and the world around its project: from which project its agent came, and what it changed outside (T8); and the files that its
//! command names, which the short words of the ledger may leave out.
//!
//! Steps of agents have no [`super::Account`]; this stands in its column, in a form that is none.

use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};

use super::step::StepNumber;
use crate::{Result, Store};

/// What a step has to do with other places than its project.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Elsewhere {
    /// The agent works in another project, whose folder this is: it only reached over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Files outside the project that the step changed, as absolute paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<String>,
    /// Files of the project that its command names and may have copied from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
}

/// With one of these it begins; an account does not.
const FIELDS: [&str; 3] = ["{\"from\"", "{\"outside\"", "{\"sources\""];

impl Elsewhere {
    /// There is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn to_text(&self) -> Option<String> {
        if self.is_empty() { None } else { serde_json::to_string(self).ok() }
    }

    /// What stands in the column, if it is this.
    pub(super) fn from_text(text: Option<&str>) -> Self {
        let ours = text.filter(|text| FIELDS.iter().any(|field| text.starts_with(field)));
        ours.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }
}

impl Elsewhere {
    /// As others see it: the names are for who works out the writers of lines.
    pub(super) fn shown(text: Option<&str>) -> Self {
        Self { sources: Vec::new(), ..Self::from_text(text) }
    }
}

impl Store<'_> {
    /// Files of the project that the command of a step names and may have copied from.
    pub(crate) fn sources_of(&self, step: StepNumber) -> Result<Vec<String>> {
        let text: Option<Option<String>> = self
            .db
            .reader()
            .prepare_cached("SELECT account FROM step WHERE number = ?1")?
            .query_row([step.0], |row| row.get(0))
            .optional()?;
        Ok(Elsewhere::from_text(text.flatten().as_deref()).sources)
    }

    /// Notes what a step of an agent changed outside the project.
    pub fn note_outside_files(&mut self, step: StepNumber, paths: &[String]) -> Result<()> {
        self.db.write(false, |transaction| {
            let text: Option<Option<String>> = transaction
                .prepare_cached("SELECT account FROM step WHERE number = ?1")?
                .query_row([step.0], |row| row.get(0))
                .optional()?;
            let Some(text) = text else { return Ok(()) };
            let mut told = Elsewhere::from_text(text.as_deref());
            if text.is_some() && told.is_empty() {
                // A step of vib's own has an account, and stays as it is.
                return Ok(());
            }
            told.outside.extend(paths.iter().filter(|path| !path.is_empty()).cloned());
            told.outside.sort_unstable();
            told.outside.dedup();
            transaction
                .prepare_cached("UPDATE step SET account = ?2 WHERE number = ?1")?
                .execute((step.0, told.to_text()))?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Account;

    #[test]
    fn it_is_read_as_it_was_written_and_never_mixed_up_with_an_account_t8() {
        for told in [
            Elsewhere { from: Some("/home/u/app".to_owned()), ..Elsewhere::default() },
            Elsewhere {
                from: None,
                outside: vec!["/home/u/notes.txt".to_owned(), "/home/u/\"x\"".to_owned()],
                ..Elsewhere::default()
            },
            Elsewhere { sources: vec!["src/m.py".to_owned()], ..Elsewhere::default() },
        ] {
            let text = told.to_text();
            assert_eq!(Elsewhere::from_text(text.as_deref()), told);
            assert_eq!(Account::from_text(text.as_deref().unwrap()), None);
        }
        assert_eq!(Elsewhere::default().to_text(), None);
        assert!(Elsewhere::from_text(Some(&Account::of("undo").to_text())).is_empty());
        assert!(Elsewhere::from_text(None).is_empty());
    }
}
