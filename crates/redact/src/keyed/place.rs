//! Where a value stands: what is a key in a settings file is an example in a manual and made up in a test.

use super::Kind;
use super::judge::names_api;
use crate::random::Makeup;
use crate::words::Words;

/// What kind of file a text lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// What is used: code, settings, scripts.
    #[default]
    Product,
    /// What shows or tries something: tests, fixtures, examples, documentation.
    Sample,
    /// What is read by people in their language.
    Translation,
    /// What a program wrote: lock files, bundles, recordings.
    Generated,
}

/// Folders whose files try or show something.
#[rustfmt::skip]
const SAMPLE_FOLDERS: &[&str] = &[
    "test", "tests", "__tests__", "testing", "testdata", "test-data", "test_data", "testdatabase", "testutil", "testutils",
    "testsuite", "testsuites", "test-framework", "spec", "specs", "fixture", "fixtures", "__fixtures__", "__mocks__", "mock", "mocks",
    "example", "examples", "sample", "samples", "demo", "demos", "doc", "docs", "documentation", "e2e", "cypress",
    "integration-tests", "integrationtest", "integration_tests", "bench", "benches", "benchmark", "benchmarks", "cassettes",
    "snapshots", "__snapshots__", "tutorial", "tutorials", "playground", "androidtest", "unittest", "unittests", "functional_tests",
    "changelog", "changelogs", "mirage", "perf", "seed", "seeds", "seeder", "seeders", "factories",
];

/// Folders of texts in people's languages.
const SPOKEN_FOLDERS: &[&str] = &[
    "locale",
    "locales",
    "i18n",
    "l10n",
    "lang",
    "langs",
    "languages",
    "translations",
    "translation",
    "messages",
];

/// What the path says.
pub(crate) fn of(path: &str) -> Place {
    if crate::paths::is_generated(path) {
        return Place::Generated;
    }
    let lower = path.to_ascii_lowercase();
    let mut parts = lower.rsplit(['/', '\\']);
    let name = parts.next().unwrap_or_default();
    let folders: Vec<&str> = parts.collect();
    let data = [
        "json",
        "yml",
        "yaml",
        "po",
        "pot",
        "properties",
        "xml",
        "strings",
        "arb",
        "xlf",
        "xliff",
        "resx",
        "ftl",
        "php",
        "js",
        "ts",
        "rb",
        "toml",
    ];
    let ending = name.rsplit('.').next().unwrap_or_default();
    let spoken = ["po", "pot", "arb", "strings", "xlf", "xliff", "resx", "ftl"].contains(&ending)
        || (name.starts_with("messages_") && ending == "properties")
        || data.contains(&ending) && folders.iter().any(|folder| SPOKEN_FOLDERS.contains(folder));
    if spoken {
        return Place::Translation;
    }
    if is_sample_name(path, name) || folders.iter().any(|folder| is_sample_folder(folder)) {
        return Place::Sample;
    }
    Place::Product
}

fn is_sample_folder(folder: &str) -> bool {
    SAMPLE_FOLDERS.contains(&folder)
        || ["test-", "tests-", "example-", "e2e-"].iter().any(|start| folder.starts_with(start))
        || [
            "-test",
            "-tests",
            "_test",
            "_tests",
            ".test",
            ".tests",
            "-example",
            "-examples",
            "_examples",
            "-testing",
            "-e2e",
            "_e2e",
        ]
        .iter()
        .any(|end| folder.ends_with(end))
}

fn is_sample_name(path: &str, name: &str) -> bool {
    let original = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or_default();
    let capital = original.split('.').next().unwrap_or_default();
    let parts = || name.split(['.', '-', '_']);
    let prose =
        [".md", ".mdx", ".rst", ".adoc", ".asciidoc", ".txt.example"].iter().any(|end| name.ends_with(end));
    let marked = parts().any(|part| {
        matches!(
            part,
            "test"
                | "tests"
                | "spec"
                | "example"
                | "sample"
                | "template"
                | "dist"
                | "fixture"
                | "fixtures"
                | "mock"
                | "mocks"
                | "testing"
                | "bench"
                | "conftest"
                | "stories"
        )
    });
    prose
        || marked
        || stem == "changelog"
        || ["Test", "Tests", "Spec", "IT", "TestCase", "Mock", "Fixture", "Fixtures"]
            .iter()
            .any(|end| capital.len() > end.len() && capital.ends_with(end))
        || capital.starts_with("Test") && capital.as_bytes().get(4).is_some_and(u8::is_ascii_uppercase)
}

/// Whether a value that would be a secret in a settings file is one here.
pub(super) fn believes(place: Place, name: &[u8], body: &[u8], kind: Kind) -> bool {
    match place {
        Place::Product => true,
        Place::Generated => false,
        Place::Translation => kind == Kind::Token && is_plainly_random(body),
        Place::Sample => match kind {
            Kind::Password | Kind::SpokenPassword => body.len() >= 16 && is_plainly_generated(body),
            Kind::Token | Kind::SpokenToken => {
                let hex = Makeup::of(body).hex_only;
                !TELLS.is_in(&body.to_ascii_lowercase())
                    && (is_plainly_random(body) && !hex || hex && body.len() == 32 && names_api(name))
            }
        },
    }
}

/// Words in values that people make up for a test.
#[rustfmt::skip]
const TELLS: Words = Words::new(&[
    "abc", "admin", "api", "bar", "demo", "deadbeef", "foo", "key", "my", "new", "old", "pass", "pw", "secret", "some", "test", "this", "token",
    "user",
]);

/// A value that nobody could have made up.
pub(crate) fn is_plainly_random(body: &[u8]) -> bool {
    let makeup = Makeup::of(body);
    body.len() >= 24
        && makeup.digits >= 3
        && makeup.turns >= 8
        && makeup.wordiness() < 0.2
        && makeup.others * 8 <= makeup.length
}

/// A password that nobody would think of for a test.
pub(crate) fn is_plainly_generated(body: &[u8]) -> bool {
    let makeup = Makeup::of(body);
    body.len() >= 12
        && makeup.digits >= 2
        && makeup.lower >= 2
        && makeup.upper >= 2
        && makeup.turns >= 4
        && makeup.wordiness() < 0.2
        && !TELLS.is_in(&body.to_ascii_lowercase())
        && !is_respelled(body)
}

/// `Cr0wdStr1ke2024#`: words with digits and signs for letters, and a year behind them, as people make up passwords.
fn is_respelled(body: &[u8]) -> bool {
    let end = body.iter().rposition(u8::is_ascii_alphabetic).map_or(0, |at| at + 1);
    let letters: Vec<u8> = body[..end]
        .iter()
        .map(|byte| match byte {
            b'0' => b'o',
            b'1' | b'!' => b'i',
            b'3' => b'e',
            b'4' | b'@' => b'a',
            b'5' | b'$' => b's',
            b'7' => b't',
            other => *other,
        })
        .collect();
    let makeup = Makeup::of(&letters);
    makeup.digits == 0 && makeup.wordiness() >= 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_spelt_with_digits_are_chosen_and_random_letters_are_not_x2() {
        for chosen in
            ["Cr0wdStr1keFalc0n2024#", "V3rc3lD3pl0y2024#", "St@g1ngR3ad0nly2024", "H3r0kuL3gacy2022"]
        {
            assert!(!is_plainly_generated(chosen.as_bytes()), "{chosen}");
        }
        for drawn in ["0ZnsZHav0KcNPBZTS6EO", "CfGrD4MoJu3NprOBZNL8", "x7Kq0vLm3RtZ91bWs4"] {
            assert!(is_plainly_generated(drawn.as_bytes()), "{drawn}");
        }
    }

    #[test]
    fn a_path_says_what_a_file_is_for() {
        for path in [
            "tests/test_login.py",
            "src/test/java/LoginTest.java",
            "a/b_test.go",
            "x.spec.ts",
            "docs/a.html",
            "README.md",
            ".env.example",
            "src/LoginTest.kt",
            "Acme.Tests/Login.cs",
            "spec/user_spec.rb",
            "config/app.sample.yml",
            "examples/a.tf",
        ] {
            assert_eq!(of(path), Place::Sample, "{path}");
        }
        for path in [
            "src/main.rs",
            "contest/a.py",
            "latest/x.go",
            "src/attestation.ts",
            ".env",
            "deploy/values.yaml",
            "src/Inspector.cs",
        ] {
            assert_eq!(of(path), Place::Product, "{path}");
        }
        for path in [
            "locales/ko.json",
            "po/de.po",
            "src/i18n/en.ts",
            "app/lang/es.json",
            "res/messages_fr.properties",
        ] {
            assert_eq!(of(path), Place::Translation, "{path}");
        }
        assert_eq!(of("a/Cargo.lock"), Place::Generated);
    }
}
