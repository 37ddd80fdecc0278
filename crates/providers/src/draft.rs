//! An answer while it comes.

use serde_json::Value;

use crate::estimate;
use crate::model::{End, Part, TokenUsage};

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    Text(String),
    Call {
        id: String,
        name: String,
        input: String,
        is_complete: bool,
    },
    /// Something that is not for us, such as thoughts.
    Other,
}

/// What came so far.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) model: Option<String>,
    /// By the number that the server gives them.
    pub(crate) blocks: Vec<(u64, Block)>,
    pub(crate) end: Option<End>,
    /// The server said that nothing more comes.
    pub(crate) is_over: bool,
    pub(crate) usage: TokenUsage,
    /// The server said what was read.
    pub(crate) knows_input: bool,
    /// The server said what was written, all of it.
    pub(crate) knows_output: bool,
}

/// More blocks than any answer has: a server that makes them up.
const MOST_BLOCKS: usize = 512;

impl Draft {
    /// The block of this number; `make` makes it. None: there are too many.
    pub(crate) fn block(&mut self, number: u64, make: impl FnOnce() -> Block) -> Option<&mut Block> {
        let at = match self.blocks.iter().position(|(known, _)| *known == number) {
            Some(at) => at,
            None if self.blocks.len() >= MOST_BLOCKS => return None,
            None => {
                self.blocks.push((number, make()));
                self.blocks.len() - 1
            }
        };
        self.blocks.get_mut(at).map(|(_, block)| block)
    }

    /// A call is whole although the answer may not be.
    pub(crate) fn has_complete_call(&self) -> bool {
        self.blocks.iter().any(|(_, block)| matches!(block, Block::Call { is_complete: true, input, .. } if object(input).is_some()))
    }

    /// What was taken: as the server says, and an estimate where it did not come to say it. `true`: some of it is an estimate.
    pub(crate) fn taken(&self, estimated_input: u64) -> (TokenUsage, bool) {
        let mut usage = self.usage;
        if !self.knows_input {
            usage.input = estimated_input;
        }
        if !self.knows_output {
            let written = self.blocks.iter().map(|(_, block)| match block {
                Block::Text(text) => estimate::tokens(text),
                Block::Call { name, input, .. } => estimate::tokens(name) + estimate::tokens(input),
                Block::Other => 0,
            });
            usage.output = usage.output.max(written.sum());
        }
        (usage, !(self.knows_input && self.knows_output))
    }

    /// The parts of the answer. A call that is not complete is left out; one without an id gets one from `seed`.
    pub(crate) fn parts(self, seed: u64) -> Vec<Part> {
        // Where the limit of tokens ended the answer, what was being written is no call, however it was closed.
        let was_cut = self.end == Some(End::TooLong);
        let mut ids: Vec<String> = Vec::new();
        let mut parts = Vec::new();
        for (_, block) in self.blocks {
            match block {
                Block::Text(text) if !text.is_empty() => parts.push(Part::Text(text)),
                Block::Call { input, .. }
                    if was_cut && (input.trim().is_empty() || object(&input).is_none()) => {}
                Block::Call { mut id, name, input, is_complete: true } => {
                    if id.is_empty() || ids.contains(&id) {
                        id = format!("call_{seed:016x}_{}", ids.len());
                    }
                    ids.push(id.clone());
                    let input = object(&input).unwrap_or(Value::String(input));
                    parts.push(Part::Call { id, name, input });
                }
                _ => {}
            }
        }
        parts
    }
}

/// What a tool is given, if it is an object. Nothing at all is an empty one: tools without parameters are called like that.
fn object(text: &str) -> Option<Value> {
    if text.trim().is_empty() {
        return Some(Value::Object(serde_json::Map::new()));
    }
    serde_json::from_str::<Value>(text).ok().filter(Value::is_object)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str, input: &str, is_complete: bool) -> Block {
        Block::Call { id: id.to_owned(), name: "READ".to_owned(), input: input.to_owned(), is_complete }
    }

    #[test]
    fn only_complete_calls_come_out_each_with_an_id_of_its_own() {
        let blocks = [
            call("a", "{\"path\":\"x\"}", true),
            call("a", "", true),
            call("", "{\"path\":", true),
            call("b", "{}", false),
            Block::Text(String::new()),
        ];
        let draft = Draft { blocks: (0..).zip(blocks).collect(), ..Draft::default() };
        assert!(draft.has_complete_call());
        let parts = draft.parts(7);
        let told: Vec<(String, String)> = parts
            .iter()
            .map(|part| match part {
                Part::Call { id, input, .. } => (id.clone(), input.to_string()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(told[0], ("a".to_owned(), "{\"path\":\"x\"}".to_owned()));
        assert_eq!(told[1], ("call_0000000000000007_1".to_owned(), "{}".to_owned()));
        assert_eq!(told[2].1, "\"{\\\"path\\\":\"");
        assert_eq!(told.len(), 3);
    }

    #[test]
    fn what_nobody_counted_is_estimated_and_what_was_counted_is_not() {
        let text = "word ".repeat(40);
        let mut draft = Draft { blocks: vec![(0, Block::Text(text))], ..Draft::default() };
        let (usage, is_estimate) = draft.taken(100);
        assert!(is_estimate && usage.input == 100 && usage.output >= 40, "{usage:?}");
        draft.usage = TokenUsage { input: 90, output: 3, cache_read: 5, cache_write: 0 };
        (draft.knows_input, draft.knows_output) = (true, true);
        assert_eq!(draft.taken(100), (draft.usage, false));
    }
}
