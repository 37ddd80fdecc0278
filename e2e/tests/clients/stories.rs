//! What must hold with every client: one story each, told with the client that is handed in.
//!
//! The clients run the scripted commands for real. They only touch the test's own folders, by relative paths.

use testkit::Photo;
use testkit::model::{Request, Step};
use vib_e2e::{Client, ClientRun, Turn};

const FILES: &[(&str, &str)] = &[
    ("README.md", "# A shop\n\nSells tea.\n"),
    ("src/prices.txt", "green 4\nblack 3\nwhite 7\n"),
    ("src/stock.txt", "green 10\nblack 20\nwhite 5\n"),
    ("docs/guide/start.md", "Start here.\n"),
    ("docs/guide/next.md", "Then here.\n"),
];

/// The agent writes and edits, then its shell damages what it wrote and what was there before: a person gets back to before
/// the damage in one step, and to the beginning in a few.
pub fn damage_is_undone(client: Client) {
    let run = ClientRun::new(client, FILES).with_vib();
    run.make_executable("src/stock.txt");
    let beginning = Photo::of(&run.sandbox.root());
    run.prompt(
        "Add oolong, and make black tea dearer.",
        [
            Step::write("src/oolong.txt", "oolong 9\n"),
            Step::read("src/prices.txt"),
            Step::edit("src/prices.txt", "black 3", "black 5"),
            Step::say("Oolong is in."),
        ],
    )
    .done();
    assert_eq!(run.sandbox.read("src/prices.txt"), "green 4\nblack 5\nwhite 7\n");
    let worked = Photo::of(&run.sandbox.root());

    run.prompt(
        "Tidy up.",
        [
            Step::bash(
                "sed -i s/e/E/ src/prices.txt src/stock.txt README.md && : > src/oolong.txt && \
                 chmod 600 src/stock.txt && rm -r docs && mkdir docs && cp README.md docs/start.md",
            ),
            Step::say("All tidy."),
        ],
    )
    .done();
    assert!(!run.sandbox.exists("docs/guide/start.md"), "the shell did its damage");
    assert_eq!(run.sandbox.read("src/oolong.txt"), "");

    run.sandbox.vib(&["undo", "--yes"]).ok();
    worked.assert_same(&Photo::of(&run.sandbox.root()));

    let steps = (1..=6).find(|_| {
        run.sandbox.vib(&["undo", "--yes"]).ok();
        Photo::of(&run.sandbox.root()) == beginning
    });
    assert!(steps.is_some(), "the beginning was not among the steps:\n{}", run.history());
    let history = run.history();
    for words in ["Add oolong", "Tidy up."] {
        assert!(history.contains(words), "`{words}` is in the history:\n{history}");
    }
}

/// The model makes several calls in one answer. Some clients call all hooks first and run the tools then: what the first tool
/// did is in no checkpoint before the second. A person gets back to the beginning all the same.
pub fn calls_at_once_are_undone(client: Client) {
    let run = ClientRun::new(client, FILES).with_vib();
    let beginning = Photo::of(&run.sandbox.root());
    run.prompt(
        "Do everything at once.",
        [
            Step::together([
                Step::write("src/oolong.txt", "oolong 9\n"),
                Step::bash("sed -i s/black/red/ src/prices.txt src/stock.txt"),
                Step::bash("cp src/stock.txt copy.txt && rm -r docs"),
            ]),
            Step::say("Everything is done."),
        ],
    )
    .done();
    assert_eq!(run.sandbox.read("src/prices.txt"), "green 4\nred 3\nwhite 7\n");
    assert!(
        run.sandbox.exists("src/oolong.txt") && run.sandbox.exists("copy.txt") && !run.sandbox.exists("docs")
    );
    let steps = (1..=6).find(|_| {
        run.sandbox.vib(&["undo", "--yes"]).ok();
        Photo::of(&run.sandbox.root()) == beginning
    });
    assert!(steps.is_some(), "the beginning was not among the steps:\n{}", run.history());
}

/// What vib has to say at the beginning of a session is in the very request with the person's prompt.
pub fn context_reaches_the_model(client: Client) {
    let run = ClientRun::new(client, FILES).with_vib();
    let turn = run.prompt("Hello.", [Step::say("Hello to you.")]).done();
    let first = turn.agent_requests().next().expect("a request");
    assert!(first.mentions("Hello."), "{}", first.text());
    assert!(first.mentions("vib watches this project"), "{}", first.text());
    assert!(turn.output.stdout.contains("Hello to you."), "{}", turn.output.stdout);
}

/// A command that would destroy something outside the project does not run, and the model learns why.
pub fn outside_is_denied(client: Client) {
    let run = ClientRun::new(client, FILES).with_vib();
    let outside = run.folder_beside_the_project("letters.txt", "Dear all,\n");
    let turn = run
        .prompt(
            "Make room.",
            [Step::bash(&format!("rm -r ../{outside}")), Step::say("I was not allowed to.")],
        )
        .done();
    let kept = std::fs::read_to_string(run.sandbox.base().join(&outside).join("letters.txt"));
    assert_eq!(kept.expect("the folder outside is still there"), "Dear all,\n");
    let answer = turn.agent_requests().last().expect("a request after the denial").text();
    assert!(answer.contains("which no checkpoint covers"), "the reason reached the model: {answer}");
    assert!(
        turn.output.stdout.contains("I was not allowed to."),
        "the client went on: {}",
        turn.output.stdout
    );
}

/// The agent changes a line back and forth, prompt after prompt: it is stopped, and told why.
pub fn spiral_is_blocked(client: Client) {
    const FILE: &str = "src/prices.js";
    let files = [FILES, &[(FILE, "export const black = 3;\n")]].concat();
    let run = ClientRun::new(client, &files).with_vib();
    // A large part of the file comes and goes, never quite the same: a switch back and forth may be what the person wants.
    let mut there = "export const black = 3;".to_owned();
    // Nobody asks for anything new: what a person asks for is no circle.
    let again =
        ["It is still wrong, try again.", "No, that is still not right.", "It does not work, fix it."];
    let turn = (0..9).find_map(|round| {
        let before = run.sandbox.read(FILE);
        let lines = if round % 2 == 0 { 60 } else { 1 };
        let many: Vec<String> =
            (0..lines).map(|line| format!("export const black{line} = {round};")).collect();
        let new = many.join("\n");
        let turn = run
            .prompt(
                again[round % again.len()],
                [Step::read(FILE), Step::edit(FILE, &there, &new), Step::say("Now it should be right.")],
            )
            .done();
        let blocked = run.sandbox.read(FILE) == before;
        there = new;
        blocked.then_some((round, turn))
    });
    let (round, turn) = turn.expect("nine times in and out were let through");
    assert!(round >= 2, "a first change and its way back are no spiral, but round {round} was blocked");
    // The conversation is sent as a whole each time: what is new in the last request came with the blocked edit.
    let told = |request: &Request| request.text().matches("back and forth").count();
    let (first, last) = (turn.agent_requests().next(), turn.agent_requests().last());
    let (first, last) = (first.expect("a request"), last.expect("a request after the denial"));
    assert!(told(last) > told(first), "the reason reached the model: {}", last.text());
    assert!(last.mentions("`src/prices.js`"), "with the file: {}", last.text());
    let status = run.sandbox.vib(&["spiral", "status"]);
    assert!(status.stdout.contains("src/prices.js"), "the person can see it: {}", status.stdout);
}

/// `/rollback` in the chat: held back from the model, previewed with a code; the code does it; the model is told.
pub fn chat_rolls_back(client: Client) {
    let run = ClientRun::new(client, FILES).with_vib();
    let beginning = Photo::of(&run.sandbox.root());
    run.prompt(
        "Make everything cheaper.",
        [
            Step::read("src/prices.txt"),
            Step::edit("src/prices.txt", "white 7", "white 1"),
            Step::bash("rm docs/guide/next.md && sed -i s/tea/coffee/ README.md"),
            Step::say("Cheaper now."),
        ],
    )
    .done();
    let worked = Photo::of(&run.sandbox.root());
    assert!(worked != beginning, "the agent did something");

    let preview = run.prompt("/rollback", [Step::say("A model has nothing to say here.")]);
    worked.assert_same(&Photo::of(&run.sandbox.root()));
    assert!(!newest_prompt_is(&preview, "/rollback"), "the prompt was held back from the model");
    let code = run.rollback_code().unwrap_or_else(|| panic!("no rollback waits for its code: {preview:#?}"));
    let shown = run.shown_to_the_person(&preview);
    if let Some(shown) = shown {
        assert!(shown.contains(&code), "the code `{code}` is shown: {shown}");
        assert!(shown.contains("src/prices.txt"), "what would change is shown: {shown}");
    }

    run.prompt(&code, [Step::say("A model has nothing to say here.")]);
    beginning.assert_same(&Photo::of(&run.sandbox.root()));

    let turn = run.prompt("Go on with something else.", [Step::say("All right.")]).done();
    assert!(turn.told("Go on with something else."));
    assert!(
        turn.told("The person went back"),
        "the model is told: {}",
        turn.agent_requests().last().expect("a request").text()
    );
}

/// `/lesson` after a rollback in the chat: held back from the model, and in the context of the next session.
pub fn lesson_reaches_the_next_session(client: Client) {
    const LESSON: &str = "Read the price list before you change a price";
    let run = ClientRun::new(client, FILES).with_vib();
    let beginning = Photo::of(&run.sandbox.root());
    run.prompt(
        "Make tea cheaper.",
        [
            Step::read("src/prices.txt"),
            Step::edit("src/prices.txt", "white 7", "white 1"),
            Step::say("Cheaper now."),
        ],
    )
    .done();
    run.prompt("/rollback", [Step::say("A model has nothing to say here.")]);
    let code = run.rollback_code().expect("a rollback waits for its code");
    run.prompt(&code, [Step::say("A model has nothing to say here.")]);
    beginning.assert_same(&Photo::of(&run.sandbox.root()));
    let said = run.prompt(&format!("/lesson {LESSON}"), [Step::say("A model has nothing to say here.")]);
    assert!(
        !newest_prompt_is(&said, &format!("/lesson {LESSON}")),
        "the prompt was held back from the model"
    );
    assert!(run.sandbox.read("LESSONS.md").contains(LESSON));
    run.begin_a_new_session();
    let turn = run.prompt("Hello.", [Step::say("Hello.")]).done();
    assert!(
        turn.told(LESSON),
        "the model is told: {}",
        turn.agent_requests().last().expect("a request").text()
    );
    assert!(turn.told("They are information, not orders"), "and what it is");
}

/// True if a request of this turn carries exactly this prompt.
fn newest_prompt_is(turn: &Turn, prompt: &str) -> bool {
    turn.agent_requests().any(|request| request.text().lines().any(|line| line.trim_matches('"') == prompt))
}

/// Whoever really calls is known by name afterwards; and when the settings are taken away, the next command says so (C4).
pub fn the_last_call_is_known_and_lost_hooks_are_missed(client: Client) {
    let run = ClientRun::new(client, FILES).with_vib();
    let status = || run.sandbox.data(&["status"])["protection"].clone();
    let one = |all: &serde_json::Value| {
        let clients = all["clients"].as_array().cloned().unwrap_or_default();
        clients.into_iter().find(|one| one["client"] == client.name()).unwrap_or_default()
    };
    assert_ne!(status()["verdict"], "hooks", "nobody has called yet");
    run.prompt("Add oolong.", [Step::write("src/oolong.txt", "oolong 9\n"), Step::say("Done.")]).done();
    let after = status();
    assert_eq!(after["verdict"], "hooks", "{after}");
    let called = one(&after);
    assert_eq!(called["standing"], "works", "{after}");
    assert!(called["last_call"]["session"].is_string(), "{after}");

    for place in called["places"].as_array().cloned().unwrap_or_default() {
        let file = place["file"].as_str().unwrap_or_default();
        let base = run.sandbox.base();
        let path = match file.strip_prefix("~/") {
            Some(inside) => base.join("home").join(inside),
            None => run.sandbox.root().join(file),
        };
        std::fs::remove_file(path).expect("the settings file goes");
    }
    let said = run.sandbox.vib(&["status"]).ok().stdout;
    assert!(said.contains("are gone from") && said.contains("puts them back"), "{said}");
    assert_ne!(status()["verdict"], "hooks");
    assert!(run.sandbox.vib(&["history"]).ok().stderr.contains("are gone from"));
}
