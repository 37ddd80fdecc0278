//! One role's conversation with a model, from its first question to its end: ask → read one action → do it → write down what came of it → ask.
//!
//! Everything that decides how it goes on is in the notes and the log, so whoever is killed goes on exactly there:
//! - said, not begun: it is begun;
//! - begun, no end: a change of files is looked up in the lane; everything else is told to the model as cut off and not repeated;
//! - ended, not told: cannot be, because what came of it is noted before its end is logged.

use std::time::Instant;

use engine::Engine;
use engine::run::model::{PlannedCard, RunEvent};
use engine::secret_values::SecretValues;
use engine::verification::Caller;
use person::ByPerson;
use providers::{End, Happening, Question, Reply, Stopped};
use store::ContentHash;

use crate::actions::parse::{self, Said};
use crate::actions::{RunAction, tools};
use crate::asks::{Asking, Asks};
use crate::journal::Journal;
use crate::notes::{Note, Notes};
use crate::perform::{self, Performed};
use crate::role::Role;
use crate::standing::standing;
use crate::{ActionRefusal, Result, prompt};

/// Tokens of one answer.
const MAX_OUTPUT: u32 = 8_000;

/// What a run may do, besides its limits.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Commands may be run.
    pub bash: bool,
    /// Answers of the model for one card.
    pub most_steps: usize,
    /// What checks get from this process.
    pub caller: Caller,
}

/// Everything that a conversation needs.
pub struct Desk<'d, 'j> {
    /// The project.
    pub engine: &'d Engine,
    /// The lane.
    pub lane: &'d Engine,
    /// The log.
    pub journal: &'d mut Journal<'j>,
    /// Who answers.
    pub asks: &'d mut dyn Asks,
    /// What may be done.
    pub options: &'d Options,
    /// It should end.
    pub stop: &'d dyn Fn() -> bool,
    /// What a person answered to what it waits for.
    pub answer: Option<String>,
    /// The proof that a person did.
    pub person: Option<ByPerson>,
}

/// Which conversation.
#[derive(Debug, Clone, Copy)]
pub struct Talk<'t> {
    /// Who talks.
    pub role: Role,
    /// The card; none: the plan.
    pub card: Option<&'t str>,
    /// The attempt.
    pub attempt: &'t str,
    /// The lane's checkpoint before the first change.
    pub base: &'t str,
}

impl Talk<'_> {
    /// The name of its notes.
    pub fn name(&self) -> String {
        match self.card {
            None => "plan".to_owned(),
            Some(card) => format!("{card}-{}-{}", self.attempt, self.role.word()),
        }
    }

    /// The card that events name: a plan's looks are the first card's, which the plan then makes anew.
    pub(crate) fn of(&self) -> String {
        self.card.unwrap_or("c1").to_owned()
    }
}

/// How it ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// There is a plan.
    Planned(Vec<PlannedCard>),
    /// It says that it is done, and nothing speaks against it.
    Done(String),
    /// A reviewer's word.
    Reviewed(RunAction),
    /// It cannot go on by itself.
    Blocked {
        /// Stable code.
        code: &'static str,
        /// Why.
        why: String,
    },
    /// It waits for a person; the log says for what.
    Paused,
}

/// Holds a conversation to its end, or to where somebody else has to decide.
pub fn hold(desk: &mut Desk<'_, '_>, talk: &Talk<'_>, opening: &str) -> Result<Outcome> {
    let mut notes = Notes::open(desk.journal.folder(), &talk.name())?;
    if notes.all().is_empty() {
        notes.add(desk.engine, Note::Told { text: opening.to_owned() })?;
    }
    catch_up(desk, talk, &notes)?;
    loop {
        if let Some(outcome) = standing(&notes, talk, desk.options) {
            // A person who answers a card that is blocked gives it another try.
            match (&outcome, desk.answer.take()) {
                (Outcome::Blocked { .. }, Some(answer)) => {
                    notes.add(desk.engine, Note::Told { text: format!("The person says: {answer}") })?;
                    continue;
                }
                (_, answer) => desk.answer = answer,
            }
            return Ok(outcome);
        }
        if (desk.stop)() || desk.journal.is_asked_to_stop() {
            return pause(desk, talk, "stopped", "it was asked to stop".to_owned(), Vec::new());
        }
        let open = notes.open_action().map(|(n, note)| (n, note.clone()));
        let paused = match open {
            Some((n, Note::Said { parts, truncated, changed, .. })) => {
                if changed {
                    // What is kept is not what was said: nothing may be done from it.
                    notes.drop_last();
                    continue;
                }
                let end = if truncated { End::TooLong } else { End::Calls };
                go_on(desk, talk, &mut notes, n, &reply_of(parts, end))?
            }
            _ => ask(desk, talk, &mut notes)?,
        };
        if paused {
            return Ok(Outcome::Paused);
        }
    }
}

pub(crate) fn reply_of(parts: Vec<providers::Part>, end: End) -> Reply {
    Reply {
        parts,
        end,
        usage: providers::Usage::default(),
        is_estimate: false,
        dollars: None,
        model: String::new(),
        provider: String::new(),
    }
}

/// The log gets the ends that a kill kept from it.
fn catch_up(desk: &mut Desk<'_, '_>, talk: &Talk<'_>, notes: &Notes) -> Result<()> {
    let Some(Note::Answered { n, text, code, rejected, milliseconds, .. }) =
        notes.all().iter().rev().find(|note| matches!(note, Note::Answered { .. }))
    else {
        return Ok(());
    };
    let (began, ended) = desk.journal.action(*n);
    if ended.is_some() {
        return Ok(());
    }
    let card = talk.of();
    if *rejected {
        let message = text.lines().nth(1).unwrap_or_default().to_owned();
        let code = code.clone().unwrap_or_default();
        return desk.journal.append(RunEvent::Rejected { card, n: *n, code, message });
    }
    if began {
        let (ok, bytes) = (code.is_none(), text.len() as u64);
        let ended =
            RunEvent::ActionEnded { card, n: *n, ok, code: code.clone(), milliseconds: *milliseconds, bytes };
        return desk.journal.append(ended);
    }
    Ok(())
}

/// Asks the model. True: it waits for a person now.
fn ask(desk: &mut Desk<'_, '_>, talk: &Talk<'_>, notes: &mut Notes) -> Result<bool> {
    let question = Question {
        system: prompt::system(talk.role),
        messages: notes.messages(),
        tools: tools::of(talk.role, desk.options.bash, desk.journal.has_branch()),
        max_output: MAX_OUTPUT,
    };
    let asking = Asking { role: talk.role, card: talk.card, attempt: talk.attempt };
    let began = Instant::now();
    let mut happened = Vec::new();
    let stop = desk.stop;
    let reply = desk.asks.ask(&asking, &question, &mut |one| happened.push(one), stop);
    let card = talk.card.map(str::to_owned);
    for one in happened {
        let event = match one {
            Happening::Retry { code, .. } => {
                RunEvent::Adapted { card: card.clone(), what: format!("retry_{code}") }
            }
            Happening::Adapted { what } => RunEvent::Adapted { card: card.clone(), what },
            Happening::Switched { from, to, why, lost } => {
                RunEvent::Switched { card: card.clone(), from, to, why, lost }
            }
            // It counts like any other call: budgets did, too. Its time is that of the answer, if there is one.
            Happening::Charged { provider, model, usage, dollars } => RunEvent::ModelCalled {
                card: card.clone(),
                role: talk.role.word().to_owned(),
                provider,
                model,
                tokens: told_tokens(&usage),
                dollars,
                milliseconds: 0,
            },
            Happening::Text(_) => continue,
        };
        desk.journal.append(event)?;
    }
    for (of, used) in desk.asks.passed() {
        desk.journal.append(RunEvent::Budget { of, used })?;
    }
    let reply = match reply {
        Ok(reply) => reply,
        Err(stopped) => return no_answer(desk, talk, &stopped),
    };
    let tokens = told_tokens(&reply.usage);
    desk.journal.append(RunEvent::ModelCalled {
        card,
        role: talk.role.word().to_owned(),
        provider: reply.provider.clone(),
        model: reply.model.clone(),
        tokens,
        dollars: reply.dollars,
        milliseconds: millis(began),
    })?;
    if reply.end == End::Refused {
        let why = "the model does not want to answer this".to_owned();
        pause(desk, talk, "provider", why, vec!["again".to_owned()])?;
        return Ok(true);
    }
    let n = desk.journal.next_n();
    let truncated = reply.end == End::TooLong;
    notes.add(desk.engine, Note::Said { n, parts: reply.parts, truncated, changed: false })?;
    Ok(false)
}

fn told_tokens(usage: &providers::Usage) -> engine::report::usage::Tokens {
    engine::report::usage::Tokens {
        input: usage.input,
        cache_read: usage.cache_read,
        cache_write: usage.cache_write,
        output: usage.output,
    }
}

fn no_answer(desk: &mut Desk<'_, '_>, talk: &Talk<'_>, stopped: &Stopped) -> Result<bool> {
    let (code, options) = match stopped {
        Stopped::NeedsConsent { .. } => ("weaker_model", vec!["yes".to_owned(), "no".to_owned()]),
        Stopped::OverBudget(over) if over.is_unpriced() => ("price_unknown", vec!["anyway".to_owned()]),
        Stopped::OverBudget(_) => ("budget", vec!["more".to_owned()]),
        Stopped::Cancelled => ("stopped", Vec::new()),
        Stopped::NoProvider | Stopped::Fatal { .. } => ("provider", vec!["again".to_owned()]),
    };
    let why = format!("{}; {}", stopped.message(), stopped.next());
    pause(desk, talk, code, why, options)?;
    Ok(true)
}

pub(crate) fn pause(
    desk: &mut Desk<'_, '_>,
    talk: &Talk<'_>,
    code: &str,
    why: String,
    options: Vec<String>,
) -> Result<Outcome> {
    let card = talk.card.map(str::to_owned);
    desk.journal.append(RunEvent::Paused { card, code: code.to_owned(), why, options })?;
    Ok(Outcome::Paused)
}

/// Goes on with what the model said. True: it waits for a person now.
fn go_on(desk: &mut Desk<'_, '_>, talk: &Talk<'_>, notes: &mut Notes, n: u64, reply: &Reply) -> Result<bool> {
    let said = parse::one(reply, talk.role);
    let action = match &said.action {
        Ok(action) => action.clone(),
        Err(refusal) => {
            reject(desk, talk, notes, n, &said, refusal)?;
            return Ok(false);
        }
    };
    let digest = digest(reply);
    match desk.journal.action(n) {
        // Begun, and cut off.
        (true, None) => {
            let performed = perform::look_up(desk, talk, notes, n, &action)?;
            finish(desk, talk, notes, n, &said, &digest, performed, Instant::now())
        }
        // It waited for a person: now it is done under a number of its own.
        (true, Some(_)) => {
            let again = desk.journal.next_n();
            notes.add(desk.engine, Note::Again { n: again })?;
            begin(desk, talk, notes, again, &said, &digest, &action)
        }
        (false, _) => begin(desk, talk, notes, n, &said, &digest, &action),
    }
}

fn begin(
    desk: &mut Desk<'_, '_>,
    talk: &Talk<'_>,
    notes: &mut Notes,
    n: u64,
    said: &Said,
    digest: &str,
    action: &RunAction,
) -> Result<bool> {
    let name = action.name().word().to_owned();
    let role = talk.role.word().to_owned();
    let began = Instant::now();
    desk.journal.append(RunEvent::ActionBegan {
        card: talk.of(),
        n,
        role,
        name,
        digest: digest.to_owned(),
    })?;
    let performed = perform::perform(desk, talk, notes, n, action)?;
    finish(desk, talk, notes, n, said, digest, performed, began)
}

#[expect(clippy::too_many_arguments, reason = "one place that ends an action")]
fn finish(
    desk: &mut Desk<'_, '_>,
    talk: &Talk<'_>,
    notes: &mut Notes,
    n: u64,
    said: &Said,
    digest: &str,
    performed: Performed,
    began: Instant,
) -> Result<bool> {
    let milliseconds = millis(began);
    match performed {
        Performed::Answer { text, code, wrote } => {
            // Where commands may be run, one may have copied what stands in a file that nobody shows.
            let text = match desk.options.bash {
                true => SecretValues::of(desk.lane)?.hide(&text),
                false => text,
            };
            let (ok, bytes) = (code.is_none(), text.len() as u64);
            notes.add(
                desk.engine,
                Note::Answered {
                    n,
                    calls: said.calls.clone(),
                    text,
                    code: code.map(str::to_owned),
                    rejected: false,
                    wrote,
                    milliseconds,
                    digest: digest.to_owned(),
                },
            )?;
            let code = code.map(str::to_owned);
            desk.journal.append(RunEvent::ActionEnded {
                card: talk.of(),
                n,
                ok,
                code,
                milliseconds,
                bytes,
            })?;
            Ok(false)
        }
        Performed::Waits { code, why, options } => {
            let waits = Some("waits".to_owned());
            let ended =
                RunEvent::ActionEnded { card: talk.of(), n, ok: false, code: waits, milliseconds, bytes: 0 };
            desk.journal.append(ended)?;
            pause(desk, talk, code, why, options)?;
            Ok(true)
        }
    }
}

/// What is no action is named and told; nothing is executed.
fn reject(
    desk: &mut Desk<'_, '_>,
    talk: &Talk<'_>,
    notes: &mut Notes,
    n: u64,
    said: &Said,
    refusal: &ActionRefusal,
) -> Result<()> {
    notes.add(
        desk.engine,
        Note::Answered {
            n,
            calls: said.calls.clone(),
            text: refusal.text(),
            code: Some(refusal.code.to_owned()),
            rejected: true,
            wrote: false,
            milliseconds: 0,
            digest: String::new(),
        },
    )?;
    let (code, message) = (refusal.code.to_owned(), refusal.message.clone());
    desk.journal.append(RunEvent::Rejected { card: talk.of(), n, code, message })
}

/// What was asked for, as one hash.
fn digest(reply: &Reply) -> String {
    let calls = reply.parts.iter().filter_map(|part| match part {
        providers::Part::Call { name, input, .. } => Some(format!("{name}\0{input}\0")),
        _ => None,
    });
    ContentHash::of(calls.collect::<String>().as_bytes()).to_hex()
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
