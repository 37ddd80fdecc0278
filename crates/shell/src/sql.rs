//! Database statements: in a client's options, on its input, or typed as if they were a command.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::Data;
use crate::verdict::Place;
use crate::walk::Walk;

/// Whether the statements lose data or change rights.
pub(crate) fn is_harmful(sql: &str) -> bool {
    let lower = sql.to_lowercase();
    lower.split(';').any(|statement| {
        let words: Vec<&str> = statement.split_whitespace().collect();
        let starts = |list: &[&str]| words.first().is_some_and(|first| list.contains(first));
        let has = |word: &str| words.contains(&word);
        starts(&[
            "drop", "truncate", "grant", "revoke", "alter", "vacuum", "reindex", "flushall", "flushdb",
            "shutdown", "del", "unlink", "rename",
        ]) || (starts(&["delete"]) && has("from"))
            || (starts(&["update"]) && has("set"))
            || [
                "drop table",
                "drop database",
                "drop schema",
                "drop collection",
                "delete from",
                "truncate table",
            ]
            .iter()
            .any(|p| statement.contains(p))
            || [
                "dropdatabase",
                ".drop(",
                "deletemany",
                "deleteone",
                ".remove(",
                "\\!",
                "copy ",
                "into outfile",
                "load_file",
                "xp_cmdshell",
                "flushall",
                "flushdb",
                ".shell",
                ".system",
                "from program",
                "to program",
            ]
            .iter()
            .any(|p| statement.contains(p))
    })
}

/// Clients whose database is a file.
fn is_file(program: &str) -> Option<&str> {
    matches!(program, "sqlite3" | "duckdb" | "litecli").then_some(program)
}

/// Whether a whole table, database or server goes.
fn loses_much(sql: &str) -> bool {
    let lower = sql.to_lowercase();
    lower.split(';').any(|statement| {
        let words: Vec<&str> = statement.split_whitespace().collect();
        let first = words.first().copied().unwrap_or_default();
        let whole = matches!(first, "delete" | "update") && !words.contains(&"where");
        whole
            || matches!(first, "drop" | "truncate" | "flushall" | "flushdb" | "shutdown")
            || [
                "drop table",
                "drop database",
                "drop schema",
                "dropdatabase",
                ".drop(",
                "\\!",
                "program",
                "xp_cmdshell",
                "outfile",
            ]
            .iter()
            .any(|word| statement.contains(word))
    })
}

impl Walk<'_> {
    /// A line that is not shell at all but a database statement, pasted where a command should be.
    pub(crate) fn sql_statement(&mut self, text: &str) -> bool {
        let mut words = text.split_whitespace();
        let (first, second) = (
            words.next().unwrap_or_default().to_lowercase(),
            words.next().unwrap_or_default().to_lowercase(),
        );
        let statement = matches!(
            (first.as_str(), second.as_str()),
            ("drop", "table" | "database" | "schema" | "index" | "view" | "user" | "role")
                | ("truncate", "table")
                | ("delete", "from")
                | ("alter", "table" | "database" | "user" | "role")
        ) || (matches!(first.as_str(), "grant" | "revoke")
            && text.to_lowercase().contains(" on "));
        if statement {
            self.found.loses(false);
            self.found.unknown(
                Weight::Ask,
                "database_loss",
                "a database statement that loses data or changes rights",
                text,
            );
        }
        statement
    }

    /// Whether the database is a file of the project, or one on this machine that is there for the work.
    fn is_own_database(&mut self, program: &str, options: &Options) -> bool {
        if is_file(program).is_some() {
            let Some(file) = options.words.first().cloned() else { return false };
            let escapes = |text: &str| {
                [".shell", ".system", ".once", ".output", ".load"].iter().any(|word| text.contains(word))
            };
            if options.words.iter().any(|word| escapes(&word.text)) {
                return false;
            }
            let own = matches!(self.place_of(&file).1, Place::Project | Place::Temp);
            if own {
                self.writes(&file, "database");
            }
            return own || file.text == ":memory:";
        }
        let host = options.values(&["-h", "--host"]).next().map(|host| host.text.clone());
        let local = |text: &str| crate::net::is_loopback(text.rsplit('@').next().unwrap_or(text));
        let address =
            options.words.iter().find(|word| word.text.contains("://")).map(|word| word.text.clone());
        match (host, address) {
            (Some(host), _) => local(&host),
            (None, Some(address)) => local(&address),
            _ => false,
        }
    }

    /// Whether statements change something in a database of another machine.
    fn writes_elsewhere(&self, options: &Options, statements: &[String]) -> bool {
        let host = options.values(&["-h", "--host"]).next().map(|host| host.text.as_str());
        let address = options.words.iter().map(|word| word.text.as_str()).find(|word| word.contains("://"));
        let elsewhere = match (host, address) {
            (Some(host), _) => host.contains('.') && !crate::net::is_loopback(host),
            (None, Some(address)) => !crate::net::is_loopback(address.rsplit('@').next().unwrap_or(address)),
            _ => false,
        };
        elsewhere
            && statements.iter().flat_map(|text| text.split(';')).any(|statement| {
                let first = statement.split_whitespace().next().unwrap_or_default().to_lowercase();
                matches!(
                    first.as_str(),
                    "insert"
                        | "create"
                        | "update"
                        | "merge"
                        | "replace"
                        | "call"
                        | "import"
                        | "set"
                        | "lpush"
                        | "hset"
                )
            })
    }

    /// A database client: statements in options, words or input.
    pub(crate) fn database_client(&mut self, program: &str, options: &Options, stdin: &Data, about: &str) {
        self.found.verdict.network = true;
        let texts = options
            .flags
            .iter()
            .filter_map(|(_, value)| value.as_ref())
            .chain(&options.words)
            .map(|arg| arg.text.clone());
        let mut all: Vec<String> = texts.collect();
        // `redis-cli FLUSHALL` and `mysqladmin drop db` spread one statement over words.
        all.push(options.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "));
        all.extend(stdin.text.clone());
        let mut seen = false;
        if options.has(&["-f", "--file"]) {
            let named = options.words.iter().filter(|word| word.text.ends_with(".sql"));
            let files: Vec<_> = options.values(&["-f", "--file"]).chain(named).cloned().collect();
            let read: Vec<_> = files.iter().filter_map(|file| self.script_file(file)).collect();
            seen = !files.is_empty() && read.len() == files.len();
            all.extend(read);
        }
        let harmful: Vec<&String> = all.iter().filter(|text| is_harmful(text)).collect();
        if !harmful.is_empty() && self.is_own_database(program, options) {
            self.found.loses(false);
            let much = is_file(program).is_none() && harmful.iter().any(|text| loses_much(text));
            self.found.add(
                if much { Weight::Ask } else { Weight::Covered },
                "database_loss",
                "a statement that changes or deletes data in a database of this machine",
                about,
            );
        } else if !harmful.is_empty() || self.writes_elsewhere(options, &all) {
            self.found.loses(false);
            self.found.add(
                Weight::Ask,
                "database_loss",
                "a database statement that loses data or changes rights",
                about,
            );
        } else if stdin.present && stdin.text.is_none() || options.has(&["-f", "--file"]) && !seen {
            // A database that is a file of the project comes back with it.
            let local = is_file(program).is_some();
            let weight = if local { Weight::Covered } else { Weight::Ask };
            self.found.unknown(
                weight,
                "database_unknown",
                "runs database statements that are not visible here",
                about,
            );
        } else {
            self.found.may_write();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_harmful;

    #[test]
    fn statements() {
        for yes in [
            "DROP TABLE x",
            "select 1; delete from t",
            "TRUNCATE TABLE s;",
            "FLUSHALL",
            "update t set a=1",
            "db.dropDatabase()",
        ] {
            assert!(is_harmful(yes), "{yes}");
        }
        for no in ["select * from t", "get key", "\\dt", "show tables", "explain select 1"] {
            assert!(!is_harmful(no), "{no}");
        }
    }
}
