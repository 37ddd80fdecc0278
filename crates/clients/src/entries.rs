//! Our entries in a client's JSON settings: find them, put them in, take them out.
//!
//! What is there before and after an edit is compared; an edit that would touch anything else is refused.

mod carry;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;

use crate::Client;
use crate::command::{self, Hook, OwnCommand};
use crate::jsonc::{self, Container, Node, Style};
use crate::table::{Setup, Shape};
use crate::{Error, Result, Scope};

/// Keys under which the clients keep a command line.
const COMMAND_KEYS: [&str; 3] = ["command", "bash", "powershell"];
const BOM: char = '\u{feff}';

/// One of our entries, as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The event it is for.
    pub event: String,
    /// The whole command line.
    pub line: String,
    /// The program it runs; only a name where it is looked for when the hook is called.
    pub program: PathBuf,
    /// It is exactly what would be written now.
    pub current: bool,
}

/// A JSON settings file of one client, and the program that its hooks should run.
#[derive(Debug, Clone, Copy)]
pub struct HooksFile<'a> {
    /// The row of the table.
    pub setup: &'a Setup,
    /// For messages.
    pub file: &'a Path,
    /// The vib to be called.
    pub program: &'a Path,
    /// Whose settings these are.
    pub scope: Scope,
}

/// Where one of our command lines is.
struct Spot {
    event: String,
    element: usize,
    /// In a group with other handlers: which one.
    handler: Option<usize>,
    line: String,
    own: OwnCommand,
    current: bool,
}

impl HooksFile<'_> {
    /// All our entries.
    pub fn find(&self, text: &str) -> Result<Vec<Found>> {
        let text = text.strip_prefix(BOM).unwrap_or(text);
        let spots = self.spots(text)?;
        let found = |spot: Spot| Found {
            event: spot.event,
            line: spot.line,
            program: spot.own.program,
            current: spot.current,
        };
        Ok(spots.into_iter().map(found).collect())
    }

    /// The text with our entries in it, after everybody else's; the same text if they are there already.
    /// `original` is the text before the first installation, if that is known.
    pub fn install(&self, text: &str, original: Option<&str>) -> Result<String> {
        let (mark, body) = split_bom(text);
        let found = self.spots(body)?;
        let events: BTreeSet<&str> =
            found.iter().filter(|spot| spot.current).map(|spot| spot.event.as_str()).collect();
        if found.len() == events.len() && events.len() == self.setup.events.len() {
            return Ok(text.to_owned());
        }
        let mut new = self.stripped(body, original)?;
        if new.trim().is_empty() {
            new = "{\n}\n".to_owned();
        }
        if matches!(self.setup.shape, Shape::Flat { .. }) && self.root_property(&new, "version")?.is_none() {
            new = self.append(&new, None, Some("version"), &Node::Number(1))?;
        }
        if self.root_property(&new, "hooks")?.is_none() {
            new = self.append(&new, None, Some("hooks"), &Node::Map(Vec::new()))?;
        }
        for event in self.setup.events {
            let node = self.wanted(event.name);
            new = if self.has_event(&new, event.name)? {
                self.append(&new, Some(event.name), None, &node)?
            } else {
                self.append(&new, Some(""), Some(event.name), &Node::List(vec![node]))?
            };
        }
        self.verify(body, &new)?;
        Ok(format!("{mark}{new}"))
    }

    /// The text without our entries, and without what held nothing else and was not in the original.
    pub fn strip(&self, text: &str, original: Option<&str>) -> Result<String> {
        let (mark, body) = split_bom(text);
        let new = self.stripped(body, original)?;
        self.verify(body, &new)?;
        Ok(format!("{mark}{new}"))
    }

    /// True if nothing is left that anybody would miss.
    pub fn is_empty(&self, text: &str) -> Result<bool> {
        let text = text.strip_prefix(BOM).unwrap_or(text);
        if text.contains("//") || text.contains("/*") {
            return Ok(false);
        }
        Ok(match jsonc::parse(self.file, text)? {
            None => true,
            Some(Value::Object(root)) => root.properties.iter().all(|property| {
                property.name.as_str() == "version"
                    || (property.name.as_str() == "hooks"
                        && property.value.as_object().is_some_and(|hooks| hooks.properties.is_empty()))
            }),
            Some(_) => false,
        })
    }

    /// What stands in an event's list.
    fn wanted(&self, event: &str) -> Node {
        let seconds = self.setup.events.iter().find(|e| e.name == event).map_or(0, |e| e.seconds);
        let line = |event_in_command: bool| {
            let hook = Hook {
                client: self.setup.client,
                event: event_in_command.then_some(event),
                scope: self.scope,
                is_first: self.setup.events.first().is_some_and(|first| first.name == event),
            };
            Node::Text(command::line(self.program, &hook))
        };
        match self.setup.shape {
            Shape::Groups { per_second } => {
                let mut handler = vec![
                    ("type", Node::Text("command".to_owned())),
                    ("command", line(false)),
                    ("timeout", Node::Number(seconds * per_second)),
                ];
                // A hook that dies would mean "go on". Other clients have nothing like it. (S8)
                if self.setup.client == Client::ClaudeCode && event == "PreToolUse" {
                    handler.push(("onFailure", Node::Text("block".to_owned())));
                }
                Node::Map(vec![("hooks", Node::List(vec![Node::Map(handler)]))])
            }
            Shape::Flat { command, timeout, typed, event_in_command } => {
                let mut entry = Vec::new();
                if typed {
                    entry.push(("type", Node::Text("command".to_owned())));
                }
                entry.push((command, line(event_in_command)));
                entry.push((timeout, Node::Number(seconds)));
                Node::Map(entry)
            }
            Shape::Plugin => Node::Map(Vec::new()),
        }
    }

    fn spots(&self, text: &str) -> Result<Vec<Spot>> {
        let mut spots = Vec::new();
        let Some(root) = jsonc::parse(self.file, text)? else {
            return Ok(spots);
        };
        let Some(hooks) = self.hooks(text, &root)? else {
            return Ok(spots);
        };
        for property in &hooks.properties {
            let Value::Array(list) = &property.value else { continue };
            for (element, value) in list.elements.iter().enumerate() {
                let Value::Object(object) = value else { continue };
                let event = property.name.as_str();
                let mut spot = |handler: Option<usize>, (line, own): (&str, OwnCommand)| {
                    spots.push(Spot {
                        event: event.to_owned(),
                        element,
                        handler,
                        line: line.to_owned(),
                        own,
                        current: jsonc::plain(value) == self.wanted(event).plain()
                            && self.setup.events.iter().any(|wanted| wanted.name == event),
                    });
                };
                match (self.setup.shape, object.get_array("hooks")) {
                    (Shape::Groups { .. }, Some(group)) => {
                        let is_alone = group.elements.len() == 1;
                        for (at, handler) in group.elements.iter().enumerate() {
                            if let Some(own) = self.own(handler) {
                                spot((!is_alone).then_some(at), own);
                            }
                        }
                    }
                    _ => {
                        if let Some(own) = self.own(value) {
                            spot(None, own);
                        }
                    }
                }
            }
        }
        Ok(spots)
    }

    fn own<'v>(&self, handler: &'v Value<'_>) -> Option<(&'v str, OwnCommand)> {
        let object = handler.as_object()?;
        COMMAND_KEYS.iter().find_map(|key| {
            let line = object.get_string(key)?.value.as_ref();
            let own = command::parse(line).filter(|own| own.client == self.setup.client)?;
            Some((line, own))
        })
    }

    fn stripped(&self, text: &str, original: Option<&str>) -> Result<String> {
        let mut text = text.to_owned();
        let mut touched = BTreeSet::new();
        // From the back, so that the places of the others stay true.
        for spot in self.spots(&text)?.iter().rev() {
            let Some(root) = jsonc::parse(self.file, &text)? else { break };
            let Some(hooks) = self.hooks(&text, &root)? else { break };
            let Some(list) = hooks.get_array(&spot.event) else { break };
            let new = match (spot.handler, list.elements.get(spot.element).and_then(Value::as_object)) {
                // Two of ours in one group: the last one left takes the group along.
                (Some(at), Some(group)) => match group.get_array("hooks") {
                    Some(handlers) if handlers.elements.len() > 1 => {
                        jsonc::remove(&text, &Container::from(handlers), at)
                    }
                    _ => jsonc::remove(&text, &Container::from(list), spot.element),
                },
                _ => jsonc::remove(&text, &Container::from(list), spot.element),
            };
            touched.insert(spot.event.clone());
            text = new;
        }
        let kept = match original {
            Some(original) => self.containers(original.strip_prefix(BOM).unwrap_or(original))?,
            None => None,
        };
        for event in &touched {
            if kept.as_ref().is_none_or(|events| !events.contains(event)) {
                text = self.drop_if_empty(&text, Some(event))?;
            }
        }
        if !touched.is_empty() && kept.is_none() {
            text = self.drop_if_empty(&text, None)?;
        }
        Ok(text)
    }

    /// The events that a text has lists for; `None` if it has no hooks at all.
    fn containers(&self, text: &str) -> Result<Option<BTreeSet<String>>> {
        let Some(root) = jsonc::parse(self.file, text)? else { return Ok(None) };
        let hooks = self.hooks(text, &root)?;
        Ok(hooks.map(|hooks| hooks.properties.iter().map(|p| p.name.as_str().to_owned()).collect()))
    }

    /// Takes an event's empty list out, or the whole `hooks`.
    fn drop_if_empty(&self, text: &str, event: Option<&str>) -> Result<String> {
        let unchanged = Ok(text.to_owned());
        let Some(root) = jsonc::parse(self.file, text)? else { return unchanged };
        let Some(hooks) = self.hooks(text, &root)? else { return unchanged };
        let (holder, name, empty) = match event {
            Some(event) => match hooks.get_array(event) {
                Some(list) => (hooks, event, list.elements.is_empty() && is_bare(text, list)),
                None => return unchanged,
            },
            None => match root.as_object() {
                Some(object) => (object, "hooks", hooks.properties.is_empty() && is_bare(text, hooks)),
                None => return unchanged,
            },
        };
        let index = holder.properties.iter().position(|property| property.name.as_str() == name);
        match index {
            Some(index) if empty => Ok(jsonc::remove(text, &Container::from(holder), index)),
            _ => unchanged,
        }
    }

    /// Appends to the root (`None`), to `hooks` (an empty name) or to an event's list.
    fn append(&self, text: &str, place: Option<&str>, key: Option<&str>, node: &Node) -> Result<String> {
        let Some(root) = jsonc::parse(self.file, text)? else {
            return Err(jsonc::misshapen(self.file, text, 0, "there is nothing in it"));
        };
        let object = self.object(text, &root)?;
        let style = Style::of(text, object);
        let container = match (place, self.hooks(text, &root)?) {
            (None, _) | (_, None) => Container::from(object),
            (Some(""), Some(hooks)) => Container::from(hooks),
            (Some(event), Some(hooks)) => match hooks.get_array(event) {
                Some(list) => Container::from(list),
                None => Container::from(hooks),
            },
        };
        Ok(jsonc::append(text, &container, &style, key, node))
    }

    fn has_event(&self, text: &str, event: &str) -> Result<bool> {
        let Some(root) = jsonc::parse(self.file, text)? else { return Ok(false) };
        let Some(hooks) = self.hooks(text, &root)? else { return Ok(false) };
        let mut same = hooks.properties.iter().filter(|property| property.name.as_str() == event);
        match (same.next(), same.next()) {
            (None, _) => Ok(false),
            (Some(_), Some(second)) => {
                Err(self.misshapen(text, second.range.start, &format!("`{event}` is there twice")))
            }
            (Some(property), None) => match &property.value {
                Value::Array(_) => Ok(true),
                other => Err(self.misshapen(text, other.start(), &format!("`{event}` should be a list"))),
            },
        }
    }

    fn root_property(&self, text: &str, name: &str) -> Result<Option<()>> {
        let Some(root) = jsonc::parse(self.file, text)? else { return Ok(None) };
        Ok(self.object(text, &root)?.get(name).map(|_| ()))
    }

    fn object<'v, 't>(&self, text: &str, root: &'v Value<'t>) -> Result<&'v Object<'t>> {
        root.as_object()
            .ok_or_else(|| self.misshapen(text, root.start(), "the file should hold an object: `{ … }`"))
    }

    fn hooks<'v, 't>(&self, text: &str, root: &'v Value<'t>) -> Result<Option<&'v Object<'t>>> {
        let mut same =
            self.object(text, root)?.properties.iter().filter(|property| property.name.as_str() == "hooks");
        match (same.next(), same.next()) {
            (None, _) => Ok(None),
            (Some(_), Some(second)) => {
                Err(self.misshapen(text, second.range.start, "`hooks` is there twice"))
            }
            (Some(property), None) => match &property.value {
                Value::Object(hooks) => Ok(Some(hooks)),
                other => Err(self.misshapen(text, other.start(), "`hooks` should be an object: `{ … }`")),
            },
        }
    }

    fn misshapen(&self, text: &str, at: usize, message: &str) -> Error {
        jsonc::misshapen(self.file, text, at, message)
    }

    /// Nothing but our own entries may differ.
    fn verify(&self, before: &str, after: &str) -> Result<()> {
        if self.others(before)? == self.others(after)? {
            Ok(())
        } else {
            Err(Error::Unsafe { file: self.file.to_path_buf() })
        }
    }

    /// The plain data without our entries and without what is empty on the way to them.
    fn others(&self, text: &str) -> Result<serde_json::Value> {
        let root = jsonc::parse(self.file, text)?;
        let mut root = root.map_or(serde_json::json!({}), |root| jsonc::plain(&root));
        let is_own = |handler: &serde_json::Value| {
            COMMAND_KEYS.iter().any(|key| {
                let own = handler.get(key).and_then(|line| command::parse(line.as_str()?));
                own.is_some_and(|own| own.client == self.setup.client)
            })
        };
        let Some(map) = root.as_object_mut() else { return Ok(root) };
        if let Some(hooks) = map.get_mut("hooks").and_then(|hooks| hooks.as_object_mut()) {
            for list in hooks.values_mut().filter_map(|list| list.as_array_mut()) {
                for element in list.iter_mut() {
                    if let Some(handlers) =
                        element.get_mut("hooks").and_then(|handlers| handlers.as_array_mut())
                        && handlers.iter().any(is_own)
                    {
                        handlers.retain(|handler| !is_own(handler));
                        if handlers.is_empty() {
                            *element = serde_json::Value::Null;
                        }
                    }
                }
                list.retain(|element| !element.is_null() && !is_own(element));
            }
            hooks.retain(|_, list| list.as_array().is_none_or(|list| !list.is_empty()));
        }
        if map.get("hooks").and_then(|hooks| hooks.as_object()).is_some_and(serde_json::Map::is_empty) {
            map.remove("hooks");
        }
        if matches!(self.setup.shape, Shape::Flat { .. })
            && map.get("version") == Some(&Node::Number(1).plain())
        {
            map.remove("version");
        }
        Ok(root)
    }
}

pub(crate) fn split_bom(text: &str) -> (&str, &str) {
    match text.strip_prefix(BOM) {
        Some(body) => (&text[..BOM.len_utf8()], body),
        None => ("", text),
    }
}

/// True if there is nothing, not even a comment, between the brackets.
fn is_bare(text: &str, node: &impl Ranged) -> bool {
    text[node.start() + 1..node.end() - 1].trim().is_empty()
}
