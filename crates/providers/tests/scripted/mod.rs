//! A server that does what a script says, down to the byte, and a world without waiting.
//!
//! (`testkit::model` plays whole clients through a story; here every byte and every silence counts, so the server is smaller and ruder.)

mod server;
mod words;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use providers::{
    Caller, Dialect, Happening, Key, Message, OverBudget, Part, Policy, Price, Provider, Purse, Question,
    Reply, Role, Secret, Stopped, Tool, Usage, World,
};
pub use server::{Act, OPEN_STREAM, Server};
pub use words::{Said, chunk, events, stream, whole};

pub const KEY: &str = "sk-test-0123456789-SECRET-abcdef";
pub const DIALECTS: [Dialect; 2] = [Dialect::Anthropic, Dialect::OpenAiChat];
pub const NOW_MS: i64 = 1_445_412_470_000;
/// The class 2 of the table.
pub const MODEL: &str = "claude-sonnet-5-5";

/// No waiting, no environment.
pub struct TestWorld {
    pub variables: BTreeMap<String, String>,
    pub slept: RefCell<Vec<Duration>>,
    random: Cell<u64>,
}

impl Default for TestWorld {
    fn default() -> Self {
        let variables = [("KEY_A", KEY), ("KEY_B", "sk-of-the-second-9876543210")];
        Self {
            variables: variables.into_iter().map(|(name, key)| (name.to_owned(), key.to_owned())).collect(),
            slept: RefCell::default(),
            random: Cell::new(1),
        }
    }
}

impl World for TestWorld {
    fn variable(&self, name: &str) -> Option<Secret> {
        self.variables.get(name).map(|value| Secret::new(value))
    }

    fn keyring(&self, account: &str) -> Result<Option<Secret>, String> {
        match account {
            "locked" => Err("the keyring is locked".to_owned()),
            _ => Ok(self.variables.get(account).map(|value| Secret::new(value))),
        }
    }

    fn now_ms(&self) -> i64 {
        NOW_MS
    }

    fn sleep(&self, time: Duration, stop: &dyn Fn() -> bool) -> bool {
        self.slept.borrow_mut().push(time);
        !stop()
    }

    fn random(&self) -> u64 {
        self.random.set(self.random.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        self.random.get() >> 11
    }
}

/// Writes down what was reserved and settled, and refuses beyond a limit.
#[derive(Default)]
pub struct Book {
    pub limit: Option<u64>,
    pub used: u64,
    pub reserved: Option<u64>,
    pub largest: u64,
    pub settled: Vec<(Usage, Option<f64>)>,
}

impl Purse for Book {
    fn reserve(&mut self, tokens: u64, dollars: Option<f64>) -> Result<(), OverBudget> {
        assert_eq!(self.reserved, None, "reserved twice without settling");
        assert!(dollars.is_none_or(|dollars| dollars > 0.0));
        if let Some(limit) = self.limit.filter(|limit| self.used + tokens > *limit) {
            let (limit, used, wanted) = (limit as f64, self.used as f64, tokens as f64);
            return Err(OverBudget { of: "run".to_owned(), unit: "tokens".to_owned(), limit, used, wanted });
        }
        self.reserved = Some(tokens);
        self.largest = self.largest.max(tokens);
        Ok(())
    }

    fn settle(&mut self, usage: &Usage, dollars: Option<f64>) {
        assert!(self.reserved.take().is_some(), "settled without a reservation");
        self.used += usage.tokens();
        self.settled.push((*usage, dollars));
    }
}

pub fn provider(name: &str, dialect: Dialect, server: &Server, variable: &str) -> Provider {
    Provider {
        name: name.to_owned(),
        dialect,
        url: server.url(),
        model: MODEL.to_owned(),
        key: Key::Variable(variable.to_owned()),
        tools: true,
        context: 100_000,
        max_output: 2_000,
        class: 2,
        price: Some(Price { input: 2.0, output: 10.0, cache_read: 0.2, cache_write: 2.5 }),
    }
}

/// A conversation with old results that can be left out.
pub fn question() -> Question {
    let call = |id: &str| Part::Call {
        id: id.to_owned(),
        name: "READ".to_owned(),
        input: serde_json::json!({"path": "a"}),
    };
    let result = |id: &str| Part::Result { id: id.to_owned(), text: "line\n".repeat(2_000), is_error: false };
    let message = |role, part| Message { role, parts: vec![part] };
    Question {
        system: "You work in small steps.".to_owned(),
        messages: vec![
            Message::text(Role::User, "Fix the test."),
            message(Role::Assistant, call("call_1")),
            message(Role::User, result("call_1")),
            message(Role::Assistant, call("call_2")),
            message(Role::User, result("call_2")),
        ],
        tools: vec![Tool {
            name: "READ".to_owned(),
            description: "Reads a file.".to_owned(),
            schema: serde_json::json!({"type": "object", "properties": {"path": {"type": "string"}}}),
        }],
        max_output: 1_000,
    }
}

/// Short patience, small limits.
pub fn policy() -> Policy {
    Policy {
        connect: Duration::from_millis(500),
        first_byte: Duration::from_millis(400),
        idle: Duration::from_millis(250),
        whole: Duration::from_millis(2_500),
        line_bytes: 64 << 10,
        answer_bytes: 256 << 10,
        ..Policy::default()
    }
}

/// What came of asking.
pub struct Asked {
    pub result: Result<Reply, Stopped>,
    pub happened: Vec<Happening>,
    pub book: Book,
    pub slept: Vec<Duration>,
}

impl Asked {
    /// Everything but what the model says, one short text each.
    pub fn story(&self) -> Vec<String> {
        self.happened
            .iter()
            .filter_map(|happening| match happening {
                Happening::Retry { code, .. } => Some(format!("retry {code}")),
                Happening::Switched { from, to, why, lost } => {
                    Some(format!("switch {from} {to} {why} {lost:?}"))
                }
                Happening::Adapted { what } => Some(format!("adapt {what}")),
                Happening::Text(_) | Happening::Charged { .. } => None,
            })
            .collect()
    }

    pub fn calls(&self) -> Vec<&str> {
        let parts = self.result.as_ref().map(|reply| reply.parts.as_slice()).unwrap_or_default();
        parts
            .iter()
            .filter_map(|part| match part {
                Part::Call { id, .. } => Some(id.as_str()),
                _ => None,
            })
            .collect()
    }
}

pub fn ask(providers: Vec<Provider>, policy: Policy) -> Asked {
    ask_with(providers, policy, Book::default(), &question())
}

pub fn ask_with(providers: Vec<Provider>, policy: Policy, mut book: Book, question: &Question) -> Asked {
    let world = TestWorld::default();
    let mut happened = Vec::new();
    let result = {
        let mut caller = Caller::new(providers, &world, policy);
        caller.ask(question, &mut |happening| happened.push(happening), &mut book, &|| false)
    };
    assert_eq!(book.reserved, None, "a reservation was never settled");
    Asked { result, happened, book, slept: world.slept.into_inner() }
}
