//! The words that a path is made of.

/// The words of one part of a path, in small letters: `userProfile_view.test.tsx` → user, profile, view, test, tsx.
pub(crate) fn tokens(part: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    let characters: Vec<char> = part.chars().collect();
    for (at, &character) in characters.iter().enumerate() {
        if !character.is_alphanumeric() {
            take(&mut out, &mut word);
            continue;
        }
        let before = at.checked_sub(1).map(|at| characters[at]);
        let after = characters.get(at + 1);
        let begins = character.is_uppercase()
            && (before.is_some_and(|c| c.is_lowercase() || c.is_ascii_digit())
                || (before.is_some_and(char::is_uppercase) && after.is_some_and(|c| c.is_lowercase())));
        if begins {
            take(&mut out, &mut word);
        }
        word.extend(character.to_lowercase());
    }
    take(&mut out, &mut word);
    out
}

fn take(out: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        out.push(std::mem::take(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_people_see_it() {
        assert_eq!(tokens("userProfile_view.test.tsx"), ["user", "profile", "view", "test", "tsx"]);
        assert_eq!(tokens("HTTPServer"), ["http", "server"]);
        assert_eq!(tokens("latest"), ["latest"]);
        assert_eq!(tokens("__tests__"), ["tests"]);
        assert_eq!(tokens("utf8Reader"), ["utf8", "reader"]);
    }
}
