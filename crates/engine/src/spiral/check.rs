//! Which commands judge the work: tests, builds, linters, type checkers.

/// Programs that do nothing else.
const CHECKERS: &[&str] = &[
    // Tests.
    "pytest",
    "py.test",
    "tox",
    "nox",
    "nose2",
    "nosetests",
    "trial",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "karma",
    "jasmine",
    "tap",
    "playwright",
    "cypress",
    "rspec",
    "minitest",
    "phpunit",
    "pest",
    "ctest",
    "bats",
    "busted",
    "ginkgo",
    "gotestsum",
    "nextest",
    "cargo-nextest",
    "runtests.py",
    "robot",
    "behave",
    "prove",
    // Builds.
    "make",
    "gmake",
    "ninja",
    "tsc",
    "vue-tsc",
    "javac",
    "rustc",
    "gcc",
    "g++",
    "cc",
    "clang",
    "clang++",
    "msbuild",
    "xcodebuild",
    "webpack",
    "rollup",
    "esbuild",
    "ant",
    "kotlinc",
    "scalac",
    "ghc",
    "zig",
    // Linters and type checkers.
    "eslint",
    "mypy",
    "pyright",
    "basedpyright",
    "ruff",
    "flake8",
    "pylint",
    "pyflakes",
    "pycodestyle",
    "bandit",
    "isort",
    "black",
    "stylelint",
    "biome",
    "oxlint",
    "standard",
    "xo",
    "rubocop",
    "golangci-lint",
    "staticcheck",
    "shellcheck",
    "clippy-driver",
    "checkstyle",
    "ktlint",
    "detekt",
    "phpstan",
    "psalm",
    "phpcs",
    "swiftlint",
    "hadolint",
    "clang-tidy",
    "cppcheck",
    "credo",
    "dialyzer",
    "sorbet",
    "tflint",
    "yamllint",
    "markdownlint",
];

/// Programs with a word that makes them a check.
const WITH_WORD: &[(&[&str], &[&str])] = &[
    (&["cargo"], &["test", "t", "build", "b", "check", "c", "clippy", "nextest", "bench", "doc", "fmt"]),
    (&["go"], &["test", "build", "vet"]),
    (
        &["npm", "pnpm", "yarn", "bun", "deno"],
        &[
            "test",
            "t",
            "tst",
            "build",
            "lint",
            "check",
            "typecheck",
            "type-check",
            "tsc",
            "ci",
            "e2e",
            "unit",
        ],
    ),
    (
        &["gradle", "gradlew", "mvn", "mvnw"],
        &["test", "build", "check", "verify", "package", "compile", "assemble", "install"],
    ),
    (&["dotnet"], &["test", "build"]),
    (&["swift"], &["test", "build"]),
    (&["flutter", "dart"], &["test", "build", "analyze"]),
    (&["mix"], &["test", "compile", "credo", "dialyzer", "format"]),
    (&["rails", "rake"], &["test", "spec"]),
    (&["bazel", "bazelisk", "buck2", "pants"], &["test", "build"]),
    (&["sbt"], &["test", "compile"]),
    (&["stack", "cabal"], &["test", "build"]),
    (&["cmake"], &["--build"]),
    (&["meson"], &["test", "compile"]),
    (&["composer"], &["test", "lint", "check"]),
    (&["lein"], &["test", "check"]),
    (
        &["just", "task", "nx", "turbo", "lerna", "moon"],
        &["test", "build", "lint", "check", "ci", "typecheck"],
    ),
    (&["manage.py", "django-admin"], &["test", "check"]),
    (&["next", "vite", "astro", "ng", "nuxt"], &["build", "lint", "test", "check"]),
    (&["terraform", "tofu"], &["validate", "plan"]),
    (&["pre-commit"], &["run"]),
    (&["julia"], &["Pkg.test()"]),
];

/// Programs that start the one that is meant, with how many plain words of theirs come before it.
const STARTERS: &[(&str, &[&str])] = &[
    ("npx", &[]),
    ("bunx", &[]),
    ("pnpx", &[]),
    ("uvx", &[]),
    ("pipx", &["run"]),
    ("uv", &["run"]),
    ("poetry", &["run"]),
    ("pdm", &["run"]),
    ("hatch", &["run"]),
    ("rye", &["run"]),
    ("pipenv", &["run"]),
    ("bundle", &["exec"]),
    ("npm", &["exec"]),
    ("pnpm", &["exec", "dlx"]),
    ("yarn", &["exec", "dlx"]),
    ("time", &[]),
    ("nice", &[]),
    ("env", &[]),
    ("timeout", &[]),
    ("xvfb-run", &[]),
    ("command", &[]),
    ("exec", &[]),
    ("sudo", &[]),
    ("stdbuf", &[]),
    ("coverage", &["run"]),
    ("conda", &["run"]),
    ("docker", &[]),
    ("then", &[]),
    ("do", &[]),
    ("!", &[]),
];

/// Whether a command line runs tests, a build, a linter or a type checker. Looks at the words only: cheap, and good enough to
/// tell a check from anything else.
pub fn is_check(command: &str) -> bool {
    let mut start = 0;
    let mut quote = None;
    let bytes = command.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (None, b'\'' | b'"') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (None, b';' | b'&' | b'|' | b'\n' | b'(' | b')' | b'{' | b'}') => {
                // `2>&1` is no end of a command.
                if byte == b'&' && at > 0 && bytes[at - 1] == b'>' {
                    continue;
                }
                if is_simple_check(&command[start..at]) {
                    return true;
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    is_simple_check(&command[start..])
}

/// One command: a program and its words.
fn is_simple_check(command: &str) -> bool {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    // A here-document or a comment is no command to judge by.
    let Some(mut program) = words.by_ref().find(|word| !is_assignment(word)) else { return false };
    for _ in 0..4 {
        let name = base(program);
        if is_python(name) {
            return is_python_check(&mut words);
        }
        if CHECKERS.contains(&name) {
            return !is_only_a_question(words.next());
        }
        if let Some((_, wanted)) = WITH_WORD.iter().find(|(names, _)| names.contains(&name)) {
            let mut plain = words.clone().filter(|word| !word.starts_with('+') && !is_flag(word));
            let first = plain.next().unwrap_or_default();
            let script = if matches!(first, "run" | "run-script" | "task") {
                plain.next().unwrap_or_default()
            } else {
                first
            };
            let flagged = words.clone().next().is_some_and(|word| wanted.contains(&word));
            if flagged
                || wanted.contains(&script)
                || wanted.contains(&script.split(':').next().unwrap_or_default())
            {
                return true;
            }
        }
        let Some((_, verbs)) = STARTERS.iter().find(|(starter, _)| *starter == name) else {
            return is_test_script(name);
        };
        let skip =
            |word: &&str| is_flag(word) || is_assignment(word) || verbs.contains(word) || is_number(word);
        match words.by_ref().find(|word| !skip(word)) {
            Some(next) => program = next,
            None => return false,
        }
    }
    false
}

fn is_python_check<'a>(words: &mut impl Iterator<Item = &'a str>) -> bool {
    while let Some(word) = words.next() {
        if word == "-m" {
            let module = words.next().unwrap_or_default();
            return matches!(
                module,
                "unittest" | "compileall" | "py_compile" | "doctest" | "build" | "twisted.trial"
            ) || CHECKERS.contains(&module);
        }
        if word == "-c" {
            return false;
        }
        if !is_flag(word) {
            let name = base(word);
            let django =
                name == "manage.py" && words.next().is_some_and(|word| matches!(word, "test" | "check"));
            return django || CHECKERS.contains(&name) || is_test_script(name);
        }
    }
    false
}

/// `run_tests.sh`, `test.sh`, `./test`, `build.sh`, `lint`.
fn is_test_script(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let script = !name.contains('.')
        || [".sh", ".py", ".js", ".mjs", ".ts", ".rb", ".pl"].iter().any(|end| name.ends_with(end));
    let plain = matches!(
        stem,
        "run_tests"
            | "run-tests"
            | "runtests"
            | "run_test"
            | "tests"
            | "lint"
            | "build"
            | "check"
            | "typecheck"
    );
    script && (plain || (stem == "test" && name != "test"))
}

/// `--version` and `--help` judge nothing.
fn is_only_a_question(first: Option<&str>) -> bool {
    matches!(first, Some("--version" | "--help" | "-h" | "-V"))
}

fn is_python(name: &str) -> bool {
    let rest = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    rest.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.')) || name == "py"
}

fn base(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    ["exe", "cmd", "bat"].iter().find_map(|end| name.strip_suffix(end)?.strip_suffix('.')).unwrap_or(name)
}

fn is_flag(word: &str) -> bool {
    word.starts_with('-')
}

fn is_number(word: &str) -> bool {
    word.bytes().next().is_some_and(|b| b.is_ascii_digit())
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with('-')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}
