//! The end of a turn: the agent says that it is done, and that is held against what is known. (HK8)

use std::time::Duration;

use engine::gates::{self, StopCall};
use engine::verification::{Caller, VerifyQuery, verify};
use engine::{Error, agent};
use store::Silent;

use super::{Run, Step, transcript};
use crate::Client;
use crate::decision::Verdict;
use crate::event::Kind;

/// So long a verification may take while a client waits; it waits for a minute.
const ON_STOP: Duration = Duration::from_secs(45);
/// And so long one in the middle of the work.
const ON_FAILURE: Duration = Duration::from_secs(20);

impl Run<'_> {
    pub(super) fn gates(&mut self) -> Result<(), Error> {
        let (message, sub_agent) = match &self.event.kind {
            Kind::Stop { message } => (message, self.who.agent.is_some()),
            Kind::SubagentStop { message } => (message, true),
            _ => return Ok(()),
        };
        // Nearly always the turn changed nothing, and then that is all that is looked at.
        if !gates::may_matter(&self.engine, &self.who) {
            return Ok(());
        }
        let client = self.event.client;
        let from_record = || match (client, &self.event.transcript) {
            (Client::Copilot, Some(transcript)) if !sub_agent => {
                self.world.watch.be_patient(true);
                let said =
                    transcript::last_message(transcript, self.event.at_ms, transcript::MESSAGE_AT_MOST);
                self.world.watch.be_patient(false);
                said
            }
            _ => None,
        };
        let Some(message) = message.clone().or_else(from_record) else {
            // What it said may stand in the record by the next prompt.
            if client == Client::Copilot && !sub_agent {
                let record = self.event.transcript.as_ref().map(|path| path.display().to_string());
                gates::leave_unjudged(&self.engine, &self.who, record, self.turn_end)?;
            }
            return Ok(());
        };
        let can_block =
            matches!(client, Client::ClaudeCode | Client::Codex | Client::Gemini | Client::Copilot);
        let call = StopCall { message: &message, sub_agent, can_block, seq: self.turn_end };
        if let Some(profile) = gates::wants_a_run(&self.engine, &self.who, &call) {
            let query = VerifyQuery {
                profile: Some(profile),
                trigger: "stop".to_owned(),
                limit: Some(ON_STOP),
                caller: Caller::of_process(),
                ..VerifyQuery::default()
            };
            self.world.watch.be_patient(true);
            let run = verify(&self.engine, &query, &|| false, &Silent);
            self.world.watch.be_patient(false);
            if let Err(error) = run {
                self.warn(&gates::not_run_in_words(&self.engine, &self.who, &error, false));
            }
        }
        let report = gates::at_stop(&self.engine, &self.who, &call)?;
        if report.text.is_empty() {
            return Ok(());
        }
        if report.answer == ::gates::stop::StopAnswer::Block {
            let text = self.clean(&report.text).into_string();
            self.decision.verdict = Verdict::Deny(text);
            return Ok(());
        }
        self.warn(&report.text);
        // Where the client shows the person nothing, the agent passes it on with the next prompt.
        if !matches!(client, Client::ClaudeCode | Client::Gemini) {
            let note =
                format!("Tell the person, before anything else, about your last turn: {}", report.text);
            agent::leave_note(&self.engine, &self.who, &note)?;
        }
        Ok(())
    }

    /// A turn that ended before its last words were written down is judged now. It is over: nobody is stopped, the person is told.
    pub(super) fn late_gates(&mut self) -> Result<(), Error> {
        let Some((record, seq)) = gates::take_unjudged(&self.engine, &self.who)? else { return Ok(()) };
        let Some(message) = transcript::message_before(std::path::Path::new(&record)) else { return Ok(()) };
        let call = StopCall { message: &message, sub_agent: false, can_block: false, seq };
        let report = gates::at_stop(&self.engine, &self.who, &call)?;
        if !report.text.is_empty() {
            self.warn(&report.text);
            let note =
                format!("Tell the person, before anything else, about your last turn: {}", report.text);
            agent::leave_note(&self.engine, &self.who, &note)?;
        }
        Ok(())
    }

    /// The same error came twice: what changed is looked at, and the agent is told what is wrong there. (HK9)
    pub(super) fn look_after_failure(&mut self) -> Result<(), Error> {
        let Some(profile) = gates::wants_a_look(&self.engine, &self.who)? else { return Ok(()) };
        let query = VerifyQuery {
            profile: Some(profile),
            trigger: "failure".to_owned(),
            limit: Some(ON_FAILURE),
            ..VerifyQuery::default()
        };
        self.world.watch.be_patient(true);
        let run = verify(&self.engine, &query, &|| false, &Silent);
        self.world.watch.be_patient(false);
        match run {
            Ok(run) => self.tell_model(&gates::look_in_words(&run)),
            Err(error) => self.warn(&gates::not_run_in_words(&self.engine, &self.who, &error, true)),
        }
        Ok(())
    }

    /// Some clients hand what the agent was told to go on with to their hooks as a prompt. It is no word of the person, and opens no turn.
    pub(super) fn without_own_prompt<'l>(&self, list: &'l [Step]) -> &'l [Step] {
        match &self.event.kind {
            Kind::Prompt { text } if gates::is_our_own(&self.engine, &self.who, text) => &[],
            _ => list,
        }
    }
}
