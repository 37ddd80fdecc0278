//! Can a person be asked? One table, by client and mode. (C1)
//!
//! A question that reaches nobody is not a no everywhere: Claude Code in bypass mode runs what a hook asked about if it also
//! touches a path that Claude calls sensitive, and Codex ignores the question. So where nobody is there, vib itself says no, and
//! says how a person lets it through. `docs/clients.md` shows this table; a test holds the page to it.

use crate::Client;
use crate::decision::Verdict;

/// What is known about who is there, from the payload and the client's environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Told<'a> {
    /// `permission_mode` of the payload.
    pub mode: Option<&'a str>,
    /// The event, as the client names it.
    pub event: &'a str,
    /// Nobody sits at this client, as it says itself.
    pub unattended: bool,
}

/// What vib answers where a person should decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The client asks the person.
    Ask,
    /// The client asks the person, or refuses where there is none; the reason has to do for both.
    AskOrElse,
    /// No, with how a person lets it through.
    Deny,
}

/// How a row knows that it is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// The payload's mode is one of these.
    Mode(&'static [&'static str]),
    /// The client says that nobody is there.
    Unattended,
    /// Only this event.
    Event(&'static str),
    /// What no row before has taken.
    Else,
}

/// How well a row is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Seen with the real client, without and with a terminal.
    Measured,
    /// Seen without a terminal; with one, only read.
    MeasuredHeadless,
    /// From the client's documentation.
    Documented,
}

/// One client in one mode.
#[derive(Debug)]
pub struct Row {
    /// The client.
    pub client: Client,
    /// The mode, for people.
    pub mode: &'static str,
    /// What tells it to a hook.
    pub told_by: &'static str,
    /// What the client does with a question.
    pub client_does: &'static str,
    /// What vib answers.
    pub answer: Answer,
    /// How well that is known.
    pub known: Known,
    when: When,
}

/// The table. The first row that fits counts.
pub static TABLE: &[Row] = &[
    Row {
        client: Client::ClaudeCode,
        mode: "`--dangerously-skip-permissions`",
        told_by: "`permission_mode: bypassPermissions`",
        client_does: "runs it if it also touches a sensitive path (`.claude/…`, `.git/…`, `~/.bashrc`); else refuses",
        answer: Answer::Deny,
        known: Known::Measured,
        when: When::Mode(&["bypassPermissions"]),
    },
    Row {
        client: Client::ClaudeCode,
        mode: "`--permission-mode dontAsk`",
        told_by: "`permission_mode: dontAsk`",
        client_does: "refuses",
        answer: Answer::Deny,
        known: Known::Measured,
        when: When::Mode(&["dontAsk"]),
    },
    Row {
        client: Client::ClaudeCode,
        mode: "`-p`, any other mode",
        told_by: "`CLAUDE_CODE_SESSION_ATTENDED=0`, or `CLAUDE_CODE_ENTRYPOINT=sdk-cli`",
        client_does: "refuses",
        answer: Answer::Deny,
        known: Known::Measured,
        when: When::Unattended,
    },
    Row {
        client: Client::ClaudeCode,
        mode: "terminal: `default`, `acceptEdits`, `plan`, `auto`",
        told_by: "none of the above",
        client_does: "asks (measured: `default`)",
        answer: Answer::Ask,
        known: Known::Measured,
        when: When::Else,
    },
    Row {
        client: Client::Codex,
        mode: "every mode",
        told_by: "the client",
        client_does: "ignores it: the command runs",
        answer: Answer::Deny,
        known: Known::MeasuredHeadless,
        when: When::Else,
    },
    Row {
        client: Client::Gemini,
        mode: "every mode",
        told_by: "the client; it does not say its mode",
        client_does: "ends the run without the tool",
        answer: Answer::Deny,
        known: Known::MeasuredHeadless,
        when: When::Else,
    },
    Row {
        client: Client::OpenCode,
        mode: "every mode",
        told_by: "the client",
        client_does: "a plugin cannot ask; it can only refuse",
        answer: Answer::Deny,
        known: Known::MeasuredHeadless,
        when: When::Else,
    },
    Row {
        client: Client::Copilot,
        mode: "every mode, also `--allow-all-tools` and `COPILOT_ALLOW_ALL`",
        told_by: "the client; it does not say its mode",
        client_does: "terminal: asks; `-p`: refuses (\"unable to ask user for confirmation\")",
        answer: Answer::AskOrElse,
        known: Known::Measured,
        when: When::Else,
    },
    Row {
        client: Client::Cursor,
        mode: "`preToolUse`",
        told_by: "the event",
        client_does: "knows no question there",
        answer: Answer::Deny,
        known: Known::Documented,
        when: When::Event("preToolUse"),
    },
    Row {
        client: Client::Cursor,
        mode: "all other events",
        told_by: "the event",
        client_does: "asks",
        answer: Answer::Ask,
        known: Known::Documented,
        when: When::Else,
    },
    Row {
        client: Client::Acp,
        mode: "`vib drive`",
        told_by: "vib itself: it plays the editor",
        client_does: "nobody can be asked",
        answer: Answer::Deny,
        known: Known::Measured,
        when: When::Unattended,
    },
    Row {
        client: Client::Acp,
        mode: "`vib acp`, in an editor",
        told_by: "the editor that started it",
        client_does: "the editor asks (`session/request_permission`)",
        answer: Answer::Ask,
        known: Known::MeasuredHeadless,
        when: When::Else,
    },
];

/// What vib answers where a person should decide. What no row knows is a no.
pub fn answer(client: Client, told: Told<'_>) -> Answer {
    let fits = |row: &&Row| {
        row.client == client
            && match row.when {
                When::Mode(modes) => told.mode.is_some_and(|mode| modes.contains(&mode)),
                When::Unattended => told.unattended,
                When::Event(event) => told.event == event,
                When::Else => true,
            }
    };
    TABLE.iter().find(fits).map_or(Answer::Deny, |row| row.answer)
}

/// Whether the client says, by its environment, that nobody sits at it.
pub fn is_unattended(client: Client, variable: impl Fn(&str) -> Option<String>) -> bool {
    match client {
        // A version that does not know the first one says by the second how it was started.
        Client::ClaudeCode => match variable("CLAUDE_CODE_SESSION_ATTENDED").as_deref() {
            Some(attended) => attended == "0",
            None => variable("CLAUDE_CODE_ENTRYPOINT").as_deref() == Some("sdk-cli"),
        },
        _ => false,
    }
}

/// What becomes of a question in this client and mode.
pub fn settle(answer: Answer, verdict: Verdict) -> Verdict {
    const HOW: &str =
        "they can run it themselves, or allow it in their own vib policy; a person has to decide.";
    match (answer, verdict) {
        (Answer::Deny, Verdict::Ask(reason)) => Verdict::Deny(format!(
            "{reason}\nNobody can be asked here, so it was not done. Do not try to get the same in another way. Tell the person what \
             you wanted to do and why: {HOW}"
        )),
        (Answer::AskOrElse, Verdict::Ask(reason)) => {
            Verdict::Ask(format!("{reason}\nIf nobody can be asked here, tell the person: {HOW}"))
        }
        (_, verdict) => verdict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(client: Client, mode: Option<&str>, unattended: bool) -> Answer {
        answer(client, Told { mode, event: "PreToolUse", unattended })
    }

    #[test]
    fn nobody_there_means_no_c1() {
        for mode in ["bypassPermissions", "dontAsk"] {
            assert_eq!(said(Client::ClaudeCode, Some(mode), false), Answer::Deny, "{mode}");
        }
        for mode in [None, Some("default"), Some("acceptEdits"), Some("plan"), Some("auto")] {
            assert_eq!(said(Client::ClaudeCode, mode, false), Answer::Ask, "{mode:?}");
            assert_eq!(said(Client::ClaudeCode, mode, true), Answer::Deny, "{mode:?}");
        }
        for client in [Client::Codex, Client::Gemini, Client::OpenCode] {
            for (mode, unattended) in
                [(None, false), (Some("default"), false), (Some("bypassPermissions"), true)]
            {
                assert_eq!(said(client, mode, unattended), Answer::Deny, "{client}");
            }
        }
        assert_eq!(said(Client::Copilot, None, false), Answer::AskOrElse);
    }

    #[test]
    fn the_reason_says_what_a_person_can_do_c1() {
        for answer in [Answer::Deny, Answer::AskOrElse] {
            let verdict = settle(answer, Verdict::Ask("It deletes your letters.".to_owned()));
            let (Verdict::Deny(reason) | Verdict::Ask(reason)) = verdict else { panic!("{verdict:?}") };
            assert!(reason.starts_with("It deletes your letters."), "{reason}");
            assert!(reason.ends_with("a person has to decide."), "{reason}");
        }
        assert_eq!(settle(Answer::Ask, Verdict::Ask("x".to_owned())), Verdict::Ask("x".to_owned()));
        assert_eq!(settle(Answer::Deny, Verdict::Pass), Verdict::Pass);
    }

    #[test]
    fn the_environment_says_who_is_there_c1() {
        let with = |pairs: &'static [(&str, &str)]| {
            is_unattended(Client::ClaudeCode, |name| {
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(with(&[("CLAUDE_CODE_SESSION_ATTENDED", "0"), ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]));
        assert!(!with(&[("CLAUDE_CODE_SESSION_ATTENDED", "1"), ("CLAUDE_CODE_ENTRYPOINT", "cli")]));
        assert!(with(&[("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]));
        assert!(!with(&[("CLAUDE_CODE_ENTRYPOINT", "sdk-ts")]), "a program may ask its person");
        assert!(!with(&[]));
    }

    #[test]
    fn every_client_has_a_row_for_what_nobody_thought_of_c1() {
        for client in Client::ALL {
            let rows: Vec<&Row> = TABLE.iter().filter(|row| row.client == client).collect();
            let (last, before) = rows.split_last().expect("a row");
            assert_eq!(last.when, When::Else, "{client}");
            assert!(before.iter().all(|row| row.when != When::Else), "{client}: a row that is never reached");
        }
    }
}
