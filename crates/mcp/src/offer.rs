//! Which tools a client is offered. Every tool that is listed costs the model tokens in every request, so a client sees the five that
//! an agent at honest work needs, and the others when a person has granted what they are for, or wants all of them. (C9)
//!
//! What is not listed can still be called by its name: it is judged like any other call, and a refusal names the command for the person.

use engine::Engine;
use engine::grants::{self, Capability};

use crate::client::Client;
use crate::tools::{ALL, Tool};

/// When a tool is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Always.
    Always,
    /// After this grant: it does what the grant is for, or is looked at on the way there.
    With(Capability),
}

/// The setting, and its word for everything.
const SETTING: (&str, &str) = ("mcp.tools", "all");

/// What this client is offered now, in the order of the table. Without a project it is what everybody gets.
pub fn offered(engine: Option<&Engine>, client: &Client) -> Vec<&'static Tool> {
    let all = engine.is_some_and(|engine| engine.project().config().word(SETTING.0) == SETTING.1);
    let granted = |capability| {
        engine.is_some_and(|engine| grants::find(engine, &client.name, &client.version, capability).is_some())
    };
    let is_offered = |tool: &&Tool| match tool.offer {
        Offer::Always => true,
        Offer::With(capability) => all || granted(capability),
    };
    ALL.iter().filter(is_offered).collect()
}
