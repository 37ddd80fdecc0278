//! Which commands judge the work: tests, builds, linters, type checkers.

use std::borrow::Cow;

/// Programs that do nothing else: tests, builds, linters and type checkers.
pub(crate) const CHECKERS: &str = "pytest py.test tox nox nose2 nosetests trial jest vitest mocha ava karma jasmine tap playwright cypress \
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
    ("just task nx turbo lerna moon mise", "test build lint check ci typecheck"),
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
/// Words of targets that are there to write in files of the project. They are checks all the same.
const WRITING: &str = "generate gen codegen regenerate proto protos protobuf schema sync update update-snapshots i18n messages makemessages \
    migrations vendor tidy fix autofix";

/// Programs that start the one that is meant, and their own words before it.
pub(crate) const STARTERS: &[(&str, &str)] = &[
    ("npx bunx pnpx uvx time nice env timeout xvfb-run command exec sudo stdbuf then do else if while !", ""),
    ("pipx uv poetry pdm hatch rye pipenv conda coverage", "run"),
    ("bundle npm pnpm yarn", "exec dlx"),
];

/// Whether a command line runs tests, a build, a linter or a type checker. Looks at the words only: cheap, and good enough to
/// tell a check from anything else.
pub fn is_check(command: &str) -> bool {
    simple_commands(&without_documents(command)).any(|simple| is_simple_check(simple, true))
}

/// Commands around a check that change no file by themselves; where one is told to write into a file, that file is named.
const LOOKERS: &str = "cd pushd popd echo printf cat head tail grep egrep fgrep rg sort uniq wc tee less more true false : sleep date export set \
    unset source . ls pwd test [ [[ nl cut tr column jq diff for fi done esac wait which type ulimit exit return";
/// Programs with words for errands: what they do is elsewhere (a repository, a registry, a container, a database), or in places that nobody types
/// into (lock files, installed packages).
const ERRANDS: &[(&str, &str)] = &[
    ("git", "fetch add commit push tag remote status log diff show branch gc notes"),
    ("npm pnpm yarn bun", "install i ci add update outdated audit view whoami login publish"),
    ("pip pip3 uv poetry pipenv", "install sync lock download list freeze"),
    ("bundle gem", "install update"),
    ("cargo", "fetch update install add"),
    ("go", "get mod"),
    ("composer", "install update require"),
    ("brew apt apt-get dnf apk", "install update upgrade"),
    (
        "docker podman nerdctl",
        "build buildx compose pull push ps logs up down stop start restart images tag login",
    ),
    ("docker-compose podman-compose", "up down build pull logs ps restart stop start"),
    ("kubectl helm", "get describe logs apply rollout"),
    ("alembic", "upgrade downgrade current history stamp"),
    ("manage.py django-admin", "migrate showmigrations createsuperuser flush loaddata"),
    ("rails rake", "db:migrate db:rollback db:seed db:create"),
    ("prisma", "migrate db"),
    ("gh glab", "pr issue run auth api"),
];
/// Programs that do nothing but errands.
const ERRAND_RUNNERS: &str =
    "sleep wait curl ping ssh psql mysql redis-cli sqlite3 systemctl service open xdg-open";
/// Programs whose errands leave no new file in the folder either.
const FAR_AWAY: &str = "git gh glab kubectl helm";

/// What a part of a line that only runs an errand is there for. A program behind `python3` or `npx` is meant like the program itself.
fn errand(part: &str) -> Option<Trade> {
    let mut words = part
        .split_whitespace()
        .map(|word| word.trim_matches(['"', '\'']))
        .skip_while(|word| is_assignment(word) || listed("sudo time nice npx python python3 -m", base(word)));
    let program = words.next().map(base)?;
    if listed(ERRAND_RUNNERS, program) {
        return Some(Trade::Reports);
    }
    // The word that says what to do: the first that is no option, and no folder that `-C` goes to.
    let mut after_folder = false;
    let word = words.find(|word| {
        let is_value = std::mem::replace(&mut after_folder, matches!(*word, "-C" | "-c" | "-f" | "--prefix"));
        !is_value && !word.starts_with('-')
    });
    // `yarn` and `pnpm` alone install.
    let known = match word {
        Some(word) => {
            ERRANDS.iter().any(|(programs, errands)| listed(programs, program) && listed(errands, word))
        }
        None => listed("yarn pnpm", program),
    };
    known.then(|| if listed(FAR_AWAY, program) { Trade::Reports } else { Trade::Builds })
}

/// The list of parts that an installer writes into when it adds one.
fn manifest(part: &str) -> Option<&'static str> {
    let mut words = part.split_whitespace().skip_while(|word| is_assignment(word));
    let program = words.next().map(base)?;
    let word = words.find(|word| !word.starts_with('-'))?;
    const MANIFESTS: &[(&str, &str, &str)] = &[
        ("npm pnpm yarn bun", "install i add update uninstall remove rm", "package.json"),
        ("cargo", "add remove", "Cargo.toml"),
        ("go", "get mod", "go.mod"),
        ("uv poetry pdm", "add remove", "pyproject.toml"),
        ("pipenv", "install uninstall", "Pipfile"),
        ("composer", "require remove", "composer.json"),
    ];
    let found =
        MANIFESTS.iter().find(|(programs, verbs, _)| listed(programs, program) && listed(verbs, word));
    found.map(|(_, _, manifest)| *manifest)
}

/// Words that make a checker mend what it finds.
const MENDING: &str = "--fix --fix-only --write -w --update -u --updateSnapshot --update-snapshots --snapshot-update --in-place -i -a -A \
    --autocorrect --autocorrect-all --auto-correct --auto-correct-all --unsafe-fixes --apply --bless --accept --inplace format fmt fix";

/// Programs that build. With a word for a test they are no builds.
const BUILDERS: &str = "make gmake ninja cmake tsc vue-tsc javac rustc gcc g++ cc clang clang++ msbuild xcodebuild webpack rollup ant kotlinc \
    scalac ghc bazel bazelisk buck2 pants pre-commit py_compile compileall";
const BUILD_WORDS: &str =
    "build b compile package assemble install doc build.sh build.py build.js build.mjs build.ts bundle";
const TEST_WORDS: &str = "test tests t tst check c lint typecheck type-check e2e unit verify vet clippy nextest --noEmit --no-emit spec ci";

/// What a command is there for, as far as its words tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trade {
    /// To write, or nobody knows.
    Writes,
    /// A build: it makes files, and does not write in those that it reads.
    Builds,
    /// Tests, linters, type checkers: it looks and reports, and writes little but its own records.
    Reports,
}

/// What a command line is there for. A line counts as a check only if each part of it is one or only looks, and nothing tells it to mend what
/// it finds.
pub fn trade(command: &str) -> Trade {
    let text = without_documents(command);
    let mut found = None;
    for part in simple_commands(&text).map(str::trim).filter(|part| !part.is_empty()) {
        let words = || part.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
        let first = words().find(|word| !is_assignment(word));
        if is_simple_check(part, true) {
            if words().any(|word| listed(MENDING, word.split('=').next().unwrap_or(word))) {
                return Trade::Writes;
            }
            let is =
                |list: &str| words().any(|word| listed(list, base(word).split(':').next().unwrap_or(word)));
            // Hooks before a commit format what they find; a target that generates is there to write.
            if is("pre-commit lefthook") || is("make gmake just task npm pnpm yarn bun rake") && is(WRITING) {
                return Trade::Writes;
            }
            let builds = (is(BUILDERS) || is(BUILD_WORDS)) && !is(TEST_WORDS);
            found = Some(if builds || found == Some(Trade::Builds) { Trade::Builds } else { Trade::Reports });
        } else if let Some(errand) = errand(part) {
            found = Some(if found == Some(Trade::Builds) { Trade::Builds } else { errand });
        } else if !first.is_none_or(|word| listed(LOOKERS, word)) {
            return Trade::Writes;
        }
    }
    found.unwrap_or(Trade::Writes)
}

/// Options that always have a value, and it is a file or a folder that is written.
const OUTPUT_OPTIONS: &str = "out output outfile outdir outputfile outputdir junitxml coverprofile cpuprofile memprofile blockprofile \
    resultsdir destination logfile logdir basetemp alluredir targetdir covreport coveragedirectory coveragedir artifactsdir artifactdir \
    distpath workpath depfile reportdir reportfile";
/// The same, if the value stands in the same word: others of these names have none.
const OUTPUT_IF_TOLD: &str = "report reports junit result results dest html xml emit save trace json";
/// Programs whose `-o` or `-d` names what they make; to others these letters mean something else.
const MAKERS: &str = "gcc g++ cc clang clang++ go rustc javac kotlinc scalac ghc ld nvcc ocamlc";

/// Files and folders that options of a command line name as its output (`-o app`, `--junitxml=report.xml`, `--outDir lib`), as they are typed.
pub fn named_outputs(command: &str) -> Vec<String> {
    let text = without_documents(command);
    let mut found = Vec::new();
    for part in simple_commands(&text) {
        found.extend(manifest(part).map(str::to_owned));
        let mut words = part.split_whitespace().map(|word| word.trim_matches(['"', '\''])).peekable();
        let makes =
            words.clone().find(|word| !is_assignment(word)).is_some_and(|word| listed(MAKERS, base(word)));
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix('-') else { continue };
            let option = option.trim_start_matches('-');
            let (name, value) =
                option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
            let is_short = makes && !word.starts_with("--") && matches!(name, "o" | "d");
            if !is_short && !is_output_option(name, value.is_some()) {
                continue;
            }
            let next = words.peek().copied().filter(|next| value.is_none() && !is_flag(next));
            let value = value.or(next).unwrap_or_default();
            // `html:htmlcov`, `type=html,dir`: the last part is the place.
            let place = value.rsplit([':', ',']).next().unwrap_or(value).trim_matches(['"', '\'']);
            if !place.is_empty() && place.len() < 300 && !place.contains(['$', '*', '`', '<', '>']) {
                found.push(place.to_owned());
            }
        }
    }
    found
}

fn is_output_option(name: &str, has_value: bool) -> bool {
    let name = name.to_ascii_lowercase();
    let plain = name.replace(['-', '_', '.'], "");
    let speaks_of_output = || {
        name.split(['-', '_', '.'])
            .any(|part| matches!(part, "out" | "output" | "outfile" | "outdir" | "outputfile"))
    };
    listed(OUTPUT_OPTIONS, &plain) || speaks_of_output() || has_value && listed(OUTPUT_IF_TOLD, &plain)
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
pub(crate) fn is_simple_check(command: &str, look_inside: bool) -> bool {
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
        if let Some(inside) = inside_of(name, words.clone()) {
            return look_inside && is_simple_check(&inside.join(" "), false);
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

/// Options of package managers whose value is a package or its folder: `npm --prefix web test`, `pnpm --filter api test`.
pub(crate) const OF_PACKAGE: &str =
    "--prefix -C --dir --cwd --filter -F -w --workspace --scope --projects -p";

/// Scripts that are checks where they are run as scripts: `npm run ci`, not `npm ci`.
const WHEN_RUN: &str = "ci verify validate qa all test-all tests";

/// Whether the first plain word, or the name of the script to run, is one of the wanted.
fn says<'a>(words: impl Iterator<Item = &'a str> + Clone, wanted: &str) -> bool {
    if words.clone().next().is_some_and(|first| listed(wanted, first)) {
        return true;
    }
    let mut is_value = false;
    let mut plain = words.filter(|word| {
        let skipped = std::mem::take(&mut is_value);
        is_value = listed(OF_PACKAGE, word);
        !skipped && !word.starts_with('+') && !is_flag(word)
    });
    let mut first = plain.next().unwrap_or_default();
    // `yarn workspace api test`, `yarn workspaces foreach run test`
    if first == "workspace" {
        plain.next();
        first = plain.next().unwrap_or_default();
    } else if first == "workspaces" {
        first = plain.by_ref().find(|word| !matches!(*word, "foreach" | "run")).unwrap_or_default();
    }
    let runs = matches!(first, "run" | "run-script" | "task" | "run-many");
    let script = if runs { plain.next().unwrap_or_default() } else { first };
    // `nx run api:test`, `test:unit`
    let mut parts = script.split(':');
    listed(wanted, parts.next().unwrap_or_default())
        || runs && (listed(WHEN_RUN, script) || parts.any(|part| listed(wanted, part)))
}

/// The command that a container or a shell of packages runs: `docker compose run --rm app npm test`, `nix develop -c npm test`.
pub(crate) fn inside_of<'a>(name: &str, words: impl Iterator<Item = &'a str>) -> Option<Vec<&'a str>> {
    let words: Vec<&str> = words.collect();
    let after = |marks: &[&str]| {
        let at = words.iter().position(|word| marks.contains(word))?;
        Some(words[at + 1..].to_vec())
    };
    match name {
        "docker" | "podman" | "docker-compose" => {
            let at = words.iter().position(|word| matches!(*word, "run" | "exec"))?;
            // Between the options and the command stands what is run in; which options have values, nobody needs to know: the
            // command is where a known checker begins.
            let rest = &words[at + 1..];
            (1..rest.len())
                .map(|from| &rest[from..])
                .find(|inside| begins_a_check(inside))
                .map(<[&str]>::to_vec)
        }
        "nix" => after(&["-c", "--command"]),
        "nix-shell" => after(&["--run", "--command"]),
        "mise" | "devbox" | "direnv" | "flox" => after(&["--"]),
        _ => None,
    }
}

fn begins_a_check(words: &[&str]) -> bool {
    let Some(name) = words.first().map(|word| base(word)) else { return false };
    let known = listed(CHECKERS, name)
        || is_interpreter(name)
        || matches!(name, "make" | "sh" | "bash")
        || WITH_WORD.iter().any(|(names, _)| listed(names, name))
        || STARTERS.iter().any(|(names, _)| listed(names, name));
    known && is_simple_check(&words.join(" "), false)
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
pub(crate) fn without_documents(command: &str) -> Cow<'_, str> {
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
pub(crate) fn simple_commands(text: &str) -> impl Iterator<Item = &str> {
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

pub(crate) fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|word| word == name)
}

pub(crate) fn is_interpreter(name: &str) -> bool {
    let rest = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    rest.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
        || listed("py node ruby php perl", name)
}

pub(crate) fn base(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    ["exe", "cmd", "bat"].iter().find_map(|end| name.strip_suffix(end)?.strip_suffix('.')).unwrap_or(name)
}

pub(crate) fn is_flag(word: &str) -> bool {
    word.starts_with('-')
}

pub(crate) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::{Trade, is_check, passes_for_sure, trade};

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
            "npm --prefix packages/a test",
            "pnpm --filter a test",
            "pnpm -C packages/a test",
            "pnpm -r test",
            "yarn workspace a test",
            "npx nx run a:test",
            "bun --filter a test",
            "npm run ci",
            "mise run test",
            "docker compose run --rm app npm test",
            "docker compose exec -T app pytest -q",
            "docker run --rm -v .:/w img cargo test",
            "nix develop -c npm test",
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

    #[test]
    fn options_name_what_a_command_writes_m4() {
        for (command, outputs) in [
            ("pytest --junitxml=reports/out.xml -q", &["reports/out.xml"][..]),
            ("go test ./... -coverprofile=cover.out", &["cover.out"]),
            ("go build -o bin/app ./cmd/app", &["bin/app"]),
            ("npx tsc --outDir lib", &["lib"]),
            ("pytest --cov=app --cov-report=html:public/cov", &["public/cov"]),
            ("jest --json --outputFile results.json", &["results.json"]),
            ("terraform plan -out=tfplan", &["tfplan"]),
            ("pytest --html=report.html; gcc main.c -o app", &["report.html", "app"]),
            ("npm test", &[]),
            ("eslint src/a.js", &[]),
            // Letters and words that mean something else elsewhere.
            ("mvn -o test", &[]),
            ("mocha --reporter spec test", &[]),
            ("rake --trace test", &[]),
            ("jest -o src", &[]),
        ] {
            let found = super::named_outputs(command);
            assert_eq!(found, outputs, "{command}");
        }
    }

    #[test]
    fn what_only_reports_is_told_from_what_makes_or_mends_b4() {
        for (trade_of, commands) in [
            (
                Trade::Reports,
                &[
                    "npm test",
                    "cd app && npm test 2>&1 | tail -20",
                    "cargo test --workspace; echo done",
                    "CI=1 pytest -q tests",
                    "npx tsc --noEmit && npx eslint src",
                    "make test",
                    "npm run lint",
                    // Errands: what they do is elsewhere, or in places that nobody types into.
                    "git fetch; sleep 0.5",
                    "sleep 0.5 && git commit -qam wip",
                    "git -C app add -A",
                ][..],
            ),
            (
                Trade::Builds,
                &[
                    "make all",
                    "make",
                    "npm run build",
                    "cargo build --release",
                    "npm test && npm run build",
                    "npm install",
                    "npm ci --silent",
                    "pip install -r requirements.txt",
                    "python3 -m pip install x",
                    "docker build -t x .",
                    "docker compose -f a.yml up -d",
                    "alembic upgrade head",
                    "python3 manage.py migrate",
                    "npm install && git add -A",
                ][..],
            ),
            (
                Trade::Writes,
                &[
                    "eslint --fix src",
                    "ruff format .",
                    "jest -u",
                    "python3 gen.py",
                    "npm install && python3 gen.py",
                    "git pull",
                    "git checkout main",
                    "git stash pop",
                    "docker run -v .:/w x",
                    "npm test && python3 gen.py",
                    "cargo fmt",
                    "prettier --write .",
                    "npm run codegen",
                    "make fmt",
                    "make generate",
                    "make proto",
                    "pre-commit run --all-files",
                    "echo x",
                    "",
                ][..],
            ),
        ] {
            for command in commands {
                assert_eq!(trade(command), trade_of, "{command}");
            }
        }
    }
}
