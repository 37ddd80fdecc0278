//! From what an import says to the file it means. What cannot be told for certain is left out: a wrong edge is worse than a
//! missing one.

use std::collections::{HashMap, HashSet};

use project::RelPath;

use crate::{Import, Language};

/// Everything that imports are looked up in.
pub(crate) struct Index<'m> {
    files: HashSet<&'m [u8]>,
    folders: HashSet<&'m [u8]>,
    by_name: HashMap<&'m [u8], Vec<&'m [u8]>>,
    /// Name under which a folder is imported → the folder.
    packages: HashMap<String, Vec<u8>>,
}

impl<'m> Index<'m> {
    pub(crate) fn new(
        paths: impl Iterator<Item = &'m RelPath>,
        packages: impl Iterator<Item = (&'m RelPath, &'m str)>,
    ) -> Self {
        let mut index = Self {
            files: HashSet::new(),
            folders: HashSet::new(),
            by_name: HashMap::new(),
            packages: HashMap::new(),
        };
        for path in paths {
            let (mut folder, name) = path.split();
            index.files.insert(path.as_bytes());
            index.by_name.entry(name).or_default().push(path.as_bytes());
            while index.folders.insert(folder) && !folder.is_empty() {
                folder = parent(folder);
            }
        }
        for (path, name) in packages {
            let (folder, file) = path.split();
            let name = if file == b"Cargo.toml" { name.replace('-', "_") } else { name.to_owned() };
            index.packages.insert(name, folder.to_vec());
        }
        index
    }

    /// The files (or, where a language imports folders, folders) that an import means.
    pub(crate) fn resolve(&self, language: Language, from: &RelPath, import: &Import) -> Vec<RelPath> {
        let folder = from.split().0;
        let found = match language {
            Language::JavaScript | Language::TypeScript | Language::Tsx => {
                self.javascript(folder, &import.target)
            }
            Language::Python => return self.python(folder, import),
            Language::Rust => self.rust(from.as_bytes(), import),
            Language::Go => self.go(&import.target),
            Language::Java => self.java(&import.target),
            Language::C | Language::Cpp => self.near_or_only(folder, import.target.as_bytes()),
            Language::Ruby => self.ruby(folder, &import.target),
            Language::Php => self.php(folder, &import.target),
            Language::Html | Language::Css | Language::Bash => {
                self.near_or_only(folder, import.target.as_bytes())
            }
            Language::CSharp | Language::Json | Language::Yaml | Language::Toml => None,
        };
        found.and_then(|path| RelPath::new(&path).ok()).filter(|path| path != from).into_iter().collect()
    }

    fn file(&self, path: &[u8]) -> Option<Vec<u8>> {
        self.files.contains(path).then(|| path.to_vec())
    }

    fn first(&self, base: &[u8], endings: &[&str]) -> Option<Vec<u8>> {
        endings.iter().find_map(|ending| self.file(&[base, ending.as_bytes()].concat()))
    }

    fn javascript(&self, folder: &[u8], target: &str) -> Option<Vec<u8>> {
        if target.starts_with('.') {
            return self.javascript_file(&join(folder, target.as_bytes())?);
        }
        if let Some(rest) = target.strip_prefix("@/").or_else(|| target.strip_prefix("~/")) {
            let mut top = folder;
            loop {
                for below in ["src/", ""] {
                    let base = join(top, format!("{below}{rest}").as_bytes())?;
                    if let Some(found) = self.javascript_file(&base) {
                        return Some(found);
                    }
                }
                if top.is_empty() {
                    return None;
                }
                top = parent(top);
            }
        }
        if let Some((package, rest)) = self.package(target, '/') {
            let inside = |below: &str| {
                join(package, format!("{below}{rest}").as_bytes())
                    .and_then(|base| self.javascript_file(&base))
            };
            return inside("src/").or_else(|| inside("")).or_else(|| inside("lib/"));
        }
        // A folder that the settings name as the base.
        self.javascript_file(target.as_bytes())
            .or_else(|| self.javascript_file(format!("src/{target}").as_bytes()))
    }

    fn javascript_file(&self, base: &[u8]) -> Option<Vec<u8>> {
        const ENDINGS: &[&str] = &[
            "",
            ".ts",
            ".tsx",
            ".js",
            ".jsx",
            ".mjs",
            ".cjs",
            ".mts",
            ".d.ts",
            ".vue",
            ".svelte",
            ".json",
            "/index.ts",
            "/index.tsx",
            "/index.js",
            "/index.jsx",
            "/index.mjs",
            "/index.d.ts",
        ];
        let base = base.strip_suffix(b"/").unwrap_or(base);
        let found = self.first(base, ENDINGS);
        // `./a.js` is how TypeScript spells `a.ts`.
        found.or_else(|| self.first(base.strip_suffix(b".js")?, &[".ts", ".tsx"]))
    }

    fn python(&self, folder: &[u8], import: &Import) -> Vec<RelPath> {
        let dots = import.target.bytes().take_while(|byte| *byte == b'.').count();
        let module = import.target[dots..].replace('.', "/");
        let mut bases: Vec<&[u8]> = Vec::new();
        if dots > 0 {
            let mut base = folder;
            for _ in 1..dots {
                base = parent(base);
            }
            bases.push(base);
        } else {
            let mut base = folder;
            loop {
                bases.push(base);
                if base.is_empty() {
                    break;
                }
                base = parent(base);
            }
            bases.push(b"src");
        }
        let at = |base: &[u8], rest: &str| {
            let base = match (base.is_empty(), rest.is_empty()) {
                (true, _) => rest.as_bytes().to_vec(),
                (_, true) => base.to_vec(),
                _ => [base, b"/", rest.as_bytes()].concat(),
            };
            self.first(&base, &[".py", "/__init__.py", ".pyi"])
        };
        for base in bases {
            let mut found: Vec<Vec<u8>> = Vec::new();
            for name in &import.names {
                let whole = if module.is_empty() { name.clone() } else { format!("{module}/{name}") };
                found.extend(at(base, &whole));
            }
            if found.len() < import.names.len().max(1) {
                found.extend(at(base, &module));
            }
            if !found.is_empty() {
                found.sort();
                found.dedup();
                return found.iter().filter_map(|path| RelPath::new(path).ok()).collect();
            }
        }
        Vec::new()
    }

    fn rust(&self, from: &[u8], import: &Import) -> Option<Vec<u8>> {
        let (folder, name) = split(from);
        let is_root = matches!(name, b"mod.rs" | b"lib.rs" | b"main.rs");
        // The folder that holds the modules below this one.
        let below =
            if is_root { folder.to_vec() } else { from.strip_suffix(b".rs").unwrap_or(from).to_vec() };
        if let Some(module) = import.target.strip_prefix("mod ") {
            let base = join(&below, module.as_bytes())?;
            return self.first(&base, &[".rs", "/mod.rs"]);
        }
        let mut parts: Vec<&str> = import.target.split("::").collect();
        parts.extend(import.names.iter().map(String::as_str));
        let first = *parts.first()?;
        let (base, rest) = match first {
            "crate" => (self.crate_source(folder)?, &parts[1..]),
            "self" => (below, &parts[1..]),
            "super" => {
                let mut base = below;
                let ups = parts.iter().take_while(|part| **part == "super").count();
                for _ in 0..ups {
                    base = parent(&base).to_vec();
                }
                (base, &parts[ups..])
            }
            name => {
                let folder = self.packages.get(name)?;
                let source = join(folder, b"src")?;
                if parts.len() == 1 {
                    return self.first(&source, &["/lib.rs", "/main.rs"]);
                }
                (source, &parts[1..])
            }
        };
        for length in (1..=rest.len()).rev() {
            let path = join(&base, rest[..length].join("/").as_bytes())?;
            if let Some(found) = self.first(&path, &[".rs", "/mod.rs"]) {
                return Some(found);
            }
        }
        self.first(&base, &["/lib.rs", "/main.rs", ".rs", "/mod.rs"])
    }

    /// The `src` folder of the crate around a folder.
    fn crate_source(&self, folder: &[u8]) -> Option<Vec<u8>> {
        let mut at = folder;
        loop {
            let manifest = join(at, b"Cargo.toml")?;
            if self.files.contains(&*manifest) {
                return join(at, b"src");
            }
            if at.is_empty() {
                return None;
            }
            at = parent(at);
        }
    }

    /// Go imports folders.
    fn go(&self, target: &str) -> Option<Vec<u8>> {
        let (folder, rest) = self.package(target, '/')?;
        let path = join(folder, rest.as_bytes())?;
        self.folders.contains(&*path).then_some(path).filter(|path| !path.is_empty())
    }

    /// The package whose name `target` begins with, the longest one, and what follows.
    fn package<'s>(&self, target: &'s str, separator: char) -> Option<(&[u8], &'s str)> {
        let mut end = target.len();
        loop {
            if let Some(folder) = self.packages.get(&target[..end]) {
                return Some((folder, target[end..].trim_start_matches(separator)));
            }
            end = target[..end].rfind(separator)?;
        }
    }

    fn java(&self, target: &str) -> Option<Vec<u8>> {
        let mut path = target.replace('.', "/");
        // A static import names a member of the class.
        for _ in 0..2 {
            if let Some(found) = self.only_with_end(format!("{path}.java").as_bytes()) {
                return Some(found);
            }
            path.truncate(path.rfind('/')?);
        }
        None
    }

    fn ruby(&self, folder: &[u8], target: &str) -> Option<Vec<u8>> {
        if target.starts_with('.') {
            return self.first(&join(folder, target.as_bytes())?, &["", ".rb"]);
        }
        let file = if target.ends_with(".rb") { target.to_owned() } else { format!("{target}.rb") };
        self.first(b"lib/", &[&file]).or_else(|| self.only_with_end(file.as_bytes()))
    }

    fn php(&self, folder: &[u8], target: &str) -> Option<Vec<u8>> {
        if target.ends_with(".php") {
            return self.near_or_only(folder, target.trim_start_matches('/').as_bytes());
        }
        let parts: Vec<&str> = target.split('\\').collect();
        // The first part is a name that the settings give to a folder; the rest is the path.
        (0..parts.len().min(3))
            .find_map(|skip| self.only_with_end(format!("{}.php", parts[skip..].join("/")).as_bytes()))
    }

    /// A path from the file's folder, from the root, or the only file that ends so.
    fn near_or_only(&self, folder: &[u8], target: &[u8]) -> Option<Vec<u8>> {
        let near = join(folder, target).and_then(|path| self.file(&path));
        near.or_else(|| self.file(target)).or_else(|| self.only_with_end(target))
    }

    fn only_with_end(&self, end: &[u8]) -> Option<Vec<u8>> {
        let end = end.strip_prefix(b"./").unwrap_or(end);
        let mut fits = self.by_name.get(split(end).1)?.iter().filter(|path| {
            path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with(b"/"))
        });
        let found = fits.next()?;
        fits.next().is_none().then(|| found.to_vec())
    }
}

fn parent(folder: &[u8]) -> &[u8] {
    split(folder).0
}

fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b"", path),
    }
}

/// Puts a folder and a relative path together; `None` if it climbs out of the project.
fn join(folder: &[u8], relative: &[u8]) -> Option<Vec<u8>> {
    let mut parts: Vec<&[u8]> = folder.split(|byte| *byte == b'/').filter(|part| !part.is_empty()).collect();
    for part in relative.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join(&b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(
        files: &[&str],
        packages: &[(&str, &str)],
        language: Language,
        from: &str,
        target: &str,
        names: &[&str],
    ) -> Vec<String> {
        let path = |text: &str| RelPath::new(text.as_bytes()).unwrap();
        let files: Vec<RelPath> = files.iter().map(|file| path(file)).collect();
        let packages: Vec<(RelPath, &str)> =
            packages.iter().map(|(file, name)| (path(file), *name)).collect();
        let index = Index::new(files.iter(), packages.iter().map(|(path, name)| (path, *name)));
        let import = Import {
            target: target.to_owned(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        index.resolve(language, &path(from), &import).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn imports_lead_to_files_gd1() {
        let ts = ["src/a.ts", "src/b/index.tsx", "src/c.ts", "packages/x/src/index.ts", "web/src/util/d.ts"];
        let x = [("packages/x/package.json", "@org/x")];
        let js = |from: &str, target: &str| resolved(&ts, &x, Language::TypeScript, from, target, &[]);
        assert_eq!(js("src/a.ts", "./b"), ["src/b/index.tsx"]);
        assert_eq!(js("src/a.ts", "./c.js"), ["src/c.ts"]);
        assert_eq!(js("src/a.ts", "@org/x"), ["packages/x/src/index.ts"]);
        assert_eq!(js("web/src/e.ts", "@/util/d"), ["web/src/util/d.ts"]);
        assert!(js("src/a.ts", "react").is_empty() && js("a.ts", "../../etc").is_empty());

        let py = ["app/__init__.py", "app/models.py", "app/api/users.py", "tests/test_a.py"];
        let python = |from: &str, target: &str, names: &[&str]| {
            resolved(&py, &[], Language::Python, from, target, names)
        };
        assert_eq!(python("app/api/users.py", "..models", &["User"]), ["app/models.py"]);
        assert_eq!(python("tests/test_a.py", "app", &["models"]), ["app/models.py"]);
        assert_eq!(python("tests/test_a.py", "app.api.users", &[]), ["app/api/users.py"]);

        let rs =
            ["a/Cargo.toml", "a/src/lib.rs", "a/src/x.rs", "a/src/y/mod.rs", "a/src/y/z.rs", "b/src/lib.rs"];
        let crates = [("a/Cargo.toml", "my-a")];
        let rust = |from: &str, target: &str, names: &[&str]| {
            resolved(&rs, &crates, Language::Rust, from, target, names)
        };
        assert_eq!(rust("a/src/y/z.rs", "crate::x", &["F"]), ["a/src/x.rs"]);
        assert_eq!(rust("a/src/x.rs", "crate::y", &["z"]), ["a/src/y/z.rs"]);
        assert_eq!(rust("a/src/y/z.rs", "super", &["F"]), ["a/src/y/mod.rs"]);
        assert_eq!(rust("a/src/lib.rs", "mod x", &[]), ["a/src/x.rs"]);
        assert_eq!(rust("b/src/lib.rs", "my_a::y", &["F"]), ["a/src/y/mod.rs"]);

        let go = ["go.mod", "pkg/a/x.go", "staging/api/go.mod", "staging/api/v1/t.go"];
        let modules = [("go.mod", "k8s.io/kubernetes"), ("staging/api/go.mod", "k8s.io/api")];
        let go = |target: &str| resolved(&go, &modules, Language::Go, "pkg/a/x.go", target, &[]);
        assert_eq!(go("k8s.io/api/v1"), ["staging/api/v1"]);
        assert_eq!(go("k8s.io/kubernetes/pkg/a"), ["pkg/a"]);
        assert!(go("fmt").is_empty());

        let c = ["src/a.c", "include/lib/a.h", "src/b.h"];
        let c = |target: &str| resolved(&c, &[], Language::C, "src/a.c", target, &[]);
        assert_eq!(c("b.h"), ["src/b.h"]);
        assert_eq!(c("lib/a.h"), ["include/lib/a.h"]);
        assert!(c("stdio.h").is_empty());
        let java = ["src/main/java/a/b/C.java"];
        assert_eq!(
            resolved(&java, &[], Language::Java, "src/main/java/a/D.java", "a.b.C.d", &[]),
            ["src/main/java/a/b/C.java"]
        );
    }
}
