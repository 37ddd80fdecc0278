//! A whole day: looking around, changing prices, a test that fails and is mended, numbered scripts, numbered files, a commit.

use testkit::model::{Request, Step};
use vib_e2e::{Client, ClientRun, Leave, Turn};

use super::objections;

/// One file each, all of the same shape.
const SHELVES: [&str; 7] = ["tea", "coffee", "cocoa", "sugar", "milk", "honey", "lemon"];
/// So many of them get another price.
const DEARER: usize = 5;
const CART: &str = "// The cart.\nfunction total(prices) {\n  let sum = 1;\n  for (const price of prices) sum += price;\n  return sum;\n}\nmodule.exports = { total };\n";
const TEST: &str = "const test = require(\"node:test\");\nconst assert = require(\"node:assert\");\nconst { total } = require(\"../src/cart.js\");\n\
     test(\"two teas\", () => assert.strictEqual(total([3, 5]), 8));\n";
const RUN_TESTS: &str = "node --test test/cart.test.js";
const SCRIPTS: usize = 5;
const PICTURES: usize = 10;

/// The project: shelves, a cart that counts wrong, its test, a guide, scripts and pictures with numbers.
fn files() -> Vec<(String, String)> {
    let mut files = vec![
        ("src/cart.js".to_owned(), CART.to_owned()),
        ("test/cart.test.js".to_owned(), TEST.to_owned()),
        ("docs/guide.md".to_owned(), (1..=40).map(|line| format!("Rule {line} of the guide.\n")).collect()),
    ];
    files.extend(SHELVES.iter().enumerate().map(|(number, name)| {
        let text = format!(
            "// Shelf {number}: {name} comes first.\nconst price = {number};\nmodule.exports = {{ price }};\n"
        );
        (shelf(name), text)
    }));
    files.extend((1..=SCRIPTS).map(|n| (format!("scripts/t{n}.sh"), "echo all is well\n".to_owned())));
    files.extend((1..=PICTURES).map(|n| (format!("img{n}.txt"), format!("picture {n}\n"))));
    files
}

fn shelf(name: &str) -> String {
    format!("src/{name}.js")
}

/// Everything is done, and vib has nothing to say.
pub fn is_not_disturbed(client: Client) {
    let files = files();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let mut run = ClientRun::new(client, &files).with_git().with_vib();
    if client == Client::ClaudeCode {
        // In a session without a terminal it offers no tools to search with, unless it is told to.
        run = run.with_leave(Leave::Words(&[
            "--dangerously-skip-permissions",
            "--tools",
            "Bash,Edit,Write,Read,Grep,Glob",
        ]));
    }

    let looked = run.prompt("Have a look at the shop.", looking()).done();
    for name in SHELVES {
        assert!(looked.told(&format!("{name} comes first")), "{name} was read");
    }
    for line in [1, 10, 11, 20, 21, 30] {
        assert!(looked.told(&format!("Rule {line} of the guide.")), "line {line} was read");
    }
    // Read once and found once, or only found.
    for (words, count) in [
        ("const price = 6;", 2),
        ("total([3, 5])", 1),
        ("cocoa comes first", 2),
        ("sugar comes first", 2),
        ("cart.test.js", 2),
        ("t5.sh", 1),
    ] {
        assert!(times(&looked, words) >= count, "`{words}` was found: {}", last(&looked).text());
    }

    let changed = run.prompt("New prices, and the cart counts wrong.", changing()).done();
    for (number, name) in SHELVES.iter().enumerate() {
        let price = if number < DEARER { number + 300 } else { number };
        assert!(run.sandbox.read(&shelf(name)).contains(&format!("const price = {price};")), "{name}");
    }
    assert!(run.sandbox.read("src/cart.js").contains("let sum = 0;"));
    assert!(times(&changed, "# fail 1") >= 2, "the test failed twice: {}", last(&changed).text());
    assert!(times(&changed, "# fail 0") >= 1, "then it passed: {}", last(&changed).text());
    assert!(times(&changed, "all is well") >= SCRIPTS, "all scripts ran: {}", last(&changed).text());

    let tidied = run.prompt("Rename the pictures, commit, and look once more.", tidying()).done();
    for n in 1..=PICTURES {
        assert_eq!(run.sandbox.read(&format!("pic{n}.txt")), format!("picture {n}\n"));
        assert!(!run.sandbox.exists(&format!("img{n}.txt")));
    }
    assert!(
        run.git(&["log", "--format=%s"]).contains("New prices"),
        "it was committed: {}",
        last(&tidied).text()
    );
    // Claude Code says of a file that it has shown before only that it is the same.
    let read = |request: &Request| {
        ["comes first", "unchanged since"].map(|words| request.text().matches(words).count())
    };
    let [before, after] = [tidied.agent_requests().next(), tidied.agent_requests().last()]
        .map(|request| request.map_or(0, |request| read(request).iter().sum::<usize>()));
    assert!(
        after >= before + SHELVES.len(),
        "all was read again ({before}, {after}): {}",
        last(&tidied).text()
    );

    objections::there_are_none(&[looked, changed, tidied]);
    let resting = run.sandbox.vib(&["spiral", "status"]).ok().stdout;
    assert!(!resting.contains("src/"), "nothing rests: {resting}");
    let history = run.history();
    for words in ["New prices", "Rename the pictures"] {
        assert!(history.contains(words), "vib saved before `{words}`: {history}");
    }
}

/// Eight files one after another, one in ranges, four searches, two looks for names.
fn looking() -> Vec<Step> {
    let mut steps: Vec<Step> = SHELVES.iter().map(|name| Step::read(&shelf(name))).collect();
    steps.push(Step::read("src/cart.js"));
    steps
        .extend([(1, 10), (11, 20), (21, 30)].map(|(first, last)| Step::lines("docs/guide.md", first, last)));
    steps.extend(["price", "total", "Shelf 2", "Shelf 3"].map(Step::search));
    steps.extend(["*.test.js", "t*.sh"].map(Step::find));
    steps.push(Step::say("A nice shop."));
    steps
}

/// Five edits, a test that fails twice and passes after a sixth, five scripts that all say the same.
fn changing() -> Vec<Step> {
    let price = |(number, name): (usize, &&str)| {
        let (old, new) = (format!("const price = {number};"), format!("const price = {};", number + 300));
        [Step::read(&shelf(name)), Step::edit(&shelf(name), &old, &new)]
    };
    let mut steps: Vec<Step> = SHELVES.iter().enumerate().take(DEARER).flat_map(price).collect();
    steps.extend([
        Step::bash(RUN_TESTS),
        Step::bash(RUN_TESTS),
        Step::read("src/cart.js"),
        Step::edit("src/cart.js", "  let sum = 1;", "  let sum = 0;"),
        Step::bash(RUN_TESTS),
    ]);
    steps.extend((1..=SCRIPTS).map(|n| Step::bash(&format!("sh scripts/t{n}.sh"))));
    steps.push(Step::say("The prices are new, and the cart is right."));
    steps
}

/// Ten renames, a commit, and the eight files again.
fn tidying() -> Vec<Step> {
    let mut steps: Vec<Step> =
        (1..=PICTURES).map(|n| Step::bash(&format!("mv img{n}.txt pic{n}.txt"))).collect();
    steps.push(Step::bash("git add --all && git commit --quiet -m 'New prices'"));
    steps.extend(SHELVES.iter().map(|name| Step::read(&shelf(name))));
    steps.push(Step::read("src/cart.js"));
    steps.push(Step::say("Tidy."));
    steps
}

fn last(turn: &Turn) -> &Request {
    turn.agent_requests().last().expect("a request")
}

/// How often the model was told this by the end.
fn times(turn: &Turn, words: &str) -> usize {
    last(turn).text().matches(words).count()
}
