//! How a conversation stands, from its notes alone: finished, blocked, or to be gone on with. Nothing else remembers it, so a kill loses nothing.

use providers::End;
use store::ContentHash;

use crate::actions::{RunAction, parse};
use crate::circles::Circles;
use crate::conversation::{Options, Outcome, Talk, reply_of};
use crate::notes::{Note, Notes};

/// So many answers in a row that are no action end the card.
const MOST_REJECTED: usize = 3;
/// So often a DONE is refused; then the card waits for a person, with an honest list.
const MOST_NOT_DONE: usize = 2;
/// How the conversation stands, from its notes alone.
pub(crate) fn standing(notes: &Notes, talk: &Talk<'_>, options: &Options) -> Option<Outcome> {
    let mut rejected = 0;
    let (mut steps, mut not_done) = (0, 0);
    let mut circles = Circles::default();
    let mut said: Option<&Note> = None;
    let mut outcome = None;
    for note in notes.all() {
        match note {
            Note::Told { .. } => {
                (rejected, steps, not_done) = (0, 0, 0);
                (circles, outcome) = (Circles::default(), None);
            }
            Note::Said { .. } => {
                steps += 1;
                said = Some(note);
            }
            Note::Answered { rejected: true, text, .. } => {
                rejected += 1;
                if rejected >= MOST_REJECTED {
                    let why = format!(
                        "{rejected} answers in a row were no valid action, the last one: {}",
                        line(text)
                    );
                    outcome = Some(Outcome::Blocked { code: "invalid_actions", why });
                }
            }
            Note::Answered { code, text, wrote, digest, .. } => {
                rejected = 0;
                let result = ContentHash::of(without_time(text).as_bytes()).to_hex();
                // A change that is refused the same way again and again is a circle, too.
                if code.as_deref() != Some("cut_off") && circles.note(digest, &result, *wrote) {
                    let why =
                        "the same action with the same result, three times, with nothing written between";
                    outcome = Some(Outcome::Blocked { code: "spiral", why: why.to_owned() });
                }
                match code.as_deref() {
                    Some("not_done") => {
                        not_done += 1;
                        if not_done > MOST_NOT_DONE {
                            outcome = Some(Outcome::Blocked { code: "gate", why: text.clone() });
                        }
                    }
                    None => outcome = outcome.or_else(|| said.and_then(|said| finished(said, talk))),
                    Some(_) => {}
                }
            }
            Note::Again { .. } | Note::About { .. } | Note::Before { .. } => {}
        }
    }
    let most = talk.role.most_steps().unwrap_or(options.most_steps);
    let is_open = notes.open_action().is_some();
    if outcome.is_none() && !is_open && steps >= most {
        let why = format!("{steps} steps were taken, and it is not done");
        outcome = Some(Outcome::Blocked { code: "steps", why });
    }
    outcome
}

/// The first line that says something.
fn line(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("message: ")).unwrap_or(text)
}

/// What took how long is no news.
fn without_time(text: &str) -> String {
    text.lines().map(|line| line.split(" (").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// What was said and done, if it ends the conversation.
fn finished(said: &Note, talk: &Talk<'_>) -> Option<Outcome> {
    let Note::Said { parts, .. } = said else { return None };
    match parse::one(&reply_of(parts.clone(), End::Calls), talk.role).action.ok()? {
        RunAction::Plan(cards) => Some(Outcome::Planned(cards)),
        RunAction::Done { summary } => Some(Outcome::Done(summary)),
        meta @ RunAction::Meta { .. } => Some(Outcome::Reviewed(meta)),
        _ => None,
    }
}
