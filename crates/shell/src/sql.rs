//! Database statements: in a client's options, on its input, or typed as if they were a command.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::Data;
use crate::verdict::Place;
use crate::walk::Walk;

/// The statements in small letters, with neither comments nor long gaps.
fn plain(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("--")).min() {
        let (before, comment) = rest.split_at(at);
        // `--eval` and `a--b` are none.
        let is_line = comment.starts_with("--");
        if is_line && !(comment.starts_with("-- ") || comment.starts_with("--\n")) {
            text.push_str(before);
            text.push_str("--");
            rest = &comment[2..];
            continue;
        }
        text.push_str(before);
        text.push(' ');
        let end = if is_line {
            comment.find('\n').map(|end| end + 1)
        } else {
            comment.find("*/").map(|end| end + 2)
        };
        rest = end.map_or("", |end| &comment[end..]);
    }
    text.push_str(rest);
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a statement takes everything: no condition, or one that always holds.
fn is_unconditional(statement: &str) -> bool {
    let Some((_, condition)) = statement.split_once(" where ") else { return true };
    let condition: String =
        condition.chars().filter(|c| !c.is_whitespace() && *c != ';' && *c != ')').collect();
    matches!(condition.as_str(), "1=1" | "true" | "1" | "'1'='1'" | "0=0" | "notfalse")
}

/// Whether statements to a database take away more than single rows: what a person should look at, whoever hands them on.
pub fn takes_data_away(sql: &str) -> bool {
    plain(sql).split(';').map(str::trim).any(|statement| {
        // A question about a statement does nothing, unless it is carried out for the answer.
        if let Some(rest) = statement.strip_prefix("explain ")
            && !rest.contains("analyze")
        {
            return false;
        }
        let first = statement.split(' ').next().unwrap_or_default();
        let second = statement.split(' ').nth(1).unwrap_or_default();
        let things = [
            "table",
            "database",
            "schema",
            "index",
            "view",
            "role",
            "user",
            "column",
            "keyspace",
            "collection",
            "materialized",
            "constraint",
            "type",
            "function",
            "trigger",
            "sequence",
            "extension",
            "tablespace",
            "partition",
        ];
        let drops = statement.match_indices("drop ").any(|(at, word)| {
            let next = statement[at + word.len()..].split(' ').next().unwrap_or_default();
            (at == 0 || statement.starts_with("alter ") || statement.contains("execute"))
                && things.contains(&next)
        });
        let deletes = statement.match_indices("delete from").any(|(at, _)| {
            let is_statement = at == 0
                || statement.starts_with("with ")
                || statement.starts_with("explain ")
                || statement.contains("begin");
            let inner = &statement[at..];
            let inner = if at == 0 { inner } else { inner.split(" returning").next().unwrap_or(inner) };
            is_statement && is_unconditional(inner)
        });
        drops
            || deletes
            || first == "truncate" && !second.is_empty() && statement.split(' ').count() < 8
            || first == "update" && statement.contains(" set ") && is_unconditional(statement)
            || first == "merge" && statement.contains("then delete")
            || first == "match"
                && statement.contains("delete ")
                && !statement.contains(" where ")
                && !statement.contains('{')
            || first == "do" && statement.contains("execute") && statement.contains("||")
            || matches!(first, "flushall" | "flushdb")
    })
}

/// Whether the statements lose data or change rights.
pub(crate) fn is_harmful(sql: &str) -> bool {
    if takes_data_away(sql) {
        return true;
    }
    let lower = plain(sql);
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
                // Functions that write files of the machine, or load code.
                "writefile(",
                "load_extension(",
                "pg_write_file(",
                "lo_export(",
                "into dumpfile",
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
    if takes_data_away(sql) {
        return true;
    }
    let lower = plain(sql);
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
                "dumpfile",
                "writefile(",
                "load_extension(",
                "lo_export(",
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
                [
                    ".shell", ".system", ".once", ".output", ".load", ".excel", ".backup", ".clone", ".save",
                    ".archive",
                ]
                .iter()
                .chain(&["writefile(", "load_extension(", "edit("])
                .any(|word| text.contains(word))
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
