//! A model that follows a script, for tests and for the demo: what it says next depends on the conversation alone, so that it goes on after a
//! kill as any model would, and repeats an action that it is told was cut off.

use std::collections::BTreeMap;

use providers::{End, Happening, Part, Question, Reply, Role as Speaker, Stopped, Usage};
use serde_json::Value;

use crate::asks::{Asking, Asks};

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// It calls tools: one, or several at once.
    Calls(Vec<(String, Value)>),
    /// It says something.
    Says(String),
    /// One call breaks off and is paid for; then this is answered.
    Charged(Box<Turn>),
    /// It is cut off in the middle of a call.
    CutOff(String),
    /// It does not want to.
    Refuses,
    /// There is no answer.
    Fails(Stopped),
}

impl Turn {
    /// One call.
    pub fn call(name: &str, input: Value) -> Self {
        Self::Calls(vec![(name.to_owned(), input)])
    }
}

/// What each conversation is answered with.
#[derive(Debug, Default)]
pub struct Script {
    talks: BTreeMap<String, Vec<Turn>>,
    /// Everything that was asked, for tests: the conversation's name and the question.
    pub asked: Vec<(String, Question)>,
}

impl Script {
    /// A script that says nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What is answered in one conversation: `plan`, `c1/executor`, `c1/a2/executor`, `c1/reviewer`.
    #[must_use]
    pub fn with(mut self, talk: &str, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.talks.entry(talk.to_owned()).or_default().extend(turns);
        self
    }

    fn turns(&self, asking: &Asking<'_>) -> (String, &[Turn]) {
        let role = asking.role.word();
        let Some(card) = asking.card else {
            return ("plan".to_owned(), self.talks.get("plan").map_or(&[], Vec::as_slice));
        };
        let of_attempt = format!("{card}/{}/{role}", asking.attempt);
        match self.talks.get(&of_attempt) {
            Some(turns) => (of_attempt, turns),
            None => {
                let name = format!("{card}/{role}");
                let turns = self.talks.get(&name).map_or(&[][..], Vec::as_slice);
                (name, turns)
            }
        }
    }
}

/// Answers so far that were not cut off: those are repeated.
fn answered(question: &Question) -> usize {
    let said = question.messages.iter().filter(|message| message.role == Speaker::Assistant).count();
    let parts = question.messages.iter().flat_map(|message| &message.parts);
    let again =
        parts.filter(|part| matches!(part, Part::Result { text, .. } if text.starts_with("error: cut_off")));
    said.saturating_sub(again.count())
}

impl Asks for Script {
    fn ask(
        &mut self,
        asking: &Asking<'_>,
        question: &Question,
        heard: &mut dyn FnMut(Happening),
        stop: &dyn Fn() -> bool,
    ) -> Result<Reply, Stopped> {
        if stop() {
            return Err(Stopped::Cancelled);
        }
        let at = answered(question);
        let (name, turns) = self.turns(asking);
        let mut turn = turns.get(at).cloned();
        if let Some(Turn::Charged(then)) = turn {
            let (provider, model) = ("script".to_owned(), "script".to_owned());
            let usage = Usage { input: 100, output: 20, ..Usage::default() };
            heard(Happening::Charged { provider, model, usage, dollars: None });
            turn = Some(*then);
        }
        self.asked.push((name, question.clone()));
        let id = format!("call-{}", question.messages.len());
        let (parts, end) = match turn {
            Some(Turn::Calls(calls)) => {
                let call = |(nth, (name, input)): (usize, (String, Value))| Part::Call {
                    id: format!("{id}-{nth}"),
                    name,
                    input,
                };
                (calls.into_iter().enumerate().map(call).collect(), End::Calls)
            }
            Some(Turn::Says(text)) => (vec![Part::Text(text)], End::Finished),
            Some(Turn::CutOff(text)) => (vec![Part::Text(text)], End::TooLong),
            Some(Turn::Refuses) => (Vec::new(), End::Refused),
            Some(Turn::Fails(stopped)) => return Err(stopped),
            Some(Turn::Charged(_)) | None => {
                (vec![Part::Text("I have nothing more to say.".to_owned())], End::Finished)
            }
        };
        let usage = Usage { input: 100, output: 20, ..Usage::default() };
        Ok(Reply {
            parts,
            end,
            usage,
            is_estimate: false,
            dollars: None,
            model: "script".to_owned(),
            provider: "script".to_owned(),
        })
    }

    fn label(&self) -> String {
        "script/script".to_owned()
    }
}
