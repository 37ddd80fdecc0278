//! `vib spiral`: which files rest because an agent ran in circles, and letting it go on.

use schemars::JsonSchema;
use serde::Serialize;

use super::session::{SessionFile, Who, all};
use crate::person::ByPerson;
use crate::{Engine, Result};

/// One file (or session) that rests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Resting {
    /// The client.
    pub client: String,
    /// Its session.
    pub session: String,
    /// The file; none: one call.
    pub path: Option<String>,
    /// The call that is held back, in words.
    pub call: Option<String>,
    /// Stable name of the rule.
    pub rule: String,
    /// What happened, in plain words.
    pub what_happened: String,
    /// How often.
    pub times: u32,
}

/// What rests, or what may go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SpiralReport {
    /// One for each file of each session.
    pub resting: Vec<Resting>,
    /// They were released by this command.
    pub released: bool,
}

/// What rests now.
pub fn spiral_status(engine: &Engine) -> SpiralReport {
    SpiralReport { resting: resting(engine, None), released: false }
}

/// Lets agents edit again, from the command line: a person's answer.
pub fn spiral_resume_by(engine: &Engine, path: Option<&str>, _by: ByPerson) -> Result<SpiralReport> {
    spiral_resume(engine, path)
}

/// Lets agents edit again: one file, or everything that rests. The page asks for it, whose guard lets only a person do so.
pub fn spiral_resume(engine: &Engine, path: Option<&str>) -> Result<SpiralReport> {
    let resting = resting(engine, path);
    for state in all(engine.project()) {
        if state.spiral.blocked().is_empty() {
            continue;
        }
        let who = Who { client: state.client, session: state.session, ..Who::default() };
        SessionFile::of(engine, &who).update(|state| state.spiral.resume(path))?;
    }
    Ok(SpiralReport { resting, released: true })
}

fn resting(engine: &Engine, path: Option<&str>) -> Vec<Resting> {
    let mut found = Vec::new();
    for state in all(engine.project()) {
        for spiral in state.spiral.blocked() {
            if path.is_none() || spiral.path.as_deref() == path || spiral.path.is_none() {
                found.push(Resting {
                    client: state.client.clone(),
                    session: state.session.clone(),
                    rule: spiral.rule.code().to_owned(),
                    what_happened: spiral.what_happened(),
                    times: spiral.times,
                    call: spiral.call.clone(),
                    path: spiral.path,
                });
            }
        }
    }
    found
}
