//! How many tokens a question has, before a server counted them. Rather too many than too few: a reservation that is too small lets a budget slip.

use crate::model::{ModelQuestion, Part};

/// Tokens of a text: somewhat more than what the models' own counters find in prose and code.
pub fn tokens(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count() as u64;
    let others = text.chars().filter(|one| !one.is_ascii()).count() as u64;
    (ascii * 2).div_ceil(7) + others
}

/// Tokens of everything that is sent with a question.
pub fn question(question: &ModelQuestion) -> u64 {
    const PER_PART: u64 = 8;
    let tools = question.tools.iter().map(|tool| {
        PER_PART + tokens(&tool.name) + tokens(&tool.description) + tokens(&tool.schema.to_string())
    });
    let parts = question.messages.iter().flat_map(|message| &message.parts).map(part);
    PER_PART + tokens(&question.system) + tools.sum::<u64>() + parts.map(|part| part + PER_PART).sum::<u64>()
}

/// Tokens of one part.
pub(crate) fn part(part: &Part) -> u64 {
    match part {
        Part::Text(text) => tokens(text),
        Part::Call { id, name, input } => tokens(id) + tokens(name) + tokens(&input.to_string()),
        Part::Result { id, text, .. } => tokens(id) + tokens(text),
    }
}
