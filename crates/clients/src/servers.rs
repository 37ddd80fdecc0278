//! The entry for vib's MCP server in a client's settings: find it, put it in, take it out. JSON with comments, or Codex's TOML.
//!
//! Like the hooks: what is there before and after an edit is compared; an edit that would touch anything else is refused.

mod carry;

use std::path::{Path, PathBuf};

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;

use crate::entries::split_bom;
use crate::jsonc::{self, Container, Node, Style};
use crate::{Error, Result, Scope, portable};

/// The name of the server in every client: tools are called `mcp__vib__…` and the like.
pub const NAME: &str = "vib";
const ARGUMENTS: [&str; 2] = ["mcp", "serve"];
/// OpenCode puts this into its settings itself, at its first start.
const OPENCODE_SCHEMA: &str = "https://opencode.ai/config.json";
/// In TOML our part stands between these two lines.
const FIRST_LINE: &str = "# vib's MCP server (installed by vib)";
const LAST_LINE: &str = "# end of vib's part";
/// Codex starts servers with a few variables only; where vib's own files are must get through.
const PASSED_ON: [&str; 5] =
    ["VIBELIGN_STATE", "VIBELIGN_CONFIG", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "AI_MEMORY_PATH"];

/// How a client writes down its servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerShape {
    /// `{"mcpServers": {"vib": {"command": …, "args": […]}}}`
    Plain,
    /// The same with `"type": "local"` and `"tools": ["*"]`.
    Copilot,
    /// `{"mcp": {"vib": {"type": "local", "command": [PROGRAM, …]}}}`
    OpenCode,
    /// `[mcp_servers.vib]` in TOML.
    Codex,
}

/// A settings file with servers in it.
#[derive(Debug, Clone, Copy)]
pub struct ServerFile<'a> {
    /// How servers are written.
    pub shape: ServerShape,
    /// For messages.
    pub file: &'a Path,
    /// The vib to be called.
    pub program: &'a Path,
    /// Whose settings these are.
    pub scope: Scope,
}

/// What stands under our name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// Nothing.
    None,
    /// Our server.
    Ours {
        /// The program it runs; only a name where it is looked for.
        program: PathBuf,
        /// It is exactly what would be written now.
        current: bool,
    },
    /// Something else of that name.
    Foreign,
}

impl ServerFile<'_> {
    /// What stands under our name.
    pub fn find(&self, text: &str) -> Result<Entry> {
        let (_, text) = split_bom(text);
        if self.shape == ServerShape::Codex {
            return self.find_toml(text);
        }
        let Some(root) = jsonc::parse(self.file, text)? else { return Ok(Entry::None) };
        let Some(servers) = self.servers(text, &root)? else { return Ok(Entry::None) };
        let Some(entry) = servers.get(NAME) else { return Ok(Entry::None) };
        let plain = jsonc::plain(&entry.value);
        Ok(match program_of(&plain) {
            Some(program) => Entry::Ours { program, current: plain == self.wanted().plain() },
            None => Entry::Foreign,
        })
    }

    /// The text with our entry in it; the same text if it is there already, or if somebody else's is.
    pub fn install(&self, text: &str, original: Option<&str>) -> Result<String> {
        let (mark, text) = split_bom(text);
        Ok(format!("{mark}{}", self.installed(text, original)?))
    }

    fn installed(&self, text: &str, original: Option<&str>) -> Result<String> {
        match self.find(text)? {
            Entry::Ours { current: true, .. } | Entry::Foreign => return Ok(text.to_owned()),
            Entry::Ours { .. } | Entry::None => {}
        }
        let mut new = self.strip(text, original)?;
        if self.shape == ServerShape::Codex {
            if !new.is_empty() && !new.ends_with('\n') {
                new.push('\n');
            }
            let gap = if new.is_empty() { "" } else { "\n" };
            new.push_str(&format!("{gap}{}", self.toml_block()));
        } else {
            if new.trim().is_empty() {
                new = self.beginning();
            }
            if self.servers_of(&new)?.is_none() {
                new = self.append(&new, None, self.container(), &Node::Map(Vec::new()))?;
            }
            new = self.append(&new, Some(()), NAME, &self.wanted())?;
        }
        let before = if text.trim().is_empty() { self.beginning() } else { text.to_owned() };
        self.verify(&before, &new)?;
        Ok(new)
    }

    /// The text without our entry, and without what held nothing else and was not in the original.
    pub fn strip(&self, text: &str, original: Option<&str>) -> Result<String> {
        let (mark, text) = split_bom(text);
        let original = original.map(|original| split_bom(original).1);
        Ok(format!("{mark}{}", self.stripped(text, original)?))
    }

    fn stripped(&self, text: &str, original: Option<&str>) -> Result<String> {
        if !matches!(self.find(text)?, Entry::Ours { .. }) {
            return Ok(text.to_owned());
        }
        let new = match self.shape {
            ServerShape::Codex => strip_toml(text),
            _ => self.strip_json(text, original)?,
        };
        self.verify(text, &new)?;
        Ok(new)
    }

    /// True if nothing is left that anybody would miss.
    pub fn is_empty(&self, text: &str) -> Result<bool> {
        let (_, text) = split_bom(text);
        if self.shape == ServerShape::Codex {
            return Ok(text.trim().is_empty());
        }
        // A remark is somebody's; the two slashes of the address are not one.
        let bare = text.replace(OPENCODE_SCHEMA, "");
        if bare.contains("//") || bare.contains("/*") {
            return Ok(false);
        }
        Ok(match jsonc::parse(self.file, text)? {
            None => true,
            Some(Value::Object(root)) => root.properties.iter().all(|property| {
                if property.name.as_str() == "$schema" {
                    return self.shape == ServerShape::OpenCode;
                }
                property.name.as_str() == self.container()
                    && property.value.as_object().is_some_and(|servers| servers.properties.is_empty())
            }),
            Some(_) => false,
        })
    }

    /// What a file begins with that was not there before.
    fn beginning(&self) -> String {
        match self.shape {
            ServerShape::Codex => String::new(),
            ServerShape::OpenCode => format!("{{\n  \"$schema\": \"{OPENCODE_SCHEMA}\"\n}}\n"),
            ServerShape::Plain | ServerShape::Copilot => "{\n}\n".to_owned(),
        }
    }

    fn container(&self) -> &'static str {
        match self.shape {
            ServerShape::Plain | ServerShape::Copilot => "mcpServers",
            ServerShape::OpenCode => "mcp",
            ServerShape::Codex => "mcp_servers",
        }
    }

    /// The words that start the server. What a team shares goes through a shell, which looks for vib.
    pub fn command(&self) -> Vec<String> {
        match self.scope {
            Scope::Team => {
                vec!["sh".to_owned(), "-c".to_owned(), portable::line(&ARGUMENTS.join(" "), true)]
            }
            Scope::User | Scope::Project => {
                let program = self.program.to_string_lossy().into_owned();
                std::iter::once(program).chain(ARGUMENTS.map(str::to_owned)).collect()
            }
        }
    }

    fn wanted(&self) -> Node {
        let text = |text: &str| Node::Text(text.to_owned());
        let mut command = self.command().into_iter().map(Node::Text);
        let program = command.next().unwrap_or_else(|| text(NAME));
        let arguments: Vec<Node> = command.collect();
        match self.shape {
            ServerShape::OpenCode => {
                let command = std::iter::once(program).chain(arguments).collect();
                Node::Map(vec![("type", text("local")), ("command", Node::List(command))])
            }
            ServerShape::Copilot => Node::Map(vec![
                ("type", text("local")),
                ("command", program),
                ("args", Node::List(arguments)),
                ("tools", Node::List(vec![text("*")])),
            ]),
            ServerShape::Plain | ServerShape::Codex => {
                Node::Map(vec![("command", program), ("args", Node::List(arguments))])
            }
        }
    }

    fn object<'v, 't>(&self, text: &str, root: &'v Value<'t>) -> Result<&'v Object<'t>> {
        root.as_object().ok_or_else(|| {
            jsonc::misshapen(self.file, text, root.start(), "the file should hold an object: `{ … }`")
        })
    }

    fn servers<'v, 't>(&self, text: &str, root: &'v Value<'t>) -> Result<Option<&'v Object<'t>>> {
        let name = self.container();
        let mut same = self.object(text, root)?.properties.iter().filter(|p| p.name.as_str() == name);
        match (same.next(), same.next()) {
            (None, _) => Ok(None),
            (Some(_), Some(second)) => {
                Err(jsonc::misshapen(self.file, text, second.range.start, format!("`{name}` is there twice")))
            }
            (Some(property), None) => match &property.value {
                Value::Object(servers) => Ok(Some(servers)),
                other => {
                    let message = format!("`{name}` should be an object: `{{ … }}`");
                    Err(jsonc::misshapen(self.file, text, other.start(), message))
                }
            },
        }
    }

    fn servers_of(&self, text: &str) -> Result<Option<()>> {
        let Some(root) = jsonc::parse(self.file, text)? else { return Ok(None) };
        Ok(self.servers(text, &root)?.map(|_| ()))
    }

    fn append(&self, text: &str, inside: Option<()>, key: &str, node: &Node) -> Result<String> {
        let Some(root) = jsonc::parse(self.file, text)? else {
            return Err(jsonc::misshapen(self.file, text, 0, "there is nothing in it"));
        };
        let object = self.object(text, &root)?;
        let style = Style::of(text, object);
        let container = match (inside, self.servers(text, &root)?) {
            (Some(()), Some(servers)) => Container::from(servers),
            _ => Container::from(object),
        };
        Ok(jsonc::append(text, &container, &style, Some(key), node))
    }

    fn strip_json(&self, text: &str, original: Option<&str>) -> Result<String> {
        let Some(root) = jsonc::parse(self.file, text)? else { return Ok(text.to_owned()) };
        let Some(servers) = self.servers(text, &root)? else { return Ok(text.to_owned()) };
        let Some(at) = servers.properties.iter().position(|p| p.name.as_str() == NAME) else {
            return Ok(text.to_owned());
        };
        let new = jsonc::remove(text, &Container::from(servers), at);
        let was_there = match original {
            Some(original) => self.servers_of(original)?.is_some(),
            None => false,
        };
        if was_there {
            return Ok(new);
        }
        let Some(root) = jsonc::parse(self.file, &new)? else { return Ok(new) };
        let object = self.object(&new, &root)?;
        let position = object.properties.iter().position(|p| p.name.as_str() == self.container());
        let is_bare = |servers: &Object<'_>| {
            servers.properties.is_empty() && new[servers.start() + 1..servers.end() - 1].trim().is_empty()
        };
        match (self.servers(&new, &root)?, position) {
            (Some(servers), Some(at)) if is_bare(servers) => {
                Ok(jsonc::remove(&new, &Container::from(object), at))
            }
            _ => Ok(new.clone()),
        }
    }

    fn toml_block(&self) -> String {
        let quoted = |text: &str| serde_json::Value::String(text.to_owned()).to_string();
        let list = |words: Vec<String>| words.join(", ");
        let mut command = self.command().into_iter().map(|word| quoted(&word));
        format!(
            "{FIRST_LINE}\n[mcp_servers.{NAME}]\ncommand = {}\nargs = [{}]\nenv_vars = [{}]\n{LAST_LINE}\n",
            command.next().unwrap_or_default(),
            list(command.collect()),
            list(PASSED_ON.iter().map(|word| quoted(word)).collect())
        )
    }

    fn find_toml(&self, text: &str) -> Result<Entry> {
        let all = self.toml(text)?;
        let Some(entry) = all.get("mcp_servers").and_then(|servers| servers.get(NAME)) else {
            return Ok(Entry::None);
        };
        let plain = serde_json::to_value(entry).unwrap_or_default();
        Ok(match program_of(&plain) {
            // One that was written by hand has no marks around it, and stays.
            Some(program) if text.contains(FIRST_LINE) && text.contains(LAST_LINE) => {
                Entry::Ours { program, current: text.contains(&self.toml_block()) }
            }
            _ => Entry::Foreign,
        })
    }

    fn toml(&self, text: &str) -> Result<toml::Table> {
        text.parse::<toml::Table>().map_err(|error| {
            let at = error.span().map_or(0, |span| span.start.min(text.len()));
            jsonc::misshapen(self.file, text, at, format!("not valid TOML: {}", error.message()))
        })
    }

    /// Nothing but our own entry may differ.
    fn verify(&self, before: &str, after: &str) -> Result<()> {
        if self.others(before)? == self.others(after)? {
            Ok(())
        } else {
            Err(Error::Unsafe { file: self.file.to_path_buf() })
        }
    }

    fn others(&self, text: &str) -> Result<serde_json::Value> {
        let mut all = if self.shape == ServerShape::Codex {
            serde_json::to_value(self.toml(text)?).unwrap_or_default()
        } else {
            jsonc::parse(self.file, text)?.map_or(serde_json::json!({}), |root| jsonc::plain(&root))
        };
        if let Some(root) = all.as_object_mut()
            && let Some(servers) = root.get_mut(self.container()).and_then(|servers| servers.as_object_mut())
        {
            servers.remove(NAME);
            if servers.is_empty() {
                root.remove(self.container());
            }
        }
        Ok(all)
    }
}

/// The program of an entry that a vib wrote, whatever its version and wherever it was installed.
pub fn program_of(entry: &serde_json::Value) -> Option<PathBuf> {
    let words = |list: &serde_json::Value| -> Option<Vec<String>> {
        list.as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
    };
    let (program, rest) = match &entry["command"] {
        serde_json::Value::String(program) => (program.clone(), words(&entry["args"])?),
        list => {
            let mut all = words(list)?;
            if all.is_empty() {
                return None;
            }
            (all.remove(0), all)
        }
    };
    if let ("sh", [flag, line]) = (program.as_str(), rest.as_slice())
        && flag == "-c"
        && portable::arguments(line).is_some_and(|arguments| arguments == ARGUMENTS.join(" "))
    {
        return Some(PathBuf::from(portable::NAME));
    }
    let name = program.rsplit(['/', '\\']).next().unwrap_or(&program);
    let ours = matches!(name, "vib" | "vib.exe") && rest.iter().map(String::as_str).take(2).eq(ARGUMENTS);
    ours.then(|| PathBuf::from(program))
}

/// Cuts out our part, with the empty line that was put before it.
fn strip_toml(text: &str) -> String {
    let Some(start) = text.find(FIRST_LINE) else { return text.to_owned() };
    let Some(length) = text[start..].find(LAST_LINE) else { return text.to_owned() };
    let end = start + length + LAST_LINE.len();
    let end = end + text[end..].strip_prefix('\n').map_or(0, |_| 1);
    let before = text[..start].strip_suffix("\n\n").map_or(text[..start].to_owned(), |b| format!("{b}\n"));
    format!("{before}{}", &text[end..])
}
