//! One card in lines: where it stands, who tried it, what vib's own checks say, the commands, what changed.

use engine::run::board::{attempt_of, changes_of, check_mark};
use engine::run::fold::{Attempt, Card};
use engine::run::{self, Run, words};
use engine::{Engine, Result};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::draw::wrapped;
use super::look::Look;
use super::words::{by, check_word, cost, lasted, risk_word, spent, status_word};
use crate::render::harmless;
use crate::theme::Theme;

/// Text of a difference that is shown; the page and `vib lane diff` show all of it.
const MOST_TEXT: u64 = 256 << 10;
/// Lines of what a command said.
const TAIL: usize = 12;

/// Writes lines.
struct Lines<'l> {
    out: Vec<Line<'l>>,
    width: usize,
    theme: &'l Theme,
    look: &'l Look,
}

/// The evidence of a card. What cannot be read any more is said in its place.
pub(super) fn lines<'l>(
    engine: &Engine,
    (run, card): (&str, &str),
    width: usize,
    theme: &'l Theme,
    look: &'l Look,
) -> Result<Vec<Line<'l>>> {
    let run = run::show(engine, run)?;
    let unknown = || run::RunError::NoCard { run: run.id.clone(), card: card.to_owned() };
    let card = run.card(card).ok_or_else(unknown)?;
    let mut lines = Lines { out: Vec::new(), width, theme, look };
    lines.about(&run, card);
    lines.attempts(card);
    let attempt = attempt_of(&run, card, None)?;
    if let Some(attempt) = attempt {
        lines.checks(attempt);
    }
    lines.commands(card);
    if let Some(attempt) = attempt {
        lines.changes(engine, attempt);
    }
    Ok(lines.out)
}

impl Lines<'_> {
    fn push(&mut self, text: &str, style: Style) {
        for line in wrapped(&harmless_lines(text), self.width) {
            self.out.push(Line::styled(line, style));
        }
    }

    fn title(&mut self, id: &str) {
        self.out.push(Line::default());
        let text = self.theme.word(id);
        self.push(&text, self.look.strong);
    }

    fn list(&mut self, id: &str, items: &[String]) {
        if !items.is_empty() {
            self.title(id);
            items.iter().for_each(|item| self.push(&format!("- {item}"), Style::new()));
        }
    }

    fn about(&mut self, run: &Run, card: &Card) {
        self.push(&card.title, self.look.strong);
        let mut facts = vec![format!("{}/{}", run.id, card.id), status_word(self.theme, card.status)];
        facts.extend(card.risk.map(|risk| risk_word(self.theme, risk)));
        facts.extend(card.code.clone());
        facts.extend(Some(spent(self.theme, &card.evidence.spent)).filter(|spent| !spent.is_empty()));
        self.push(&facts.join(" · "), self.look.id);
        let say = |id: &str, values: &[(&str, texts::Value<'_>)]| self.theme.say(id, values);
        if let Some(why) = words::why_it_stands(&run.id, card, &say, &str::to_owned) {
            self.push(&why, self.look.warning);
        }
        self.list("board-card-acceptance", &card.acceptance);
        self.list("board-card-steps", &card.steps);
        if let Some(note) = &card.note {
            self.title("board-card-review");
            self.push(note, Style::new());
        }
        self.list("board-card-assumptions", &card.assumptions);
    }

    fn attempts(&mut self, card: &Card) {
        self.title("board-card-attempts");
        if card.attempts.is_empty() {
            let text = self.theme.word("board-card-no-attempt");
            return self.push(&text, self.look.dim);
        }
        for attempt in &card.attempts {
            let (text, style) = self.attempt(card, attempt);
            self.push(&text, style);
        }
        let say = |id: &str, values: &[(&str, texts::Value<'_>)]| self.theme.say(id, values);
        let reasons = words::comparison(card, &say, &str::to_owned);
        self.list("board-card-reasons", &reasons);
    }

    fn attempt(&self, card: &Card, attempt: &Attempt) -> (String, Style) {
        let theme = self.theme;
        let (added, removed) = attempt.files.iter().fold((0_u64, 0_u64), |(added, removed), file| {
            (added.saturating_add(file.added), removed.saturating_add(file.removed))
        });
        let mut parts = vec![attempt.id.clone()];
        parts.extend(attempt.by.as_ref().map(by));
        parts.push(attempt.ended.clone().unwrap_or_else(|| theme.word("board-end-open")));
        parts.push(format!("{} +{added} −{removed}", theme.count("common-files", attempt.files.len())));
        let check = check_mark(attempt);
        parts.push(check.map_or_else(|| theme.word("board-check-none"), |check| check_word(theme, check)));
        if !attempt.weakened.is_empty() {
            parts.push(theme.word("board-weakened"));
        }
        parts.extend(cost(theme, attempt.dollars.unwrap_or(0.0), u64::from(attempt.dollars.is_none())));
        parts.push(lasted(theme, attempt.milliseconds));
        for (there, id) in [
            (card.recommended.as_ref() == Some(&attempt.id), "board-card-recommended"),
            (card.is_in_project() && card.landed.as_ref() == Some(&attempt.id), "board-card-landed"),
            (attempt.dropped, "board-card-dropped"),
        ] {
            if there {
                parts.push(theme.word(id));
            }
        }
        let best = card.recommended.as_ref().or(card.landed.as_ref()) == Some(&attempt.id);
        (parts.join(" · "), if best { self.look.added } else { Style::new() })
    }

    fn checks(&mut self, attempt: &Attempt) {
        if !attempt.checks.is_empty() {
            self.title("board-card-checks");
        }
        for check in &attempt.checks {
            let (sign, style) = match check.status.as_str() {
                "passed" => ("✓", self.look.added),
                "failed" | "timed_out" => ("✗", self.look.error),
                _ => ("~", self.look.warning),
            };
            let time = lasted(self.theme, check.milliseconds);
            self.push(&format!("{sign} {} · {} · {time}", check.command, check.status), style);
            self.tail(&check.tail);
        }
        self.list("board-card-weakened", &attempt.weakened);
        self.list("board-card-findings", &attempt.findings);
    }

    fn commands(&mut self, card: &Card) {
        if !card.evidence.commands.is_empty() {
            self.title("board-card-commands");
        }
        for one in &card.evidence.commands {
            let outcome = match one.exit {
                Some(code) => self.theme.say("board-card-exit", &[("code", code.into())]),
                None => self.theme.word("board-card-ended"),
            };
            let style = if one.exit == Some(0) { Style::new() } else { self.look.warning };
            let time = lasted(self.theme, one.milliseconds);
            self.push(&format!("$ {} · {outcome} · {time}", one.command), style);
            self.tail(&one.tail);
        }
    }

    fn tail(&mut self, tail: &str) {
        let all: Vec<&str> = tail.lines().collect();
        for line in &all[all.len().saturating_sub(TAIL)..] {
            self.push(&format!("  {line}"), self.look.dim);
        }
    }

    fn changes(&mut self, engine: &Engine, attempt: &Attempt) {
        self.title("board-card-changes");
        let report = match changes_of(engine, attempt, MOST_TEXT) {
            Ok(Some(report)) => report,
            Ok(None) => return,
            Err(error) => {
                let why = format!("{error}. {}", error.next());
                let text = self.theme.say("board-card-no-diff", &[("why", why.into())]);
                return self.push(&text, self.look.dim);
            }
        };
        if report.files.is_empty() {
            let text = self.theme.word("board-card-no-changes");
            return self.push(&text, self.look.dim);
        }
        let mut gate = engine.gate();
        for file in &report.files {
            let counts = format!(" +{} −{}", file.added.unwrap_or(0), file.removed.unwrap_or(0));
            self.out.push(Line::from(vec![
                Span::styled(harmless(&file.path), self.look.strong),
                Span::styled(counts, self.look.dim),
            ]));
            let text = file.diff.as_deref().filter(|_| !file.sensitive).unwrap_or_default();
            for line in gate.clean(text).into_string().lines() {
                let style = match line.as_bytes().first() {
                    Some(b'+') => self.look.added,
                    Some(b'-') => self.look.removed,
                    Some(b'@') => self.look.id,
                    _ => Style::new(),
                };
                self.out.push(Line::styled(format!("  {}", harmless(line).replace('\t', "    ")), style));
            }
        }
    }
}

/// Several lines, each harmless.
fn harmless_lines(text: &str) -> String {
    text.lines().map(|line| harmless(line).replace('\t', "    ")).collect::<Vec<_>>().join("\n")
}
