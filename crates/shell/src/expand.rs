//! Expansion: what a word becomes, as far as it can be known without running anything.
//!
//! Follows the shell: braces, tilde, parameters, command substitution, arithmetic, word splitting on `$IFS`, quotes. What
//! is not known becomes a hole in the text. Substituted commands are judged on the way, because they would run.

use crate::arithmetic::is_arithmetic;
use crate::braces::braces;
use crate::choices;
use crate::findings::Weight;
use crate::patterns::is_pattern;
use crate::quoting;
use crate::run::{is_harm, is_known};
use crate::secret_files::is_secret_variable;
use crate::value::{Arg, Data, HOLE, Taint};
use crate::walk::Walk;
use brush_parser::word::{
    Parameter, ParameterExpr, ParameterTestType, ParameterTransformOp, SpecialParameter, SubstringMatchKind,
    TildeExpr, WordPiece, WordPieceWithSource,
};

/// Deepest nesting of expansions that is followed.
const MAX_EXPANDING: usize = 24;

/// Most words that one word may become.
const MAX_WORDS: usize = 1024;

/// Longest text that one word may become.
const MAX_TEXT: usize = 64 * 1024;

/// A word under construction: fields, the last one still open.
#[derive(Default)]
struct Fields {
    done: Vec<Arg>,
    open: Option<Arg>,
}

impl Fields {
    fn push_text(&mut self, text: &str, glob: bool, taint: Taint) {
        let open = self.open.get_or_insert_with(Arg::default);
        if open.text.len() + text.len() <= MAX_TEXT {
            open.text.push_str(text);
        } else if !open.text.ends_with(HOLE) {
            open.text.push(HOLE);
        }
        open.glob |= glob;
        open.taint = open.taint.and(taint);
    }

    fn cut(&mut self) {
        if let Some(field) = self.open.take() {
            self.done.push(field);
        }
    }

    /// Text from an unquoted expansion: separators cut it into fields.
    fn push_split(&mut self, value: &Arg, separators: &str) {
        if value.text.is_empty() {
            return;
        }
        for c in value.text.chars() {
            if separators.contains(c) || choices::is_next(c) {
                self.cut();
            } else if choices::is_mark(c) {
                continue;
            } else {
                let glob = matches!(c, '*' | '?' | '[');
                self.push_text(c.encode_utf8(&mut [0; 4]), glob, value.taint);
            }
        }
    }

    fn finish(mut self) -> Vec<Arg> {
        self.cut();
        self.done
    }
}

impl Walk<'_> {
    /// All words that one word becomes. A pattern stays itself, and what it matches that matters comes after it.
    pub(crate) fn expand(&mut self, word: &str) -> Vec<Arg> {
        let args = self.expand_plain(word);
        if args.iter().all(|arg| !arg.glob) {
            return args;
        }
        args.into_iter().flat_map(|arg| self.with_matches(arg)).take(MAX_WORDS).collect()
    }

    /// The same where the shell matches no names: tests, `case`, redirections.
    pub(crate) fn expand_plain(&mut self, word: &str) -> Vec<Arg> {
        let mut args = Vec::new();
        for word in braces(word) {
            match self.limits.word(&word) {
                Some(pieces) => {
                    let mut fields = Fields::default();
                    self.pieces(&pieces, false, &mut fields);
                    args.extend(fields.finish());
                }
                None => args.push(self.not_expanded(&word)),
            }
        }
        args
    }

    /// A word that the parser could not take apart: what it would become, or run, is not known.
    fn not_expanded(&mut self, word: &str) -> Arg {
        if word.contains(['$', '`']) {
            self.found.unknown(Weight::Ask, "not_parsed", "a word that could not be understood", word);
        }
        Arg::hole()
    }

    /// A word where the shell neither splits nor matches patterns: assignments, here-strings, redirections.
    pub(crate) fn expand_whole(&mut self, word: &str) -> Arg {
        match self.limits.word(word) {
            Some(pieces) => self.whole(&pieces),
            None => self.not_expanded(word),
        }
    }

    /// The text of a here-document.
    pub(crate) fn expand_here_document(&mut self, text: &str) -> Arg {
        match self.limits.here_document(text) {
            Some(pieces) => self.whole(&pieces),
            None => self.not_expanded(text),
        }
    }

    fn whole(&mut self, pieces: &[WordPieceWithSource]) -> Arg {
        let mut fields = Fields::default();
        self.pieces(pieces, true, &mut fields);
        let all = fields.finish();
        let mut joined = Arg::default();
        for (n, arg) in all.iter().enumerate() {
            if n > 0 {
                joined.text.push(' ');
            }
            joined.text.push_str(&arg.text);
            joined.glob |= arg.glob;
            joined.taint = joined.taint.and(arg.taint);
        }
        joined
    }

    fn pieces(&mut self, pieces: &[WordPieceWithSource], quoted: bool, fields: &mut Fields) {
        if self.expanding >= MAX_EXPANDING {
            self.found.unknown(Weight::Ask, "too_complex", "expansions nested too deep to follow", "");
            return fields.push_text(&HOLE.to_string(), false, Taint::default());
        }
        self.expanding += 1;
        for piece in pieces {
            self.piece(&piece.piece, quoted, fields);
        }
        self.expanding -= 1;
    }

    fn piece(&mut self, piece: &WordPiece, quoted: bool, fields: &mut Fields) {
        match piece {
            WordPiece::Text(text) => {
                fields.push_text(text, !quoted && is_pattern(text), Taint::default());
            }
            WordPiece::SingleQuotedText(text) => fields.push_text(text, false, Taint::default()),
            WordPiece::AnsiCQuotedText(text) => {
                fields.push_text(&quoting::ansi_c(text), false, Taint::default());
            }
            WordPiece::EscapeSequence(text) => {
                let plain = text.strip_prefix('\\').unwrap_or(text);
                fields.push_text(if plain == "\n" { "" } else { plain }, false, Taint::default());
            }
            WordPiece::DoubleQuotedSequence(inner) | WordPiece::GettextDoubleQuotedSequence(inner) => {
                fields.push_text("", false, Taint::default());
                self.pieces(inner, true, fields);
            }
            WordPiece::TildeExpansion(tilde) => {
                let home = self.tilde(tilde);
                fields.push_text(&home, false, Taint::default());
            }
            WordPiece::CommandSubstitution(script) => self.substitution(script, quoted, fields),
            WordPiece::BackquotedCommandSubstitution(script) => {
                self.substitution(&quoting::backquoted(script), quoted, fields);
            }
            WordPiece::ArithmeticExpression(expr) => {
                let value = self.arithmetic(&expr.value);
                fields.push_text(&value, false, Taint::default());
            }
            WordPiece::ParameterExpansion(expr) => self.parameter_expression(expr, quoted, fields),
        }
    }

    fn tilde(&self, tilde: &TildeExpr) -> String {
        match tilde {
            TildeExpr::Home => self.value_of("HOME").text,
            TildeExpr::UserHome(user) => format!("/home/{user}"),
            TildeExpr::WorkingDir => self.cwd.clone().unwrap_or_else(|| HOLE.to_string()),
            _ => HOLE.to_string(),
        }
    }

    fn substitution(&mut self, script: &str, quoted: bool, fields: &mut Fields) {
        let (cwd, branches) = (self.cwd.clone(), self.branches);
        let trimmed = script.trim();
        let data = match trimmed.strip_prefix('<') {
            // `$(<file)` is the content of the file.
            Some(file) if !file.starts_with(['<', '(']) && !file.contains(['|', ';', '&', '\n']) => {
                let path = self.expand_whole(file.trim());
                self.read_file(&path)
            }
            _ => self.script(script, Data::default()),
        };
        self.cwd = cwd;
        self.branches = branches;
        let value = match data.text {
            Some(text) => {
                Arg { text: text.trim_end_matches('\n').to_owned(), glob: false, taint: data.taint }
            }
            None if data.present => {
                let lines = data.lines();
                let text = match lines.as_slice() {
                    [only] => only.text.clone(),
                    _ => choices::any_of(&lines),
                };
                data.one_line().with_text(text)
            }
            // No output that we know of: it may be empty, so it is a hole rather than nothing.
            None => Arg::hole(),
        };
        self.push_value(&value, quoted, fields);
    }

    fn push_value(&self, value: &Arg, quoted: bool, fields: &mut Fields) {
        if quoted {
            fields.push_text(&value.text, false, value.taint);
        } else {
            fields.push_split(value, &self.value_of("IFS").text);
        }
    }

    /// Substitutions inside arithmetic run too; the value is computed only for plain numbers.
    pub(crate) fn arithmetic(&mut self, expr: &str) -> String {
        // `$((` may also be meant as a shell in a substitution; what would be harmful there is asked about.
        let first =
            expr.trim_start_matches(['(', ' ', '\n', '\t']).split_whitespace().next().unwrap_or_default();
        let harmful = is_known(first)
            && is_harm(&self.probed(|walk| {
                walk.script(expr, Data::default());
            }));
        if harmful || !is_arithmetic(expr) {
            self.found.unknown(Weight::Ask, "not_parsed", "arithmetic that does not look like it", expr);
        }
        self.evaluated(expr);
        if expr.contains(['$', '`']) {
            let inner = self.expand_whole(&format!("\"{}\"", expr.replace('"', "")));
            if inner.known() && inner.text.trim().parse::<i64>().is_ok() {
                return inner.text.trim().to_owned();
            }
        }
        let plain = expr.trim();
        if plain.parse::<i64>().is_ok() { plain.to_owned() } else { "1".to_owned() }
    }

    /// The value of a variable in the current variant.
    pub(crate) fn value_of(&self, name: &str) -> Arg {
        match self.vars.get(&self.real_name(name)).map(Vec::as_slice) {
            None | Some([]) => Arg::hole(),
            Some(values) => values[self.variant.min(values.len() - 1)].clone(),
        }
    }

    /// Values of a parameter, or `None` when it is certainly unset.
    fn parameter(&mut self, parameter: &Parameter) -> Option<Vec<Arg>> {
        Some(match parameter {
            Parameter::Positional(0) => vec![self.zero.clone()],
            Parameter::Positional(n) => match self.positional.get(*n as usize - 1) {
                Some(arg) => vec![arg.clone()],
                None if self.positional.is_empty() => vec![Arg::hole()],
                None => return None,
            },
            Parameter::Special(SpecialParameter::AllPositionalParameters { .. }) => self.positional.clone(),
            Parameter::Special(SpecialParameter::ShellName) => vec![self.zero.clone()],
            Parameter::Special(_) => vec![Arg::new("0")],
            Parameter::Named(name) => {
                let name = &self.real_name(name);
                if let Some(values) = self.vars.get(name) {
                    self.variants = self.variants.max(values.len());
                    if values.is_empty() {
                        return None;
                    }
                } else if let Some(values) = self.arrays.get(name) {
                    return values.first().cloned().map(|first| vec![first]);
                }
                match name.as_str() {
                    "PWD" => vec![self.cwd.clone().map_or_else(Arg::hole, Arg::new)],
                    "RANDOM" | "SECONDS" | "LINENO" | "UID" | "EUID" | "PPID" | "BASHPID" => {
                        vec![Arg::new("1")]
                    }
                    _ => {
                        let variable = !self.vars.contains_key(name) && is_secret_variable(name);
                        if variable && self.secret_names.len() < 16 {
                            self.secret_names.push(name.clone());
                        }
                        let value = self.value_of(name);
                        vec![Arg { taint: value.taint.and(Taint { variable, ..Taint::default() }), ..value }]
                    }
                }
            }
            Parameter::NamedWithIndex { name, index } => {
                let at = self.expand_whole(index);
                self.evaluated(&at.text);
                match (self.arrays.get(name), index.trim().parse::<usize>()) {
                    (Some(values), Ok(at)) => {
                        values.get(at).cloned().map_or_else(|| vec![Arg::hole()], |value| vec![value])
                    }
                    _ => vec![Arg::hole()],
                }
            }
            Parameter::NamedWithAllIndices { name, .. } => match self.arrays.get(name) {
                Some(values) => values.clone(),
                None => vec![self.value_of(name)],
            },
        })
    }

    fn indirected(&mut self, parameter: &Parameter, indirect: bool) -> Option<Vec<Arg>> {
        let values = self.parameter(parameter)?;
        if !indirect {
            return Some(values);
        }
        let name = values.first().map(|arg| arg.text.clone()).unwrap_or_default();
        self.evaluated_name(&name);
        Some(vec![self.value_of(&name)])
    }

    fn parameter_expression(&mut self, expr: &ParameterExpr, quoted: bool, fields: &mut Fields) {
        use ParameterExpr as P;
        match expr {
            P::Parameter { parameter, indirect } => {
                let many = matches!(
                    parameter,
                    Parameter::Special(SpecialParameter::AllPositionalParameters { .. })
                        | Parameter::NamedWithAllIndices { .. }
                );
                let values = self.indirected(parameter, *indirect).unwrap_or_default();
                for (n, value) in values.iter().enumerate() {
                    if n > 0 && many {
                        fields.cut();
                    }
                    self.push_value(value, quoted, fields);
                }
            }
            P::UseDefaultValues { parameter, indirect, test_type, default_value }
            | P::AssignDefaultValues { parameter, indirect, test_type, default_value } => {
                let value = self.chosen(parameter, *indirect, test_type);
                // An environment variable that we do not know is usually not set: the default is what can be judged.
                let value = match value {
                    Some(value) if value.known() || self.is_set(parameter) => value,
                    _ => {
                        let value = self.expand_whole(default_value.as_deref().unwrap_or_default());
                        if let (P::AssignDefaultValues { .. }, Parameter::Named(name)) = (expr, parameter) {
                            self.vars.insert(name.clone(), vec![value.clone()]);
                        }
                        value
                    }
                };
                self.push_value(&value, quoted, fields);
            }
            P::IndicateErrorIfNullOrUnset { parameter, indirect, error_message, .. } => {
                self.expand_whole(error_message.as_deref().unwrap_or_default());
                let value =
                    self.indirected(parameter, *indirect).and_then(|values| values.into_iter().next());
                self.push_value(&value.unwrap_or_else(Arg::hole), quoted, fields);
            }
            P::UseAlternativeValue { parameter, alternative_value, .. } => {
                let value = self.expand_whole(alternative_value.as_deref().unwrap_or_default());
                let empty = matches!(parameter, Parameter::Named(name) if self.vars.get(name).is_some_and(Vec::is_empty));
                if !empty {
                    self.push_value(&value, quoted, fields);
                }
            }
            P::Transform { parameter, indirect, op } => {
                let value = self.first_of(parameter, *indirect);
                if matches!(op, ParameterTransformOp::PromptExpand) {
                    // Prompt expansion runs the substitutions inside the value.
                    let expanded = self.expand_whole(&format!("\"{}\"", value.text.replace('"', "")));
                    self.push_value(&expanded, quoted, fields);
                } else {
                    let text = match op {
                        ParameterTransformOp::ToLowerCase => value.text.to_lowercase(),
                        ParameterTransformOp::ToUpperCase => value.text.to_uppercase(),
                        ParameterTransformOp::ExpandEscapeSequences => quoting::ansi_c(&value.text),
                        _ => value.text.clone(),
                    };
                    self.push_value(&value.with_text(text), quoted, fields);
                }
            }
            _ => {
                let value = self.edited(expr);
                self.push_value(&value, quoted, fields);
            }
        }
    }

    fn is_set(&self, parameter: &Parameter) -> bool {
        match parameter {
            Parameter::Named(name) => self.vars.contains_key(name),
            Parameter::Positional(n) => self.positional.len() >= *n as usize,
            _ => true,
        }
    }

    fn first_of(&mut self, parameter: &Parameter, indirect: bool) -> Arg {
        let value = self.indirected(parameter, indirect).and_then(|values| values.into_iter().next());
        match value {
            // Of several names the one that matters most is edited.
            Some(value) if value.text.contains(choices::is_mark) => {
                value.with_text(choices::chosen(&value.text, usize::MAX))
            }
            value => value.unwrap_or_else(Arg::hole),
        }
    }

    fn chosen(&mut self, parameter: &Parameter, indirect: bool, test: &ParameterTestType) -> Option<Arg> {
        let value = self.indirected(parameter, indirect)?.into_iter().next()?;
        (!(value.text.is_empty() && matches!(test, ParameterTestType::UnsetOrNull))).then_some(value)
    }

    /// Expansions that edit the value: prefixes, suffixes, replacement, case, substring.
    fn edited(&mut self, expr: &ParameterExpr) -> Arg {
        use ParameterExpr as P;
        match expr {
            P::ParameterLength { .. } => Arg::new("1"),
            P::RemoveSmallestSuffixPattern { parameter, indirect, pattern } => {
                self.trimmed(parameter, *indirect, pattern.as_deref(), |text, pattern| {
                    without(text, pattern, false, false)
                })
            }
            P::RemoveLargestSuffixPattern { parameter, indirect, pattern } => {
                self.trimmed(parameter, *indirect, pattern.as_deref(), |text, pattern| {
                    without(text, pattern, false, true)
                })
            }
            P::RemoveSmallestPrefixPattern { parameter, indirect, pattern } => {
                self.trimmed(parameter, *indirect, pattern.as_deref(), |text, pattern| {
                    without(text, pattern, true, false)
                })
            }
            P::RemoveLargestPrefixPattern { parameter, indirect, pattern } => {
                self.trimmed(parameter, *indirect, pattern.as_deref(), |text, pattern| {
                    without(text, pattern, true, true)
                })
            }
            P::LowercasePattern { parameter, indirect, pattern: None } => {
                let value = self.first_of(parameter, *indirect);
                value.with_text(value.text.to_lowercase())
            }
            P::UppercasePattern { parameter, indirect, pattern: None } => {
                let value = self.first_of(parameter, *indirect);
                value.with_text(value.text.to_uppercase())
            }
            P::ReplaceSubstring { parameter, indirect, pattern, replacement, match_kind } => {
                let value = self.first_of(parameter, *indirect);
                let pattern = self.expand_whole(pattern);
                let new = self.expand_whole(replacement.as_deref().unwrap_or_default());
                if pattern.glob || !pattern.known() || pattern.text.is_empty() || !value.known() {
                    return Arg { taint: value.taint, ..Arg::hole() };
                }
                let text = match match_kind {
                    SubstringMatchKind::Anywhere => value.text.replace(&pattern.text, &new.text),
                    _ => value.text.replacen(&pattern.text, &new.text, 1),
                };
                value.with_text(text)
            }
            P::Substring { parameter, indirect, offset, length } => {
                let value = self.first_of(parameter, *indirect);
                for number in
                    std::iter::once(&offset.value).chain(length.as_ref().map(|length| &length.value))
                {
                    let number = self.expand_whole(number);
                    self.evaluated(&number.text);
                }
                let (from, count) = (
                    offset.value.trim().parse::<usize>(),
                    length.as_ref().map(|l| l.value.trim().parse::<usize>()),
                );
                match (from, count) {
                    (Ok(from), None) if value.known() => {
                        value.with_text(value.text.chars().skip(from).collect::<String>())
                    }
                    (Ok(from), Some(Ok(count))) if value.known() => {
                        value.with_text(value.text.chars().skip(from).take(count).collect::<String>())
                    }
                    _ => {
                        self.expand_whole(&offset.value);
                        Arg { taint: value.taint, ..Arg::hole() }
                    }
                }
            }
            _ => Arg::hole(),
        }
    }

    fn trimmed(
        &mut self,
        parameter: &Parameter,
        indirect: bool,
        pattern: Option<&str>,
        strip: impl for<'t> Fn(&'t str, &str) -> Option<&'t str>,
    ) -> Arg {
        let value = self.first_of(parameter, indirect);
        let pattern = self.expand_whole(pattern.unwrap_or_default());
        if !pattern.known() || !value.known() || value.text.len() > MAX_TRIMMED || pattern.text.len() > 64 {
            return Arg { taint: value.taint, ..Arg::hole() };
        }
        match strip(&value.text, &pattern.text) {
            Some(text) => value.with_text(text),
            None => value.clone(),
        }
    }
}

/// Longest value that a pattern is taken from.
const MAX_TRIMMED: usize = 1024;

/// What is left of a value when what the pattern matches at its start or end is taken away; nothing if it does not match.
fn without<'t>(text: &'t str, pattern: &str, from_start: bool, largest: bool) -> Option<&'t str> {
    if !crate::patterns::is_pattern(pattern) {
        return if from_start { text.strip_prefix(pattern) } else { text.strip_suffix(pattern) };
    }
    let mut cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    // The first cut that fits is the one: short pieces first, or long ones.
    if from_start == largest {
        cuts.reverse();
    }
    cuts.into_iter().find_map(|cut| {
        let (head, tail) = text.split_at(cut);
        let (taken, left) = if from_start { (head, tail) } else { (tail, head) };
        crate::patterns::fits_whole(pattern, taken).then_some(left)
    })
}
