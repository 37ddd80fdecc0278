//! [`Symbol`]: something in a file that has a name.

use serde::{Deserialize, Serialize};

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SymbolKind {
    /// A function.
    Function,
    /// A function that belongs to a class, a struct or an interface.
    Method,
    /// A class.
    Class,
    /// A struct, record or union.
    Struct,
    /// An interface, trait or protocol.
    Interface,
    /// An enumeration.
    Enum,
    /// Another name for a type.
    Type,
    /// A constant or a variable at the top of a file.
    Constant,
    /// A module or namespace.
    Module,
    /// A macro.
    Macro,
    /// A test.
    Test,
    /// A group of tests.
    TestGroup,
    /// A setting in a file of settings.
    Key,
    /// A rule of a style sheet.
    Style,
    /// A named part of a page.
    Element,
}

impl SymbolKind {
    /// The word that people know.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Interface => "interface",
            Self::Enum => "enum",
            Self::Type => "type",
            Self::Constant => "constant",
            Self::Module => "module",
            Self::Macro => "macro",
            Self::Test => "test",
            Self::TestGroup => "test_group",
            Self::Key => "key",
            Self::Style => "style",
            Self::Element => "element",
        }
    }

    /// Symbols that hold others. What changed inside is said by those.
    pub fn is_container(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Struct | Self::Interface | Self::Enum | Self::Module | Self::TestGroup
        )
    }
}

/// What a test checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TestFacts {
    /// How many things it asserts.
    pub asserts: u32,
    /// How many of these look at nothing: `assert!(true)`.
    pub trivial: u32,
    /// It is not run.
    pub skipped: bool,
}

/// Something that has a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name, with what it is in before it: `Cart.total`.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// First line, from 1.
    pub first_line: u32,
    /// Last line.
    pub last_line: u32,
    /// Tells whether its text is the same; spacing that means nothing does not count.
    pub digest: u64,
    /// As `digest`, without its own name: the same for a symbol that was only renamed.
    pub shape: u64,
    /// Others may use it: exported, public, not private by custom.
    pub exported: bool,
    /// If it is a test.
    pub test: Option<TestFacts>,
}

impl Symbol {
    /// The last part of the name.
    pub fn own_name(&self) -> &str {
        match self.kind {
            // A test's name is a sentence, a setting's or a style's may have dots of its own.
            SymbolKind::Test | SymbolKind::TestGroup | SymbolKind::Key | SymbolKind::Style => &self.name,
            _ => self.name.rsplit('.').next().unwrap_or(&self.name),
        }
    }

    /// How many lines it has.
    pub fn lines(&self) -> u32 {
        self.last_line.saturating_sub(self.first_line) + 1
    }
}
