//! Whose settings hold an entry of ours.

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The person's own: every folder, every project.
    User,
    /// This project, but only for this person: a file that is not committed. Few clients have one.
    Project,
    /// The files of this project that everybody shares through the repository.
    Team,
}

impl Scope {
    /// All of them, the nearest first.
    pub const ALL: [Self; 3] = [Self::Team, Self::Project, Self::User];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Team => "team",
        }
    }

    /// The word in a hook's command line that says from which settings it was called. The person's own carry none: they
    /// always answer.
    pub fn mark(self) -> Option<&'static str> {
        match self {
            Self::User => None,
            Self::Project => Some("--project"),
            Self::Team => Some("--team"),
        }
    }

    /// The scope of a mark.
    pub fn of_mark(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.mark() == Some(word))
    }

    /// Whose settings, for a sentence.
    pub fn whose(self) -> &'static str {
        match self {
            Self::User => "your own settings, for every project",
            Self::Project => "this project, only for you",
            Self::Team => "this project's shared files",
        }
    }
}

impl std::str::FromStr for Scope {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|scope| scope.name() == text).ok_or(())
    }
}
