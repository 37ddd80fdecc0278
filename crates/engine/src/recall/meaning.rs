//! The model of the person's, if they named one: `recall.model`. Opened only for a question; hooks do without it.

use std::path::PathBuf;

use ::memory::recall::{Hit, Index, Model, ModelError, Query};

use crate::{Engine, Notice, Result};

/// The model for one question, or why there is none.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    model: Option<Model>,
    failed: Option<ModelError>,
}

impl Chosen {
    /// Opens the model that the settings name.
    pub(super) fn of(engine: &Engine) -> Self {
        match folder(engine).map(|folder| Model::open(&folder)) {
            None => Self::default(),
            Some(Ok(model)) => Self { model: Some(model), failed: None },
            Some(Err(error)) => Self { model: None, failed: Some(error) },
        }
    }

    /// Asks by words and, where there is a model, by meaning.
    pub(super) fn search(&mut self, index: &Index, query: &Query) -> Result<Vec<Hit>> {
        let Some(model) = &mut self.model else { return Ok(index.search(query)?) };
        let (hits, failed) = index.search_by_meaning(query, model)?;
        if failed.is_some() {
            *self = Self { model: None, failed };
        }
        Ok(hits)
    }

    pub(super) fn is_in_use(&self) -> bool {
        self.model.is_some()
    }

    /// What the person should know.
    pub(super) fn notice(&self) -> Option<Notice> {
        let error = self.failed.as_ref()?;
        Some(Notice::Setting { message: format!("{error}; {}", error.next()) })
    }
}

/// Where it is.
fn folder(engine: &Engine) -> Option<PathBuf> {
    let named = engine.project().config().word("recall.model");
    match named.strip_prefix("~/") {
        _ if named.is_empty() => None,
        Some(inner) => Some(engine.context().home()?.join(inner)),
        None => Some(PathBuf::from(named)),
    }
}

/// For `vib doctor`: nothing where none is named; else its size, or what is wrong and what to do.
pub(crate) fn examine(engine: &Engine) -> Option<std::result::Result<String, (String, String)>> {
    let folder = folder(engine)?;
    Some(match Model::open(&folder) {
        Ok(model) => {
            let (rows, columns) = model.size();
            Ok(format!("`{}`: {rows} vectors of {columns} numbers", folder.display()))
        }
        Err(error) => Err((error.to_string(), error.next().to_owned())),
    })
}
