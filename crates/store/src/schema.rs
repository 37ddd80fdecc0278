//! The tables of the index, and how those of an earlier vib become those of this one.
//!
//! A new index is made as the first version made it and then brought forward like any other: there is one description of every
//! table, and every new store proves the migrations.

use rusqlite::Transaction;

use crate::{Result, ledger};

/// The format this program writes.
pub(crate) const SCHEMA_VERSION: i64 = 4;

/// What each version added, the first one first.
const VERSIONS: [&str; 4] = [CHECKPOINTS, STEPS, LINES, TOLD];

/// Makes an empty index.
pub(crate) fn create(transaction: &Transaction<'_>) -> Result<()> {
    migrate(transaction, 0)
}

/// Brings an index of version `from` to that of this program.
pub(crate) fn migrate(transaction: &Transaction<'_>, from: i64) -> Result<()> {
    let known = usize::try_from(from).unwrap_or(0);
    for version in &VERSIONS[known.min(VERSIONS.len())..] {
        transaction.execute_batch(version)?;
    }
    if from == 1 {
        ledger::read_as_steps(transaction)?;
    }
    // Two stores of one project are told apart by this, so that a stat index is never believed beside another index than its own.
    transaction
        .execute("INSERT OR IGNORE INTO about (name, value) VALUES ('id', lower(hex(randomblob(8))))", [])?;
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    Ok(())
}

/// Version 1: checkpoints, versions of paths, content, restores.
const CHECKPOINTS: &str = "
CREATE TABLE path (id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, path BLOB NOT NULL);
CREATE INDEX path_hash ON path (hash);
CREATE TABLE version (
    path INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER,
    kind INTEGER NOT NULL,
    mode INTEGER NOT NULL,
    size INTEGER NOT NULL,
    hash BLOB NOT NULL,
    sensitive INTEGER NOT NULL,
    PRIMARY KEY (path, first)
) WITHOUT ROWID;
CREATE INDEX version_first ON version (first);
CREATE INDEX version_last ON version (last) WHERE last IS NOT NULL;
CREATE TABLE checkpoint (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind INTEGER NOT NULL,
    whole_tree INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    message TEXT,
    pinned INTEGER NOT NULL DEFAULT 0,
    expired_ms INTEGER,
    session TEXT,
    turn TEXT,
    parent_turn TEXT,
    agent TEXT,
    tool TEXT,
    call_id TEXT,
    cause TEXT,
    files_changed INTEGER NOT NULL DEFAULT 0,
    bytes_added INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX checkpoint_live ON checkpoint (kind, seq) WHERE expired_ms IS NULL;
CREATE TABLE observed (seq INTEGER NOT NULL, path INTEGER NOT NULL, PRIMARY KEY (seq, path)) WITHOUT ROWID;
CREATE TABLE problem (seq INTEGER NOT NULL, path BLOB NOT NULL, code TEXT NOT NULL, detail TEXT NOT NULL,
    PRIMARY KEY (seq, path)) WITHOUT ROWID;
CREATE TABLE turn (session TEXT NOT NULL, turn TEXT NOT NULL, prompt TEXT, started_ms INTEGER NOT NULL,
    PRIMARY KEY (session, turn)) WITHOUT ROWID;
CREATE TABLE blob (
    hash BLOB PRIMARY KEY,
    pack INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    stored INTEGER NOT NULL,
    size INTEGER NOT NULL,
    encoding INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE pack (id INTEGER PRIMARY KEY AUTOINCREMENT, length INTEGER NOT NULL, synced INTEGER NOT NULL,
    boot TEXT, closed INTEGER NOT NULL);
CREATE TABLE operation (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    safety INTEGER NOT NULL,
    target TEXT NOT NULL,
    plan BLOB
) WITHOUT ROWID;
";

/// Version 2: what happened. A *request* is what a person asked an agent for; a *step* is one thing that was done; a *change* is what
/// it did to one path, found by the look of checkpoint `seq`. Times are milliseconds since 1970.
const STEPS: &str = "
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE request (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    client TEXT,
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    prompt TEXT,
    started_ms INTEGER NOT NULL,
    before INTEGER,
    UNIQUE (session, turn)
);
INSERT INTO request (session, turn, prompt, started_ms, client, before)
    SELECT t.session, t.turn, t.prompt, t.started_ms,
        (SELECT c.agent FROM checkpoint c WHERE c.session = t.session AND c.turn = t.turn ORDER BY c.seq LIMIT 1),
        (SELECT min(c.seq) FROM checkpoint c WHERE c.session = t.session AND c.turn = t.turn)
    FROM turn t WHERE instr(t.turn, '/') = 0 ORDER BY t.started_ms, t.turn;
DROP TABLE turn;
CREATE TABLE step (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    actor INTEGER NOT NULL,
    client TEXT,
    session TEXT,
    agent TEXT,
    agent_type TEXT,
    request INTEGER,
    tool TEXT,
    call_id TEXT,
    what TEXT,
    claims TEXT,
    ending INTEGER NOT NULL,
    exit_code INTEGER,
    reason TEXT,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    before INTEGER NOT NULL,
    after INTEGER,
    files INTEGER NOT NULL DEFAULT 0,
    account TEXT
);
CREATE INDEX step_open ON step (ending) WHERE ending = 0;
CREATE INDEX step_request ON step (request) WHERE request IS NOT NULL;
CREATE INDEX step_changing ON step (number) WHERE files > 0;
CREATE TABLE change (
    step INTEGER NOT NULL,
    path INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    was_kind INTEGER, was_mode INTEGER, was_size INTEGER, was_hash BLOB, was_sensitive INTEGER,
    is_kind INTEGER, is_mode INTEGER, is_size INTEGER, is_hash BLOB, is_sensitive INTEGER,
    shared TEXT,
    undone_by INTEGER,
    PRIMARY KEY (step, path, seq)
) WITHOUT ROWID;
CREATE INDEX change_path ON change (path, step);
CREATE INDEX change_undone ON change (undone_by) WHERE undone_by IS NOT NULL;
CREATE TABLE gone (path BLOB NOT NULL, hash BLOB NOT NULL, size INTEGER NOT NULL, gone_ms INTEGER NOT NULL,
    PRIMARY KEY (path, hash)) WITHOUT ROWID;
CREATE TABLE ignore_rules (number INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, rules BLOB NOT NULL);
ALTER TABLE checkpoint ADD COLUMN ignore_rules INTEGER;
ALTER TABLE checkpoint ADD COLUMN by_agent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operation ADD COLUMN step INTEGER;
";

/// Version 3: who wrote the lines of versions whose looks were let go ([`crate::lines::record`]), and what stays known of those steps.
const LINES: &str = "
CREATE TABLE lines (
    path INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    runs TEXT NOT NULL,
    PRIMARY KEY (path, seq)
) WITHOUT ROWID;
CREATE TABLE line_writer (
    step INTEGER PRIMARY KEY,
    actor INTEGER NOT NULL,
    client TEXT,
    agent_type TEXT,
    session TEXT,
    request INTEGER,
    tool TEXT,
    started_ms INTEGER NOT NULL
);
";

/// Version 4: what a step that goes on said about itself ([`crate::ledger::Told`]), and those cut off whose announced edits were not looked for yet.
const TOLD: &str = "
ALTER TABLE step ADD COLUMN told TEXT;
CREATE TABLE loose_end (step INTEGER PRIMARY KEY);
";
