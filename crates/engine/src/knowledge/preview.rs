//! What the next agent would be told right now, without telling or counting anything. (M15)

use serde::Serialize;
use words::upper_tokens;

use super::choose::{TellingMoment, choose, line};
use super::{HEADER, before, sayings};
use crate::agent::{INTRODUCTION, SessionState, Who};
use crate::{Engine, Result, lessons, memory, recall};

/// What would be told.
#[derive(Debug, Clone, Serialize)]
pub struct Preview {
    /// To which client.
    pub client: String,
    /// At the beginning of a session.
    pub at_start: Vec<String>,
    /// About so many tokens.
    pub start_tokens: usize,
    /// The prompt.
    pub prompt: String,
    /// With that prompt.
    pub with_prompt: Vec<String>,
    /// About so many tokens.
    pub prompt_tokens: usize,
}

/// What a new session of this client would be told at its beginning, and with this prompt.
pub fn preview(engine: &Engine, client: &str, prompt: &str) -> Result<Preview> {
    let who = Who {
        client: client.to_owned(),
        session: "a session that nobody began".to_owned(),
        ..Who::default()
    };
    let known = sayings::all(engine)?;
    let mut state = SessionState::default();
    let said = |state: &mut SessionState, moment: TellingMoment<'_>| {
        let chosen = choose(engine, &known, state, moment);
        state.said_told.extend(chosen.iter().map(|saying| saying.id.clone()));
        let lines: Vec<String> = chosen.into_iter().map(line).collect();
        (!lines.is_empty()).then(|| format!("{HEADER}\n{}", lines.join("\n")))
    };
    let mut at_start = vec![INTRODUCTION.to_owned()];
    at_start.extend(memory::would_tell_at_start(engine)?);
    at_start.extend(said(&mut state, TellingMoment::Start { only: client == "cursor" }));
    at_start.extend(lessons::would_tell(engine, lessons::Occasion::Start, &[])?);
    let mut with_prompt = Vec::new();
    if !prompt.trim().is_empty() && client != "cursor" {
        with_prompt.extend(before::last_request(engine, &who, prompt)?);
        with_prompt.extend(said(&mut state, TellingMoment::Prompt(prompt)));
        with_prompt.extend(recall::would_tell(engine, &who, prompt)?);
        let known = lessons::told_at_start(engine)?;
        with_prompt.extend(lessons::would_tell(engine, lessons::Occasion::Prompt(prompt), &known)?);
    }
    let mut gate = engine.gate();
    let mut clean =
        |lines: Vec<String>| lines.iter().map(|line| gate.clean(line).into_string()).collect::<Vec<_>>();
    let (at_start, with_prompt) = (clean(at_start), clean(with_prompt));
    let tokens = |lines: &[String]| lines.iter().map(|line| upper_tokens(line)).sum();
    Ok(Preview {
        client: client.to_owned(),
        start_tokens: tokens(&at_start),
        prompt_tokens: tokens(&with_prompt),
        at_start,
        prompt: prompt.trim().to_owned(),
        with_prompt,
    })
}
