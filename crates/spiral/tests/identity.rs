//! Labelled pairs of command lines: does the second one, if it passes, settle the failure of the first? (B2)

use spiral::checks_in;

const ROOT: &str = "/home/me/shop";

fn settles(failed: &str, passed: &str) -> bool {
    let script = |program: &str, folder: &str, name: &str| {
        (program == "npm" && folder.is_empty() && name == "test").then(|| "node test.js".to_owned())
    };
    let ids = |line: &str| checks_in(&line.replace("ROOT", ROOT), ROOT, "", &script);
    let (red, green) = (ids(failed), ids(passed));
    !red.is_empty() && red.iter().all(|red| green.iter().any(|green| green.covers(red)))
}

fn hold(data: &str) {
    let wrong: Vec<&str> = data
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .filter(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            settles(fields[1], fields[2]) != (fields[0] == "settles")
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_failed_check_is_settled_by_the_same_or_a_wider_run_however_it_is_spelled_b2() {
    hold(include_str!("data/same-check-seen.tsv"));
}

/// Not looked at while the code was made.
#[test]
fn and_in_pairs_that_nobody_looked_at_b2() {
    hold(include_str!("data/same-check-unseen.tsv"));
}

/// What the recipes of a project say: its name, the program that runs them, their name, what they do.
const RECIPES: &[(&str, &str, &str, &str)] = &[
    ("node", "npm", "test", "node --test"),
    ("folder", "npm", "test", "node --test tests/"),
    ("glob", "npm", "test", "node --test 'tests/*.test.js'"),
    ("vitest", "npm", "test", "vitest run --coverage"),
    ("both", "npm", "test", "npm run lint && npm run unit"),
    ("both", "npm", "lint", "eslint ."),
    ("both", "npm", "unit", "jest --runInBand"),
    ("hidden", "npm", "test", "bash e2e.sh && jest"),
    ("make", "make", "test", "mkdir -p out && python -m pytest -q tests"),
    ("make", "make", "lint", "ruff check ."),
    ("make", "make", "check", "make lint && make test"),
    ("just", "just", "test", "cargo test --workspace"),
    ("rooted", "cargo", "default-members", ""),
    ("composer", "composer", "test", "vendor/bin/phpunit"),
    ("deno", "deno", "test", "deno test -A"),
];

fn hold_recipes(data: &str) {
    let is_right = |line: &&str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let recipe = |program: &str, folder: &str, name: &str| {
            let found = RECIPES.iter().find(|one| (one.0, one.1, one.2) == (fields[1], program, name));
            found.filter(|_| folder.is_empty()).map(|one| one.3.to_owned())
        };
        let ids = |line: &str| checks_in(&line.replace("ROOT", ROOT), ROOT, "", &recipe);
        let mut open = ids(fields[2]);
        assert!(!open.is_empty(), "{line}");
        for run in fields[3].split(" ;; ") {
            let green = ids(run);
            open.retain(|red| !green.iter().any(|green| green.covers(red)));
        }
        open.is_empty() == (fields[0] == "settles")
    };
    let lines = data.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let wrong: Vec<&str> = lines.filter(|line| !is_right(line)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_a_recipe_runs_is_the_same_check_whoever_starts_it_m1() {
    hold_recipes(include_str!("data/same-recipe-seen.tsv"));
}

/// Not looked at while the code was made.
#[test]
fn and_in_recipes_that_nobody_looked_at_m1() {
    hold_recipes(include_str!("data/same-recipe-unseen.tsv"));
}

#[test]
fn what_only_lists_or_works_elsewhere_runs_no_check_of_the_project_m3() {
    for line in [
        "npm test --help",
        "pytest --collect-only -q",
        "npm test -- --listTests",
        "cargo test --no-run",
        "cd /tmp && npm test",
        "cd ~/other && pytest",
        "cd ../other && npm test",
        "echo npm test",
    ] {
        assert_eq!(checks_in(line, ROOT, "", &|_, _, _| None), [], "{line}");
    }
}

#[test]
fn tests_are_told_from_builds_and_linters_m3() {
    for (line, tests) in [
        ("npm test", true),
        ("npm run test:unit", true),
        ("make check", true),
        ("./gradlew build", true),
        ("npx tsc --noEmit", false),
        ("npm run lint", false),
        ("cargo build", false),
        ("cargo clippy", false),
        ("make build", false),
        ("go vet ./...", false),
    ] {
        let found = checks_in(line, ROOT, "", &|_, _, _| None);
        assert_eq!(found.iter().map(|id| id.tests).collect::<Vec<_>>(), [tests], "{line}");
    }
}
