//! Going back from inside a chat: "/rollback", "undo that", "되돌려줘", "撤销"; and the lesson afterwards. (HK4, LS1)
//!
//! The trusted shape holds here as everywhere: the first prompt only shows what would change and a code; the next prompt
//! with that code is the clear yes. Between the two, nothing may have changed. [`super::understand`] says which prompts are
//! meant for vib.

mod words;

use serde::{Deserialize, Serialize};
use store::{Progress, RequestNumber, StepNumber};
use texts::Texts;

use super::phrases;
use super::session::{SessionFile, Who};
use super::understand::{Waiting, Wish, accepts, command_not_understood, lesson_in, understand};
use crate::lessons::{self, Language, Question as _};
use crate::undo::{self, Back, Confirmation, Options, Preview, Target};
use crate::{Engine, Error, Result};

/// How long a shown rollback can be confirmed.
const VALID_MS: i64 = 15 * 60_000;
/// Letters of the prompt that are kept with a pending rollback; all of those that are understood are shorter.
const ASKED_KEPT: usize = 400;
/// Files that are named in a chat.
const FILES_SHOWN: usize = 20;
/// Letters that nobody mistakes for another, and no vowels: a code must not be a word with which a prompt could end.
const CODE_LETTERS: &[u8] = b"bcdfghjkmnpqrstvwxz";
/// What the model hears when the person resumed it in the chat.
const GO_ON_NOTE: &str = "You were stopped because you ran in circles. The person lets you go on: continue, but do not repeat what \
                          did not work; try another way, and say so if you are stuck.";

/// A rollback that was shown and waits for its code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    code: String,
    target: String,
    digest: String,
    expires_ms: i64,
    /// The language in which it was asked for; the code that follows has none.
    #[serde(default)]
    language: Language,
    /// The prompt that asked for it: some clients leave it in the input box, and the code comes after it.
    #[serde(default)]
    asked: String,
}

/// What vib says in the chat; the model does not get the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatAnswer {
    /// The text for the person.
    pub text: String,
    /// Files were restored.
    pub applied: bool,
}

/// Answers a prompt that is meant for vib; `None` for every other prompt.
pub fn chat_command(
    engine: &Engine,
    who: &Who,
    prompt: &str,
    progress: &dyn Progress,
) -> Result<Option<ChatAnswer>> {
    if let Some(text) = lesson_in(prompt) {
        return Ok(Some(keep_lesson(engine, who, text)));
    }
    let language = engine.language_for(prompt);
    let texts = Texts::new(language);
    if accepts(prompt) {
        crate::gates::pass(engine, who)?;
        return Ok(Some(unapplied(texts.say("chat-accepted", &[]))));
    }
    let file = SessionFile::of(engine, who);
    let state = file.read();
    let resting = !state.spiral.blocked().is_empty();
    let pending = state.pending;
    let waiting = pending.as_ref().map(|pending| Waiting { code: &pending.code, asked: &pending.asked });
    let Some(wish) = understand(prompt, waiting, resting) else {
        if let Some(pending) = pending {
            if looks_like_a_code(prompt) {
                // A code is in no language: the answer is in that of the question.
                let texts = Texts::new(pending.language);
                let values = [("word", prompt.trim().into()), ("code", pending.code.as_str().into())];
                let text = texts.say("chat-not-the-code", &values);
                return Ok(Some(unapplied(format!("{text}\n{}", texts.say("chat-anything-else", &[])))));
            }
            // Somebody who goes on working has decided against it.
            file.update(|state| {
                state.pending = None;
                state.dropped_code = Some(pending.code);
            })?;
        } else if state.dropped_code.as_deref().is_some_and(|code| prompt.trim().eq_ignore_ascii_case(code)) {
            let values = [("rollback", phrases::rollback(&who.client).into())];
            return Ok(Some(unapplied(texts.say("chat-code-dropped", &values))));
        }
        // It is meant for vib: silence would look as if nobody were there.
        if let Some(words) = command_not_understood(prompt) {
            let values = [("words", words.into()), ("rollback", phrases::rollback(&who.client).into())];
            return Ok(Some(unapplied(texts.say("chat-not-understood", &values))));
        }
        return Ok(None);
    };
    let shown = match wish {
        Wish::Confirm => match pending {
            Some(pending) => return confirm(engine, who, &file, &pending, prompt, progress).map(Some),
            None => return Ok(None),
        },
        Wish::GoOn => {
            // The prompt itself goes to the agent, which shall continue.
            file.update(|state| {
                state.pending = None;
                state.spiral.resume(None);
                state.notes.push(GO_ON_NOTE.to_owned());
            })?;
            return Ok(None);
        }
        Wish::Back(count) => {
            let target = Target::SessionRequests { session: who.session.clone(), count };
            match show(engine, target.clone(), progress) {
                Err(Error::NothingToUndo(why)) => {
                    return leave(engine, who, &target, &why, &texts, progress).map(Some);
                }
                other => other,
            }
        }
        Wish::To(name) => show(engine, named(&name), progress),
    };
    let (target, preview) = match shown {
        Ok(shown) => shown,
        Err(
            error @ (Error::Store(_) | Error::NothingToUndo(_) | Error::NotInHistory(_) | Error::Usage(_)),
        ) => {
            return Ok(Some(unapplied(nothing(&error, &sentence(&error.next()), &texts))));
        }
        Err(error) => return Err(error),
    };
    Ok(Some(offer(engine, &file, &target, &preview, language, prompt, "")?))
}

/// Nothing of it can be taken back here. Where the reason is that all of it is doubtful or was changed since, that is written down: the next rollback
/// goes on with what was before it. (M3)
fn leave(
    engine: &Engine,
    who: &Who,
    target: &Target,
    why: &str,
    texts: &Texts,
    progress: &dyn Progress,
) -> Result<ChatAnswer> {
    let error = Error::NothingToUndo(why.to_owned());
    let next = match undo::only_left(engine, target, &Options::default(), progress)? {
        Some(left) => {
            undo::leave(engine, &left, progress)?;
            texts.say("chat-stays", &[("rollback", phrases::rollback(&who.client).into())])
        }
        None => sentence(&error.next()),
    };
    Ok(unapplied(nothing(&error, &next, texts)))
}

/// The preview of a target, and what of the history it came to: the code confirms exactly that, whatever comes between.
fn show(engine: &Engine, target: Target, progress: &dyn Progress) -> Result<(Target, Preview)> {
    let preview = undo::preview(engine, &target, &Options::default(), progress)?;
    let exact = match &preview.back {
        Back::Steps { entries, .. } => match &entries[..] {
            [one] => one.request.as_ref().map(|request| Target::Request(request.number)),
            _ => None,
        },
        _ => None,
    };
    Ok((exact.unwrap_or(target), preview))
}

/// A step, a request or a checkpoint, as a person typed it.
fn named(name: &str) -> Target {
    if let Some(step) = StepNumber::parse(name) {
        Target::Step(step)
    } else if let Some(request) = RequestNumber::parse(name) {
        Target::Request(request)
    } else {
        Target::Checkpoint(name.to_owned())
    }
}

/// One short word without vowels, as only a code is.
fn looks_like_a_code(prompt: &str) -> bool {
    let word = prompt.trim().to_ascii_lowercase();
    (3..=6).contains(&word.len())
        && word.bytes().all(|letter| letter.is_ascii_lowercase() && !b"aeiou".contains(&letter))
}

/// Writes a lesson down. What goes wrong is said to the person, with their words still in the chat above.
fn keep_lesson(engine: &Engine, who: &Who, text: &str) -> ChatAnswer {
    let language = engine.language_for(text);
    let text = match lessons::after_rollback(engine, text) {
        Ok(kept) => language.thanks(&kept.lesson.id, kept.known_before),
        Err(Error::Lesson(memory::lessons::Error::Empty)) => {
            language.invitation(phrases::lesson(&who.client))
        }
        Err(error) => {
            let values = [("why", error.to_string().into()), ("next", sentence(&error.next()).into())];
            Texts::new(language).say("chat-lesson-not-kept", &values)
        }
    };
    unapplied(text)
}

/// Shows a preview and a code for it.
fn offer(
    engine: &Engine,
    file: &SessionFile,
    target: &Target,
    preview: &Preview,
    language: Language,
    asked: &str,
    before: &str,
) -> Result<ChatAnswer> {
    let context = engine.context();
    let mut random = context.random_u64();
    let code: String = (0..4)
        .map(|_| {
            let letter = CODE_LETTERS[usize::try_from(random % CODE_LETTERS.len() as u64).unwrap_or(0)];
            random /= CODE_LETTERS.len() as u64;
            char::from(letter)
        })
        .collect();
    let pending = Pending {
        code: code.clone(),
        target: target.to_text(),
        digest: preview.digest(),
        expires_ms: context.now_ms() + VALID_MS,
        language,
        asked: asked.trim().chars().take(ASKED_KEPT).collect(),
    };
    file.update(|state| state.pending = Some(pending))?;
    let texts = Texts::new(language);
    let text = format!("{before}{}", words::preview(preview, &code, &texts));
    Ok(unapplied(text))
}

/// The code came: do exactly what was shown, or show again.
fn confirm(
    engine: &Engine,
    who: &Who,
    file: &SessionFile,
    pending: &Pending,
    prompt: &str,
    progress: &dyn Progress,
) -> Result<ChatAnswer> {
    let texts = Texts::new(pending.language);
    file.update(|state| state.pending = None)?;
    if engine.context().now_ms() > pending.expires_ms {
        let values = [("rollback", phrases::rollback(&who.client).into())];
        return Ok(unapplied(texts.say("chat-code-too-old", &values)));
    }
    let target = Target::from_text(&pending.target);
    let preview = match undo::preview(engine, &target, &Options::default(), progress) {
        Ok(preview) => preview,
        Err(error) => {
            return Ok(unapplied(nothing(&error, &sentence(&error.next()), &texts)));
        }
    };
    if preview.digest() != pending.digest {
        let before = texts.say("chat-changed-since", &[]) + "\n\n";
        return offer(engine, file, &target, &preview, pending.language, prompt, &before);
    }
    let report = undo::apply_again(engine, &preview, Confirmation::Chat, None, Some(who), progress)?;
    let done = report.result.restored.len() + report.result.removed.len();
    let names: Vec<String> = report
        .result
        .restored
        .iter()
        .chain(&report.result.removed)
        .take(FILES_SHOWN)
        .map(ToString::to_string)
        .collect();
    let note = format!(
        "The person went back ({}). Changed by that: {}{}. What was taken back there is \
         undone; other work in them may still be there. Read a file again before you edit it, and do not repeat what was undone unless you are asked to.",
        words::name_of(&preview, &Texts::new(Language::En)),
        names.join(", "),
        if done > names.len() { " and others" } else { "" },
    );
    file.update(|state| {
        state.notes.push(note);
        state.spiral = spiral::Tracker::default();
    })?;
    let text =
        words::done(&report, &preview, &phrases::rollback_to(&who.client, &report.safety_short_id), &texts);
    let invitation = pending.language.invitation(phrases::lesson(&who.client));
    Ok(ChatAnswer { text: format!("{text}{invitation}"), applied: true })
}

/// Nothing was done, and this is why.
fn nothing(error: &Error, next: &str, texts: &Texts) -> String {
    texts.say("chat-nothing", &[("why", error.to_string().into()), ("next", next.into())])
}

/// Words, and no file was touched.
fn unapplied(text: String) -> ChatAnswer {
    ChatAnswer { text, applied: false }
}

fn sentence(text: &str) -> String {
    format!("{}.", words::capital(text))
}
