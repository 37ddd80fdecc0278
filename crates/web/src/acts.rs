//! What needs a code from the terminal: what it would do, in words, the command that does the same, and doing it.

use axum::http::StatusCode;
use engine::approvals;
use engine::config::{self, Target};
use engine::grants::{self, Capability};
use engine::undo::Confirmation;
use project::config::{KEYS, Kind, ProjectRule, Value};
use texts::Texts;

use crate::ask::Ask;
use crate::codes::{LIFE, Notice};
use crate::error::Problem;
use crate::pages::permissions::about;

/// Longer texts are shown in part on the terminal.
const LONGEST_SHOWN: usize = 300;
const HOUR_MS: i64 = 3_600_000;

/// Something that waits for a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    /// A setting that runs a program or loosens a guard.
    Setting {
        /// Whose file.
        target: Target,
        /// Its name.
        name: String,
        /// Its new value, as typed.
        value: String,
    },
    /// A client may do something from now on.
    Grant {
        /// The client.
        client: String,
        /// What.
        capability: Capability,
        /// For how long.
        lasts_ms: i64,
    },
    /// A yes to something that a client asks for.
    Approve {
        /// The request.
        id: String,
        /// Stands for what it is about.
        digest: String,
    },
}

impl Act {
    /// What it would do, in one sentence.
    pub(crate) fn words(&self, ask: &Ask, texts: &Texts) -> String {
        match self {
            Self::Setting { target, name, value } => {
                let id = if *target == Target::Project {
                    "web-act-setting-project"
                } else {
                    "web-act-setting-user"
                };
                texts.say(id, &[("name", name.as_str().into()), ("value", ask.clean(value).into())])
            }
            Self::Grant { client, capability, lasts_ms } => {
                let values = [
                    ("client", ask.clean(client).into()),
                    ("what", texts.say(about(*capability), &[]).into()),
                    ("count", (lasts_ms / HOUR_MS).into()),
                ];
                texts.say("web-act-grant", &values)
            }
            Self::Approve { id, .. } => {
                let (client, summary) = match approvals::find(&ask.engine, id) {
                    Ok(approval) => (approval.client, approval.summary),
                    Err(_) => (String::new(), id.clone()),
                };
                let values = [("client", ask.clean(&client).into()), ("what", ask.clean(&summary).into())];
                texts.say("web-act-approve", &values)
            }
        }
    }

    /// The command that does the same at a terminal.
    pub(crate) fn command(&self) -> String {
        match self {
            Self::Setting { target, name, value } => {
                let project = if *target == Target::Project { " --project" } else { "" };
                format!("vib config set{project} {name} {}", quoted(value))
            }
            Self::Grant { client, capability, lasts_ms } => {
                format!(
                    "vib mcp grant {} {} --for {}h",
                    quoted(client),
                    capability.as_str(),
                    lasts_ms / HOUR_MS
                )
            }
            Self::Approve { id, .. } => format!("vib approve {}", quoted(id)),
        }
    }

    /// The page that it was asked for on.
    pub(crate) fn page(&self) -> &'static str {
        match self {
            Self::Setting { .. } => "/settings",
            Self::Grant { .. } | Self::Approve { .. } => "/permissions",
        }
    }

    /// Does it.
    pub(crate) fn carry_out(&self, ask: &Ask) -> Result<(), Problem> {
        match self {
            Self::Setting { target, name, value } => {
                config::set(&ask.engine, *target, name, value)?;
            }
            Self::Grant { client, capability, lasts_ms } => {
                grants::grant(&ask.engine, client, *capability, *lasts_ms, Confirmation::Web)?;
            }
            Self::Approve { id, digest } => {
                // What was shown is what is approved.
                if approvals::find(&ask.engine, id)?.digest != *digest {
                    return Err(engine::Error::ApprovalUnknown(id.clone()).into());
                }
                approvals::approve(&ask.engine, id, Confirmation::Web)?;
            }
        }
        Ok(())
    }
}

/// Shows a code on the terminal and lets the act wait for it: the page that asks for the code.
pub(crate) fn wait_for_code(ask: &Ask, act: Act) -> Result<String, Problem> {
    let Some(terminal) = &ask.app.terminal else { return Err(needs_terminal(ask, &act)) };
    // The terminal is read by whoever started the server: in the language of their settings.
    let what = one_line(&act.words(ask, &Texts::new(ask.app.language)));
    let begun = ask.app.waiting.begin(ask.visit.visitor.csrf(), act);
    let (id, code) = begun.ok_or_else(|| {
        let (message, next) = (ask.t("web-refused-many"), ask.t("web-refused-wait-next"));
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", message, next)
    })?;
    terminal.show(&Notice { what, code, seconds: LIFE.as_secs() });
    Ok(format!("/confirm/{id}"))
}

/// Nobody sees a terminal of this server: what to run instead.
pub(crate) fn needs_terminal(ask: &Ask, act: &Act) -> Problem {
    let next = ask.say("web-act-run", &[("command", act.command().into())]);
    Problem::new(StatusCode::FORBIDDEN, "needs_terminal", ask.t("web-act-no-terminal"), next)
}

/// Whether a change of a setting may make a program run or loosens what guards the person. A name or a value that is not known does
/// neither: it will be refused.
pub(crate) fn needs_code(ask: &Ask, name: &str, value: &str) -> bool {
    let Some(key) = KEYS.iter().find(|key| key.name == name) else { return false };
    if !key.is_guarded() || Value::parse(key, value).is_err() {
        return false;
    }
    // Where the words are in order, the stricter one needs nothing.
    if let (Kind::Choice(words), ProjectRule::MayTighten, Ok(now)) =
        (key.kind, key.project_rule, config::get(&ask.engine, name))
        && let Value::Text(now) = &now.value
    {
        let place = |wanted: &str| words.iter().position(|word| *word == wanted);
        return match (place(now), place(value)) {
            (Some(now), Some(wanted)) => wanted < now,
            _ => false,
        };
    }
    true
}

/// For a shell: in single quotes where it is more than a plain word.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/:@%+,".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// One line that a terminal shows as it is: no control characters, nothing that turns text round, not too long.
fn one_line(text: &str) -> String {
    let hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let mut line: String = text
        .chars()
        .take(LONGEST_SHOWN)
        .map(|letter| if hidden(letter) { '\u{fffd}' } else { letter })
        .collect();
    if let Some(more) = text.chars().count().checked_sub(LONGEST_SHOWN).filter(|more| *more > 0) {
        line.push_str(&format!("… (+{more})"));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_one_that_can_be_pasted() {
        let set = |value: &str| Act::Setting {
            target: Target::User,
            name: "guard.llm_command".to_owned(),
            value: value.to_owned(),
        };
        assert_eq!(set("judge").command(), "vib config set guard.llm_command judge");
        assert_eq!(set("sh -c 'x'").command(), "vib config set guard.llm_command 'sh -c '\\''x'\\'''");
        assert_eq!(set("").command(), "vib config set guard.llm_command ''");
        let grant = Act::Grant {
            client: "a b".to_owned(),
            capability: Capability::RecoveryApply,
            lasts_ms: 8 * HOUR_MS,
        };
        assert_eq!(grant.command(), "vib mcp grant 'a b' recovery_apply --for 8h");
    }

    #[test]
    fn a_terminal_is_not_written_to_by_what_is_shown() {
        assert_eq!(one_line("a\u{1b}[2Jb\nCode: X"), "a\u{fffd}[2Jb\u{fffd}Code: X");
        assert!(one_line(&"x".repeat(5_000)).ends_with("… (+4700)"));
    }
}
