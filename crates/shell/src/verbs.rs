//! Words that say what a client, a task or an unknown program is told to do.

/// Verbs of clients that only look.
const READ_VERBS: &[&str] = &[
    "list",
    "ls",
    "get",
    "describe",
    "show",
    "status",
    "view",
    "info",
    "search",
    "find",
    "diff",
    "plan",
    "logs",
    "log",
    "tail",
    "cat",
    "head",
    "help",
    "version",
    "inspect",
    "explain",
    "top",
    "history",
    "whoami",
    "validate",
    "lint",
    "check",
    "test",
    "fmt",
    "format",
    "graph",
    "output",
    "providers",
    "query",
    "select",
    "read",
    "print",
    "stat",
    "stats",
    "ps",
    "events",
    "wait",
    "lookup",
    "preview",
    "config",
    "env",
    "completion",
    "completions",
    "docs",
    "open",
    "browse",
    "ping",
    "doctor",
    "watch",
    "tree",
    "du",
    "size",
    "lsf",
    "lsd",
    "lsl",
    "lsjson",
    "about",
    "verify",
    "snapshots",
    "estimate",
    "filter",
    "batch-get",
    "report",
    "audit",
    "outdated",
    "api-resources",
    "api-versions",
    "cluster-info",
    "login-status",
    "compare",
    "dump",
    "export",
    "peek",
    "count",
    "exists",
    "health",
    "metrics",
    "dry-run",
    "scan",
    "template",
    "render",
    "clone",
    "fetch",
    "download",
    "pull",
    "listen",
];

/// Verbs that change something without a loss.
const CHANGE_VERBS: &[&str] = &[
    "set", "unset", "add", "create", "update", "put", "edit", "apply", "restart", "scale", "promote",
    "rotate", "enable", "import", "transfer", "rename", "move", "assign", "attach", "start", "run", "exec",
    "send", "publish", "deploy", "upgrade", "install", "modify", "patch", "replace", "write", "upload",
    "push", "merge", "close", "invite", "grant",
];

/// Words that name a secret, and verbs that show it.
const SECRET_WORDS: &[&str] = &[
    "secret",
    "secrets",
    "keyvault",
    "password",
    "passwords",
    "credential",
    "credentials",
    "token",
    "tokens",
];
const REVEALING: &[&str] =
    &["get", "show", "read", "view", "access", "reveal", "download", "export", "print", "fetch", "dump"];

/// Verbs that mean loss, whatever the program.
const LOSS_VERBS: &[&str] = &[
    "delete",
    "del",
    "destroy",
    "purge",
    "remove",
    "rm",
    "drop",
    "wipe",
    "erase",
    "terminate",
    "uninstall",
    "revoke",
    "reset",
    "clear",
    "prune",
    "flush",
    "truncate",
    "disable",
    "deregister",
    "unregister",
    "unsubscribe",
    "nuke",
    "kill",
    "shutdown",
    "expire",
    "deactivate",
    "archive",
    "untag",
    "rmi",
    "rb",
    "rmdir",
    "unlink",
    "shred",
    "format",
    "mkfs",
    "empty",
    "clean",
    "cleanup",
    "forget",
    "dedupe",
    "reboot",
    "poweroff",
    "halt",
    "evict",
    "drain",
    "detach",
    "rollback",
    "overwrite",
    "force",
    "obliterate",
    "trash",
    "unpublish",
    "yank",
    "deprecate",
    "revert",
    "discard",
    "abort",
    "cancel",
    "decommission",
    "suspend",
    "stop",
];

/// Words after which what is named is there no longer, or empty: fewer than those of services, which also stop and revoke.
pub(crate) fn takes_away(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "delete",
        "del",
        "remove",
        "rm",
        "rmdir",
        "purge",
        "wipe",
        "destroy",
        "drop",
        "truncate",
        "reset",
        "erase",
        "nuke",
        "shred",
        "obliterate",
        "empty",
        "clear",
        "clean",
        "cleanup",
        "prune",
        "trash",
        "unlink",
        "expunge",
        "annihilate",
        "zap",
        "scrub",
        "reap",
        "sweep",
        "vacuum",
        "rimraf",
        "eradicate",
        "discard",
        "flush",
    ];
    word.len() < 40
        && word.split(['-', '_', ':', '.']).any(|part| WORDS.contains(&part.to_lowercase().as_str()))
}

/// Whether a sub-command means that something is lost: `delete-bucket`, `kv:key-delete`, `batch-delete-image`.
pub(crate) fn is_loss_verb(word: &str) -> bool {
    word.len() < 64
        && word.split(['-', '_', ':', '.']).any(|part| LOSS_VERBS.contains(&part.to_lowercase().as_str()))
}

/// Whether a word of an unknown program speaks of something that runs elsewhere, or of putting something back over what is
/// there: `deploy`, `--prod`, `backup:restore`.
pub(crate) fn reaches_out(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "deploy",
        "redeploy",
        "undeploy",
        "deployment",
        "prod",
        "production",
        "release",
        "publish",
        "restore",
        "remote",
        "promote",
        "rollout",
        "provision",
        "failover",
        "staging",
    ];
    let word = word.trim_start_matches('-');
    let word = word.split_once('=').map_or(word.to_owned(), |(name, value)| format!("{name}-{value}"));
    let lower = word.to_lowercase();
    // A path or a file is only something that is named.
    if lower.len() > 64
        || lower.contains(['/', ' '])
        || lower.rsplit_once('.').is_some_and(|(_, end)| end.len() <= 4)
    {
        return false;
    }
    lower.split(['-', '_', ':', '.', '@']).any(|part| WORDS.contains(&part))
        || lower.ends_with("deploy")
        || lower.starts_with("deploy")
}

/// Reading verbs that are also names of things a client manages.
pub(crate) fn is_noun_too(word: &str) -> bool {
    const NOUNS: &[&str] = &[
        "version",
        "config",
        "env",
        "logs",
        "log",
        "events",
        "metrics",
        "stats",
        "docs",
        "test",
        "report",
        "snapshots",
        "template",
        "health",
        "graph",
        "output",
        "providers",
        "history",
        "query",
    ];
    NOUNS.contains(&word)
}

/// Whether a sub-command only looks: `list`, `describe-instances`, `get-object`.
pub(crate) fn is_read_verb(word: &str) -> bool {
    let lower = word.to_lowercase();
    let first = lower.split(['-', '_', ':', '.']).next().unwrap_or_default();
    let changes = lower.split(['-', '_', ':', '.']).skip(1).any(|part| CHANGE_VERBS.contains(&part));
    (READ_VERBS.contains(&lower.as_str()) || READ_VERBS.contains(&first)) && !is_loss_verb(word) && !changes
}

/// Whether a client is told to show a secret: `keyvault secret show`, `secretsmanager get-secret-value`.
pub(crate) fn shows_secret<'w>(words: impl Iterator<Item = &'w str> + Clone) -> bool {
    let part_of = |list: &[&str]| {
        words.clone().take(6).any(|word| {
            let lower = word.to_lowercase();
            lower.len() < 64 && lower.split(['-', '_', ':', '.', '/']).any(|part| list.contains(&part))
        })
    };
    part_of(SECRET_WORDS) && part_of(REVEALING)
}

/// What the name of a task says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Data is lost.
    Loses,
    /// Something goes public.
    Publishes,
}

/// What the name of a project's task says, if anything: `db:drop`, `migrate:fresh`, `deploy-prod`. `clean`, `reset` and
/// the like are ordinary for a build and say nothing by themselves.
pub(crate) fn task(word: &str) -> Option<Task> {
    const FILES: &[&str] = &[
        "py", "js", "ts", "tsx", "jsx", "rs", "go", "rb", "php", "java", "c", "cc", "cpp", "h", "sh", "md",
        "txt", "json", "yaml", "yml", "toml", "sql", "html", "css", "lock", "log", "csv", "ex", "exs", "kt",
        "swift",
    ];
    const LOSES: &[&str] = &[
        "drop",
        "wipe",
        "destroy",
        "purge",
        "truncate",
        "nuke",
        "erase",
        "teardown",
        "downgrade",
        "rollback",
        "uninstall",
        "undeploy",
        "delete",
        "flush",
        "sqlflush",
        "zero",
        "obliterate",
    ];
    let lower = word.to_lowercase();
    let is_file = lower.rsplit_once('.').is_some_and(|(_, end)| FILES.contains(&end));
    if word.contains(['/', '=', ' ']) || word.len() > 64 || is_file {
        return None;
    }
    let parts: Vec<&str> = lower.split([':', '.', '-', '_']).collect();
    let has = |name: &str| parts.contains(&name);
    if has("test") || has("tests") {
        return None;
    }
    let database = ["db", "database", "schema", "migrate", "migration", "migrations", "data", "ecto"]
        .iter()
        .any(|n| has(n));
    if parts.iter().any(|part| LOSES.contains(part)) || database && (has("reset") || has("fresh")) {
        Some(Task::Loses)
    } else if has("deploy") || has("publish") || has("ship") {
        Some(Task::Publishes)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs() {
        assert!(is_loss_verb("delete-bucket") && is_loss_verb("kv:key-delete") && !is_loss_verb("describe"));
        assert!(!is_read_verb("config:unset") && is_read_verb("config:get"));
        assert!(shows_secret(["keyvault", "secret", "show"].into_iter()));
        assert!(!shows_secret(["secret", "list"].into_iter()));
        assert!(is_read_verb("describe-instances") && is_read_verb("list") && !is_read_verb("delete-list"));
    }

    #[test]
    fn names_of_tasks() {
        for loses in ["db:drop", "db:reset", "migrate:fresh", "ecto.drop", "wipe-data", "downgrade", "zero"] {
            assert_eq!(task(loses), Some(Task::Loses), "{loses}");
        }
        for publishes in ["deploy", "deploy:prod", "publish"] {
            assert_eq!(task(publishes), Some(Task::Publishes), "{publishes}");
        }
        for nothing in
            ["clean", "build:prod", "test:delete", "tests/drop.py", "drop.sql", "reset", "dropdown", "all"]
        {
            assert_eq!(task(nothing), None, "{nothing}");
        }
    }
}
