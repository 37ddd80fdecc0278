//! The sentence for a sign, for every surface that shows one.

use recovery::{Ask, Form, GitState, GitStateKind, Goes, PartKind, Sign};
use texts::Value;

/// Where the sentence is shown: how a message is said there, and how text that comes from files is made harmless for it.
pub trait Surface {
    /// A message in the person's language.
    fn say(&self, id: &str, values: &[(&str, Value<'_>)]) -> String;
    /// A text from a file.
    fn harmless(&self, text: &str) -> String;
    /// The first few of some names, and how many more there are.
    fn names(&self, names: &[String]) -> String;
}

/// One sentence about what was seen in so many files.
pub fn sign_in_words(sign: &Sign, count: usize, surface: &dyn Surface) -> String {
    let text = |text: &str| -> Value<'static> { surface.harmless(text).into() };
    let id = match sign {
        Sign::Deleted => "recover-sign-deleted",
        Sign::Emptied => "recover-sign-emptied",
        Sign::MostlyLost => "recover-sign-mostly-lost",
        Sign::Placeholder => "recover-sign-placeholder",
        Sign::Overwritten => "recover-sign-overwritten",
        Sign::NamesLost { names } => {
            let values = [("names", surface.names(names).into()), ("count", names.len().into())];
            return surface.say("recover-sign-names-lost", &values);
        }
        Sign::HalfRenamed { old, new } => {
            return surface.say("recover-sign-half-renamed", &[("old", text(old)), ("new", text(new))]);
        }
        Sign::Broken => "recover-sign-broken",
        Sign::Markers => "recover-sign-markers",
        Sign::Encoding => "recover-sign-encoding",
        Sign::WhiteSpace => "recover-sign-white-space",
        Sign::LineEnds => "recover-sign-line-ends",
        Sign::LineEndsToo => "recover-sign-line-ends-too",
        Sign::NotRunnable => "recover-sign-not-runnable",
        Sign::KindChanged => "recover-sign-kind-changed",
        Sign::TestsWeaker => "recover-sign-tests-weaker",
        Sign::Secret => "recover-sign-secret",
        Sign::Manifest => "recover-sign-manifest",
        Sign::Replaced { old, new } => {
            let values = [("old", text(old)), ("new", text(new)), ("count", count.into())];
            return surface.say("recover-sign-replaced", &values);
        }
        Sign::Rewritten => "recover-sign-rewritten",
        Sign::Renamed => "recover-sign-renamed",
        Sign::WentBack => "recover-sign-went-back",
        Sign::Flood => "recover-sign-flood",
        Sign::Drift => "recover-sign-drift",
        Sign::CheckFails { command } => {
            return surface.say("recover-sign-check-fails", &[("command", text(command))]);
        }
        Sign::Circling => "recover-sign-circling",
        Sign::Protected => "recover-sign-protected",
        Sign::Wanted => "recover-sign-wanted",
        Sign::TypingLost => "recover-sign-typing-lost",
        Sign::StillUsed { names } if names.is_empty() => "recover-sign-still-used-file",
        Sign::StillUsed { names } => {
            return surface.say("recover-sign-still-used", &[("names", surface.names(names).into())]);
        }
        Sign::FormLost { form: Form::Tabs { count } } => {
            return surface.say("recover-sign-tabs-lost", &[("count", (*count).into())]);
        }
        Sign::FormLost { form: Form::Separator { old, new } } => {
            let named = |mark: &char| if *mark == '\t' { "tab".to_owned() } else { mark.to_string() };
            let values = [("old", named(old).into()), ("new", named(new).into())];
            return surface.say("recover-sign-separator", &values);
        }
        Sign::FormLost { form: Form::Values { names } } => {
            return surface.say("recover-sign-values-lost", &[("names", surface.names(names).into())]);
        }
        Sign::SettingsLost { names } => {
            return surface.say("recover-sign-settings-lost", &[("names", surface.names(names).into())]);
        }
        Sign::PartLost { kind, count } => {
            let id = match kind {
                PartKind::Rows => "recover-sign-rows-lost",
                PartKind::Entries => "recover-sign-entries-lost",
                PartKind::Lines => "recover-sign-lines-lost",
            };
            return surface.say(id, &[("count", (*count).into())]);
        }
        Sign::Together => "recover-sign-together",
        Sign::SameCommand => "recover-sign-same-command",
    };
    surface.say(id, &[("count", count.into())])
}

/// "I understood: …", with what is asked back, before anything else is said; empty for a plain "it broke". `when` words a moment.
pub fn understood_in_words(
    report: &super::Report,
    surface: &dyn Surface,
    when: &dyn Fn(i64) -> String,
) -> Vec<String> {
    let diagnosis = &report.diagnosis;
    let (phrase, understood) = (&diagnosis.phrase, &diagnosis.understood);
    let quoted =
        |texts: &[String]| -> Vec<String> { texts.iter().map(|text| format!("“{text}”")).collect() };
    let all = |requests: &[String], files: &[String]| {
        let mut names = quoted(requests);
        names.extend(files.iter().cloned());
        surface.names(&names)
    };
    let since = understood.since_ms.map(when).unwrap_or_default();
    let names = all(&understood.requests, &understood.files);
    let nothing = understood.requests.is_empty() && understood.files.is_empty();
    let what = match phrase.ask {
        _ if diagnosis.asks_back && nothing && understood.keeps.is_empty() => None,
        Ask::Broke | Ask::Explain if understood.files.is_empty() => None,
        Ask::Broke | Ask::Explain => Some(("recover-understood-about", names)),
        Ask::Unasked => Some(("recover-understood-unasked", String::new())),
        Ask::GoBack if understood.since_ms.is_some() => Some(("recover-understood-back", String::new())),
        _ if understood.rest => Some(("recover-understood-rest", String::new())),
        _ if understood.last > 0 => {
            let names = if understood.requests.is_empty() { String::new() } else { format!(": {names}") };
            Some(("recover-understood-last", names))
        }
        Ask::Restore if nothing => None,
        Ask::Restore => Some(("recover-understood-restore", names)),
        Ask::Undo | Ask::GoBack if nothing => None,
        Ask::Undo | Ask::GoBack => Some(("recover-understood-undo", names)),
    };
    let mut out = Vec::new();
    if let Some((id, names)) = what {
        let values = [("names", names.into()), ("when", since.into()), ("count", understood.last.into())];
        let mut text = surface.say(id, &values);
        if !understood.keeps.is_empty() {
            let keeps = surface.names(&quoted(&understood.keeps));
            text = format!("{text} {}", surface.say("recover-understood-keeps", &[("names", keeps.into())]));
        }
        out.push(surface.say("recover-understood", &[("what", text.into())]));
    }
    if phrase.only_keeps && phrase.not_understood.is_empty() {
        let id = if understood.keeps.is_empty() { "recover-nothing-goes" } else { "recover-only-keeps" };
        let keeps = surface.names(&quoted(&understood.keeps));
        out.push(surface.say(id, &[("names", keeps.into())]));
    }
    if !phrase.not_understood.is_empty() {
        let id = if diagnosis.asks_back { "recover-not-understood" } else { "recover-not-found" };
        let pieces = surface.names(&quoted(&phrase.not_understood));
        out.push(surface.say(id, &[("pieces", pieces.into())]));
    }
    if let Some(oldest) = understood.oldest_ms {
        out.push(surface.say("recover-beyond", &[("when", when(oldest).into())]));
    }
    out
}

/// Whose work it is: requests by their words, a person's own hand, each with its files.
pub fn whose_in_words(whose: &[Goes], surface: &dyn Surface) -> String {
    let one = |goes: &Goes| {
        let files = surface.names(&goes.paths);
        match &goes.request {
            _ if goes.by_hand => surface.say("recover-goes-by-hand", &[("files", files.into())]),
            None => surface.say("recover-goes-no-request", &[("files", files.into())]),
            Some(request) => {
                let request = surface.harmless(&one_line(request));
                surface.say("recover-goes-request", &[("request", request.into()), ("files", files.into())])
            }
        }
    };
    whose.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A request as far as it fits into a line.
pub fn one_line(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST { line } else { line.chars().take(MOST - 1).chain(['…']).collect() }
}

/// The states of git's that files would come from, or were compared with.
pub fn git_states_in_words(
    states: &[GitState],
    surface: &dyn Surface,
    when: &dyn Fn(i64) -> String,
) -> String {
    let one = |state: &GitState| {
        let id = match state.kind {
            GitStateKind::Head => "recover-git-head",
            GitStateKind::Stash => "recover-git-stash",
            GitStateKind::Left => "recover-git-left",
        };
        let subject = surface.harmless(&state.subject);
        surface.say(id, &[("subject", subject.into()), ("when", when(state.time_ms).into())])
    };
    states.iter().map(one).collect::<Vec<_>>().join(", ")
}
