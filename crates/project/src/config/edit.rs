//! Changing one setting in a file, keeping everything else in it, comments included.

use std::path::Path;

use toml_edit::{Array, DocumentMut, Item, Table};

use crate::{Error, Result};

use super::keys::{self, KEYS, Kind};
use super::{Value, flatten};

/// Sets `name` to what a person typed and returns the value as understood. The file is replaced in one step.
pub fn set_in_file(file: &Path, name: &str, typed: &str) -> Result<Value> {
    let key = &KEYS[keys::position(name)?];
    let value = Value::parse(key, typed)?;
    let old = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Err(Error::ConfigSyntax { file: file.to_path_buf(), message: error.to_string() });
        }
    };
    let syntax = |message: String| Error::ConfigSyntax { file: file.to_path_buf(), message };
    let mut document: DocumentMut =
        old.parse().map_err(|error: toml_edit::TomlError| syntax(error.message().to_owned()))?;

    let (section, leaf) = name.split_once('.').unwrap_or(("", name));
    let table = if section.is_empty() {
        document.as_table_mut()
    } else {
        document
            .entry(section)
            .or_insert_with(|| Item::Table(Table::new()))
            .as_table_mut()
            .ok_or_else(|| syntax(format!("`{section}` should be a section")))?
    };
    table.insert(leaf, toml_edit::value(to_edit(&value, key.kind)));

    let text = document.to_string();
    // What we write must read back as what was meant.
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| syntax(error.message().to_owned()))?;
    let found = flatten(&table).into_iter().find(|(key, _)| key == name);
    match found.map(|(_, raw)| Value::from_toml(key, &raw)) {
        Some(Ok(read)) if read == value => {}
        _ => return Err(syntax(format!("`{name}` could not be written"))),
    }
    if let Some(folder) = file.parent() {
        crate::platform::make_private_dir(folder)?;
    }
    crate::write_atomic(file, text.as_bytes())?;
    Ok(value)
}

fn to_edit(value: &Value, kind: Kind) -> toml_edit::Value {
    match value {
        Value::Flag(flag) => (*flag).into(),
        Value::Number(number) => i64::try_from(*number).unwrap_or(i64::MAX).into(),
        // Sizes stay readable.
        Value::Size(_) if matches!(kind, Kind::Size(_)) => value.to_string().into(),
        Value::Size(bytes) => i64::try_from(*bytes).unwrap_or(i64::MAX).into(),
        Value::List(items) => items.iter().map(String::as_str).collect::<Array>().into(),
        Value::Text(text) => text.as_str().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_unknown_settings_survive() {
        let tmp = tempfile::tempdir().unwrap();
        let file = tmp.path().join("c/config.toml");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "# mine\n[future]\nx = 1\n\n[retention]\nturns = 7 # few\n").unwrap();
        set_in_file(&file, "retention.max_store_size", "2GB").unwrap();
        set_in_file(&file, "checkpoint.include", "a.conf, b.conf").unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(
            text.contains("# mine") && text.contains("x = 1") && text.contains("turns = 7 # few"),
            "{text}"
        );
        assert!(
            text.contains("max_store_size = \"2GB\"") && text.contains("include = [\"a.conf\", \"b.conf\"]"),
            "{text}"
        );
    }

    #[test]
    fn wrong_values_and_names_change_nothing() {
        let tmp = tempfile::tempdir().unwrap();
        let file = tmp.path().join("config.toml");
        assert_eq!(set_in_file(&file, "retention.turns", "many").unwrap_err().code(), "config_bad_value");
        let error = set_in_file(&file, "turns", "3").unwrap_err();
        assert!(error.next().contains("retention.turns"), "{}", error.next());
        assert!(!file.exists());
    }
}
