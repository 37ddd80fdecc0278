//! Reading and changing settings.

use project::Context;
use project::config::{self, Config, KEYS, Source, Value};

use crate::person::ByPerson;
use crate::{Engine, Error, Result};

/// One setting.
#[derive(Debug, serde::Serialize)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// The value in force.
    pub value: Value,
    /// Where it comes from.
    pub source: Source,
    /// What it is for.
    pub doc: &'static str,
}

/// Which file to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The user's.
    User,
    /// The project's.
    Project,
}

/// A setting that was changed.
#[derive(Debug, serde::Serialize)]
pub struct Changed {
    /// Its name.
    pub name: String,
    /// As understood.
    pub value: Value,
    /// The file.
    pub file: String,
    /// The value in force afterwards, if it is another one.
    pub in_force: Value,
    /// Why the value in force is another one.
    pub warnings: Vec<String>,
}

/// All settings in force.
pub fn list(engine: &Engine) -> Result<Vec<Setting>> {
    KEYS.iter().map(|key| setting(engine.project().config(), key.name)).collect()
}

/// One setting in force.
pub fn get(engine: &Engine, name: &str) -> Result<Setting> {
    setting(engine.project().config(), name)
}

/// Settings that any agent may change on the command line: how vib looks, never what it guards, keeps or runs.
const LOOKS: [&str; 2] = ["ui.language", "ui.color"];

/// True if changing this setting is left to a person.
pub fn is_persons(name: &str) -> bool {
    !LOOKS.contains(&name)
}

/// Changes one setting in one file, from the command line: what is left to a person needs the proof that it is one.
pub fn change(
    engine: &Engine,
    target: Target,
    name: &str,
    value: &str,
    by: Option<ByPerson>,
) -> Result<Changed> {
    if is_persons(name) && by.is_none() {
        return Err(Error::NeedsTerminal);
    }
    set(engine, target, name, value)
}

/// Changes one setting in one file, on the page, whose guard lets only a person do so.
pub fn set(engine: &Engine, target: Target, name: &str, value: &str) -> Result<Changed> {
    let context: &Context = engine.context();
    let file = match target {
        Target::User => config::user_file(
            context
                .config()
                .ok_or_else(|| Error::Usage("there is no folder for your settings".to_owned()))?,
        ),
        Target::Project => config::project_file(engine.project().root()),
    };
    let value = config::set_in_file(&file, name, value)?;
    let now = Config::load(context.config(), engine.project().root())?;
    let in_force = now.get(name)?.0.clone();
    Ok(Changed {
        name: name.to_owned(),
        value,
        file: file.display().to_string(),
        in_force,
        warnings: now.warnings().to_vec(),
    })
}

fn setting(config: &Config, name: &str) -> Result<Setting> {
    let (value, source) = config.get(name)?;
    let key = KEYS.iter().find(|key| key.name == name);
    let (name, doc) = key.map_or(("", ""), |key| (key.name, key.doc));
    Ok(Setting { name, value: value.clone(), source, doc })
}
