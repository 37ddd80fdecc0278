//! Rows of a table with a column of keys: what was done to the other rows stays.

use std::collections::{HashMap, HashSet};

/// How many rows are back, and the text with them. Only where the first column names every row once, before and now, and the columns
/// are the same: else a row that is gone cannot be told from one that was changed.
pub(super) fn bring(before: &str, now: &str) -> Option<(u64, String)> {
    let mark = delimiter(before)?;
    let (was, is) = (rows(before, mark)?, rows(now, mark)?);
    let (columns, now_columns) = (was.first()?.1, is.first()?.1);
    // Columns that were added at the end are empty in the rows that come back.
    let added = now_columns.checked_sub(columns)?;
    let same_head = is.first()?.2.trim_end().starts_with(was.first()?.2.trim_end());
    if was.iter().any(|(_, count, _)| *count != columns)
        || is.iter().any(|(_, count, _)| *count != now_columns)
        || (added > 0 && !same_head)
    {
        return None;
    }
    let filled: Vec<String> =
        was.iter().map(|(_, _, line)| format!("{line}{}", mark.to_string().repeat(added))).collect();
    let keys: HashSet<&str> = is.iter().map(|(key, ..)| *key).collect();
    let old: HashSet<&str> = was.iter().map(|(key, ..)| *key).collect();
    if keys.len() != is.len() || old.len() != was.len() || was.first()?.0 != is.first()?.0 {
        return None;
    }
    let lost = was.iter().filter(|(key, ..)| !keys.contains(key)).count();
    let new = is.iter().filter(|(key, ..)| !old.contains(key)).count();
    // Keys that were all written in another way are no rows that went.
    if lost == 0 || new * 2 > lost {
        return None;
    }
    let end = if now.contains("\r\n") { "\r\n" } else { "\n" };
    let mut after: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut place = was.first()?.0;
    for ((key, ..), line) in was.iter().zip(&filled) {
        if keys.contains(key) {
            place = *key;
        } else {
            after.entry(place).or_default().push(line);
        }
    }
    let mut out: Vec<&str> = Vec::with_capacity(was.len() + new);
    for (key, _, line) in &is {
        out.push(line);
        out.extend(after.remove(key).unwrap_or_default());
    }
    let mut text = out.join(end);
    if now.ends_with('\n') {
        text.push_str(end);
    }
    Some((lost as u64, text))
}

fn delimiter(text: &str) -> Option<char> {
    let header = text.lines().next()?;
    ['\t', ';', ','].into_iter().find(|mark| header.contains(*mark))
}

/// Key, number of columns, line. None if a field goes over several lines.
fn rows(text: &str, mark: char) -> Option<Vec<(&str, usize, &str)>> {
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if line.matches('"').count() % 2 != 0 {
            return None;
        }
        let (mut columns, mut quoted) = (1, false);
        let mut first = None;
        for (at, letter) in line.char_indices() {
            match letter {
                '"' => quoted = !quoted,
                letter if letter == mark && !quoted => {
                    first.get_or_insert(at);
                    columns += 1;
                }
                _ => {}
            }
        }
        rows.push((line[..first.unwrap_or(line.len())].trim().trim_matches('"'), columns, line));
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::bring;

    #[test]
    fn rows_come_back_in_their_place_and_changed_ones_stay_r7() {
        let before = "id,name,phone\n1,a,010 1\n2,b,\n3,c,010 3\n4,d,\n";
        let now = "id,name,phone\n1,a,010-1\n3,c,010-3\n";
        let (count, text) = bring(before, now).unwrap();
        assert_eq!((count, text.as_str()), (2, "id,name,phone\n1,a,010-1\n2,b,\n3,c,010-3\n4,d,\n"));
    }

    #[test]
    fn rows_come_back_with_room_for_a_column_that_was_added() {
        let (count, text) = bring("id,n\n1,a\n2,b\n3,c\n", "id,n,mail\n1,a,a@x\n").unwrap();
        assert_eq!((count, text.as_str()), (2, "id,n,mail\n1,a,a@x\n2,b,\n3,c,\n"));
    }

    #[test]
    fn what_cannot_be_told_apart_is_left_alone() {
        assert!(bring("id,n\n1,a\n2,b\n", "id,n\nx1,a\nx2,b\n").is_none(), "other keys for the same rows");
        assert!(bring("id,n\n1,a\n1,b\n", "id,n\n1,a\n").is_none(), "a key that names two rows");
        assert!(bring("id,n\n1,a\n2,b\n", "id,m,n\n1,,a\n").is_none(), "other columns");
        assert!(bring("id,n,m\n1,a,x\n2,b,y\n", "id,n\n1,a\n").is_none(), "a column went");
        assert!(bring("id,n\n1,\"a\nb\"\n2,c\n", "id,n\n2,c\n").is_none(), "a field over two lines");
    }
}
