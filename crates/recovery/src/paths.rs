//! What a path says about a file: by its words, never by pieces of words.

pub(crate) use words::{parts as words, same_word};

/// The file name.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Folder, without the last slash.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The name without its last ending.
pub(crate) fn stem(path: &str) -> &str {
    let name = name(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// Tests, by the words of the path.
pub fn is_test(path: &str) -> bool {
    words(path).iter().any(|word| matches!(word.as_str(), "test" | "tests" | "spec" | "specs" | "testing"))
}

/// What comes after the last dot, lower case.
pub(crate) fn ending(path: &str) -> String {
    name(path).rsplit_once('.').map_or("", |(_, ending)| ending).to_lowercase()
}

/// A program, by its ending: its names are used by others.
pub(crate) fn is_code(path: &str) -> bool {
    !matches!(
        ending(path).as_str(),
        "" | "json"
            | "jsonc"
            | "toml"
            | "yaml"
            | "yml"
            | "md"
            | "mdx"
            | "txt"
            | "css"
            | "scss"
            | "html"
            | "xml"
            | "csv"
            | "lock"
            | "ini"
            | "env"
    )
}

/// Settings, by the words of the path and the kind of file.
pub(crate) fn is_settings(path: &str) -> bool {
    let kind = matches!(
        ending(path).as_str(),
        "json" | "jsonc" | "toml" | "yaml" | "yml" | "ini" | "conf" | "properties"
    );
    let says = |word: &String| {
        matches!(
            word.as_str(),
            "config" | "conf" | "settings" | "setting" | "options" | "preferences" | "prefs" | "env"
        )
    };
    kind && !is_manifest(path) && words(path).iter().any(says)
}

/// Made to try something out, by its name.
pub(crate) fn is_scratch(path: &str) -> bool {
    words(path).iter().any(|word| {
        matches!(
            word.as_str(),
            "tmp" | "temp" | "scratch" | "debug" | "try" | "playground" | "draft" | "repro" | "probe"
        )
    })
}

/// Text that no program runs.
pub fn is_docs(path: &str) -> bool {
    let ending = name(path).rsplit_once('.').map_or("", |(_, ending)| ending).to_lowercase();
    let prose = matches!(ending.as_str(), "md" | "mdx" | "rst" | "adoc" | "txt");
    let in_docs = path.split('/').any(|part| matches!(part.to_lowercase().as_str(), "docs" | "doc"));
    let known = matches!(
        stem(path).to_lowercase().as_str(),
        "readme" | "changelog" | "license" | "licence" | "contributing" | "authors" | "notice"
    );
    known || (prose && (in_docs || matches!(ending.as_str(), "md" | "mdx" | "rst" | "adoc")))
}

/// Files that say what the project is built from.
pub(crate) fn is_manifest(path: &str) -> bool {
    matches!(
        name(path).to_lowercase().as_str(),
        "package.json"
            | "cargo.toml"
            | "pyproject.toml"
            | "requirements.txt"
            | "go.mod"
            | "gemfile"
            | "composer.json"
            | "pom.xml"
            | "build.gradle"
            | "build.gradle.kts"
            | "pubspec.yaml"
            | "setup.py"
            | "setup.cfg"
            | "pipfile"
            | "mix.exs"
    ) || is_lock(path)
}

/// Files that a package tool writes.
pub(crate) fn is_lock(path: &str) -> bool {
    matches!(
        name(path).to_lowercase().as_str(),
        "package-lock.json"
            | "yarn.lock"
            | "pnpm-lock.yaml"
            | "cargo.lock"
            | "poetry.lock"
            | "uv.lock"
            | "go.sum"
            | "gemfile.lock"
            | "composer.lock"
            | "pipfile.lock"
            | "bun.lock"
    )
}

/// What a build writes, by its folder or name.
pub(crate) fn is_generated(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let made_in = |part: &str| {
        matches!(
            part.to_lowercase().as_str(),
            "dist"
                | "build"
                | "out"
                | "target"
                | "bin"
                | "obj"
                | "public"
                | "static"
                | "_site"
                | "coverage"
                | "gen"
                | "generated"
                | "__generated__"
                | ".next"
                | ".nuxt"
                | "bundle"
                | "bundles"
                | "release"
                | "www"
        )
    };
    let name = name.to_lowercase();
    let is_named =
        [".min.", ".bundle.", ".generated.", ".pb.", "_pb2.", ".g."].iter().any(|mark| name.contains(mark))
            || name.ends_with(".map");
    is_named || folder.split('/').any(made_in)
}

/// Files in which white space at the beginning of a line has a meaning.
pub(crate) fn minds_white_space(path: &str) -> bool {
    let name = name(path).to_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(name.as_str(), "makefile" | "gnumakefile")
        || matches!(ending, "py" | "pyi" | "yml" | "yaml" | "mk" | "pug" | "haml" | "sass" | "coffee" | "nim")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert_eq!(words("src/userLogin_form.test.js"), ["src", "user", "login", "form", "test", "js"]);
        assert!(is_test("src/cart.test.js") && is_test("tests/a.py") && !is_test("src/contest.js"));
        assert!(
            is_docs("README.md")
                && is_docs("docs/a.txt")
                && !is_docs("data/words.txt")
                && !is_docs("docs/conf.py")
        );
        assert!(same_word("button", "buttons") && same_word("note", "notes") && !same_word("pay", "page"));
        assert!(same_word("price", "pricing") && same_word("search", "searching"));
    }
}
