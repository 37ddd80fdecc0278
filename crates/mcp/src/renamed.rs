//! Names of tools are frozen. One that gets a new name is accepted under the old one for a release more, and the answer says so.

/// A tool that has a new name.
#[derive(Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The old name; accepted, not listed.
    pub old: &'static str,
    /// The new one.
    pub new: &'static str,
    /// The version since when.
    pub deprecated_in: &'static str,
}

/// Every tool that has a new name in this release. An entry stays for one release.
pub const RENAMED: &[Renamed] = &[];

/// What a name stands for, and whether it is an old one.
pub fn resolve<'n>(table: &'static [Renamed], name: &'n str) -> (&'n str, Option<&'static Renamed>) {
    match table.iter().find(|renamed| renamed.old == name) {
        Some(renamed) => (renamed.new, Some(renamed)),
        None => (name, None),
    }
}
