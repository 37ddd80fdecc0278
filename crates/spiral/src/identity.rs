//! Which check a command line runs, however it is spelled: `CI=1 timeout 60 npm test`, `npm run test` and, where that is the script, `node test.js` are
//! one. And how much of it: a failure of `pytest tests/a.py::test_x` is settled by a run of all, not the other way round. (B2)

use serde::{Deserialize, Serialize};

use crate::check::{
    CHECKERS, OF_PACKAGE, STARTERS, base, inside_of, is_assignment, is_flag, is_interpreter, is_simple_check,
    listed, simple_commands, without_documents,
};

mod packages;

/// Options with which a check only tells of itself or lists what it would run.
const ONLY_TELLS: &str = "--help -h --version -V --collect-only --co --listTests --list --list-tests --showConfig --no-run --setup-plan \
    --fixtures --dry-run --print-config";
/// Options whose value says which part is run.
const CHOOSING: &str = "-k -m -t -g -p --grep --testNamePattern --test-name-pattern --testPathPattern --testPathPatterns -run --run --filter \
    --tests --name --only --project --package --test --bin --example --shard --exclude --deselect --ignore -Dtest --changedSince -w --workspace-name";
/// The same, without a value.
const CHOOSING_ALONE: &str = "--lib --bins --doc --lf --last-failed --onlyChanged --onlyFailures --findRelatedTests --changed -o --test-only";
/// Options with a value that says nothing about which part.
const VALUED: &str = "-n -j -c -C --config --maxfail --tb --timeout --reporter --reporters --workers --cov --cov-report --durations --seed \
    --testTimeout --format --color --manifest-path --features -F --jobs --retries --retry --rootdir --max-warnings --parser --profile \
    --target --target-dir -W -parallel -timeout -count --logger --verbosity --threads --pool --environment --require -r \
    --test-reporter --test-reporter-destination --test-concurrency --test-timeout --import --loader --env-file";
/// What names the whole of the tests.
const WHOLE: &str = "tests test spec specs __tests__";
/// Words of a script or target that runs no tests.
const NO_TESTS: &str = "lint linting build b compile typecheck type-check types tsc format fmt clippy vet doc docs bench analyze validate plan \
    credo dialyzer check-types bundle assemble";
/// Programs that run no tests.
const NO_TESTERS: &str = "ninja tsc vue-tsc javac rustc gcc g++ cc clang clang++ msbuild webpack rollup kotlinc scalac ghc eslint mypy pyright \
    basedpyright ruff flake8 pylint pyflakes pycodestyle bandit stylelint biome oxlint xo rubocop golangci-lint staticcheck shellcheck \
    checkstyle ktlint detekt phpstan psalm phpcs swiftlint hadolint clang-tidy cppcheck dialyzer tflint yamllint markdownlint compileall \
    py_compile cmake make gmake pre-commit terraform tofu black isort prettier rustfmt gofmt clang-format";
/// Runners of tests that the `test` script of a package usually starts.
const OF_PACKAGES: &str = "jest vitest mocha ava tap jasmine karma node";

/// What a recipe for `cargo` is asked for: a workspace whose root is a package of its own, or that names its default members.
pub const DEFAULT_MEMBERS: &str = "default-members";
/// Commands in a recipe that run nothing that could fail for what is checked.
const PREPARING: &str = "cd pushd popd echo printf mkdir rm rimraf cp mv export set unset true : touch source . exit cat sleep date wait umask \
    clear shx tput";

/// One check, and how much of it was run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CheckId {
    /// The program, without what starts it; with the target, where it has several.
    pub runner: String,
    /// The folder, from the project's own; empty: that one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// Files, folders and names that it was told; none: all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// What else chooses a part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// It runs tests, and is no build, linter or type check.
    pub tests: bool,
    /// It is what the package calls its tests.
    pub of_package: bool,
}

impl CheckId {
    /// Everything was run.
    pub fn is_whole(&self) -> bool {
        self.paths.is_empty() && self.filters.is_empty()
    }

    /// The same check, whatever part of it.
    pub fn is_same_check(&self, other: &Self) -> bool {
        self.runner == other.runner && packages::is_same(&self.folder, &other.folder)
    }

    /// What the other one runs, this one runs too.
    pub fn covers(&self, other: &Self) -> bool {
        if !packages::reaches(self, other) {
            return false;
        }
        if self.of_package && other.of_package && self.is_whole() {
            return true;
        }
        if self.of_package && self.is_whole() && other.tests {
            let program = other.runner.split(' ').next().unwrap_or_default();
            if listed(OF_PACKAGES, program) {
                return true;
            }
        }
        let filters = self.filters.is_empty() || self.filters == other.filters;
        let inside = |path: &String| {
            self.paths.iter().any(|wide| {
                path.strip_prefix(wide.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
            })
        };
        let paths = self.paths.is_empty() || (!other.paths.is_empty() && other.paths.iter().all(inside));
        self.runner == other.runner && filters && paths
    }

    /// It certainly ran nothing of this package. `names`: how the package may be called besides its folder; `packages`: the folders of others.
    pub fn leaves_out(&self, package: &str, names: &[String], packages: &[String]) -> bool {
        packages::leaves_out(self, package, names, packages)
    }
}

/// The checks of a command line, in order; none where it only lists or tells, or works outside of the project. `root`: the project's folder.
/// `folder`: where the line begins, from there. `recipe`: what the project has a program (`npm`, `make`, `just`, …) do in a folder under a name;
/// for `cargo` it is asked for [`DEFAULT_MEMBERS`] and answers where a plain run leaves packages out.
pub fn checks_in(
    line: &str,
    root: &str,
    folder: &str,
    recipe: &dyn Fn(&str, &str, &str) -> Option<String>,
) -> Vec<CheckId> {
    let mut found = Vec::new();
    Reader { root, recipe }.read(line, folder, 3, &mut found);
    found
}

struct Reader<'a> {
    root: &'a str,
    recipe: &'a dyn Fn(&str, &str, &str) -> Option<String>,
}

impl Reader<'_> {
    fn read(&self, line: &str, folder: &str, depth: u8, found: &mut Vec<CheckId>) {
        let text = without_documents(line);
        let mut folder = Some(folder.to_owned());
        let mut before = folder.clone();
        for simple in simple_commands(&text) {
            let words = words_of(simple);
            if matches!(words.first().map(String::as_str), Some("cd" | "pushd" | "chdir")) {
                let to = words.get(1).map_or("", String::as_str);
                let next = match to {
                    "-" => before.clone(),
                    to => folder.as_ref().and_then(|folder| self.moved(folder, to)),
                };
                before = std::mem::replace(&mut folder, next);
                continue;
            }
            let Some(folder) = &folder else { continue };
            if !is_simple_check(simple, true) || words.iter().any(|word| listed(ONLY_TELLS, word)) {
                continue;
            }
            for id in self.identify(&words, folder, depth) {
                if !found.contains(&id) {
                    found.push(id);
                }
            }
        }
    }

    /// None: outside of the project, or nobody knows where.
    fn moved(&self, folder: &str, to: &str) -> Option<String> {
        let inside = match to.strip_prefix(self.root) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => rest.trim_start_matches('/').to_owned(),
            _ if to.is_empty() || to.starts_with(['/', '~', '$', '-']) => return None,
            _ => format!("{folder}/{to}"),
        };
        let mut parts: Vec<&str> = Vec::new();
        for part in inside.split('/').filter(|part| !matches!(*part, "" | ".")) {
            if part == ".." {
                parts.pop()?;
            } else {
                parts.push(part);
            }
        }
        Some(parts.join("/"))
    }

    fn identify(&self, words: &[String], folder: &str, depth: u8) -> Vec<CheckId> {
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        loop {
            let skip = words.iter().take_while(|word| is_assignment(word)).count();
            words.drain(..skip);
            let Some(program) = words.first().copied() else { return Vec::new() };
            let name = base(program);
            let rest = words.get(1..).unwrap_or_default();
            if matches!(name, "sh" | "bash" | "zsh" | "dash")
                && rest.first().is_some_and(|word| is_flag(word))
            {
                let mut found = Vec::new();
                if depth > 0
                    && let Some(inside) = rest.get(1)
                {
                    self.read(inside, folder, depth - 1, &mut found);
                }
                return found;
            }
            if let Some(inside) = inside_of(name, rest.iter().copied()) {
                words = inside;
                continue;
            }
            if let Some((place, kept)) =
                packages::chosen(name, rest, |folder, to| self.moved(folder, to), folder)
            {
                // Whose script it is is known only where the folder is told.
                let again: Vec<String> = ["npm"].into_iter().chain(kept).map(str::to_owned).collect();
                let depth = if packages::is_folder(&place) { depth } else { 0 };
                let found = self.identify(&again, &place, depth);
                return found.into_iter().map(|id| CheckId { folder: place.clone(), ..id }).collect();
            }
            if matches!(name, "npm" | "pnpm" | "yarn" | "bun") {
                let plain: Vec<&str> = rest.iter().copied().filter(|word| !is_flag(word)).collect();
                let starts = plain.first().is_some_and(|word| {
                    matches!(*word, "exec" | "dlx" | "x") || (name != "npm" && listed(CHECKERS, base(word)))
                });
                if !starts {
                    return self.of_script(&plain, rest, folder, depth);
                }
                let from = usize::from(matches!(plain[0], "exec" | "dlx" | "x"));
                let at = rest.iter().position(|word| plain.get(from) == Some(word)).unwrap_or(0);
                words = rest[at..].to_vec();
                continue;
            }
            if !listed(CHECKERS, name)
                && let Some((_, own)) = STARTERS.iter().find(|(names, _)| listed(names, name))
            {
                let is_skipped = |word: &&&str| {
                    is_flag(word)
                        || is_assignment(word)
                        || listed(own, word)
                        || word.starts_with(|letter: char| letter.is_ascii_digit())
                };
                let skipped = rest.iter().take_while(is_skipped).count();
                words = rest[skipped..].to_vec();
                continue;
            }
            // `make -C web test`
            if matches!(name, "make" | "gmake")
                && let Some(at) = rest.iter().position(|word| matches!(*word, "-C" | "--directory"))
                && let Some(place) = rest.get(at + 1).and_then(|to| self.moved(folder, to))
            {
                let kept = words.iter().enumerate().filter(|(place, _)| *place != at + 1 && *place != at + 2);
                let kept: Vec<String> = kept.map(|(_, word)| (*word).to_owned()).collect();
                return self.identify(&kept, &place, depth);
            }
            let mut id = plain_check(name, program, rest, folder);
            if name == "cargo" {
                let chosen = |word: &&str| matches!(*word, "--workspace" | "--all" | "-p" | "--package");
                if !rest.iter().any(|word| chosen(&word.split('=').next().unwrap_or(word)))
                    && (self.recipe)("cargo", folder, DEFAULT_MEMBERS).is_some()
                {
                    id.filters.push(DEFAULT_MEMBERS.to_owned());
                }
            }
            if let Some((program, name, extra)) = recipe_of(name, rest) {
                let (paths, filters) = selection(extra, true);
                let by_name = CheckId { runner: format!("{program} {name}"), paths, filters, ..id };
                return self.of_recipe(program, name, folder, depth, by_name);
            }
            return vec![id];
        }
    }

    /// What a recipe runs, if it can be read through; else the recipe by its name (`by_name`), and both where a part of it cannot.
    fn of_recipe(
        &self,
        program: &str,
        name: &str,
        folder: &str,
        depth: u8,
        by_name: CheckId,
    ) -> Vec<CheckId> {
        let Some(line) = (self.recipe)(program, folder, name).filter(|_| depth > 0) else {
            return vec![by_name];
        };
        let mut found = Vec::new();
        self.read(&line, folder, depth - 1, &mut found);
        if found.is_empty() {
            return vec![by_name];
        }
        // What a project calls its tests are its tests, whatever they are.
        let has_tests = found.iter().any(|id| id.tests);
        for id in &mut found {
            id.tests |= by_name.tests && !has_tests;
            id.of_package = by_name.of_package && id.tests;
        }
        // What is added to the call goes to the last command.
        if let Some(last) = found.last_mut() {
            last.paths.extend(by_name.paths.clone());
            last.filters.extend(by_name.filters.clone());
        }
        let is_seen = |part: &str| {
            let words = words_of(part);
            let first = words.iter().find(|word| !is_assignment(word));
            first.is_none_or(|word| listed(PREPARING, base(word))) || is_simple_check(part, true)
        };
        if !simple_commands(&without_documents(&line)).all(is_seen) {
            found.push(by_name);
        }
        found
    }

    /// `npm test`, `yarn run test:unit -- cart`: what the package says, if that is one command; else the name of the script.
    fn of_script(&self, plain: &[&str], rest: &[&str], folder: &str, depth: u8) -> Vec<CheckId> {
        let named = plain.iter().position(|word| !matches!(*word, "run" | "run-script" | "task"));
        let Some(named) = named.map(|at| plain[at]) else { return Vec::new() };
        let name = if matches!(named, "t" | "tst") { "test" } else { named };
        let at = rest.iter().position(|word| *word == named).map_or(rest.len(), |at| at + 1);
        let (paths, filters) = selection(&rest[at..], true);
        let tests = !listed(NO_TESTS, name.split(':').next().unwrap_or(name));
        let of_package = name == "test";
        let by_name = CheckId {
            runner: format!("script {name}"),
            folder: folder.to_owned(),
            paths,
            filters,
            tests,
            of_package,
        };
        self.of_recipe("npm", name, folder, depth, by_name)
    }
}

/// The program whose recipe is called, the name of the recipe, and what is added to it: `make -j4 test`, `composer run test`, `deno task test`.
fn recipe_of<'a>(name: &str, rest: &'a [&'a str]) -> Option<(&'static str, &'a str, &'a [&'a str])> {
    let program = match name {
        "make" | "gmake" => "make",
        "just" => "just",
        "composer" => "composer",
        "deno" => "deno",
        _ => return None,
    };
    let is_name = |word: &&str| {
        !is_flag(word) && !is_assignment(word) && !word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut at = rest.iter().position(is_name)?;
    let runs = match program {
        "composer" => matches!(rest[at], "run" | "run-script"),
        "deno" if rest[at] != "task" => return None,
        "deno" => true,
        _ => false,
    };
    if runs {
        at += 1 + rest.get(at + 1..)?.iter().position(is_name)?;
    }
    // Several targets in one call are several recipes: only one is read through.
    let extra = rest.get(at + 1..)?;
    let is_one = program != "make" || !extra.iter().any(is_name);
    is_one.then_some((program, rest[at], extra))
}

/// A program that is a check, without what starts it.
fn plain_check(name: &str, program: &str, rest: &[&str], folder: &str) -> CheckId {
    let id = |runner: String, tests: bool, rest: &[&str]| {
        let (paths, filters) = selection(rest, tests);
        CheckId { runner, folder: folder.to_owned(), paths, filters, tests, of_package: false }
    };
    if is_interpreter(name) {
        if let Some(at) = rest.iter().position(|word| *word == "-m") {
            let module = rest.get(at + 1).copied().unwrap_or_default();
            return plain_check(module, module, rest.get(at + 2..).unwrap_or_default(), folder);
        }
        if rest.contains(&"--test") {
            let rest: Vec<&str> = rest.iter().copied().filter(|word| *word != "--test").collect();
            return id("node --test".to_owned(), true, &rest);
        }
        let Some(at) = rest.iter().position(|word| !is_flag(word)) else {
            return id(name.to_owned(), true, rest);
        };
        let file = rest[at].trim_start_matches("./");
        if base(file) == "manage.py" {
            return plain_check("manage.py", file, &rest[at + 1..], folder);
        }
        // A script is one check of its own: `node test.js`, `python tests/test_a.py`.
        let kind = if name == "node" { "node" } else { "script" };
        let tests = !listed(NO_TESTS, base(file).split('.').next().unwrap_or_default());
        return id(format!("{kind} {file}"), tests, &rest[at + 1..]);
    }
    let name = match name {
        "py.test" => "pytest",
        "gradlew" => "gradle",
        "mvnw" => "mvn",
        "gmake" => "make",
        "sh" | "bash" | "zsh" | "dash" => {
            let file = rest.iter().find(|word| !is_flag(word)).copied().unwrap_or_default();
            return id(format!("script {}", file.trim_start_matches("./")), true, &[]);
        }
        other => other,
    };
    if listed(CHECKERS, name) {
        let own = "run test check";
        let skipped = rest
            .iter()
            .position(|word| !is_flag(word))
            .filter(|at| listed(own, rest[*at]) && listed("vitest playwright cypress ruff biome ava", name));
        let mut rest = rest.to_vec();
        if let Some(at) = skipped {
            rest.remove(at);
        }
        if name == "vitest" {
            // Once instead of watching.
            rest.retain(|word| *word != "--run");
        }
        return id(name.to_owned(), !listed(NO_TESTERS, name), &rest);
    }
    // Programs with several trades: the word says which.
    let at = rest.iter().position(|word| {
        !is_flag(word)
            && !is_assignment(word)
            && !word.starts_with('+')
            && !word.bytes().all(|byte| byte.is_ascii_digit())
    });
    let Some(at) = at else {
        return id(format!("{name} {}", program.trim_start_matches("./")), !listed(NO_TESTERS, name), rest);
    };
    let word = rest[at];
    let (place, word) = word.rsplit_once(':').filter(|_| name == "gradle").unwrap_or(("", word));
    let word = match (name, word) {
        ("cargo", "t" | "nextest") => "test",
        ("cargo", "b") => "build",
        ("cargo", "c") => "check",
        _ => word,
    };
    let others = rest.get(at + 1..).unwrap_or_default();
    let others = others.strip_prefix(&["run"]).filter(|_| rest[at] == "nextest").unwrap_or(others);
    let builds = match name {
        "gradle" | "mvn" => false,
        "cargo" if word == "check" => true,
        "make" => listed(NO_TESTS, word),
        _ => listed(NO_TESTS, word) || listed(NO_TESTERS, name),
    };
    let tests = !builds;
    // A program of its own is named by its path.
    let named = if program.contains('/') && !listed("gradle mvn manage.py", name) {
        program.trim_start_matches("./")
    } else {
        name
    };
    let mut whole = id(format!("{named} {word}"), tests, others);
    if !place.is_empty() {
        whole.paths.push(place.to_owned());
    }
    whole
}

/// Which part was chosen: places and names, and what else chooses.
fn selection(rest: &[&str], tests: bool) -> (Vec<String>, Vec<String>) {
    let (mut paths, mut filters) = (Vec::new(), Vec::new());
    let mut words = rest.iter().copied().peekable();
    while let Some(word) = words.next() {
        if is_flag(word) {
            let (name, value) =
                word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
            if listed(CHOOSING_ALONE, name) {
                filters.push(name.to_owned());
            } else if listed(CHOOSING, name) {
                let value = value.or_else(|| words.next()).unwrap_or_default();
                filters.push(format!("{name} {value}"));
            } else if value.is_none() && listed(VALUED, name) {
                words.next_if(|next| !is_flag(next));
            }
            continue;
        }
        let bare = word.trim_start_matches("./").trim_end_matches("...").trim_end_matches('/');
        let is_all = matches!(bare, "" | "." | "*") || (tests && listed(WHOLE, bare));
        if !is_all && !is_assignment(word) {
            paths.push(bare.to_owned());
        }
    }
    (paths, filters)
}

/// The words of one command, without quotes and without where its output goes.
fn words_of(simple: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut current, mut quote, mut is_word) = (String::new(), None, false);
    for letter in simple.chars().chain([' ']) {
        match (quote, letter) {
            (None, '\'' | '"') => (quote, is_word) = (Some(letter), true),
            (Some(open), _) if open == letter => quote = None,
            (None, _) if letter.is_whitespace() => {
                if is_word || !current.is_empty() {
                    words.push(std::mem::take(&mut current));
                }
                is_word = false;
            }
            _ => current.push(letter),
        }
    }
    let mut kept = Vec::new();
    let mut pieces = words.into_iter();
    while let Some(word) = pieces.next() {
        let arrow = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if arrow.starts_with(['>', '<']) {
            if arrow.trim_start_matches(['>', '<']).is_empty() {
                pieces.next();
            }
            continue;
        }
        // Words of the shell before a command.
        if kept.is_empty() && listed("then do else if while until ! time", &word) {
            continue;
        }
        kept.push(word);
    }
    kept
}
