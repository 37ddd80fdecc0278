//! Why an attempt is the best, or none is, in sentences for people.

use engine::run::compare::{Judgement, Reason};

/// Why, one sentence each.
pub(crate) fn sentences(judgement: &Judgement) -> Vec<String> {
    let best = judgement.recommended.as_deref().unwrap_or("nobody");
    let whole = judgement.reasons.iter().map(|reason| format!("{best}: {}", words(reason)));
    let rows = judgement.rows.iter().flat_map(|row| {
        let not = row.reasons.iter().filter(|reason| !matches!(reason, Reason::Passes { .. }));
        not.map(|reason| format!("{}: {}", row.attempt, words(reason)))
    });
    whole.chain(rows).collect()
}

fn words(reason: &Reason) -> String {
    let list = |all: &[String]| all.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", ");
    match reason {
        Reason::NotEnded { ended } => format!("it did not come to its end ({ended})"),
        Reason::SaysUnfinished => "it says itself that something is open".to_owned(),
        Reason::NoChange => "it changed nothing".to_owned(),
        Reason::WeakenedTests { tests } => format!("tests went or check less: {}", list(tests)),
        Reason::ClaimsDoneButFails { checks } => {
            format!("it says that it is done, and {} fails", list(checks))
        }
        Reason::ChecksFail { checks } => format!("{} fails, and did not before", list(checks)),
        Reason::CheckNoAnswer { checks } => format!("{} gave no answer", list(checks)),
        Reason::NothingProven => "no check passed on it".to_owned(),
        Reason::GuardStops { findings } => format!("the guard speaks against it: {}", list(findings)),
        Reason::Passes { checks } => format!("{checks} checks pass"),
        Reason::NobodyPasses => "no attempt passes".to_owned(),
        Reason::NoChecks => "no checks were run, so nothing is proven".to_owned(),
        Reason::OnlyOnePasses => "no other one passes".to_owned(),
        Reason::MoreChecksPass => "more checks pass on it than on the next one".to_owned(),
        Reason::SaysDone => "it says that it is done; the next one does not".to_owned(),
        Reason::FewerFindings => "the guard found less than in the next one".to_owned(),
        Reason::StaysInCard => "it stays within the card; the next one does not".to_owned(),
        Reason::EqualSmaller { lines, other } => {
            format!("as good as the next one, and smaller ({lines} lines, not {other})")
        }
        Reason::EqualCheaper => "as good as the next one, and cheaper".to_owned(),
        Reason::EqualFaster => "as good as the next one, and faster".to_owned(),
        Reason::EqualResult => "the next one left exactly the same behind".to_owned(),
    }
}
