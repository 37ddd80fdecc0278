//! Launch codes, sessions and the tokens.
//!
//! A launch code opens one session and is then used up. Sessions live in memory: they end with the server. What a browser knows of its
//! session is the capability in its address (see `address`); programs have a token for the API, agents another one for MCP. Only
//! hashes are kept, so comparing them tells nothing about how much of a guess was right.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

/// A launch code that nobody used by then is worth nothing.
const CODE_LIFE: Duration = Duration::from_secs(15 * 60);
/// Sessions at the same time; the oldest goes.
const MOST_SESSIONS: usize = 32;
/// Launch codes at the same time; the oldest goes.
const MOST_CODES: usize = 8;

type Hash = [u8; 32];

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Visitor {
    /// A browser with a session: a person. Holds the token that its forms must carry.
    Person {
        /// The CSRF token.
        csrf: String,
    },
    /// A program with the token of the file that only this user can read.
    Program,
    /// An agent with the token for MCP. It opens no page and no API.
    Agent,
}

/// What an agent has to show.
#[derive(Debug, Clone)]
pub(crate) enum AgentKey {
    /// This token.
    Token(String),
    /// Nothing: only for test tools that cannot show any.
    Nothing,
}

#[derive(Debug)]
pub(crate) struct Keys {
    token: Hash,
    /// None: agents need no token.
    agents: Option<Hash>,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    codes: Vec<(Hash, Instant)>,
    sessions: HashMap<Hash, (String, Instant)>,
}

impl Keys {
    pub(crate) fn new(token: &str, agents: &AgentKey) -> Self {
        let agents = match agents {
            AgentKey::Token(token) => Some(hash(token)),
            AgentKey::Nothing => None,
        };
        Self { token: hash(token), agents, inner: Mutex::default() }
    }

    /// A new launch code.
    pub(crate) fn launch_code(&self) -> String {
        let code = random_text();
        if let Ok(mut inner) = self.inner.lock() {
            if inner.codes.len() >= MOST_CODES {
                inner.codes.remove(0);
            }
            inner.codes.push((hash(&code), Instant::now()));
        }
        code
    }

    /// Uses a launch code up and opens a session: its capability.
    pub(crate) fn open_session(&self, code: &str) -> Option<String> {
        let mut inner = self.inner.lock().ok()?;
        let wanted = hash(code);
        inner.codes.retain(|(_, made)| made.elapsed() < CODE_LIFE);
        let at = inner.codes.iter().position(|(code, _)| *code == wanted)?;
        inner.codes.remove(at);
        if inner.sessions.len() >= MOST_SESSIONS {
            let oldest = inner.sessions.iter().min_by_key(|(_, (_, made))| *made).map(|(key, _)| *key);
            oldest.and_then(|key| inner.sessions.remove(&key));
        }
        let session = random_text();
        inner.sessions.insert(hash(&session), (random_text(), Instant::now()));
        Some(session)
    }

    /// The session of a capability.
    pub(crate) fn session(&self, capability: &str) -> Option<Visitor> {
        let inner = self.inner.lock().ok()?;
        inner.sessions.get(&hash(capability)).map(|(csrf, _)| Visitor::Person { csrf: csrf.clone() })
    }

    /// The program that knows the token.
    pub(crate) fn program(&self, token: &str) -> Option<Visitor> {
        (hash(token) == self.token).then_some(Visitor::Program)
    }

    /// The agent that knows its token.
    pub(crate) fn agent(&self, token: Option<&str>) -> Option<Visitor> {
        let fits = self.agents.is_none_or(|wanted| token.is_some_and(|token| hash(token) == wanted));
        fits.then_some(Visitor::Agent)
    }
}

impl Visitor {
    /// Whether a form carries the right token.
    pub(crate) fn has_csrf(&self, given: &str) -> bool {
        match self {
            Self::Person { csrf } => hash(csrf) == hash(given),
            Self::Program | Self::Agent => false,
        }
    }

    /// What a person's forms must carry.
    pub(crate) fn csrf(&self) -> &str {
        match self {
            Self::Person { csrf } => csrf,
            Self::Program | Self::Agent => "",
        }
    }

    pub(crate) fn is_person(&self) -> bool {
        matches!(self, Self::Person { .. })
    }
}

fn hash(text: &str) -> Hash {
    Sha256::digest(text.as_bytes()).into()
}

/// 256 random bits in letters. Never from the clock or a seed: if the system has none, the server does not work.
pub(crate) fn random_text() -> String {
    let mut bytes = [0_u8; 32];
    if getrandom::fill(&mut bytes).is_err() {
        return String::new();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_code_opens_one_session() {
        let keys = Keys::new("token", &AgentKey::Token("agent".to_owned()));
        let code = keys.launch_code();
        assert!(keys.open_session("guess").is_none());
        let session = keys.open_session(&code).expect("the code is good");
        assert!(keys.open_session(&code).is_none(), "used up");
        let visitor = keys.session(&session).expect("a session");
        assert!(visitor.is_person() && visitor.has_csrf(visitor.csrf()));
        assert!(!visitor.has_csrf("") && keys.session("").is_none());
        assert!(keys.program("token").is_some() && keys.program("").is_none());
    }

    #[test]
    fn each_token_is_for_one_door_a8() {
        let keys = Keys::new("token", &AgentKey::Token("agent".to_owned()));
        assert_eq!(keys.agent(Some("agent")), Some(Visitor::Agent));
        assert!(
            keys.agent(Some("token")).is_none()
                && keys.agent(Some("")).is_none()
                && keys.agent(None).is_none()
        );
        assert!(
            keys.program("agent").is_none()
                && keys.session("agent").is_none()
                && keys.session("token").is_none()
        );
        assert!(!Visitor::Agent.is_person() && !Visitor::Agent.has_csrf(""));
    }
}
