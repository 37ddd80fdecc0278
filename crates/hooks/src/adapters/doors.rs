//! Other doors in the arguments of a tool that nobody knows: a request that deletes, a program named beside its words, calls inside a
//! call, keys in plain sight. (M3, M4)

use serde_json::{Map, Value};

use super::deeds::{is_in, plain};
use super::foreign::{PROGRAMS, joined, quoted};
use crate::event::Hints;

/// Fields that name how a request is made.
const METHODS: &str = "method httpmethod requestmethod verb requesttype";
/// Fields that name a program.
const PROGRAM_FIELDS: &str = "program executable binary bin exe entrypoint";
/// Fields that hold a call's words, in the order in which a command line has them.
const WORD_FIELDS: [&str; 12] = [
    "subcommand",
    "command",
    "cmd",
    "verb",
    "action",
    "args",
    "arguments",
    "argv",
    "options",
    "flags",
    "parameters",
    "params",
];
/// Fields of a call inside a call: its tool, and what that is given.
const TOOL_FIELDS: &str = "tool toolname name function method call";
const INPUT_FIELDS: &str = "arguments args input parameters params toolinput";
/// Deepest, and most texts that are looked at for a key.
const DEEPEST: usize = 30;

/// A text, or a list of texts, as words of a command line.
fn as_words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        list => joined(list),
    }
}

/// `mcp__k8s__kubectl {"args": "delete ns prod"}`: the tool, or its server, is the program.
pub(super) fn program_line(tool: &[String], server: &[String], input: &Value) -> Option<String> {
    let is_store = |word: &String| is_in("redis valkey", word);
    let program = match tool.iter().find(|word| is_in(PROGRAMS, word)) {
        Some(program) => program.as_str(),
        None if tool.iter().chain(server).any(is_store) => "redis-cli",
        // `mcp__git__run {"subcommand": "push", …}`: the server is the program.
        None => {
            let runs = tool.iter().any(|word| is_in("run exec execute command cli call cmd", word));
            let is_program =
                |word: &&String| is_in("git kubectl helm docker aws gcloud az gh terraform npm", word);
            server.iter().find(is_program).filter(|_| runs)?.as_str()
        }
    };
    let fields = input.as_object()?;
    let words: Vec<String> = WORD_FIELDS
        .iter()
        .filter_map(|wanted| fields.iter().find(|(name, _)| plain(name) == *wanted))
        .filter_map(|(_, value)| as_words(value))
        .collect();
    let line = words.join(" ");
    let line = line.trim();
    if line.is_empty() && is_in("chmod chown chgrp truncate shred setfacl chattr", program) {
        return Some(with_its_values(program, fields));
    }
    // A line of its own names the program itself.
    (!line.is_empty()).then(|| match line.strip_prefix(program) {
        Some(rest) if rest.starts_with(' ') => line.to_owned(),
        _ => format!("{program} {line}"),
    })
}

/// What a server for the infrastructure is told by the name of its tool: `mcp__terraform__apply`.
pub(super) fn infrastructure_line(tool: &[String], server: &[String]) -> Option<String> {
    server.iter().find(|word| is_in("tf terraform tofu opentofu pulumi", word))?;
    let deed = tool.iter().find(|word| is_in("apply destroy up import taint", word))?;
    Some(format!("terraform {}", if deed == "up" { "apply" } else { deed }))
}

/// `mcp__fs__chmod {"path": …, "mode": "000", "recursive": true}`: the fields are the words, places last.
fn with_its_values(program: &str, fields: &Map<String, Value>) -> String {
    let is_on =
        |name: &str| fields.iter().any(|(field, value)| plain(field) == name && value == &Value::Bool(true));
    let mut values: Vec<String> = fields
        .values()
        .filter_map(|value| match value {
            Value::Number(number) => Some(number.to_string()),
            other => as_words(other).map(|words| quoted(&words)),
        })
        .collect();
    values.sort_by_key(|value| value.contains(['/', '~', '.']));
    let flag = if is_on("recursive") || is_on("recurse") { " -R" } else { "" };
    format!("{program}{flag} {}", values.join(" "))
}

/// A program beside what it is given, whatever those fields are called: `{"exe": "/bin/rm", "flags": "-rf", "target": …}`.
pub(super) fn program_beside(fields: &Map<String, Value>) -> Option<String> {
    let is_program = |(name, value): &(&String, &Value)| {
        is_in(PROGRAM_FIELDS, &plain(name))
            && value
                .as_str()
                .is_some_and(|program| is_in(PROGRAMS, program.rsplit('/').next().unwrap_or(program)))
    };
    let (named, program) = fields.iter().find(is_program)?;
    let rest: Vec<String> = fields
        .iter()
        .filter(|(name, _)| *name != named)
        .filter_map(|(_, value)| match value {
            Value::String(text) if text.starts_with('-') => Some(text.clone()),
            Value::String(text) => Some(quoted(text)),
            list => joined(list),
        })
        .collect();
    (!rest.is_empty()).then(|| format!("{} {}", program.as_str().unwrap_or_default(), rest.join(" ")))
}

/// A request that deletes something on a server.
pub(super) fn deleting_request(fields: &Map<String, Value>, hints: &mut Hints) {
    let told = fields.iter().find(|(name, value)| {
        is_in(METHODS, &plain(name))
            && value.as_str().is_some_and(|method| method.eq_ignore_ascii_case("delete"))
    });
    let Some((_, method)) = told else { return };
    let texts = || fields.values().filter_map(Value::as_str);
    if let Some(address) = texts().find(|text| text.starts_with("http://") || text.starts_with("https://")) {
        hints.commands.push(format!("curl -X DELETE {}", quoted(address)));
    } else if method == "DELETE" && texts().any(|text| text.starts_with('/')) {
        hints.far = true;
    }
}

/// A call inside a call: the tool it names and what that is given.
pub(super) fn inner_call(fields: &Map<String, Value>) -> Option<(&str, &Value)> {
    let find = |list: &str| fields.iter().find(|(name, _)| is_in(list, &plain(name))).map(|(_, value)| value);
    let input = find(INPUT_FIELDS).filter(|input| input.is_object())?;
    Some((find(TOOL_FIELDS)?.as_str()?, input))
}

/// What is typed key by key.
pub(super) fn typed(keys: &[Value]) -> Option<String> {
    let keys: Vec<&str> = keys.iter().map(Value::as_str).collect::<Option<_>>()?;
    let is_key =
        |key: &&&str| !matches!(**key, "Enter" | "Return" | "Tab" | "Escape" | "C-c" | "C-m" | "KPEnter");
    Some(keys.iter().filter(is_key).copied().collect())
}

/// A field that says: this is run when the tool is done, or before.
pub(super) fn is_run_beside(field: &str) -> bool {
    ["exec", "run", "then", "hook", "callback", "command", "cmd", "shell"]
        .iter()
        .any(|part| field.contains(part))
        || is_in("after before finally onsuccess oncomplete onfinish post pre", field)
}

/// Whether a key that opens something stands in the arguments.
pub(super) fn holds_key(value: &Value, depth: usize) -> bool {
    match value {
        Value::String(text) => text.len() < 200_000 && engine::judge::holds_live_key(text),
        Value::Array(items) => depth < DEEPEST && items.iter().any(|item| holds_key(item, depth + 1)),
        Value::Object(fields) => depth < DEEPEST && fields.values().any(|item| holds_key(item, depth + 1)),
        _ => false,
    }
}

/// Whether an address of another machine stands in the arguments.
pub(super) fn names_far_address(value: &Value, depth: usize) -> bool {
    match value {
        Value::String(text) => ["http://", "https://", "wss://", "ftp://"].iter().any(|scheme| {
            text.strip_prefix(scheme).is_some_and(|rest| {
                !["localhost", "127.", "[::1]", "0.0.0.0"].iter().any(|host| rest.starts_with(host))
            })
        }),
        Value::Array(items) => depth < DEEPEST && items.iter().any(|item| names_far_address(item, depth + 1)),
        Value::Object(fields) => {
            depth < DEEPEST && fields.values().any(|item| names_far_address(item, depth + 1))
        }
        _ => false,
    }
}
