//! What each node of each grammar means. One table a language; looked up by number, so that a walk costs little.

use std::sync::OnceLock;

use crate::{Language, SymbolKind};

/// What a node means for the outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Nothing; look inside.
    Pass,
    /// Nothing, and nothing inside matters.
    Skip,
    /// Something with a name.
    Symbol(SymbolKind),
    /// A constant or variable, if it is at the top of the file.
    Variable,
    /// No symbol itself, but what is inside carries its name: `impl Cart`.
    Scope,
    /// What is inside is exported.
    Export,
    /// Attributes and decorators: they belong to what follows.
    Attribute,
    /// A definition together with its decorators.
    Decorated,
    /// It names other files.
    Import,
    /// A call: it may import, assert, or be a test.
    Call,
    /// An assertion of the language itself.
    Assert,
    /// A setting.
    Key,
    /// Text that people see.
    Text,
    /// An attribute of a tag.
    TagAttribute,
}

use Act::{
    Assert, Attribute, Call, Decorated, Export, Import, Key, Pass, Scope, Skip, Symbol, TagAttribute, Text,
    Variable,
};
use SymbolKind as Is;

type Table = &'static [(&'static str, Act)];

const RUST: Table = &[
    ("function_item", Symbol(Is::Function)),
    ("function_signature_item", Symbol(Is::Function)),
    ("struct_item", Symbol(Is::Struct)),
    ("union_item", Symbol(Is::Struct)),
    ("enum_item", Symbol(Is::Enum)),
    ("trait_item", Symbol(Is::Interface)),
    ("mod_item", Symbol(Is::Module)),
    ("type_item", Symbol(Is::Type)),
    ("const_item", Symbol(Is::Constant)),
    ("static_item", Symbol(Is::Constant)),
    ("macro_definition", Symbol(Is::Macro)),
    ("impl_item", Scope),
    ("attribute_item", Attribute),
    ("use_declaration", Import),
    ("macro_invocation", Call),
    ("line_comment", Skip),
    ("block_comment", Skip),
];

const PYTHON: Table = &[
    ("function_definition", Symbol(Is::Function)),
    ("class_definition", Symbol(Is::Class)),
    ("decorated_definition", Decorated),
    ("decorator", Attribute),
    ("assignment", Variable),
    ("import_statement", Import),
    ("import_from_statement", Import),
    ("call", Call),
    ("assert_statement", Assert),
    ("comment", Skip),
    ("string", Skip),
];

const JAVASCRIPT: Table = &[
    ("function_declaration", Symbol(Is::Function)),
    ("generator_function_declaration", Symbol(Is::Function)),
    ("function_signature", Symbol(Is::Function)),
    ("class_declaration", Symbol(Is::Class)),
    ("abstract_class_declaration", Symbol(Is::Class)),
    ("method_definition", Symbol(Is::Method)),
    ("abstract_method_signature", Symbol(Is::Method)),
    ("method_signature", Symbol(Is::Method)),
    ("field_definition", Symbol(Is::Constant)),
    ("public_field_definition", Symbol(Is::Constant)),
    ("interface_declaration", Symbol(Is::Interface)),
    ("type_alias_declaration", Symbol(Is::Type)),
    ("enum_declaration", Symbol(Is::Enum)),
    ("internal_module", Symbol(Is::Module)),
    ("module", Symbol(Is::Module)),
    ("variable_declarator", Variable),
    ("export_statement", Export),
    ("import_statement", Import),
    ("call_expression", Call),
    ("jsx_text", Text),
    ("jsx_attribute", TagAttribute),
    ("comment", Skip),
    ("string", Skip),
    ("regex", Skip),
];

const GO: Table = &[
    ("function_declaration", Symbol(Is::Function)),
    ("method_declaration", Symbol(Is::Method)),
    ("type_spec", Symbol(Is::Type)),
    ("type_alias", Symbol(Is::Type)),
    ("const_spec", Variable),
    ("var_spec", Variable),
    ("import_spec", Import),
    ("call_expression", Call),
    ("comment", Skip),
];

const JAVA: Table = &[
    ("class_declaration", Symbol(Is::Class)),
    ("record_declaration", Symbol(Is::Struct)),
    ("interface_declaration", Symbol(Is::Interface)),
    ("annotation_type_declaration", Symbol(Is::Interface)),
    ("enum_declaration", Symbol(Is::Enum)),
    ("method_declaration", Symbol(Is::Method)),
    ("constructor_declaration", Symbol(Is::Method)),
    ("import_declaration", Import),
    ("method_invocation", Call),
    ("assert_statement", Assert),
    ("line_comment", Skip),
    ("block_comment", Skip),
];

const C: Table = &[
    ("function_definition", Symbol(Is::Function)),
    ("declaration", Symbol(Is::Function)),
    ("field_declaration", Symbol(Is::Method)),
    ("struct_specifier", Symbol(Is::Struct)),
    ("union_specifier", Symbol(Is::Struct)),
    ("class_specifier", Symbol(Is::Class)),
    ("enum_specifier", Symbol(Is::Enum)),
    ("type_definition", Symbol(Is::Type)),
    ("alias_declaration", Symbol(Is::Type)),
    ("namespace_definition", Symbol(Is::Module)),
    ("preproc_def", Symbol(Is::Macro)),
    ("preproc_function_def", Symbol(Is::Macro)),
    ("preproc_include", Import),
    ("call_expression", Call),
    ("comment", Skip),
];

const CSHARP: Table = &[
    ("class_declaration", Symbol(Is::Class)),
    ("struct_declaration", Symbol(Is::Struct)),
    ("record_declaration", Symbol(Is::Struct)),
    ("interface_declaration", Symbol(Is::Interface)),
    ("enum_declaration", Symbol(Is::Enum)),
    ("delegate_declaration", Symbol(Is::Type)),
    ("method_declaration", Symbol(Is::Method)),
    ("constructor_declaration", Symbol(Is::Method)),
    ("property_declaration", Symbol(Is::Constant)),
    ("local_function_statement", Symbol(Is::Function)),
    ("namespace_declaration", Symbol(Is::Module)),
    ("using_directive", Import),
    ("invocation_expression", Call),
    ("comment", Skip),
];

const RUBY: Table = &[
    ("method", Symbol(Is::Function)),
    ("singleton_method", Symbol(Is::Function)),
    ("class", Symbol(Is::Class)),
    ("module", Symbol(Is::Module)),
    ("assignment", Variable),
    ("call", Call),
    ("comment", Skip),
    ("string", Skip),
];

const PHP: Table = &[
    ("function_definition", Symbol(Is::Function)),
    ("method_declaration", Symbol(Is::Method)),
    ("class_declaration", Symbol(Is::Class)),
    ("interface_declaration", Symbol(Is::Interface)),
    ("trait_declaration", Symbol(Is::Interface)),
    ("enum_declaration", Symbol(Is::Enum)),
    ("namespace_use_declaration", Import),
    ("require_expression", Import),
    ("require_once_expression", Import),
    ("include_expression", Import),
    ("include_once_expression", Import),
    ("function_call_expression", Call),
    ("member_call_expression", Call),
    ("scoped_call_expression", Call),
    ("text", Pass),
    ("comment", Skip),
];

const HTML: Table = &[("text", Text), ("attribute", TagAttribute), ("comment", Skip), ("raw_text", Skip)];

const CSS: Table = &[
    ("rule_set", Symbol(Is::Style)),
    ("keyframes_statement", Symbol(Is::Style)),
    ("import_statement", Import),
    ("comment", Skip),
];

const JSON: Table = &[("pair", Key), ("array", Skip), ("comment", Skip)];

const YAML: Table = &[
    ("block_mapping_pair", Key),
    ("flow_pair", Key),
    ("block_sequence", Skip),
    ("flow_sequence", Skip),
    ("comment", Skip),
];

const TOML: Table =
    &[("table", Key), ("table_array_element", Key), ("pair", Key), ("array", Skip), ("comment", Skip)];

const BASH: Table = &[
    ("function_definition", Symbol(Is::Function)),
    ("command", Import),
    ("comment", Skip),
    ("heredoc_body", Skip),
];

fn table(language: Language) -> Table {
    match language {
        Language::Rust => RUST,
        Language::Python => PYTHON,
        Language::JavaScript | Language::TypeScript | Language::Tsx => JAVASCRIPT,
        Language::Go => GO,
        Language::Java => JAVA,
        Language::C | Language::Cpp => C,
        Language::CSharp => CSHARP,
        Language::Ruby => RUBY,
        Language::Php => PHP,
        Language::Html => HTML,
        Language::Css => CSS,
        Language::Json => JSON,
        Language::Yaml => YAML,
        Language::Toml => TOML,
        Language::Bash => BASH,
    }
}

/// The table of a grammar, by number of node.
pub(crate) struct Rules {
    acts: Vec<Act>,
}

impl Rules {
    /// The rules of a language; made when first asked for.
    pub(crate) fn of(language: Language) -> &'static Self {
        static ALL: [OnceLock<Rules>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
        ALL[language as usize].get_or_init(|| {
            let grammar = language.grammar();
            let table = table(language);
            let act = |id: usize| {
                let id = u16::try_from(id).unwrap_or(u16::MAX);
                let kind = grammar.node_kind_for_id(id).filter(|_| grammar.node_kind_is_named(id));
                let found = kind.and_then(|kind| table.iter().find(|(name, _)| *name == kind));
                found.map_or(Pass, |(_, act)| *act)
            };
            let acts = (0..grammar.node_kind_count()).map(act).collect();
            Self { acts }
        })
    }

    pub(crate) fn act(&self, kind: u16) -> Act {
        self.acts.get(usize::from(kind)).copied().unwrap_or(Pass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds that only one of several grammars with a common table has.
    const NOT_EVERYWHERE: &[&str] = &[
        "class_specifier",
        "alias_declaration",
        "namespace_definition",
        "function_signature",
        "abstract_class_declaration",
        "abstract_method_signature",
        "method_signature",
        "field_definition",
        "public_field_definition",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
        "internal_module",
        "module",
        "jsx_text",
        "jsx_attribute",
    ];

    #[test]
    fn every_name_in_the_tables_is_one_of_the_grammar() {
        for language in Language::ALL {
            let grammar = language.grammar();
            for (kind, _) in table(language) {
                let known = grammar.id_for_node_kind(kind, true) != 0;
                assert!(known || NOT_EVERYWHERE.contains(kind), "{language:?}: {kind}");
            }
        }
    }
}
