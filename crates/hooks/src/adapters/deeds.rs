//! What a tool that nobody knows says that it does: in its name, and in a word among its arguments (`{"action": "delete"}`). (M8)
//!
//! Names are all there is to go by. In doubt a name is taken for what would matter more: a look has to say so, and nothing else.

use serde_json::Value;

/// Words in the name of a tool that runs something.
const RUNNING_WORDS: &str = "run exec execute eval evaluate shell bash sh zsh powershell pwsh terminal command cmd process spawn start \
    launch script python python3 node javascript js repl kernel code sandbox ssh docker container interpreter";
/// Words in the name of a tool that changes something.
const WRITING_WORDS: &str = "write edit create update set put append patch replace insert save store mkdir touch copy cp overwrite \
    modify change apply chmod chown link symlink make add install reset revert format fix refactor generate init download extract \
    unzip rewrite restore checkout rebase merge";
/// Words after which what was named is not there any more, or not as it was.
const TAKING_WORDS: &str = "delete remove move rename mv rm rmdir unlink trash erase destroy purge wipe drop discard clean cleanup prune \
    shred empty clear truncate nuke del rimraf uninstall kill vacuum obliterate eliminate expunge zap rid annihilate evict sweep reap \
    scrub eradicate dispose flush";
/// Words that may mean it: somewhere else nobody can tell.
const DOUBTFUL_WORDS: &str = "reset restore reinit reinitialize recreate tidy";
/// Words in the name of a tool that unpacks something over what is there.
const UNPACKING_WORDS: &str = "extract unzip untar unpack decompress inflate expand";
/// Fields that say, when they are on, that what is not in the source goes.
const TAKING_FLAGS: &str = "mirror delete prune purge deleteextra overwrite wipe";
/// Words in the name of a tool that hands something to somebody else.
const SENDING_WORDS: &str = "upload send post share publish attach attachment email mail reply forward sync backup transfer scp sftp ftp \
    put push import ingest submit curl http webhook paste gist tweet deliver request";
/// Servers whose tools do that, whatever the tools are called.
const SENDING_SERVERS: &str = "slack gmail mail email outlook drive gdrive s3 cloud telegram discord http share transfer pastebin gist \
    dropbox teams whatsapp web fileio box onedrive ftp sftp";
/// Words in the name of a tool that only looks.
const LOOKING_WORDS: &str = "read get list search find query grep view show describe lookup fetch check lint analyze analyse inspect \
    open diagnostics references definition definitions hover symbol symbols outline diff blame log logs status validate explain \
    summarize count exists stat info tree hash preview screenshot snapshot scan parse resolve browse navigate complete test help docs";
/// Things that are somewhere else, and that no checkpoint holds.
const FAR_THINGS: &str = "database databases db collection collections table tables schema repository repo bucket namespace cluster \
    instance instances volume volumes stack server vm droplet kubectl helm release environment deployment dataset queue topic zone \
    domain account organization project projects resource resources many subscription subscriptions customer customers";
/// Words that leave no doubt about it.
const FINAL_WORDS: &str = "delete drop destroy remove purge wipe truncate terminate erase nuke cancel revoke";
/// Fields that say what is done.
const DEED_FIELDS: &str = "action actions operation op command verb method kind type mode do act";

/// What a tool says that it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Deeds {
    pub runs: bool,
    pub writes: bool,
    pub takes: bool,
    pub sends: bool,
    /// It says so, and nothing else.
    pub only_looks: bool,
    /// It says nothing that is known.
    pub unclear: bool,
    /// It unpacks something over what is there.
    pub unpacks: bool,
    /// It takes something away that is no file here: a database, a repository on a server; or overwrites a branch there.
    pub far: bool,
}

impl Deeds {
    pub(super) fn of(tool: &str, input: &Value) -> Self {
        let words = words(tool);
        let mut told =
            Told { words: Vec::new(), forced: false, takes: false, on_shared_branch: false, left: 2_000 };
        told.look(input, "", 0);
        let says = |list: &str| words.iter().any(|word| is_in(list, word));
        // What the arguments say may make it worse, never better.
        let says_anywhere = |list: &str| says(list) || told.words.iter().any(|word| is_in(list, word));
        let takes = says_anywhere(TAKING_WORDS) || told.takes;
        let writes = takes || says_anywhere(WRITING_WORDS);
        let names_it =
            says(RUNNING_WORDS) || told.words.iter().any(|word| is_in("shell bash exec run", word));
        let looks = says(LOOKING_WORDS)
            || (!says(RUNNING_WORDS) && told.words.iter().any(|word| is_in(LOOKING_WORDS, word)));
        let sends = says_anywhere(SENDING_WORDS);
        let only_looks = looks && !writes && !names_it && !sends;
        let sends = sends || (!only_looks && server(tool).iter().any(|word| is_in(SENDING_SERVERS, word)));
        let is_push = says("push ref refs branch") && told.forced;
        let is_branch = says(FINAL_WORDS)
            && says("branch")
            && server(tool).iter().any(|word| {
                is_in("github gitlab bitbucket gitea supabase neon planetscale turso xata", word)
            });
        // `delete_file {"branch": "main"}` on a server: nobody reviews it, as with a push to that branch.
        let is_forge = server(tool).iter().any(|word| is_in("github gitlab bitbucket gitea", word));
        let is_shared_branch = is_forge && told.on_shared_branch && says("delete push");
        // `reset_branch`, `pg_reset`: only where what it names is somewhere else.
        let is_reset =
            says("reset") && says("branch database db pg postgres table cluster environment project schema");
        Self {
            runs: names_it,
            writes,
            takes,
            sends,
            only_looks,
            unclear: !(writes || looks || names_it || sends) || says(DOUBTFUL_WORDS),
            unpacks: says_anywhere(UNPACKING_WORDS),
            far: is_push
                || is_reset
                || is_branch
                || is_shared_branch
                || says("flushall flushdb")
                || (says(FINAL_WORDS) && says(FAR_THINGS)),
        }
    }
}

/// What the arguments say about it.
struct Told {
    words: Vec<String>,
    /// A field named `force` is on.
    forced: bool,
    /// A field says that what is not in the source goes.
    takes: bool,
    /// A field names a branch that everybody shares.
    on_shared_branch: bool,
    left: usize,
}

impl Told {
    fn look(&mut self, value: &Value, field: &str, depth: usize) {
        if depth > 20 || self.left == 0 {
            return;
        }
        self.left -= 1;
        match value {
            Value::Bool(true) if field.starts_with("force") => self.forced = true,
            Value::Bool(true) if is_in(TAKING_FLAGS, field) => self.takes = true,
            Value::String(text)
                if is_in("branch ref targetbranch", field)
                    && is_in(
                        "main master production prod release",
                        text.trim_start_matches("refs/heads/"),
                    ) =>
            {
                self.on_shared_branch = true;
            }
            // `{"options": ["--force"]}`.
            Value::String(text) if matches!(text.as_str(), "--force" | "-f" | "--force-with-lease") => {
                self.forced = true;
            }
            // `{"then": {"delete": "/home/u/x"}}`: the field is the deed, and what it holds the place.
            Value::String(text) if is_in(TAKING_WORDS, field) && text.contains(['/', '\\']) => {
                self.takes = true;
            }
            Value::String(text) if is_in(DEED_FIELDS, field) && is_a_name(text) => {
                self.words.extend(words(text));
            }
            Value::Array(items) => items.iter().for_each(|item| self.look(item, field, depth + 1)),
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| self.look(value, &plain(name), depth + 1));
            }
            _ => {}
        }
    }
}

fn is_a_name(text: &str) -> bool {
    text.len() < 40 && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_- ".contains(letter))
}

/// The words of a tool's name, without the server's, where the client marks where that ends.
pub(super) fn words(tool: &str) -> Vec<String> {
    split(tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")).map_or(tool, |(_, own)| own))
}

/// The words of the server's name.
pub(super) fn server(tool: &str) -> Vec<String> {
    split(tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")).map_or("", |(server, _)| server))
}

fn split(name: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(name.len() + 8);
    let mut before = ' ';
    for letter in name.chars() {
        // `getText` and `get_text` are the same words; `LSP` is one.
        if letter.is_ascii_uppercase() && before.is_ascii_lowercase() {
            spaced.push(' ');
        }
        spaced.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { ' ' });
        before = letter;
    }
    spaced.split_ascii_whitespace().map(str::to_owned).collect()
}

/// A field's name, whatever its spelling.
pub(super) fn plain(field: &str) -> String {
    field.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

pub(super) fn is_in(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_ascii_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_says_what_it_does_in_any_spelling_m8() {
        for tool in ["mcp__fs__delete", "mcp__fs__deleteFile", "fs_bulk-delete", "mcp__x__RemoveItem"] {
            assert!(Deeds::of(tool, &json!({})).takes, "{tool}");
        }
        for tool in ["mcp__fs__read_file", "getText", "mcp__deleter__list", "mcp__slack__list_channels"] {
            assert!(Deeds::of(tool, &json!({})).only_looks, "{tool}");
        }
        for tool in ["mcp__x__upload", "mcp__slack__chat", "mcp__x__sendFile"] {
            assert!(Deeds::of(tool, &json!({})).sends, "{tool}");
        }
        assert!(Deeds::of("mcp__x__ponder", &json!({})).unclear);
    }

    #[test]
    fn what_the_arguments_say_makes_it_worse_never_better_m8() {
        assert!(Deeds::of("mcp__ops__files", &json!({"action": "delete"})).takes);
        assert!(Deeds::of("mcp__ops__x", &json!({"changes": [{"kind": "remove"}]})).takes);
        assert!(Deeds::of("mcp__http__x", &json!({"method": "POST"})).sends);
        let said = Deeds::of("mcp__fs__delete", &json!({"action": "read"}));
        assert!(said.takes && !said.only_looks);
        assert!(Deeds::of("mcp__fs__manager", &json!({"operation": "read"})).only_looks);
    }

    #[test]
    fn what_is_taken_away_elsewhere_is_known_m8() {
        assert!(Deeds::of("mcp__github__delete_repository", &json!({})).far);
        assert!(Deeds::of("mcp__mongodb__drop-database", &json!({})).far);
        assert!(Deeds::of("mcp__git__git_push", &json!({"force": true})).far);
        assert!(Deeds::of("mcp__git__push", &json!({"options": ["--force"]})).far);
        assert!(Deeds::of("mcp__supabase__delete_branch", &json!({})).far);
        assert!(Deeds::of("mcp__fs__read_file", &json!({"then": {"delete": "/home/u/x"}})).takes);
        for tool in ["mcp__git__git_push", "mcp__memory__delete_entities", "mcp__fs__delete_file"] {
            assert!(!Deeds::of(tool, &json!({"force": false})).far, "{tool}");
        }
    }
}
