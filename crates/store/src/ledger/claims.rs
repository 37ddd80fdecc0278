//! [`Claims`]: what a step may write, as far as it names it or as it is predicted. It decides whose a change is when steps overlap.

use project::RelPath;
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, Value, ValueRef};

/// What a step may write.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Claims {
    /// Nobody knows: anything.
    #[default]
    Anywhere,
    /// These paths, and what is in them.
    Named(Vec<RelPath>),
}

/// How well a path fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// It would not write there.
    No,
    /// It could write anywhere.
    Possible,
    /// It names this path or a folder around it.
    Named,
}

impl Claims {
    /// It names this very path.
    pub(super) fn has(&self, path: &RelPath) -> bool {
        matches!(self, Self::Named(named) if named.contains(path))
    }

    pub(super) fn fit(&self, path: &RelPath) -> Fit {
        match self {
            Self::Anywhere => Fit::Possible,
            // A folder that comes or goes with what is in it belongs to whoever made that.
            Self::Named(named) if named.iter().any(|one| path.is_in(one) || one.is_in(path)) => Fit::Named,
            Self::Named(_) => Fit::No,
        }
    }
}

impl ToSql for Claims {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Owned(match self {
            Self::Anywhere => Value::Null,
            Self::Named(named) => {
                let mut bytes = Vec::new();
                for path in named {
                    bytes.extend_from_slice(path.as_bytes());
                    bytes.push(0);
                }
                Value::Blob(bytes)
            }
        }))
    }
}

impl FromSql for Claims {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(match value {
            ValueRef::Blob(bytes) => Self::Named(
                bytes
                    .split(|byte| *byte == 0)
                    .filter(|path| !path.is_empty())
                    .filter_map(|path| RelPath::new(path).ok())
                    .collect(),
            ),
            _ => Self::Anywhere,
        })
    }
}
