//! The sentence for a reason, for every surface that shows one.

use texts::Value;

use super::{Reason, Risk, Why};
use crate::recover::Surface;

/// How risky, in two words.
pub fn risk_in_words(risk: Risk, surface: &dyn Surface) -> String {
    let id = match risk {
        Risk::Low => "common-risk-low",
        Risk::Medium => "common-risk-medium",
        Risk::High => "common-risk-high",
    };
    surface.say(id, &[])
}

/// One sentence about what makes it risky.
pub fn reason_in_words(reason: &Reason, surface: &dyn Surface) -> String {
    let text = |text: &str| -> Value<'static> { surface.harmless(text).into() };
    let many = |paths: &[String], count: usize| -> Value<'static> {
        let all: Vec<String> =
            paths.iter().cloned().chain((paths.len()..count).map(|_| String::new())).collect();
        surface.names(&all).into()
    };
    match &reason.why {
        Why::Lost { paths, count } => {
            surface.say("verdict-lost", &[("files", many(paths, *count)), ("count", (*count).into())])
        }
        Why::Emptied { paths, count } => {
            surface.say("verdict-emptied", &[("files", many(paths, *count)), ("count", (*count).into())])
        }
        Why::SecretAdded { path, .. } => surface.say("verdict-secret", &[("path", text(path))]),
        Why::Protected { path } => surface.say("verdict-protected", &[("path", text(path))]),
        Why::KeepRegion { path } => surface.say("verdict-keep-region", &[("path", text(path))]),
        Why::ConflictMarks { path, .. } => surface.say("verdict-conflict-marks", &[("path", text(path))]),
        Why::Unparseable { path, line } => {
            let line = line.unwrap_or(1);
            let id =
                if reason.risk == Risk::High { "verdict-unparseable" } else { "verdict-unparseable-maybe" };
            surface.say(id, &[("path", text(path)), ("line", line.into())])
        }
        Why::FileStillUsed { path, users, count } => surface.say(
            "verdict-file-still-used",
            &[("path", text(path)), ("files", many(users, *count)), ("count", (*count).into())],
        ),
        Why::StillUsed { path, name, users, count } => {
            let values = [
                ("path", text(path)),
                ("name", text(name)),
                ("files", many(users, *count)),
                ("count", (*count).into()),
            ];
            surface.say("verdict-still-used", &values)
        }
        Why::TestWeakened { path, test: None } => {
            surface.say("verdict-tests-focused", &[("path", text(path))])
        }
        Why::TestWeakened { path, test: Some(test) } => {
            let id = if reason.risk == Risk::High { "verdict-test-off" } else { "verdict-test-weaker" };
            surface.say(id, &[("path", text(path)), ("test", text(test))])
        }
        Why::CheckFailed { command } => surface.say("verdict-check-failed", &[("command", text(command))]),
        Why::CheckStale { command, .. } => surface.say("verdict-check-stale", &[("command", text(command))]),
        Why::Circling { path, call, .. } => match (path, call) {
            (Some(path), _) => surface.say("verdict-circling", &[("what", text(path))]),
            (None, Some(call)) => surface.say("verdict-circling", &[("what", text(call))]),
            (None, None) => surface.say("verdict-circling-all", &[]),
        },
        Why::AnchorBroken { path, name } => {
            let name = text(name.as_deref().unwrap_or_default());
            surface.say("verdict-anchor-broken", &[("path", text(path)), ("name", name)])
        }
        Why::AnchorGone { path, name } => {
            let name = text(name.as_deref().unwrap_or_default());
            surface.say("verdict-anchor-gone", &[("path", text(path)), ("name", name)])
        }
        Why::LargeRewrite { path, percent } => {
            surface.say("verdict-rewrite", &[("path", text(path)), ("percent", (*percent).into())])
        }
        Why::ManyFiles { count } => surface.say("verdict-many-files", &[("count", (*count).into())]),
        Why::SecretsFile { path } => surface.say("verdict-secrets-file", &[("path", text(path))]),
        Why::Entry { path } => surface.say("verdict-entry", &[("path", text(path))]),
        Why::Config { path } => surface.say("verdict-config", &[("path", text(path))]),
        Why::ManyUsers { path, count } => {
            surface.say("verdict-many-users", &[("path", text(path)), ("count", (*count).into())])
        }
    }
}
