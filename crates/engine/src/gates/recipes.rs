//! What a project has `npm test`, `make test` or `just test` do: the same check under another name. Only read, never run. (M1)

use std::path::Path;

use serde_json::Value;
use spiral::DEFAULT_MEMBERS;

/// A file that is larger is not read.
const LARGEST: u64 = 1 << 20;

/// The commands of a recipe in one line; none: there is no such recipe, or its file cannot be read.
pub(super) fn of(root: &Path, program: &str, folder: &str, name: &str) -> Option<String> {
    let place = root.join(folder);
    match program {
        "npm" => in_json(&place, "package.json", "scripts", name),
        "composer" => in_json(&place, "composer.json", "scripts", name),
        "deno" => ["deno.json", "deno.jsonc"].iter().find_map(|file| in_json(&place, file, "tasks", name)),
        "make" => ["GNUmakefile", "makefile", "Makefile"]
            .iter()
            .find_map(|file| text(&place, file))
            .and_then(|text| in_rules(&text, "make", name)),
        "just" => ["justfile", "Justfile", ".justfile"]
            .iter()
            .find_map(|file| text(&place, file))
            .and_then(|text| in_rules(&text, "just", name)),
        "cargo" if name == DEFAULT_MEMBERS => {
            let text = text(&place, "Cargo.toml")?;
            let has = |table: &str| text.lines().any(|line| line.trim() == table);
            let chosen = text.lines().any(|line| line.trim_start().starts_with("default-members"));
            (has("[workspace]") && (has("[package]") || chosen)).then(String::new)
        }
        _ => None,
    }
}

fn text(place: &Path, file: &str) -> Option<String> {
    let file = place.join(file);
    std::fs::metadata(&file).ok().filter(|facts| facts.is_file() && facts.len() < LARGEST)?;
    std::fs::read_to_string(file).ok()
}

/// A script is a line, or a list of lines.
fn in_json(place: &Path, file: &str, table: &str, name: &str) -> Option<String> {
    let json: Value = serde_json::from_str(&text(place, file)?).ok()?;
    match json.get(table)?.get(name)? {
        Value::String(line) => Some(line.clone()),
        Value::Array(lines) => {
            let lines: Option<Vec<&str>> = lines.iter().map(Value::as_str).collect();
            // `@lint`: another script of the same file.
            let line =
                |line: &str| line.strip_prefix('@').map_or(line.to_owned(), |own| format!("composer {own}"));
            Some(lines?.into_iter().map(line).collect::<Vec<_>>().join(" && "))
        }
        Value::Object(task) => task.get("command")?.as_str().map(str::to_owned),
        _ => None,
    }
}

/// The recipe of a target, after those that it depends on. `include`s, functions and conditions are not followed: what is in doubt keeps its own name.
fn in_rules(text: &str, program: &str, name: &str) -> Option<String> {
    let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let mut commands: Vec<String> = Vec::new();
    let mut is_found = false;
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with([' ', '\t']) {
            let command = line.trim().trim_start_matches(['@', '-', '+']).trim_start();
            if inside && !command.is_empty() && !command.starts_with('#') {
                commands.push(command.to_owned());
            }
            continue;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let rule = line.split_once(':').filter(|(_, rest)| !rest.starts_with('='));
        inside = rule.is_some_and(|(targets, _)| {
            let mut targets = targets.split_whitespace();
            if program == "make" {
                targets.any(|target| target == name)
            } else {
                targets.next() == Some(name)
            }
        });
        if let (true, Some((_, needs))) = (inside, rule) {
            is_found = true;
            let needs = needs.trim_start_matches(':').split(['#', ';', '|']).next().unwrap_or_default();
            // Files are no checks, and are read as none.
            commands.extend(
                needs.split_whitespace().filter(|need| is_plain(need)).map(|need| {
                    if is_rule(&text, need) { format!("{program} {need}") } else { ":".to_owned() }
                }),
            );
        }
    }
    let line = commands.join(" && ");
    is_found.then(|| with_values(&text, &line, program)).filter(|line| !line.is_empty())
}

fn is_plain(word: &str) -> bool {
    word.chars().all(|letter| letter.is_alphanumeric() || "-_.".contains(letter))
}

fn is_rule(text: &str, name: &str) -> bool {
    text.lines().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(':')))
}

/// `$(PYTHON) -m pytest`, `{{cargo}} test`: values that the file itself gives plainly.
fn with_values(text: &str, line: &str, program: &str) -> String {
    let mut line = line.replace("$(MAKE)", "make").replace("${MAKE}", "make");
    for given in text.lines().filter(|given| !given.starts_with([' ', '\t', '#'])) {
        let Some((name, value)) = given.split_once('=') else { continue };
        let name = name.trim_end_matches([':', '?', '+']).trim();
        let value = value.trim().trim_matches(['"', '\'']);
        if name.is_empty() || !is_plain(name) || value.contains('$') {
            continue;
        }
        let forms = match program {
            "make" => [format!("$({name})"), format!("${{{name}}}")],
            _ => [format!("{{{{{name}}}}}"), format!("{{{{ {name} }}}}")],
        };
        for form in forms {
            line = line.replace(&form, value);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str, content: &str, program: &str, name: &str) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(file), content).unwrap();
        of(folder.path(), program, "", name)
    }

    #[test]
    fn recipes_are_read_as_their_programs_read_them_m1() {
        let make = "PY ?= python3\n.PHONY: test check\ntest: out\n\t@mkdir -p out\n\t$(PY) -m pytest \\\n\t  -q\n\nlint:\n\truff check .\ncheck: lint test\nx := 1\n";
        assert_eq!(
            read("Makefile", make, "make", "test").as_deref(),
            Some(": && mkdir -p out && python3 -m pytest  \t  -q")
        );
        assert_eq!(read("Makefile", make, "make", "check").as_deref(), Some("make lint && make test"));
        assert_eq!(read("Makefile", make, "make", "none"), None);
        let just = "cargo := \"cargo\"\n\ntest *args: build\n    {{cargo}} test --workspace\n\nbuild:\n    cargo build\n";
        assert_eq!(
            read("justfile", just, "just", "test").as_deref(),
            Some("just build && cargo test --workspace")
        );
        let composer = r#"{"scripts": {"test": ["@lint", "phpunit"], "lint": "phpcs"}}"#;
        assert_eq!(
            read("composer.json", composer, "composer", "test").as_deref(),
            Some("composer lint && phpunit")
        );
        let deno = r#"{"tasks": {"test": {"command": "deno test -A"}}}"#;
        assert_eq!(read("deno.json", deno, "deno", "test").as_deref(), Some("deno test -A"));
        assert_eq!(read("package.json", "{", "npm", "test"), None);
    }

    #[test]
    fn a_plain_run_of_cargo_leaves_packages_out_where_the_root_is_one_m1() {
        let rooted = "[package]\nname = \"shop\"\n[workspace]\nmembers = [\"core\"]\n";
        assert!(read("Cargo.toml", rooted, "cargo", DEFAULT_MEMBERS).is_some());
        for whole in ["[workspace]\nmembers = [\"core\"]\n", "[package]\nname = \"shop\"\n"] {
            assert_eq!(read("Cargo.toml", whole, "cargo", DEFAULT_MEMBERS), None);
        }
    }
}
