//! The sentence for a sign, for every surface that shows one.

use recovery::Sign;
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
    };
    surface.say(id, &[("count", count.into())])
}
