//! Database statements: in a client's options, on its input, or typed as if they were a command.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::Data;
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
        if all.iter().any(|text| is_harmful(text)) {
            self.found.loses(false);
            self.found.add(
                Weight::Ask,
                "database_loss",
                "a database statement that loses data or changes rights",
                about,
            );
        } else if stdin.present && stdin.text.is_none() || options.has(&["-f", "--file"]) {
            // A database that is a file of the project comes back with it.
            let local = matches!(program, "sqlite3" | "duckdb" | "litecli");
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
