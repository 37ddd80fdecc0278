//! Telling the agents that are at work in a project what happened behind their backs. (H8)
//!
//! A note waits in the session's file and is told once: with the next prompt, or with the next tool call where the client hands our
//! words on there. [`files_put_back`] is the one for every way back: undo, recovery, the page, a patch.

use store::{Account, Way};

use super::session::{SessionFile, SessionState, Who, all};
use crate::{Engine, Result};
use spiral::Tracker;

/// A session that was not heard of for so long is not at work any more.
const AT_WORK_MS: i64 = 12 * 3_600_000;
/// Notes that wait in one session; the oldest go first.
const MOST_WAITING: usize = 8;
/// Files that one note names.
const FILES_NAMED: usize = 20;

/// Tells every session of the project that is at work, but for the one that knows. Says how many are told.
pub fn tell_running(engine: &Engine, note: &str, except: Option<&Who>) -> Result<usize> {
    each_at_work(engine, except, |state| leave(state, note))
}

/// Files were put back, or changed in another way by vib: the agents have to read them again. `account` says what did it. Says how
/// many sessions are told.
pub fn files_put_back(
    engine: &Engine,
    paths: &[String],
    account: &Account,
    except: Option<&Who>,
) -> Result<usize> {
    if paths.is_empty() {
        return Ok(0);
    }
    let note = words_for(paths, account);
    each_at_work(engine, except, |state| {
        leave(state, &note);
        // Where it went round in circles is gone, and what was counted towards one with it.
        state.spiral = Tracker::default();
    })
}

/// Leaves a note for this session alone: its model is told with the next prompt or call.
pub fn leave_note(engine: &Engine, who: &Who, note: &str) -> Result<()> {
    SessionFile::of(engine, who).update(|state| leave(state, note))
}

fn each_at_work(engine: &Engine, except: Option<&Who>, change: impl Fn(&mut SessionState)) -> Result<usize> {
    let now = engine.context().now_ms();
    let mut told = 0;
    for state in all(engine.project()) {
        let knows = except.is_some_and(|who| who.client == state.client && who.session == state.session);
        if knows || state.seen_ms < now - AT_WORK_MS {
            continue;
        }
        let seen_ms = state.seen_ms;
        let who = Who { client: state.client, session: state.session, ..Who::default() };
        SessionFile::of(engine, &who).update(|state| {
            change(state);
            // To be told something is no sign of life.
            state.seen_ms = seen_ms;
        })?;
        told += 1;
    }
    Ok(told)
}

fn leave(state: &mut SessionState, note: &str) {
    state.notes.push(note.to_owned());
    let extra = state.notes.len().saturating_sub(MOST_WAITING);
    state.notes.drain(..extra);
}

fn words_for(paths: &[String], account: &Account) -> String {
    let command = if account.tool == "return" { "recover --return" } else { &account.tool };
    let about = account.what.as_deref().map(|what| what.trim_start_matches("before "));
    let by = about.map_or_else(|| format!("`vib {command}`"), |about| format!("`vib {command}`, {about}"));
    let named: Vec<&str> = paths.iter().take(FILES_NAMED).map(String::as_str).collect();
    let more = match paths.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = named.join(", ");
    match account.way {
        Way::Back => format!(
            "The person went back ({by}): these files were put back, in whole or in part: {named}{more}. What was taken back is \
             undone; other work in them may still be there. Read a file again before you edit it, and do not repeat what was undone \
             unless you are asked to."
        ),
        Way::Forward => format!(
            "The person went forward again ({by}): what was undone in these files is done again: {named}{more}. Read a file again \
             before you edit it."
        ),
        Way::New => format!(
            "Files were changed beside you ({by}): {named}{more}. Read a file again before you edit it."
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_a_bounded_number_of_files_h8() {
        let paths: Vec<String> = (0..25).map(|n| format!("src/f{n}.rs")).collect();
        let undo = |what: Option<&str>| Account {
            what: what.map(str::to_owned),
            way: Way::Back,
            ..Account::of("undo")
        };
        let note = words_for(&paths, &undo(Some("taking back “x”")));
        assert!(note.contains("src/f19.rs and 5 more.") && !note.contains("src/f20.rs"), "{note}");
        assert!(note.contains("went back (`vib undo`, taking back “x”)"), "{note}");
        assert!(words_for(&paths[..1], &undo(None)).contains("src/f0.rs. What"));
        // What is new, or there again, was not taken back.
        let note = words_for(&paths[..1], &Account::of("patch"));
        assert!(
            note.contains("changed beside you (`vib patch`): src/f0.rs.") && !note.contains("undone"),
            "{note}"
        );
    }

    #[test]
    fn notes_do_not_pile_up_h8() {
        let mut state = SessionState::default();
        (0..20).for_each(|n| leave(&mut state, &n.to_string()));
        assert_eq!(state.notes, ["12", "13", "14", "15", "16", "17", "18", "19"]);
    }
}
