//! Cards in a few words, for the terminal and for what is printed.

use engine::run::board::{BoardCard, CheckMark, dollars};
use engine::run::fold::Spent;
use engine::run::model::{By, CardRisk, CardStatus};

use crate::render::harmless;
use crate::theme::Theme;

/// The word for where a card stands.
pub(crate) fn status_word(theme: &Theme, status: CardStatus) -> String {
    theme.word(match status {
        CardStatus::Todo => "board-status-todo",
        CardStatus::Running => "board-status-running",
        CardStatus::Preview => "board-status-preview",
        CardStatus::Review => "board-status-review",
        CardStatus::Done => "board-status-done",
        CardStatus::Blocked => "board-status-blocked",
        CardStatus::Reverted => "board-status-reverted",
        CardStatus::Dropped => "board-status-dropped",
    })
}

/// How the checks stand, with a sign that needs no colour.
pub(super) fn check_word(theme: &Theme, check: CheckMark) -> String {
    let (sign, id) = match check {
        CheckMark::Passed => ("✓", "board-check-passed"),
        CheckMark::Failed => ("✗", "board-check-failed"),
        CheckMark::Partly => ("~", "board-check-partly"),
        CheckMark::Stale => ("?", "board-check-stale"),
    };
    format!("{sign} {}", theme.word(id))
}

/// How risky a reviewer found it.
pub(super) fn risk_word(theme: &Theme, risk: CardRisk) -> String {
    theme.word(match risk {
        CardRisk::Low => "board-risk-low",
        CardRisk::Medium => "board-risk-medium",
        CardRisk::High => "board-risk-high",
        CardRisk::Unknown => "board-risk-unknown",
    })
}

/// `$0.12`; what nobody knows is said. Nothing: nothing was used.
pub(super) fn cost(theme: &Theme, amount: f64, unpriced: u64) -> Option<String> {
    match (amount > 0.0, unpriced > 0) {
        (true, false) => Some(dollars(amount)),
        (true, true) => Some(theme.say("board-cost-at-least", &[("cost", dollars(amount).into())])),
        (false, true) => Some(theme.word("board-cost-unknown")),
        (false, false) => None,
    }
}

/// What was used, in one line; nothing: nothing was.
pub(super) fn spent(theme: &Theme, spent: &Spent) -> String {
    let tokens = engine::run::board::all_tokens(&spent.tokens);
    let mut parts: Vec<String> = cost(theme, spent.dollars, spent.unpriced).into_iter().collect();
    if tokens > 0 {
        parts.push(theme.say("board-tokens", &[("count", tokens.into())]));
    }
    parts.join(" · ")
}

/// `12 s`, `3 min`.
pub(super) fn lasted(theme: &Theme, milliseconds: u64) -> String {
    match milliseconds / 1000 {
        0 => format!("{milliseconds} ms"),
        seconds @ 1..120 => theme.say("board-seconds", &[("count", seconds.into())]),
        seconds => theme.say("board-minutes", &[("count", (seconds / 60).into())]),
    }
}

/// Who works.
pub(super) fn by(by: &By) -> String {
    match by {
        By::Vib { model } => format!("vib · {}", harmless(model)),
        By::Client { name } => harmless(name),
    }
}

/// `run1/c3 · 3 files +12 −4`
pub(super) fn place(theme: &Theme, card: &BoardCard) -> String {
    let mut out = format!("{}/{}", card.run, harmless(&card.id));
    if card.files > 0 {
        let files = theme.count("common-files", card.files);
        out.push_str(&format!(" · {files} +{} −{}", card.added, card.removed));
    }
    if card.attempts > 1 {
        out.push_str(&format!(" · {}", theme.count("board-attempts", card.attempts)));
    }
    out
}

/// `✓ checks pass · high risk · $0.12 · 5 minutes ago`
pub(super) fn marks(theme: &Theme, card: &BoardCard, now_ms: i64) -> String {
    let mut parts = Vec::new();
    if card.left_alone {
        parts.push(theme.word("board-left-alone"));
    }
    match card.check {
        Some(check) => parts.push(check_word(theme, check)),
        None if card.attempts > 0 && !matches!(card.status, CardStatus::Todo | CardStatus::Running) => {
            parts.push(theme.word("board-check-none"));
        }
        None => {}
    }
    if card.weakened {
        parts.push(theme.word("board-weakened"));
    }
    if card.findings > 0 {
        parts.push(theme.count("board-findings", card.findings));
    }
    parts.extend(card.risk.map(|risk| risk_word(theme, risk)));
    parts.extend(cost(theme, card.dollars, card.unpriced));
    parts.push(theme.ago(card.last_ms, now_ms));
    parts.join(" · ")
}

/// A card in one line, for what is printed.
pub(crate) fn card_line(theme: &Theme, card: &BoardCard, now_ms: i64) -> (String, String) {
    (harmless(&card.title), format!("{} · {}", place(theme, card), marks(theme, card, now_ms)))
}
