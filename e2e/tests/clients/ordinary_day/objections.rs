//! What vib says when it stands in an agent's way.

use testkit::model::Request;
use vib_e2e::Turn;

/// How vib begins what it has to say.
const VIB: &str = "vib: ";
/// What is only advice for the person.
const ADVICE: &str = "a suggestion for the person";
/// Words of objections and of warnings before one, whoever says them; none of them stands in what an agent at honest work hears.
const WORDS: [&str; 11] = [
    "vib could not judge",
    "vib cannot see",
    "made the same call",
    "will be refused",
    "is not made again",
    "Do not try again",
    "tell the person what happened",
    "a person has to decide",
    "no checkpoint covers",
    "nothing is saved here",
    "held back",
];

/// Fails the test if vib objected to anything, warned of anything, or was not there at all.
#[track_caller]
pub fn there_are_none(turns: &[Turn]) {
    let all = || turns.iter().flat_map(Turn::agent_requests).map(Request::text);
    assert!(all().any(|text| text.contains("vib watches this project")), "vib took part");
    let shown = turns.iter().flat_map(|turn| [turn.output.stdout.clone(), turn.output.stderr.clone()]);
    for text in all().chain(shown) {
        let spoken = text.match_indices(VIB).find(|(at, _)| !text[at + VIB.len()..].starts_with(ADVICE));
        let objected = WORDS.iter().find_map(|words| text.match_indices(words).next());
        if let Some((at, _)) = spoken.or(objected) {
            let before: Vec<char> = text[..at].chars().rev().take(600).collect();
            let after: String = text[at..].chars().take(900).collect();
            panic!("vib objected: {}\n>>> {after}", before.into_iter().rev().collect::<String>());
        }
    }
}

/// Which call of a prompt was denied first, counted from one: the request after it is the first that says `words` once more than
/// the prompt's own first request, which may carry the same from earlier prompts.
pub fn first_denied(turn: &Turn, words: &str) -> Option<usize> {
    let said = |request: &Request| request.text().matches(words).count();
    let before = turn.agent_requests().next().map_or(0, said);
    turn.agent_requests().position(|request| said(request) > before)
}
