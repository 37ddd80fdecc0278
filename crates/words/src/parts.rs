//! Names taken apart: the words that a path or an identifier is made of.

/// The words of a name or a path, in small letters: `src/userProfile_view.test.tsx` → src, user, profile, view, test, tsx.
pub fn parts(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for word in text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        each_part(word, |part| out.push(part.to_lowercase()));
    }
    out
}

/// Cuts one word where its capitals say so: `getHTTPServer2` into `get`, `HTTP`, `Server2`.
pub fn each_part(word: &str, mut part: impl FnMut(&str)) {
    let mut start = 0;
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    for place in 1..chars.len() {
        let (at, char) = chars[place];
        let (before, after) = (chars[place - 1].1, chars.get(place + 1).map(|(_, char)| *char));
        let rises = char.is_uppercase() && !before.is_uppercase() && before != '\'';
        let ends_capitals =
            char.is_uppercase() && before.is_uppercase() && after.is_some_and(char::is_lowercase);
        // `APIs` is one word.
        let plural = ends_capitals && after == Some('s') && place + 2 == chars.len();
        if rises || (ends_capitals && !plural) {
            part(&word[start..at]);
            start = at;
        }
    }
    part(&word[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_people_see_it() {
        assert_eq!(parts("userProfile_view.test.tsx"), ["user", "profile", "view", "test", "tsx"]);
        assert_eq!(parts("HTTPServer"), ["http", "server"]);
        assert_eq!(parts("latest"), ["latest"]);
        assert_eq!(parts("__tests__"), ["tests"]);
        assert_eq!(parts("utf8Reader"), ["utf8", "reader"]);
        assert_eq!(parts("src/two APIs.md"), ["src", "two", "apis", "md"]);
    }
}
