//! Files that an agent writes by a command instead of its edit tool: `cat > a.py <<'E'`, `sed -i`, `printf … > a.py`. (SP1)
//!
//! To go round in circles by the shell is to go round in circles. What such a command would leave behind is known where its text is part
//! of it, and looked at afterwards where it is not.

use project::RelPath;

use super::predict::Change;

/// A command that changes more files than this does not edit them.
const MOST: usize = 8;

/// A file that a command writes as a text: what it would become, as far as the command says.
pub fn typed(command: &str, writes: Vec<RelPath>) -> Vec<(RelPath, Change)> {
    if writes.len() > MOST || !types_text(command) {
        return Vec::new();
    }
    let document = document(command);
    let change = |path: &RelPath| match &document {
        Some((place, text)) if path.to_string().ends_with(place.trim_start_matches("./")) => {
            Change::Whole(text.clone())
        }
        _ => Change::Unknown,
    };
    writes
        .into_iter()
        .map(|path| {
            let change = change(&path);
            (path, change)
        })
        .collect()
}

/// Which of the files that a command changed it edited: those that it names, and what git puts back.
pub(super) fn edited_by<'c>(command: &str, changed: &'c [RelPath]) -> Vec<&'c RelPath> {
    if changed.len() > MOST {
        return Vec::new();
    }
    let puts_back = words(command).any(|word| word == "git");
    let names = |path: &RelPath| {
        let path = path.to_string();
        let name = path.rsplit('/').next().unwrap_or(&path);
        puts_back || command.contains(name)
    };
    changed.iter().filter(|path| names(path)).collect()
}

/// What it changes comes from the history of git: nobody typed it.
pub(super) fn puts_back(command: &str) -> bool {
    let has = |wanted: &str| words(command).any(|word| word == wanted);
    has("git") && !has("apply") && !has("am")
}

/// It redirects, or edits in place. What puts files back or formats them does neither.
fn types_text(command: &str) -> bool {
    let has = |wanted: &str| words(command).any(|word| word == wanted);
    let in_place = || words(command).any(|word| word.starts_with("-i") || word.starts_with("-pi"));
    !has("git") && (command.contains('>') || has("tee") || (has("sed") || has("perl")) && in_place())
}

fn words(command: &str) -> impl Iterator<Item = &str> {
    command
        .split(|c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | '(' | ')'))
        .filter(|word| !word.is_empty())
}

/// The text between `cat > PLACE <<'E'` and `E`, where it is the only one and nothing in it is worked out by the shell.
fn document(command: &str) -> Option<(&str, String)> {
    let mut lines = command.lines();
    let head = lines.by_ref().find(|line| line.contains("<<"))?;
    if head.contains(">>")
        || head.matches("<<").count() > 1
        || !(head.contains("cat") || head.contains("tee"))
    {
        return None;
    }
    let (_, behind) = head.split_once("<<")?;
    let behind = behind.trim_start();
    let cuts_tabs = behind.starts_with('-');
    let mark = behind.trim_start_matches('-').split([' ', ';', '>', '|', '&']).next()?;
    let end = mark.trim_matches(['\'', '"', '\\']);
    if end.is_empty() {
        return None;
    }
    let place = match head.split_once("tee ") {
        Some((_, rest)) => rest.split_whitespace().next()?,
        None => {
            let (_, to) = head.rsplit_once('>')?;
            to.split_whitespace().next()?
        }
    };
    let mut text = String::new();
    for line in lines {
        let line = if cuts_tabs { line.trim_start_matches('\t') } else { line };
        if line == end {
            let is_literal = mark != end || !text.contains(['$', '`', '\\']);
            return is_literal.then(|| (place.trim_matches(['\'', '"']), text));
        }
        text.push_str(line);
        text.push('\n');
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> RelPath {
        RelPath::new(name.as_bytes()).unwrap()
    }

    #[test]
    fn the_text_of_a_document_is_known_and_other_texts_are_not_m3() {
        for (command, text) in [
            ("cat > a.py <<'E'\nx = (\nE", Some("x = (\n")),
            ("cd w && cat <<EOF > ./a.py\nx = 1\nEOF\npython3 a.py", Some("x = 1\n")),
            ("tee a.py <<\"E\" >/dev/null\nx\nE", Some("x\n")),
            ("cat > a.py <<E\nx = $HOME\nE", None),
            ("cat >> a.py <<'E'\nx\nE", None),
            ("printf 'x' > a.py", None),
            ("sed -i 's/a/b/' a.py", None),
        ] {
            let change = text.map_or(Change::Unknown, |text| Change::Whole(text.to_owned()));
            assert_eq!(typed(command, vec![path("a.py")]), [(path("a.py"), change)], "{command}");
        }
        for command in ["git checkout -- a.py", "black a.py", "cp b.py a.py", "python3 gen.py"] {
            assert_eq!(typed(command, vec![path("a.py")]), [], "{command}");
        }
    }

    #[test]
    fn what_a_command_names_it_edits_and_what_a_generator_makes_it_does_not_m3() {
        let (a, b) = (path("src/a.py"), path("b.lock"));
        let both = [a.clone(), b.clone()];
        assert_eq!(edited_by("sed -i 's/a/b/' src/a.py", &both), [&a]);
        assert_eq!(edited_by("git checkout .", &both), [&a, &b]);
        assert!(edited_by("npm run codegen", &both).is_empty());
    }
}
