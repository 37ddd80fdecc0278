//! Git's list of differences, as `--raw -z --no-abbrev` prints it.

/// One row of it about a file with text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawChange {
    /// Its mode before, as git writes it (`100644`).
    pub old_mode: String,
    /// The object before; zeros where there was none.
    pub old_id: String,
    /// The object after; zeros where there is none, or only the disk has it.
    pub new_id: String,
    /// Where it was, if it moved.
    pub old_path: Option<Vec<u8>>,
    /// Where it is.
    pub path: Vec<u8>,
    /// Git's letter: `A`, `C`, `D`, `M`, `R`, `T`.
    pub status: u8,
    /// It is a file now: neither gone nor a link nor a submodule.
    pub is_file: bool,
}

/// Reads `:mode mode id id status`, then one path, or two for a rename. Links and submodules have no text and are left out.
pub fn raw_changes(raw: &[u8]) -> Vec<RawChange> {
    let mut fields = raw.split(|byte| *byte == 0);
    let mut rows = Vec::new();
    while let Some(about) = fields.next().filter(|about| !about.is_empty()) {
        let about = String::from_utf8_lossy(about).into_owned();
        let words: Vec<&str> = about.trim_start_matches(':').split(' ').collect();
        let [old_mode, new_mode, old_id, new_id, status] = words[..] else { break };
        let status = status.bytes().next().unwrap_or(b'M');
        let Some(first) = fields.next() else { break };
        let second = if matches!(status, b'R' | b'C') { fields.next() } else { None };
        let file = |mode: &str| mode.starts_with("100");
        if !file(old_mode) && !file(new_mode) {
            continue;
        }
        rows.push(RawChange {
            old_mode: old_mode.to_owned(),
            old_id: old_id.to_owned(),
            new_id: new_id.to_owned(),
            old_path: second.map(|_| first.to_vec()),
            path: second.unwrap_or(first).to_vec(),
            status,
            is_file: file(new_mode),
        });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gits_list_is_read() {
        let id = "1".repeat(40);
        let raw = format!(
            ":100644 100644 {id} {id} M\0a b\0:100644 100644 {id} {id} R090\0old\0new\0:000000 120000 {id} {id} A\0link\0\
             :100644 120000 {id} {id} T\0became\0"
        );
        let rows = raw_changes(raw.as_bytes());
        assert_eq!(rows.len(), 3);
        assert_eq!((rows[0].path.as_slice(), rows[0].status, rows[0].is_file), (&b"a b"[..], b'M', true));
        assert_eq!((rows[1].old_path.as_deref(), rows[1].path.as_slice()), (Some(&b"old"[..]), &b"new"[..]));
        assert_eq!((rows[2].status, rows[2].is_file), (b'T', false));
    }
}
