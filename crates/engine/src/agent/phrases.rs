//! How a person says something to vib in the chat of a client: one table, so that no text names what a client refuses. (C8)
//!
//! Codex and Copilot turn a `/word` that they do not know away before any hook sees it, and Cursor was never tried: there,
//! plain words do the same. Whatever is written here, vib understands all of it in every client (see `understand`).

/// The words of one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Phrases {
    rollback: &'static str,
    /// What stands before a number of turns or an id.
    rollback_to: &'static str,
    lesson: &'static str,
    go_on: &'static str,
    /// What says that it is fine as it is.
    accept: &'static str,
}

/// For clients in which vib has chat commands of its own.
const SLASH: Phrases = Phrases {
    rollback: "/rollback",
    rollback_to: "/rollback",
    lesson: "/lesson",
    go_on: "go on",
    accept: "vib ok",
};

/// For all others.
const PLAIN: Phrases = Phrases {
    rollback: "undo that",
    rollback_to: "vib rollback",
    lesson: "vib lesson:",
    go_on: "go on",
    accept: "vib ok",
};

/// By the client's name; an unknown one gets what works everywhere.
fn of(client: &str) -> &'static Phrases {
    match client {
        "claude-code" | "gemini" | "opencode" => &SLASH,
        _ => &PLAIN,
    }
}

/// What takes the last request back, after a preview: `/rollback` or `undo that`.
pub fn rollback(client: &str) -> &'static str {
    of(client).rollback
}

/// What goes to a state by its id: `/rollback kmtz` or `vib rollback kmtz`.
pub fn rollback_to(client: &str, id: &str) -> String {
    format!("{} {id}", of(client).rollback_to)
}

/// What a lesson begins with: `/lesson` or `vib lesson:`.
pub fn lesson(client: &str) -> &'static str {
    of(client).lesson
}

/// What lets an agent go on that was stopped because it ran in circles.
pub fn go_on(client: &str) -> &'static str {
    of(client).go_on
}

/// What says that what is open is fine as it is: `vib ok`. (`/vib ok` is understood where the client lets it through.)
pub fn accept(client: &str) -> &'static str {
    of(client).accept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_client_is_told_what_it_refuses_c8() {
        for client in ["codex", "copilot", "cursor", "a client of tomorrow"] {
            for words in [rollback(client), lesson(client), go_on(client), &rollback_to(client, "kmtz")] {
                assert!(!words.starts_with('/'), "{client}: {words}");
            }
        }
        assert_eq!(rollback_to("claude-code", "kmtz"), "/rollback kmtz");
    }
}
