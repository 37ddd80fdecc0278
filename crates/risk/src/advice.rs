//! What to look at after a change.

use map::{Category, Map};
use project::RelPath;

use crate::{FileChange, FileReason, FileStory, ProjectCheck, Risk};

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "advice", rename_all = "snake_case")]
pub enum Advice {
    /// Look at a file that still needs what is gone.
    LookAtUser {
        /// The file.
        file: String,
        /// What it needs.
        name: String,
    },
    /// Repair what cannot be read any more.
    FixSyntax {
        /// The file.
        file: String,
        /// Where.
        line: u32,
    },
    /// Look at a test that checks less.
    LookAtTest {
        /// The file.
        file: String,
        /// The test.
        test: String,
    },
    /// Compare a protected file line by line.
    Compare {
        /// The file.
        file: String,
    },
    /// Run the tests.
    RunTests {
        /// With this command.
        command: String,
    },
    /// Start the program once.
    StartProgram,
    /// Open a screen and look.
    OpenScreen {
        /// The file.
        file: String,
        /// A word on it to look for.
        label: Option<String>,
    },
    /// Read the settings that changed.
    ReadSettings {
        /// The file.
        file: String,
    },
    /// If it is not what you wanted, go back.
    GoBack,
}

/// More is not read.
const MOST: usize = 6;

/// What to look at, the weightiest first. `check` finds the project's own check, and is asked only where code changed.
pub fn advice(
    files: &[FileStory],
    map: Option<&Map>,
    check: impl FnOnce() -> Option<ProjectCheck>,
) -> Vec<Advice> {
    let mut all = Vec::new();
    for file in files {
        for reason in &file.reasons {
            match reason {
                FileReason::StillUsed { name, users, .. } => {
                    all.extend(
                        users
                            .first()
                            .map(|user| Advice::LookAtUser { file: user.clone(), name: name.clone() }),
                    );
                }
                FileReason::FileStillUsed { users, .. } => {
                    let name = file.old_path.clone().unwrap_or_else(|| file.path.clone());
                    all.extend(users.first().map(|user| Advice::LookAtUser { file: user.clone(), name }));
                }
                FileReason::SyntaxBroken { line, .. } => {
                    all.push(Advice::FixSyntax { file: file.path.clone(), line: *line });
                }
                FileReason::TestWeakened { test, .. } => {
                    all.push(Advice::LookAtTest { file: file.path.clone(), test: test.clone() });
                }
                FileReason::Protected => all.push(Advice::Compare { file: file.path.clone() }),
                _ => {}
            }
        }
    }
    let code =
        files.iter().any(|file| !file.only_spacing && file.language.is_some_and(map::Language::is_code));
    if code && let Some(check) = check() {
        all.push(Advice::RunTests { command: check.line() });
    }
    if files.iter().any(|file| file.category == Category::Entry && !file.only_spacing) {
        all.push(Advice::StartProgram);
    }
    let changed = |category: Category| {
        files.iter().find(|file| {
            file.category == category && !file.only_spacing && file.change != FileChange::Removed
        })
    };
    if let Some(file) = changed(Category::Ui) {
        let path = RelPath::new(file.path.as_bytes()).ok();
        let label = path.and_then(|path| map?.get(&path)?.ui_labels().first().cloned());
        all.push(Advice::OpenScreen { file: file.path.clone(), label });
    }
    if let Some(file) = changed(Category::Config) {
        all.push(Advice::ReadSettings { file: file.path.clone() });
    }
    all.dedup();
    all.truncate(MOST);
    if files.iter().any(|file| file.risk == Risk::High) {
        all.push(Advice::GoBack);
    }
    all
}
