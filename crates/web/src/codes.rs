//! Acts that a click on the page is not enough for: a setting that runs a program or loosens a guard, a grant, an approval.
//!
//! An address can be stolen: from the history of a browser, by an extension, over a shoulder. What would let others run programs or act in
//! the person's name therefore needs a second thing, which only whoever sees the terminal of `vib serve` has: a code that is shown
//! there when the page asks, together with what it is for. The act itself waits here, so a code is good for exactly what was shown,
//! once, for the session that asked, for two minutes and five tries.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::access::random_text;
use crate::acts::Act;

/// How long a code is good for.
pub(crate) const LIFE: Duration = Duration::from_secs(120);
/// Wrong codes for one act; after these it is gone.
const TRIES: u32 = 5;
/// Acts that wait at the same time; the oldest goes.
const MOST: usize = 4;
/// New codes within this time; more would only bury what the terminal shows.
const PER_MINUTE: usize = 10;
/// Letters and digits that nobody takes for one another.
const ALPHABET: &[u8; 28] = b"23456789ABCDEFGHJKMNPQRSTUVW";
const LENGTH: usize = 6;

/// What the terminal shows.
#[derive(Debug, Clone)]
pub struct Notice {
    /// What the page asks for, in a sentence; one line, without control characters.
    pub what: String,
    /// The code, as it is easy to type.
    pub code: String,
    /// For how many seconds it is good.
    pub seconds: u64,
}

/// Shows codes to whoever sits where the server was started.
#[derive(Clone)]
pub struct Terminal(Arc<dyn Fn(&Notice) + Send + Sync>);

impl Terminal {
    /// A terminal that is written to by `show`.
    pub fn new(show: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        Self(Arc::new(show))
    }

    pub(crate) fn show(&self, notice: &Notice) {
        (self.0)(notice);
    }
}

impl fmt::Debug for Terminal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Terminal")
    }
}

/// What came of a code.
#[derive(Debug)]
pub(crate) enum Typed {
    /// The right one: the act, which waits no longer.
    Right(Box<Act>),
    /// Not the right one; so many tries are left.
    Wrong(u32),
    /// Nothing waits under this name: done, given up, too old, or another session's.
    Gone,
}

#[derive(Debug)]
struct One {
    id: String,
    act: Act,
    /// Stands for the session that asked.
    owner: [u8; 32],
    code: [u8; 32],
    made: Instant,
    tries: u32,
}

/// The acts that wait.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    acts: Mutex<VecDeque<One>>,
    made: Mutex<VecDeque<Instant>>,
}

impl Waiting {
    /// Lets an act wait; its name and its code. None: too many were asked for.
    pub(crate) fn begin(&self, session: &str, act: Act) -> Option<(String, String)> {
        let now = Instant::now();
        {
            let mut made = self.made.lock().ok()?;
            made.retain(|at| now.saturating_duration_since(*at) < Duration::from_secs(60));
            if made.len() >= PER_MINUTE {
                return None;
            }
            made.push_back(now);
        }
        let (mut id, code) = (random_text(), code()?);
        id.truncate(24);
        let mut acts = self.acts.lock().ok()?;
        while acts.len() >= MOST {
            acts.pop_front();
        }
        acts.push_back(One {
            id: id.clone(),
            act,
            owner: hash(session),
            code: hash(&code),
            made: now,
            tries: TRIES,
        });
        let shown = format!("{}-{}", &code[..LENGTH / 2], &code[LENGTH / 2..]);
        Some((id, shown))
    }

    /// An act of this session that waits, and for how many seconds yet.
    pub(crate) fn find(&self, session: &str, id: &str) -> Option<(Act, u64)> {
        let acts = self.acts.lock().ok()?;
        let one = acts.iter().find(|one| one.id == id && one.owner == hash(session))?;
        let left = LIFE.checked_sub(one.made.elapsed())?;
        Some((one.act.clone(), left.as_secs()))
    }

    /// Takes what a person typed.
    pub(crate) fn answer(&self, session: &str, id: &str, typed: &str) -> Typed {
        let Ok(mut acts) = self.acts.lock() else { return Typed::Gone };
        acts.retain(|one| one.made.elapsed() < LIFE);
        let Some(at) = acts.iter().position(|one| one.id == id && one.owner == hash(session)) else {
            return Typed::Gone;
        };
        let plain: String = typed
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|letter| letter.to_ascii_uppercase())
            .collect();
        if hash(&plain) == acts[at].code {
            return acts.remove(at).map_or(Typed::Gone, |one| Typed::Right(Box::new(one.act)));
        }
        acts[at].tries -= 1;
        let left = acts[at].tries;
        if left == 0 {
            acts.remove(at);
            return Typed::Gone;
        }
        Typed::Wrong(left)
    }

    /// The person thought better of it.
    pub(crate) fn forget(&self, session: &str, id: &str) {
        if let Ok(mut acts) = self.acts.lock() {
            acts.retain(|one| one.id != id || one.owner != hash(session));
        }
    }
}

/// A new code. None: the system gives no random numbers.
fn code() -> Option<String> {
    let mut code = String::new();
    while code.len() < LENGTH {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).ok()?;
        // Each letter as likely as any other.
        let fitting = bytes.iter().filter(|byte| usize::from(**byte) < 256 / ALPHABET.len() * ALPHABET.len());
        for byte in fitting.take(LENGTH - code.len()) {
            code.push(char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()]));
        }
    }
    Some(code)
}

fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act() -> Act {
        Act::Approve { id: "ab12".to_owned(), digest: "d".to_owned() }
    }

    #[test]
    fn a_code_is_good_once_for_its_act_and_its_session() {
        let waiting = Waiting::default();
        let (id, code) = waiting.begin("mine", act()).expect("a code");
        let (other, _) = waiting.begin("mine", act()).expect("another");
        assert_eq!(code.len(), LENGTH + 1);
        assert!(matches!(waiting.answer("theirs", &id, &code), Typed::Gone), "another session");
        assert!(matches!(waiting.answer("mine", &other, &code), Typed::Wrong(4)), "another act");
        assert!(matches!(waiting.answer("mine", &id, ""), Typed::Wrong(4)));
        let typed = format!(" {} ", code.to_lowercase().replace('-', " "));
        assert!(matches!(waiting.answer("mine", &id, &typed), Typed::Right(_)), "as people type it");
        assert!(matches!(waiting.answer("mine", &id, &code), Typed::Gone), "used up");
    }

    #[test]
    fn guesses_are_few_and_codes_too() {
        let waiting = Waiting::default();
        let (id, code) = waiting.begin("mine", act()).expect("a code");
        for left in (1..TRIES).rev() {
            assert!(matches!(waiting.answer("mine", &id, "AAAAAA"), Typed::Wrong(number) if number == left));
        }
        assert!(matches!(waiting.answer("mine", &id, "AAAAAA"), Typed::Gone));
        assert!(matches!(waiting.answer("mine", &id, &code), Typed::Gone), "too late for the right one");
        let more = (0..40).filter(|_| waiting.begin("mine", act()).is_some()).count();
        assert_eq!(more, PER_MINUTE - 1);
    }
}
