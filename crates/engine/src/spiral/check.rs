//! Which commands judge the work: tests, builds, linters, type checkers.

use std::borrow::Cow;

/// Programs that do nothing else: tests, builds, linters and type checkers.
const CHECKERS: &str = "pytest py.test tox nox nose2 nosetests trial jest vitest mocha ava karma jasmine tap playwright cypress \
    rspec minitest phpunit pest ctest bats busted ginkgo gotestsum cargo-nextest runtests.py robot behave prove \
    ninja tsc vue-tsc javac rustc gcc g++ cc clang clang++ msbuild xcodebuild webpack rollup ant kotlinc scalac ghc \
    eslint mypy pyright basedpyright ruff flake8 pylint pyflakes pycodestyle bandit stylelint biome oxlint xo rubocop \
    golangci-lint staticcheck shellcheck checkstyle ktlint detekt phpstan psalm phpcs swiftlint hadolint clang-tidy cppcheck \
    dialyzer tflint yamllint markdownlint unittest compileall py_compile doctest twisted.trial";

/// Programs that change files, unless they are told only to look.
const FORMATTERS: &str = "black isort prettier rustfmt gofmt clang-format autopep8 yapf shfmt dprint";

/// Programs and the words that make them a check.
const WITH_WORD: &[(&str, &str)] = &[
    ("cargo", "test t build b check c clippy nextest bench doc"),
    ("go", "test build vet"),
    ("npm pnpm yarn bun deno", "test t tst build lint check typecheck type-check tsc e2e unit compile"),
    ("gradle gradlew mvn mvnw", "test build check verify package compile assemble install"),
    ("just task nx turbo lerna moon", "test build lint check ci typecheck"),
    ("next vite astro ng nuxt", "build lint test check"),
    ("bazel bazelisk buck2 pants", "test build"),
    ("dotnet swift stack cabal zig", "test build"),
    ("flutter dart", "test build analyze"),
    ("mix", "test compile credo dialyzer"),
    ("rails rake", "test spec"),
    ("meson sbt", "test compile"),
    ("cmake", "--build"),
    ("composer lein", "test lint check"),
    ("manage.py django-admin", "test check"),
    ("terraform tofu", "validate plan"),
    ("pre-commit", "run"),
];

/// `make` with another word builds or tests something.
const MAKE_OTHER: &str =
    "clean distclean mrproper install uninstall help run serve start dev watch deploy release format fmt";

/// Programs that start the one that is meant, and their own words before it.
const STARTERS: &[(&str, &str)] = &[
    ("npx bunx pnpx uvx time nice env timeout xvfb-run command exec sudo stdbuf then do else if while !", ""),
    ("pipx uv poetry pdm hatch rye pipenv conda coverage", "run"),
    ("bundle npm pnpm yarn", "exec dlx"),
];

/// Whether a command line runs tests, a build, a linter or a type checker. Looks at the words only: cheap, and good enough to
/// tell a check from anything else.
pub fn is_check(command: &str) -> bool {
    simple_commands(&without_documents(command)).any(|simple| is_simple_check(simple, true))
}

/// Whether success of the whole command line means that its check has passed. It does not behind `| tail`, before `; echo done`
/// or `|| true`: then the exit code is another program's.
pub fn passes_for_sure(command: &str) -> bool {
    let text = without_documents(command);
    let text = text.trim().trim_end_matches(';');
    let piped = !text.contains("pipefail");
    let (mut quote, mut last) = (None, ' ');
    let mut checked = false;
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, character)) = letters.next() {
        let before = std::mem::replace(&mut last, character);
        let ends = match (quote, character) {
            _ if before == '\\' => {
                last = ' ';
                false
            }
            (None, '\'' | '"') => {
                quote = Some(character);
                false
            }
            (Some(open), _) if open == character => {
                quote = None;
                false
            }
            // `2>&1` and `&>` end no command.
            (None, '&') => before != '>' && letters.peek().is_none_or(|(_, next)| *next != '>'),
            (None, ';' | '|' | '\n') => true,
            _ => false,
        };
        if !ends {
            continue;
        }
        checked |= is_simple_check(&text[start..at], true);
        let double = letters.peek().is_some_and(|(_, next)| *next == character);
        let harmless = (character == '&' && double) || (character == '|' && !double && !piped);
        if checked && !harmless {
            return false;
        }
        if double {
            letters.next();
        }
        start = letters.peek().map_or(text.len(), |(next, _)| *next);
    }
    true
}

/// One command: a program and its words.
fn is_simple_check(command: &str, look_inside: bool) -> bool {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let Some(mut program) = words.by_ref().find(|word| !is_assignment(word)) else { return false };
    for _ in 0..4 {
        let name = base(program);
        if listed(CHECKERS, name) {
            return !matches!(words.next(), Some("--version" | "--help" | "-h" | "-V"));
        }
        if listed(FORMATTERS, name) {
            return words.any(|word| matches!(word, "--check" | "--diff" | "-c" | "-l" | "-d" | "--dry-run"));
        }
        if is_interpreter(name) {
            return is_script_check(&mut words);
        }
        if matches!(name, "make" | "gmake") {
            return !words.any(|word| listed(MAKE_OTHER, word));
        }
        if matches!(name, "sh" | "bash" | "zsh" | "dash") {
            return is_shell_check(command, words.next().unwrap_or_default(), look_inside);
        }
        if WITH_WORD.iter().any(|(names, wanted)| listed(names, name) && says(words.clone(), wanted)) {
            return true;
        }
        let Some((_, own)) = STARTERS.iter().find(|(names, _)| listed(names, name)) else {
            return is_test_script(program);
        };
        let skip = |word: &&str| {
            is_flag(word)
                || is_assignment(word)
                || listed(own, word)
                || word.starts_with(|c: char| c.is_ascii_digit())
        };
        match words.by_ref().find(|word| !skip(word)) {
            Some(next) => program = next,
            None => return false,
        }
    }
    false
}

/// Whether the first plain word, or the name of the script to run, is one of the wanted.
fn says<'a>(words: impl Iterator<Item = &'a str> + Clone, wanted: &str) -> bool {
    if words.clone().next().is_some_and(|first| listed(wanted, first)) {
        return true;
    }
    let mut plain = words.filter(|word| !word.starts_with('+') && !is_flag(word));
    let first = plain.next().unwrap_or_default();
    let script =
        if matches!(first, "run" | "run-script" | "task") { plain.next().unwrap_or_default() } else { first };
    listed(wanted, script.split(':').next().unwrap_or_default())
}

/// `python -m pytest`, `python tests/test_it.py`, `node build.js`
fn is_script_check<'a>(words: &mut (impl Iterator<Item = &'a str> + Clone)) -> bool {
    while let Some(word) = words.next() {
        match word {
            "-m" => return words.next().is_some_and(|module| listed(CHECKERS, module) || module == "build"),
            "--test" => return true,
            "-c" | "-e" => return false,
            // These take a word of their own.
            "-W" | "-X" | "-r" | "--require" | "--import" => drop(words.next()),
            _ if is_flag(word) => {}
            _ => {
                let name = base(word);
                let known = WITH_WORD
                    .iter()
                    .any(|(names, wanted)| listed(names, name) && says(words.clone(), wanted));
                return known || listed(CHECKERS, name) || is_test_script(word);
            }
        }
    }
    false
}

/// `bash run_tests.sh`, `bash -lc 'npm test'`
fn is_shell_check(command: &str, first: &str, look_inside: bool) -> bool {
    if !is_flag(first) {
        return is_test_script(first);
    }
    let inside = command.split_once(first).map(|(_, rest)| rest.trim().trim_matches(['"', '\'']));
    let runs_text = !first.starts_with("--") && first.ends_with('c');
    look_inside
        && runs_text
        && inside.is_some_and(|text| simple_commands(text).any(|simple| is_simple_check(simple, false)))
}

/// `run_tests.sh`, `./test`, `bin/test`, `test_parser.py`, `lint`
fn is_test_script(program: &str) -> bool {
    const SCRIPTS: &str = "sh py js mjs cjs ts rb pl php";
    let name = base(program);
    let (stem, script) = match name.rsplit_once('.') {
        Some((stem, end)) => (stem, listed(SCRIPTS, end)),
        None => (name, true),
    };
    let named = listed("run_tests run-tests runtests run_test tests lint build check typecheck", stem);
    // `test` alone is the shell's own.
    let test = stem == "test" && program != "test";
    let of_test =
        name != stem && (stem.starts_with("test_") || stem.ends_with("_test") || stem.ends_with(".test"));
    script && (named || test || of_test)
}

/// The command without what is fed to it.
fn without_documents(command: &str) -> Cow<'_, str> {
    if !command.contains("<<") {
        return Cow::Borrowed(command);
    }
    let mut rest = String::with_capacity(command.len());
    let mut lines = command.lines();
    while let Some(line) = lines.next() {
        rest.push_str(line);
        rest.push('\n');
        let end = line.split_once("<<").filter(|(_, after)| !after.starts_with('<')).map(|(_, after)| {
            let word = after.trim_start_matches('-').split_whitespace().next().unwrap_or_default();
            word.trim_matches(['"', '\'', '\\'])
        });
        if let Some(end) = end.filter(|end| !end.is_empty()) {
            lines.by_ref().find(|line| line.trim() == end);
        }
    }
    Cow::Owned(rest)
}

/// The parts between `;`, `&`, `|`, brackets and line ends, outside of quotes.
fn simple_commands(text: &str) -> impl Iterator<Item = &str> {
    let (mut quote, mut last) = (None, ' ');
    text.split(move |character| {
        let before = std::mem::replace(&mut last, character);
        match (quote, character) {
            _ if before == '\\' => last = ' ',
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            // `2>&1` is no end of a command.
            (None, '&') => return before != '>',
            (None, ';' | '|' | '(' | ')' | '{' | '}' | '\n') => return true,
            _ => {}
        }
        false
    })
}

fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|word| word == name)
}

fn is_interpreter(name: &str) -> bool {
    let rest = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    rest.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
        || listed("py node ruby php perl", name)
}

fn base(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    ["exe", "cmd", "bat"].iter().find_map(|end| name.strip_suffix(end)?.strip_suffix('.')).unwrap_or(name)
}

fn is_flag(word: &str) -> bool {
    word.starts_with('-')
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::{is_check, passes_for_sure};

    #[test]
    fn success_of_the_line_is_not_always_success_of_the_check() {
        for command in [
            "cargo test",
            "cd web && npm test",
            "cargo test 2>&1",
            "cargo test && echo ok",
            "cat a | grep b; cargo test",
            "set -o pipefail; cargo test | tail -5",
            "pytest -k 'a | b; c'",
            "npm test;",
        ] {
            assert!(passes_for_sure(command), "{command}");
        }
        for command in [
            "cargo test 2>&1 | tail -20",
            "cargo test; echo done",
            "npm test || true",
            "pytest & sleep 1",
            "npm test\necho done",
            "cd web && npm test | head",
        ] {
            assert!(!passes_for_sure(command), "{command}");
        }
    }

    #[test]
    fn checks() {
        for command in [
            "pytest",
            "pytest -x tests/test_api.py::test_login",
            "python -m pytest -q",
            "python3.12 -m unittest discover",
            "cd backend && ./manage.py test accounts",
            "python manage.py test",
            "python tests/test_parser.py",
            "/usr/bin/python3 -W error -m mypy src",
            "cargo test --workspace 2>&1 | tail -20",
            "RUST_BACKTRACE=1 cargo +nightly clippy --all-targets",
            "nice cargo nextest run",
            "npm test",
            "npm run test:unit -- --watch=false",
            "pnpm --silent lint",
            "yarn build",
            "npx tsc --noEmit",
            "npx --yes vitest run",
            "bunx eslint .",
            "go test ./...",
            "go vet ./... && go build ./...",
            "make",
            "make -j8 check",
            "cmake --build build",
            "./gradlew test",
            "mvn -q verify",
            "dotnet build",
            "bundle exec rspec",
            "uv run pytest",
            "poetry run mypy .",
            "timeout 60 pytest",
            "time env CI=1 npm test",
            "bash run_tests.sh",
            "bash -lc 'cd web && npm test'",
            "./test",
            "bin/test sympy/core",
            "./scripts/lint",
            "node --test",
            "black --check .",
            "if ! cargo check; then echo no; fi",
            "cat <<'EOF' > test_it.py\nimport it\nEOF\npython test_it.py",
        ] {
            assert!(is_check(command), "{command}");
        }
    }

    #[test]
    fn other_commands() {
        for command in [
            "",
            "ls tests",
            "cat pytest.ini",
            "grep -rn pytest .",
            "echo 'npm test; cargo test'",
            "pip install pytest",
            "npm install",
            "npm run dev",
            "cargo run",
            "cargo add serde",
            "cargo fmt",
            "black .",
            "go mod tidy",
            "git commit -m 'make test pass'",
            "git checkout build",
            "test -f Makefile",
            "[ -d build ]",
            "mkdir -p build && cd build",
            "make clean",
            "pytest --version",
            "python app.py",
            "python -c 'import pytest'",
            "python manage.py migrate",
            "node server.js",
            "cat <<'EOF' > run.sh\npytest\ncargo test\nEOF",
            "sed -n 1,20p src/test.rs",
            "vim test_it.py",
        ] {
            assert!(!is_check(command), "{command}");
        }
    }
}
