//! The tables of programs: what they do, by sub-command and option.
//!
//! The tables are text files in `tables/`, built into the program and read only where needed: looking a program up
//! finds its block by name and reads those few lines, so starting costs nothing. The format is described at the top of
//! `tables/coreutils.txt`; every block has examples, which the tests run.

/// The table files.
const TABLES: &[&str] = &[
    include_str!("../tables/coreutils.txt"),
    include_str!("../tables/wrappers.txt"),
    include_str!("../tables/build.txt"),
    include_str!("../tables/system.txt"),
    include_str!("../tables/services.txt"),
    include_str!("../tables/tools.txt"),
    include_str!("../tables/own.txt"),
    include_str!("../tables/special.txt"),
];

/// What a program does, as the tables say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Only reads and prints.
    Read,
    /// Looks at names, sizes, dates, not at content: no secret can leak.
    Meta,
    /// Only prints its arguments or computes.
    Text,
    /// Writes somewhere in the project.
    Write,
    /// Writes the files named by its words.
    WriteArgs,
    /// Writes the file named last.
    WriteLast,
    /// Deletes the files named by its words.
    DeleteArgs,
    /// Runs the project's own code: builds, tests, scripts.
    Build,
    /// Fetches and installs packages.
    Install,
    /// Reads from the network.
    Fetch,
    /// Sends local data away.
    Send,
    /// Makes something public.
    Publish,
    /// Destroys something that no checkpoint holds.
    Destroy,
    /// Removes something on this machine that a command makes again: a container, an image.
    Remake,
    /// Destroys a disk or the system.
    Wipe,
    /// Answers a question that vib puts to a person, or switches vib off: an agent may not.
    Person,
    /// Changes the machine: services, users, packages, devices.
    Machine,
    /// Shows or handles secrets.
    Secret,
    /// Rewrites recorded history.
    History,
    /// Runs with more rights.
    Privilege,
    /// A service's client: reading verbs are fine, every other verb changes something out there.
    Verbs,
    /// Runs the project's own code by the name of a task.
    Task,
    /// Deletes inside files of the project.
    Lose,
    /// Runs something inside a container.
    Contain,
    /// Judged in code; the block is here for its name and its examples.
    Special,
    /// Runs something that is not visible.
    Opaque,
    /// Runs a program that an option names, which nobody needs for ordinary work.
    Runs,
    /// Statements of a database in options or input.
    Sql,
}

/// One rule of a block.
#[derive(Clone, Debug)]
pub(crate) struct Rule<'t> {
    /// Words that must come first, in order; alternatives separated by `|`, `*` for any.
    pub words: Vec<&'t str>,
    /// Options that must be given, alternatives separated by `|`.
    pub flags: Vec<&'t str>,
    pub effects: Vec<Effect>,
}

impl Rule<'_> {
    /// Whether it stands for something that somebody should be asked about.
    pub(crate) fn is_harmful(&self) -> bool {
        use Effect::{Destroy, History, Lose, Machine, Publish, Runs, Secret, Wipe};
        self.effects.iter().any(|effect| {
            matches!(effect, Destroy | History | Lose | Machine | Publish | Runs | Secret | Wipe)
        })
    }
}

/// How a program runs another one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wraps {
    /// Words before the command.
    pub skip: usize,
    /// `NAME=value` words may come before the command.
    pub env: bool,
    /// The words are joined and given to a shell.
    pub joined: bool,
}

/// A program's block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry<'t> {
    pub effects: Vec<Effect>,
    pub rules: Vec<Rule<'t>>,
    /// Options that take a value.
    pub valued: Vec<&'t str>,
    /// Options whose value is a file that is written.
    pub outputs: Vec<&'t str>,
    /// Options whose value is a folder to work in.
    pub folders: Vec<&'t str>,
    /// Options whose value is run by a shell.
    pub scripts: Vec<&'t str>,
    pub wraps: Option<Wraps>,
    /// `allow: command` and `ask: command` lines.
    pub examples: Vec<(&'t str, &'t str)>,
}

/// The block of a program.
pub(crate) fn find(name: &str) -> Option<Entry<'static>> {
    if name.is_empty() || name.contains(char::is_whitespace) {
        return None;
    }
    TABLES
        .iter()
        .find_map(|table| blocks(table).find(|(names, _)| names.split(' ').any(|known| known == name)))
        .map(|(_, body)| read(body))
}

/// Every block: the names on its first line, and the lines below.
fn blocks(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.split("\ncmd ").skip(1).map(|block| block.split_once('\n').unwrap_or((block, "")))
}

/// All names with their examples, for tests.
#[cfg(test)]
pub(crate) fn all() -> Vec<(&'static str, Entry<'static>)> {
    TABLES.iter().flat_map(|table| blocks(table)).map(|(names, body)| (names, read(body))).collect()
}

fn read(body: &'static str) -> Entry<'static> {
    let mut entry = Entry::default();
    for line in body.lines() {
        let line = line.trim();
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        match key {
            "does" => entry.effects = effects(rest),
            "value" => entry.valued.extend(rest.split_whitespace()),
            "out" => {
                entry.outputs.extend(rest.split_whitespace());
                entry.valued.extend(rest.split_whitespace());
            }
            "dir" => {
                entry.folders.extend(rest.split_whitespace());
                entry.valued.extend(rest.split_whitespace());
            }
            "script" => {
                entry.scripts.extend(rest.split_whitespace());
                entry.valued.extend(rest.split_whitespace());
            }
            "wrap" => {
                let mut wraps = Wraps::default();
                for word in rest.split_whitespace() {
                    match word {
                        "env" => wraps.env = true,
                        "joined" => wraps.joined = true,
                        number => wraps.skip = number.parse().unwrap_or(0),
                    }
                }
                entry.wraps = Some(wraps);
            }
            "on" => {
                if let Some((pattern, result)) = rest.split_once(" = ") {
                    let (flags, words) = pattern.split_whitespace().partition(|word| word.starts_with('-'));
                    entry.rules.push(Rule { words, flags, effects: effects(result) });
                }
            }
            "allow:" | "ask:" | "deny:" => entry.examples.push((key.trim_end_matches(':'), rest)),
            _ => {}
        }
    }
    entry
}

fn effects(text: &str) -> Vec<Effect> {
    text.split_whitespace().filter_map(effect).collect()
}

fn effect(word: &str) -> Option<Effect> {
    Some(match word {
        "read" => Effect::Read,
        "meta" => Effect::Meta,
        "text" => Effect::Text,
        "write" => Effect::Write,
        "write-args" => Effect::WriteArgs,
        "write-last" => Effect::WriteLast,
        "delete-args" => Effect::DeleteArgs,
        "build" => Effect::Build,
        "install" => Effect::Install,
        "fetch" => Effect::Fetch,
        "send" => Effect::Send,
        "publish" => Effect::Publish,
        "destroy" => Effect::Destroy,
        "remake" => Effect::Remake,
        "wipe" => Effect::Wipe,
        "person" => Effect::Person,
        "machine" => Effect::Machine,
        "secret" => Effect::Secret,
        "history" => Effect::History,
        "privilege" => Effect::Privilege,
        "verbs" => Effect::Verbs,
        "task" => Effect::Task,
        "lose" => Effect::Lose,
        "contain" => Effect::Contain,
        "special" => Effect::Special,
        "opaque" => Effect::Opaque,
        "runs" => Effect::Runs,
        "sql" => Effect::Sql,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_every_table_is_understood() {
        const KEYS: &[&str] =
            &["does", "value", "out", "dir", "script", "wrap", "on", "allow:", "ask:", "deny:", "#", ""];
        for table in TABLES {
            for (names, body) in blocks(table) {
                for line in body.lines() {
                    let line = line.trim();
                    let key = line.split(' ').next().unwrap_or_default();
                    assert!(KEYS.contains(&key) || key.starts_with('#'), "{names}: {line}");
                    if key == "does" || key == "on" {
                        let result = if key == "on" {
                            line.split_once(" = ").unwrap_or_else(|| panic!("{line}")).1
                        } else {
                            &line[5..]
                        };
                        assert!(
                            result.split_whitespace().all(|word| effect(word).is_some()),
                            "{names}: {line}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn no_program_is_described_twice_and_each_block_has_an_example() {
        let mut seen = std::collections::HashSet::new();
        for (names, entry) in all() {
            assert!(!entry.examples.is_empty(), "no example: {names}");
            for name in names.split(' ') {
                assert!(seen.insert(name), "twice: {name}");
            }
        }
    }
}
