//! Agents that run in circles: the founding story, and a read that is made again and again.

use testkit::model::{Request, Step};
use vib_e2e::{Client, ClientRun};

use super::objections::first_denied;

const CART: &str = "function total(prices) {\n  let sum = 0;\n  for (const price of prices) sum += price;\n  return sum;\n}\n";
const MENDED: &str = "  return sum * 2;";
const FILES: &[(&str, &str)] =
    &[("src/cart.js", CART), ("notes.txt", "one\ntwo\n"), ("other.txt", "three\nfour\n")];

/// The founding story: each request leaves the file so that no program can read it, and nobody runs a test. The third is
/// stopped, in words that the person knows; when they say "go on", the agent may mend it.
pub fn a_file_stays_broken(client: Client) {
    const REQUEST: &str = "Count every article twice, please.";
    let run = ClientRun::new(client, FILES).with_vib();
    let prompts = [REQUEST, "That does not work at all.", "It is still broken."];
    let lines = ["  return sum;", "  return sum * (2;", "  return (sum * [2;", "  return {sum * 2;"];
    let denied = (0..3).find_map(|round| {
        let before = run.sandbox.read("src/cart.js");
        let turn = run
            .prompt(
                prompts[round],
                [
                    Step::read("src/cart.js"),
                    Step::edit("src/cart.js", lines[round], lines[round + 1]),
                    Step::say("Now it should be right."),
                ],
            )
            .done();
        (run.sandbox.read("src/cart.js") == before).then_some((round, turn))
    });
    let (round, turn) = denied.expect("three requests left the file broken, and all were let through");
    assert!(round >= 1, "one mistake is no circle");
    let said = turn.agent_requests().last().expect("a request after the denial").text();
    let (_, reason) =
        said.split_once("vib: ").unwrap_or_else(|| panic!("no reason reached the model: {said}"));
    let reason = reason.split("explain the problem").next().unwrap_or(reason);
    for words in ["cannot be read as code", "src/cart.js", REQUEST, "go on"] {
        assert!(reason.contains(words), "`{words}` is not in the reason: {reason}");
    }
    assert_eq!(uuid_in(reason), None, "nobody knows a turn by its id: {reason}");

    let before = lines[round];
    run.prompt(
        "go on",
        [Step::read("src/cart.js"), Step::edit("src/cart.js", before, MENDED), Step::say("Mended.")],
    )
    .done();
    assert!(run.sandbox.read("src/cart.js").contains(MENDED), "the person let the agent go on");
}

/// The same read again and again: at some time it is denied; an edit of another file right after that is not.
pub fn a_read_repeats(client: Client) {
    let run = ClientRun::new(client, FILES).with_vib();
    let mut steps = vec![Step::read("other.txt")];
    let reads = match client {
        // It reads by commands, which may be polls and get more patience.
        Client::Codex => 12,
        _ => 9,
    };
    // Gemini ends a run by itself at the fifth call that is the same, so there two take turns.
    let takes_turns = |number: usize| client == Client::Gemini && number % 2 == 1;
    let file = |number: usize| if takes_turns(number) { "src/cart.js" } else { "notes.txt" };
    steps.extend((0..reads).map(|number| Step::read(file(number))));
    steps.extend([Step::edit("other.txt", "four", "vier"), Step::say("I read it often.")]);
    let turn = run.prompt("Read the notes.", steps).done();
    let last = || turn.agent_requests().last().map(Request::text).unwrap_or_default();
    let denied = first_denied(&turn, "is not made again")
        .unwrap_or_else(|| panic!("all reads were let through: {}", last()));
    // One call before the first of them.
    let denied = denied - 1;
    assert!((4..=reads).contains(&denied), "read number {denied} was denied: {}", last());
    assert_eq!(
        run.sandbox.read("other.txt"),
        "three\nvier\n",
        "the edit after it was let through: {}",
        last()
    );
}

/// The first word that looks like `8-4-4-4-12` hexadecimal digits.
fn uuid_in(text: &str) -> Option<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_hexdigit() && letter != '-');
    words.into_iter().find(|word| word.split('-').map(str::len).eq([8, 4, 4, 4, 12]))
}
