//! Which files decide what a check does: the script that it is, the recipe, the settings of the program that runs the tests, and what those
//! start in turn. Pure: contents are handed in.
//!
//! A program that is itself what is checked (`python3 main.py --selftest`) is none of them: only shell scripts, and programs whose names say
//! that they check something.

use std::collections::{BTreeSet, VecDeque};

/// How deep scripts that start scripts are followed.
const DEEPEST: usize = 4;
/// So many of them.
const MOST: usize = 60;

/// A program that runs checks: the files that tell it what to run, without which there is nothing to run; and those that say how.
struct Runner {
    programs: &'static [&'static str],
    /// One of these has to be there.
    recipe: &'static [&'static str],
    settings: &'static [&'static str],
}

#[rustfmt::skip]
static RUNNERS: &[Runner] = &[
    Runner { programs: &["make", "gmake"], recipe: &["Makefile", "makefile", "GNUmakefile"], settings: &["*.mk"] },
    Runner { programs: &["just"], recipe: &["justfile", "Justfile", ".justfile"], settings: &[] },
    Runner { programs: &["task"], recipe: &["Taskfile.yml", "Taskfile.yaml"], settings: &[] },
    Runner { programs: &["rake"], recipe: &["Rakefile"], settings: &[] },
    Runner { programs: &["npm", "npx", "yarn", "pnpm", "bun"], recipe: &["package.json"], settings: JS },
    Runner { programs: &["jest", "vitest", "mocha", "ava", "karma", "playwright", "cypress", "tap", "c8", "nyc"], recipe: &[], settings: JS },
    Runner { programs: &["deno"], recipe: &[], settings: &["deno.json", "deno.jsonc"] },
    Runner { programs: &["pytest", "py.test", "unittest", "nose2", "tox", "nox", "poetry", "uv", "hatch", "pdm", "coverage"], recipe: &[], settings: PY },
    Runner { programs: &["ruff", "mypy", "flake8", "pylint", "pyright"], recipe: &[], settings: &["pyproject.toml", "setup.cfg", "tox.ini", "ruff.toml", ".ruff.toml", "mypy.ini", ".flake8", ".pylintrc", "pyrightconfig.json"] },
    Runner { programs: &["eslint", "tsc", "biome", "prettier", "standard"], recipe: &[], settings: &["package.json", "tsconfig*.json", ".eslintrc*", "eslint.config.*", ".eslintignore", "biome.json*", ".prettierrc*", ".prettierignore"] },
    Runner { programs: &["cargo"], recipe: &["Cargo.toml"], settings: &["build.rs", "nextest.toml", ".cargo/config*", "clippy.toml"] },
    Runner { programs: &["rspec", "bundle"], recipe: &[], settings: &[".rspec", "spec_helper.rb", "rails_helper.rb", "Gemfile"] },
    Runner { programs: &["phpunit", "composer", "pest"], recipe: &[], settings: &["composer.json", "phpunit.xml*", "Pest.php"] },
    Runner { programs: &["gradle", "gradlew"], recipe: &[], settings: &["build.gradle*", "settings.gradle*", "gradlew", "gradle.properties"] },
    Runner { programs: &["mvn", "mvnw"], recipe: &["pom.xml"], settings: &["mvnw"] },
    Runner { programs: &["ctest", "cmake", "meson", "ninja"], recipe: &[], settings: &["CMakeLists.txt", "CTestTestfile.cmake", "meson.build"] },
    Runner { programs: &["mix"], recipe: &["mix.exs"], settings: &["test_helper.exs", ".formatter.exs"] },
    Runner { programs: &["golangci-lint"], recipe: &[], settings: &[".golangci.*"] },
];

const JS: &[&str] = &[
    "package.json",
    // Which shell runs the scripts, and what every Node starts with.
    ".npmrc",
    ".yarnrc*",
    "bunfig.toml",
    "jest.config.*",
    "jest.setup.*",
    "vitest.config.*",
    "vite.config.*",
    ".mocharc*",
    "ava.config.*",
    "karma.conf.*",
    "playwright.config.*",
    "cypress.config.*",
];
const PY: &[&str] = &[
    "pytest.ini",
    ".pytest.ini",
    "conftest.py",
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "noxfile.py",
    // What stands in the way of the real one, and what every start of Python reads.
    "pytest.py",
    "unittest.py",
    "sitecustomize.py",
    "usercustomize.py",
];

const INTERPRETERS: [&str; 17] = [
    "sh", "bash", "dash", "zsh", "ksh", "source", ".", "python", "python2", "python3", "node", "ruby",
    "perl", "php", "lua", "pwsh", "tsx",
];

/// Programs whose names say that they check something.
const TELLING: [&str; 11] =
    ["test", "check", "spec", "verif", "lint", "script", "tool", "runner", "assert", "ci.", "ci/"];

/// The files that decide what a check does.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct OwnFiles {
    named: BTreeSet<String>,
    patterns: BTreeSet<&'static str>,
    /// Groups of which one has to be there: without, there is no such check.
    needed: Vec<Vec<String>>,
}

impl OwnFiles {
    /// Those of a command line. `text` is what a file of the project says, if it is there and is text.
    pub(super) fn of(line: &str, text: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut own = Self::default();
        let mut waiting = VecDeque::from([(line.to_owned(), String::new(), 0_usize)]);
        while let Some((said, folder, depth)) = waiting.pop_front() {
            let (scripts, recipes) = own.read(&said, &folder, depth == 0);
            if depth >= DEEPEST {
                continue;
            }
            for path in scripts.into_iter().chain(recipes) {
                if own.named.len() >= MOST || !own.named.insert(path.clone()) {
                    continue;
                }
                let Some(inside) = text(&path) else { continue };
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
                let is_package = path.rsplit('/').next() == Some("package.json");
                waiting.push_back((if is_package { scripts_of(&inside) } else { inside }, folder, depth + 1));
            }
        }
        own
    }

    /// True if changing this file changes what the check does.
    pub(super) fn holds(&self, path: &str) -> bool {
        self.named.contains(path) || self.patterns.iter().any(|pattern| fits(pattern, path))
    }

    /// True if it is a script or a recipe that the check runs, and no settings beside it.
    pub(super) fn names(&self, path: &str) -> bool {
        self.named.contains(path)
    }

    /// There was such a check before: everything that it needs was there.
    pub(super) fn was_there(&self, is_there: &dyn Fn(&str) -> bool) -> bool {
        self.needed.iter().all(|group| group.iter().any(|path| is_there(path)))
    }

    /// Reads a command line, a script or a recipe: which scripts it starts, and which recipes the programs that it starts have.
    fn read(&mut self, said: &str, folder: &str, is_first: bool) -> (Vec<String>, Vec<String>) {
        let (mut scripts, mut recipes) = (Vec::new(), Vec::new());
        for line in said.lines() {
            let mut runs_next = false;
            let mut imports = false;
            for word in line.split(is_between).filter(|word| !word.is_empty()) {
                let name = word.rsplit('/').next().unwrap_or(word);
                if let Some(runner) = RUNNERS.iter().find(|runner| runner.programs.contains(&name)) {
                    self.patterns.extend(runner.recipe.iter().chain(runner.settings));
                    recipes.extend(runner.recipe.iter().map(|file| (*file).to_owned()));
                    if is_first && !runner.recipe.is_empty() {
                        self.needed.push(runner.recipe.iter().map(|file| (*file).to_owned()).collect());
                    }
                }
                if INTERPRETERS.contains(&name) {
                    runs_next = true;
                    continue;
                }
                if matches!(word, "import" | "from" | "require") {
                    imports = true;
                    continue;
                }
                if runs_next && word == "-m" {
                    // A module by its name, or a program that is installed.
                    (runs_next, imports) = (false, true);
                    continue;
                }
                if runs_next && word.starts_with('-') {
                    continue;
                }
                let is_program = std::mem::take(&mut runs_next) || word.starts_with("./") || is_shell(word);
                if is_program && is_telling(word) {
                    let path = joined("", word);
                    if is_first {
                        self.needed.push(vec![path.clone()]);
                    }
                    // From the project's folder, or from beside the file that says so.
                    scripts.extend([path, joined(folder, word)]);
                } else if imports && is_telling(&format!("{word}.")) && !is_test(name) {
                    let module = word.trim_start_matches("./").replace('.', "/");
                    scripts.extend(
                        ["py", "js", "mjs", "ts"].map(|end| joined(folder, &format!("{module}.{end}"))),
                    );
                    scripts.push(joined(folder, word));
                }
            }
        }
        (scripts, recipes)
    }
}

fn is_between(one: char) -> bool {
    one.is_whitespace() || "\"'`()[]{},;|&<>=@".contains(one)
}

/// A module of tests: what it asserts may change with what it is about, and the guard looks at that.
fn is_test(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    stem.starts_with("test_") || stem.ends_with("_test") || name.contains(".test") || name.contains(".spec")
}

fn is_shell(word: &str) -> bool {
    [".sh", ".bash", ".zsh"].iter().any(|end| word.ends_with(end))
}

/// A shell script, a program without an ending, or one whose name says that it checks.
fn is_telling(word: &str) -> bool {
    let lower = word.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    is_shell(&lower)
        || (lower.starts_with("./") && !name.contains('.'))
        || TELLING.iter().any(|hint| lower.contains(hint))
}

/// A path of the project, without `.` and `..`.
fn joined(folder: &str, word: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in word.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

/// A name with at most one star, in any folder; one with a folder in it, below any folder.
fn fits(pattern: &str, path: &str) -> bool {
    let folders = pattern.matches('/').count();
    let at = path.rmatch_indices('/').nth(folders).map_or(0, |(at, _)| at + 1);
    let end = &path[at..];
    match pattern.split_once('*') {
        Some((head, tail)) => {
            end.len() >= head.len() + tail.len() && end.starts_with(head) && end.ends_with(tail)
        }
        None => end == pattern,
    }
}

/// Whether a script or a recipe does something else: of a package only what its scripts say counts.
pub(crate) fn does_other(path: &str, was: &[u8], is: &[u8]) -> bool {
    let scripts = |text: &[u8]| scripts_of(&String::from_utf8_lossy(text));
    let is_package = path.rsplit('/').next() == Some("package.json");
    was != is && (!is_package || scripts(was) != scripts(is))
}

/// What the scripts of a package say.
fn scripts_of(text: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let scripts = value.get("scripts").and_then(serde_json::Value::as_object);
    let lines = scripts.into_iter().flatten().filter_map(|(_, line)| line.as_str());
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str, files: &[(&str, &str)]) -> OwnFiles {
        let text =
            |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
        OwnFiles::of(line, &text)
    }

    #[test]
    fn what_a_check_runs_is_found_through_recipes_and_scripts() {
        for (line, files, own, other) in [
            ("python3 run_tests.py", &[][..], &["run_tests.py"][..], &["calc.py"][..]),
            ("sh check.sh", &[("check.sh", "grep -q two list.txt")], &["check.sh"], &["list.txt"]),
            ("sh -c 'sh check.sh && echo ok'", &[], &["check.sh"], &["ok"]),
            (
                "make test",
                &[("Makefile", "test:\n\t@python3 tests/all.py\n")],
                &["Makefile", "tests/all.py"],
                &["src/a.c"],
            ),
            (
                "npm test",
                &[("package.json", "{\"scripts\":{\"test\":\"node scripts/all.js\"},\"main\":\"check.js\"}")],
                &["package.json", "scripts/all.js", "jest.config.ts", ".npmrc"],
                &["check.js", "index.js"],
            ),
            (
                "npm test",
                &[("package.json", "{\"scripts\":{\"test\":\"mocha\"}}")],
                &[".mocharc.json"],
                &["src/index.js"],
            ),
            (
                "python3 -m pytest -q",
                &[],
                &["conftest.py", "tests/conftest.py", "pyproject.toml"],
                &["app/config.py"],
            ),
            (
                "cargo test --quiet",
                &[],
                &["Cargo.toml", "crates/a/Cargo.toml", ".cargo/config.toml"],
                &["src/lib.rs"],
            ),
            (
                "./ci/all",
                &[("ci/all", "#!/bin/sh\n. ./lib.sh\nbash ci/more.sh\n")],
                &["ci/all", "ci/more.sh", "ci/lib.sh"],
                &["lib.c"],
            ),
            (
                "python3 test_all.py",
                &[("test_all.py", "from check_helper import same\nimport calc\n")],
                &["test_all.py", "check_helper.py"],
                &["calc.py"],
            ),
            // Tests are looked at by the guard.
            (
                "python3 run_tests.py",
                &[("run_tests.py", "import test_calc, sys\nfrom check_helper import same\n")],
                &["run_tests.py", "check_helper.py"],
                &["test_calc.py"],
            ),
            // What is checked itself is not what checks.
            ("python3 main.py --selftest", &[], &[], &["main.py"]),
        ] {
            let found = of(line, files);
            for path in own {
                assert!(found.holds(path), "{line}: {path} {found:?}");
            }
            for path in other {
                assert!(!found.holds(path), "{line}: {path} {found:?}");
            }
        }
    }

    #[test]
    fn a_check_that_was_not_there_before_is_known() {
        assert!(!of("make test", &[]).was_there(&|_| false));
        assert!(of("make test", &[]).was_there(&|path| path == "makefile"));
        assert!(!of("sh check.sh", &[]).was_there(&|_| false));
        assert!(of("python3 -m pytest", &[]).was_there(&|_| false), "it runs what it finds");
    }

    #[test]
    fn scripts_that_start_each_other_end() {
        let found = of("sh a.sh", &[("a.sh", "sh b.sh"), ("b.sh", "sh a.sh")]);
        assert!(found.holds("a.sh") && found.holds("b.sh"));
    }
}
