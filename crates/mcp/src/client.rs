//! Who asks: the name and version that a client gave in its handshake, or, without sessions, with this very request.

use rmcp::model::ProtocolVersion;
use rmcp::service::{RequestContext, RoleServer};

/// More letters than any client's name has.
const LONGEST: usize = 80;

/// The two ways of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// A handshake first; the server may ask the client something while a call is running.
    Session,
    /// No handshake: every request says who asks. The server can only answer that it needs more, and is asked again.
    Stateless,
}

/// The client behind a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its name, as grants name it.
    pub name: String,
    /// Its version.
    pub version: String,
    /// How it speaks.
    pub era: Era,
    /// It can show a form to a person.
    pub can_ask: bool,
}

impl Client {
    /// The client behind this request. A name is a claim: it chooses which grants are looked at, and nothing else.
    pub fn of(context: &RequestContext<RoleServer>) -> Self {
        let info = context.client_info();
        let name = info.as_ref().map(|info| tidy(&info.name)).filter(|name| !name.is_empty());
        let forms = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
        let stateless = context
            .protocol_version()
            .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        Self {
            name: name.unwrap_or_else(|| "unknown-client".to_owned()),
            version: info.map(|info| tidy(&info.version)).unwrap_or_default(),
            era: if stateless { Era::Stateless } else { Era::Session },
            // Without saying which kinds, a client means forms.
            can_ask: forms.is_some_and(|kinds| kinds.form.is_some() || kinds.url.is_none()),
        }
    }

    /// As audit rows name it.
    pub fn tool(&self) -> String {
        format!("mcp:{}", self.name)
    }
}

/// A name from outside, made harmless: one line, no quotes or backticks, not too long. It is shown in commands to copy.
fn tidy(text: &str) -> String {
    let fits = |c: &char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | ' ' | '+');
    text.chars().filter(fits).take(LONGEST).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_carry_a_command() {
        assert_eq!(tidy("claude-code"), "claude-code");
        assert_eq!(tidy("a`$(b)`\n\"; c"), "ab c");
        assert_eq!(tidy(&"x".repeat(500)).len(), LONGEST);
    }
}
