//! Does the client read this file at all? Some drop a whole settings file, in silence, for a comment in it.
//!
//! Seen on the real programs (versions in `table`): Claude Code ignores a settings file with a comment; Codex drops a hooks file
//! with another top-level key than `description` and `hooks`, or with a limit that is no whole number. Taken from how they
//! parse, not tried: that both want strict JSON otherwise too, that Gemini takes comments out and then wants strict JSON, that
//! OpenCode reads JSON with comments. Of Copilot and Cursor nothing is known; a comment is not held against them.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, parse_to_ast};

use crate::{Client, jsonc};

/// Why a client does not read a settings file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Unread {
    /// What is there.
    #[serde(flatten)]
    pub what: Stumble,
    /// The line, counted from one.
    pub line: usize,
}

/// What a client stumbles over.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "stumble", rename_all = "snake_case")]
pub enum Stumble {
    /// A comment.
    Comment,
    /// A comma after the last item.
    TrailingComma,
    /// Not JSON.
    Syntax {
        /// The parser's words.
        message: String,
    },
    /// A key that this client does not allow there.
    Key {
        /// The key.
        key: String,
    },
    /// A limit that is no whole number.
    Limit,
}

impl Unread {
    /// In plain words: what stands in that line.
    pub fn words(&self) -> String {
        match &self.what {
            Stumble::Comment => format!("there is a comment in line {}", self.line),
            Stumble::TrailingComma => format!("there is a comma too many in line {}", self.line),
            Stumble::Syntax { message } => format!("line {} is not valid JSON: {message}", self.line),
            Stumble::Key { key } => format!("the key `{key}` in line {} is not allowed there", self.line),
            Stumble::Limit => format!("the `timeout` in line {} is no whole number", self.line),
        }
    }
}

/// Why this client would not read a settings file with this text; none: it reads it.
pub fn unread_reason(client: Client, text: &str) -> Option<Unread> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return None;
    }
    let options = CollectOptions { comments: CommentCollectionStrategy::Separate, tokens: true };
    let parsed = match parse_to_ast(text, &options, &jsonc::OPTIONS) {
        Ok(parsed) => parsed,
        Err(error) => {
            let what = Stumble::Syntax { message: error.kind().to_string() };
            return Some(Unread { what, line: error.line_display() });
        }
    };
    let at = |what, offset: usize| Some(Unread { what, line: line_of(text, offset) });
    if reads_no_comment(client)
        && let Some(first) = parsed
            .comments
            .iter()
            .flat_map(|map| map.values())
            .flat_map(|c| c.iter())
            .map(Ranged::start)
            .min()
    {
        return at(Stumble::Comment, first);
    }
    if client != Client::OpenCode
        && let Some(tokens) = &parsed.tokens
    {
        let closes = |token: &Token<'_>| matches!(token, Token::CloseBrace | Token::CloseBracket);
        let pair = tokens.windows(2).find(|pair| pair[0].token == Token::Comma && closes(&pair[1].token));
        if let Some(pair) = pair {
            return at(Stumble::TrailingComma, pair[0].range.start);
        }
    }
    match parsed.value {
        Some(Value::Object(root)) if client == Client::Codex => {
            codex(&root).and_then(|(what, offset)| at(what, offset))
        }
        Some(Value::Object(_)) | None => None,
        Some(other) => {
            at(Stumble::Syntax { message: "settings are written in `{` and `}`".to_owned() }, other.start())
        }
    }
}

fn reads_no_comment(client: Client) -> bool {
    matches!(client, Client::ClaudeCode | Client::Codex)
}

/// Codex wants nothing but what it knows at the top, and whole numbers.
fn codex(root: &Object<'_>) -> Option<(Stumble, usize)> {
    let stranger =
        root.properties.iter().find(|property| !matches!(property.name.as_str(), "description" | "hooks"));
    if let Some(stranger) = stranger {
        let key = stranger.name.as_str().to_owned();
        return Some((Stumble::Key { key }, stranger.range.start));
    }
    let groups = root.get_object("hooks")?.properties.iter().filter_map(|event| event.value.as_array());
    let handlers = groups
        .flat_map(|groups| &groups.elements)
        .filter_map(|group| group.as_object()?.get_array("hooks"))
        .flat_map(|handlers| &handlers.elements);
    handlers.filter_map(Value::as_object).find_map(|handler| match handler.get("timeout")?.value {
        Value::NumberLit(ref number) if number.value.bytes().all(|byte| byte.is_ascii_digit()) => None,
        ref other => Some((Stumble::Limit, other.start())),
    })
}

fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c6_what_claude_code_does_not_read_is_named_with_its_line() {
        let said = |text: &str| unread_reason(Client::ClaudeCode, text).map(|unread| unread.words());
        assert_eq!(said(""), None);
        assert_eq!(said("{\"a\": \"// no comment\", \"b\": \"/* nor this */\"}"), None);
        assert_eq!(said("{\n  // mine\n  \"a\": 1\n}").as_deref(), Some("there is a comment in line 2"));
        assert_eq!(said("{\"a\": 1} /* at the end */").as_deref(), Some("there is a comment in line 1"));
        assert_eq!(said("{\n\"a\": [1,\n],\n}").as_deref(), Some("there is a comma too many in line 2"));
        assert_eq!(said("{\n\"a\": tru\n}").as_deref(), Some("line 2 is not valid JSON: Unexpected word"));
        assert!(said("[]").is_some_and(|words| words.starts_with("line 1")));
    }

    #[test]
    fn c6_each_client_stumbles_over_its_own_things() {
        let comment = "{\n// mine\n\"hooks\": {}}";
        for (client, reads) in [
            (Client::ClaudeCode, false),
            (Client::Codex, false),
            (Client::Gemini, true),
            (Client::OpenCode, true),
        ] {
            assert_eq!(unread_reason(client, comment).is_none(), reads, "{client}");
        }
        let trailing = "{\"hooks\": {},}";
        assert!(unread_reason(Client::Gemini, trailing).is_some());
        assert_eq!(unread_reason(Client::OpenCode, trailing), None);
        let version = "{\n\"version\": 1,\n\"hooks\": {}}";
        let said = unread_reason(Client::Codex, version).map(|unread| unread.words());
        assert_eq!(said.as_deref(), Some("the key `version` in line 2 is not allowed there"));
        assert_eq!(unread_reason(Client::Copilot, version), None);
        let half = "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"x\", \"timeout\": 1.5}]}]}}";
        let said = unread_reason(Client::Codex, half).map(|unread| unread.what);
        assert_eq!(said, Some(Stumble::Limit));
        assert_eq!(unread_reason(Client::ClaudeCode, half), None);
    }
}
