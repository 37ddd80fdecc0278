//! OpenCode 1.18.33: `opencode.db` (SQLite) in its data folder, a row of `message` per answer; a sub-agent is a session with a `parent_id`. What it asks for a title is not
//! written down. `input` is without what came from the cache, thinking is apart from `output`.

use std::path::PathBuf;

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::lines::{are_numbers, number, text};
use super::{Call, Records, SessionUsage, Tokens};

/// A sub-agent of a sub-agent of …
const DEEPEST: usize = 8;

pub(super) fn read(records: &mut Records<'_>, session: &str) -> Option<SessionUsage> {
    let data = records.context.variable("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let data = data.or_else(|| records.context.home().map(|home| home.join(".local/share")))?;
    let file = data.join("opencode/opencode.db");
    if !file.is_file() {
        return None;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(&file, flags).ok()?;
    database.busy_timeout(std::time::Duration::from_secs(2)).ok()?;
    if !database.prepare("SELECT 1 FROM session WHERE id = ?1").ok()?.exists([session]).ok()? {
        return None;
    }
    let mut usage = SessionUsage::default();
    let mut sessions = vec![(session.to_owned(), 0)];
    while let Some((one, depth)) = sessions.pop() {
        read_session(records, &database, &one, (depth > 0).then_some(one.as_str()), &mut usage)?;
        if depth < DEEPEST {
            let mut statement = database.prepare("SELECT id FROM session WHERE parent_id = ?1").ok()?;
            let helpers = statement.query_map([&one], |row| row.get::<_, String>(0)).ok()?;
            sessions.extend(helpers.flatten().map(|helper| (helper, depth + 1)));
        }
    }
    let costs: f64 = usage.told_cost.unwrap_or(0.0);
    // A provider without prices says zero.
    usage.told_cost = (costs > 0.0).then_some(costs);
    Some(usage)
}

fn read_session(
    records: &mut Records<'_>,
    database: &Connection,
    session: &str,
    agent: Option<&str>,
    usage: &mut SessionUsage,
) -> Option<()> {
    let mut statement = database
        .prepare("SELECT id, time_created, data FROM message WHERE session_id = ?1 ORDER BY time_created")
        .ok()?;
    let rows = statement
        .query_map([session], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, String>(2)?))
        })
        .ok()?;
    for (id, time_ms, data) in rows.flatten() {
        let Ok(data) = serde_json::from_str::<Value>(&data) else { continue };
        if data["role"] != "assistant"
            || !data["tokens"].is_object()
            || !records.is_new(&format!("opencode {id}"))
        {
            continue;
        }
        let tokens = Tokens {
            input: number(&data, "/tokens/input"),
            cache_read: number(&data, "/tokens/cache/read"),
            cache_write: number(&data, "/tokens/cache/write"),
            output: number(&data, "/tokens/output") + number(&data, "/tokens/reasoning"),
        };
        // An answer that never came has none.
        if tokens == Tokens::default() {
            continue;
        }
        if let Some(cost) = data["cost"].as_f64() {
            usage.told_cost = Some(usage.told_cost.unwrap_or(0.0) + cost);
        }
        usage.calls.push(Call {
            time_ms,
            model: text(&data, "/modelID"),
            agent: agent.map(str::to_owned),
            tokens,
            is_told: are_numbers(&data, &["/tokens/input", "/tokens/output"]),
            call_ids: Vec::new(),
        });
    }
    Some(())
}
