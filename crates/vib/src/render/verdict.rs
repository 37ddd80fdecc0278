//! The one verdict: how risky what stands now is, and why. Every command says it in the same words.

use engine::verdict::{Reason, Risk, Verdict, reason_in_words, risk_in_words};
use texts::Texts;

use super::recover::Terminal;
use crate::theme::{Theme, paint};

/// `Risk: high: src/app.js is gone (and 2 more reasons)`
pub(crate) fn verdict(verdict: &Verdict, texts: &Texts, theme: &Theme) -> String {
    let risk = texts.say("verdict-line", &[("risk", level(verdict.risk, texts).into())]);
    let mut out = paint(style(verdict.risk, theme), risk);
    if let Some(why) = why(verdict, texts) {
        out.push_str(&texts.say("verdict-because", &[("why", why.into())]));
    }
    out.push('\n');
    out.push_str(&not_looked_at(verdict, texts, theme));
    out
}

/// The first reason, and how many more there are.
pub(crate) fn why(verdict: &Verdict, texts: &Texts) -> Option<String> {
    let mut why = reason(verdict.first()?, texts);
    let more = verdict.reasons.iter().skip(1).filter(|reason| reason.risk == verdict.risk).count();
    if more > 0 {
        why.push_str(&texts.say("verdict-more", &[("count", more.into())]));
    }
    Some(why)
}

/// What was too much to look at.
pub(crate) fn not_looked_at(verdict: &Verdict, texts: &Texts, theme: &Theme) -> String {
    let left_out = &verdict.not_looked_at;
    [("verdict-not-read", left_out.changed_files), ("verdict-not-searched", left_out.possible_users)]
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(id, count)| paint(theme.dim, texts.say(id, &[("count", count.into())])) + "\n")
        .collect()
}

/// One reason in words.
fn reason(reason: &Reason, texts: &Texts) -> String {
    reason_in_words(reason, &Terminal(texts))
}

/// How risky, in two words.
pub(crate) fn risk(risk: Risk, texts: &Texts) -> String {
    risk_in_words(risk, &Terminal(texts))
}

fn level(risk: Risk, texts: &Texts) -> String {
    let id = match risk {
        Risk::Low => "verdict-low",
        Risk::Medium => "verdict-medium",
        Risk::High => "verdict-high",
    };
    texts.say(id, &[])
}

/// The colour of a risk.
pub(crate) fn style(risk: Risk, theme: &Theme) -> anstyle::Style {
    match risk {
        Risk::Low => theme.dim,
        Risk::Medium => theme.warning,
        Risk::High => theme.error,
    }
}
