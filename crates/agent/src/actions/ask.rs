//! ASK: what a person answered once is not asked again; else the work waits for them.

use engine::{Engine, memory};

/// What a person answered to the same question before, as the model reads it.
pub fn known(engine: &Engine, question: &str, options: &[String]) -> Option<String> {
    let answer = memory::known(engine, question, options).ok().flatten()?;
    Some(engine.gate().clean(&memory::offer_in_words(&answer)).into_string())
}
