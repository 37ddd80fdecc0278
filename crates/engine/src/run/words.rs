//! Which message says why: codes and data in, the id of a message and its values out. Surfaces hand in how they say and clean.

use texts::Value;

use super::compare::{Reason, ToldReason};
use super::fold::Card;

/// Says a message with its values.
pub type Say<'s> = &'s dyn Fn(&str, &[(&str, Value<'_>)]) -> String;
/// Cleans what somebody else wrote.
pub type Clean<'c> = &'c dyn Fn(&str) -> String;

/// Why a card stands where it stands; none: nothing is known.
pub fn why_it_stands(run: &str, card: &Card, say: Say<'_>, clean: Clean<'_>) -> Option<String> {
    standing(run, &card.id, card.code.as_deref(), card.why.as_deref(), say, clean)
}

/// The same from its parts, as the board has them.
pub fn standing(
    run: &str,
    card: &str,
    code: Option<&str>,
    why: Option<&str>,
    say: Say<'_>,
    clean: Clean<'_>,
) -> Option<String> {
    let said = clean(why.unwrap_or_default());
    let name = format!("{run}/{card}");
    Some(match (code, why) {
        (Some("nothing_needed"), _) => say("runs-why-nothing-needed", &[("why", said.into())]),
        (Some("partly_applied"), _) => say("runs-why-partly-applied", &[("list", said.into())]),
        (Some("nothing_applied"), _) => say("runs-why-nothing-applied", &[("list", said.into())]),
        (Some("undone"), _) => say("runs-why-undone", &[("name", name.into())]),
        (Some("undone_partly"), _) => say("runs-why-undone-partly", &[]),
        (Some("choose"), _) => say("runs-why-choose", &[]),
        (Some("nobody_passes"), _) => say("runs-why-nobody-passes", &[]),
        (_, Some(_)) => said,
        (Some(code), None) => clean(code),
        (None, None) => return None,
    })
}

/// Why an attempt is the best, or none is, one sentence each. Logs of an older vib have only English ones.
pub fn comparison(card: &Card, say: Say<'_>, clean: Clean<'_>) -> Vec<String> {
    if card.comparison.is_empty() {
        return card.reasons.iter().map(|reason| clean(reason)).collect();
    }
    sentences(&card.comparison, say, clean)
}

/// One sentence for each.
pub fn sentences(told: &[ToldReason], say: Say<'_>, clean: Clean<'_>) -> Vec<String> {
    let one = |told: &ToldReason| {
        let said = reason(&told.reason, say, clean);
        match &told.attempt {
            Some(attempt) => format!("{attempt}: {said}"),
            None => said,
        }
    };
    told.iter().map(one).collect()
}

fn reason(reason: &Reason, say: Say<'_>, clean: Clean<'_>) -> String {
    let list = |id: &str, all: &[String]| {
        let all: Vec<String> = all.iter().map(|one| format!("`{}`", clean(one))).collect();
        say(id, &[("list", all.join(", ").into())])
    };
    match reason {
        Reason::NotEnded { ended } => say("runs-reason-not-ended", &[("ended", clean(ended).into())]),
        Reason::SaysUnfinished => say("runs-reason-says-unfinished", &[]),
        Reason::NoChange => say("runs-reason-no-change", &[]),
        Reason::WeakenedTests { tests } => list("runs-reason-weakened-tests", tests),
        Reason::ClaimsDoneButFails { checks } => list("runs-reason-claims-done-but-fails", checks),
        Reason::ChecksFail { checks } => list("runs-reason-checks-fail", checks),
        Reason::CheckNoAnswer { checks } => list("runs-reason-check-no-answer", checks),
        Reason::NothingProven => say("runs-reason-nothing-proven", &[]),
        Reason::GuardStops { findings } => list("runs-reason-guard-stops", findings),
        Reason::Passes { checks } => say("runs-reason-passes", &[("count", (*checks).into())]),
        Reason::NobodyPasses => say("runs-reason-nobody-passes", &[]),
        Reason::NoChecks => say("runs-reason-no-checks", &[]),
        Reason::OnlyOnePasses => say("runs-reason-only-one-passes", &[]),
        Reason::MoreChecksPass => say("runs-reason-more-checks-pass", &[]),
        Reason::SaysDone => say("runs-reason-says-done", &[]),
        Reason::FewerFindings => say("runs-reason-fewer-findings", &[]),
        Reason::StaysInCard => say("runs-reason-stays-in-card", &[]),
        Reason::EqualSmaller { lines, other } => {
            say("runs-reason-equal-smaller", &[("lines", (*lines).into()), ("other", (*other).into())])
        }
        Reason::EqualCheaper => say("runs-reason-equal-cheaper", &[]),
        Reason::EqualFaster => say("runs-reason-equal-faster", &[]),
        Reason::EqualResult => say("runs-reason-equal-result", &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use texts::{Language, Texts};

    fn all() -> Vec<Reason> {
        let some = || vec!["x".to_owned(), "y".to_owned()];
        vec![
            Reason::NotEnded { ended: "limit".to_owned() },
            Reason::SaysUnfinished,
            Reason::NoChange,
            Reason::WeakenedTests { tests: some() },
            Reason::ClaimsDoneButFails { checks: some() },
            Reason::ChecksFail { checks: some() },
            Reason::CheckNoAnswer { checks: some() },
            Reason::NothingProven,
            Reason::GuardStops { findings: some() },
            Reason::Passes { checks: 2 },
            Reason::NobodyPasses,
            Reason::NoChecks,
            Reason::OnlyOnePasses,
            Reason::MoreChecksPass,
            Reason::SaysDone,
            Reason::FewerFindings,
            Reason::StaysInCard,
            Reason::EqualSmaller { lines: 3, other: 9 },
            Reason::EqualCheaper,
            Reason::EqualFaster,
            Reason::EqualResult,
        ]
    }

    #[test]
    fn every_reason_is_said_in_every_language_and_read_again_as_it_was_written() {
        for language in Language::ALL {
            let texts = Texts::new(language);
            for one in all() {
                let said = reason(&one, &|id, values| texts.say(id, values), &str::to_owned);
                assert!(!said.starts_with('[') && !said.is_empty(), "{language:?} {one:?}: {said}");
                let told = ToldReason { attempt: Some("a1".to_owned()), reason: one };
                let line = serde_json::to_string(&told).unwrap();
                assert_eq!(serde_json::from_str::<ToldReason>(&line).unwrap(), told, "{line}");
            }
            for code in [
                "nothing_needed",
                "partly_applied",
                "nothing_applied",
                "undone",
                "undone_partly",
                "choose",
                "nobody_passes",
            ] {
                let said = standing(
                    "run1",
                    "c1",
                    Some(code),
                    Some("why"),
                    &|id, values| texts.say(id, values),
                    &str::to_owned,
                );
                assert!(
                    said.as_ref().is_some_and(|said| !said.starts_with('[')),
                    "{language:?} {code}: {said:?}"
                );
            }
        }
    }
}
