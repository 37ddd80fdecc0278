//! Several packages in one project: which of them a run is about. A folder may be told (`--prefix web`), a name (`--filter api`), or all
//! (`-r`, `--workspaces`, `turbo run test`).

use super::{CheckId, OF_PACKAGE, is_flag, listed};

/// Every package.
const EVERYWHERE: &str = "**";
/// Before the name of a package whose folder is not told.
const NAMED: &str = "*/";

fn is_everywhere(folder: &str) -> bool {
    folder == EVERYWHERE
}

/// A folder, and neither a name nor all.
pub(super) fn is_folder(place: &str) -> bool {
    !place.starts_with('*')
}

/// The same package, as far as is known.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let by_name = |named: &str, folder: &str| {
        named.strip_prefix(NAMED).is_some_and(|name| folder.rsplit('/').next() == Some(name))
    };
    one == other || by_name(one, other) || by_name(other, one)
}

/// What `other` ran, lies in what `check` ran.
pub(super) fn reaches(check: &CheckId, other: &CheckId) -> bool {
    if is_everywhere(&check.folder) || is_same(&check.folder, &other.folder) {
        return true;
    }
    // A runner that goes down by itself has been there too; scripts of packages do not.
    let below = is_folder(&check.folder)
        && is_folder(&other.folder)
        && (check.folder.is_empty()
            || other.folder.strip_prefix(&check.folder).is_some_and(|rest| rest.starts_with('/')));
    let goes_down =
        ["cargo ", "go ", "gradle ", "mvn ", "pytest", "dotnet ", "mix ", "bazel ", "jest", "vitest"];
    below
        && check.is_whole()
        && check.runner == other.runner
        && goes_down.iter().any(|program| check.runner.starts_with(program))
}

/// One folder is the other, or lies in it, or holds it.
fn is_related(one: &str, other: &str) -> bool {
    let within = |inner: &str, outer: &str| {
        outer.is_empty()
            || inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    within(one, other) || within(other, one)
}

/// Whether a run certainly was about other packages only. What is in doubt reached it.
pub(super) fn leaves_out(check: &CheckId, package: &str, names: &[String], packages: &[String]) -> bool {
    let is_called = |name: &str| {
        package.rsplit('/').next() == Some(name)
            || names.iter().any(|own| own == name || own.rsplit('/').next() == Some(name))
    };
    // A pattern may mean any of them.
    let is_pattern = |place: &str| place.contains(['*', '{', '[']);
    if is_everywhere(&check.folder) {
        return false;
    }
    if let Some(name) = check.folder.strip_prefix(NAMED) {
        return !is_pattern(name) && !is_called(name);
    }
    if is_pattern(&check.folder) {
        return false;
    }
    if !is_related(&check.folder, package) {
        return true;
    }
    // `cargo test -p b`, `go test ./b/...`, `pytest packages/b`: a part that was named, and lies in another package.
    let options = check.filters.iter().filter_map(|filter| filter.split_once(' '));
    let named: Vec<&str> = options
        .filter(|(option, _)| check.runner.starts_with("cargo") && matches!(*option, "-p" | "--package"))
        .map(|(_, name)| name)
        .collect();
    if !named.is_empty() {
        return named.iter().all(|name| !name.contains('*') && !is_called(name));
    }
    let in_another = |path: &String| {
        let whole = if check.folder.is_empty() { path.clone() } else { format!("{}/{path}", check.folder) };
        let file = whole.split("::").next().unwrap_or(&whole);
        !is_related(file, package)
            && packages.iter().any(|other| {
                other != package
                    && file
                        .strip_prefix(other.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
    };
    !check.paths.is_empty() && check.paths.iter().all(in_another)
}

/// The package that the words of a package manager choose, and the words without that choice; none: the one it stands in.
pub(super) fn chosen<'a>(
    program: &str,
    words: &[&'a str],
    moved: impl Fn(&str, &str) -> Option<String>,
    folder: &str,
) -> Option<(String, Vec<&'a str>)> {
    let manager = matches!(program, "npm" | "pnpm" | "yarn" | "bun");
    let monorepo = matches!(program, "turbo" | "nx" | "lerna" | "moon");
    if !manager && !monorepo {
        return None;
    }
    // Behind `--` they are the script's own.
    let own = words.iter().position(|word| *word == "--").unwrap_or(words.len());
    let mut place = None;
    let mut kept: Vec<&str> = Vec::new();
    let mut rest = words[..own].iter().copied();
    while let Some(word) = rest.next() {
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        match name {
            "-r" | "--recursive" | "--workspaces" | "-ws" | "-A" | "--all" | "run-many"
                if manager || word == "run-many" =>
            {
                place.get_or_insert_with(|| EVERYWHERE.to_owned());
            }
            "workspaces" if kept.is_empty() => place = Some(EVERYWHERE.to_owned()),
            "foreach" | "run" if place.as_deref() == Some(EVERYWHERE) && kept.is_empty() => {}
            "workspace" if kept.is_empty() => place = rest.next().map(named),
            _ if is_flag(name) && listed(OF_PACKAGE, name) => {
                let value = value.or_else(|| rest.next()).unwrap_or_default();
                let is_place = matches!(name, "--prefix" | "-C" | "--dir" | "--cwd")
                    || value.contains('/') && !value.starts_with('@');
                place =
                    if is_place { moved(folder, value.trim_start_matches("./")) } else { Some(named(value)) };
            }
            _ => kept.push(word),
        }
    }
    // `nx run api:test`, `nx test api`
    if program == "nx" && place.is_none() {
        let script = kept.iter().position(|word| word.contains(':') && !is_flag(word));
        if let Some((package, task)) = script.and_then(|at| kept[at].split_once(':')) {
            place = Some(named(package));
            kept = vec!["run", task];
        }
    }
    if monorepo && place.is_none() {
        place = Some(EVERYWHERE.to_owned());
    }
    // `turbo run test` runs the script of each package.
    if monorepo {
        kept.retain(|word| !is_flag(word));
    }
    kept.extend(&words[own..]);
    place.map(|place| (place, kept))
}

fn named(name: &str) -> String {
    let name = name.trim_start_matches(['{', '!']).trim_end_matches(['.', '}']);
    let last = name.rsplit('/').next().unwrap_or(name);
    format!("{NAMED}{last}")
}

#[cfg(test)]
mod tests {
    use crate::checks_in;

    fn place(line: &str) -> Vec<(String, bool)> {
        let script = |_: &str, _: &str, name: &str| (name == "test").then(|| "jest".to_owned());
        checks_in(line, "/p", "", &script).into_iter().map(|id| (id.folder, id.of_package)).collect()
    }

    #[test]
    fn what_a_run_left_out_is_known_or_it_reached_it() {
        let packages = ["packages/a", "packages/b"].map(str::to_owned);
        let names = ["@shop/basket".to_owned()];
        let script = |_: &str, _: &str, name: &str| (name == "test").then(|| "jest".to_owned());
        for (line, is_left_out) in [
            ("npm test", false),
            ("npm test --workspaces", false),
            ("npx turbo run test", false),
            ("cd packages/a && npm test", false),
            ("cd packages/a/src && npx jest", false),
            ("cd packages && pytest", false),
            ("pnpm --filter a test", false),
            ("pnpm --filter @shop/basket test", false),
            ("pnpm --filter './packages/*' test", false),
            ("cargo test", false),
            ("cargo test -p basket", false),
            ("cargo test -p b -p a", false),
            ("pytest packages/a packages/b", false),
            ("pytest tests/x.py", false),
            ("cd packages/b && npm test", true),
            ("pnpm --filter b test", true),
            ("npm test -w packages/b", true),
            ("yarn workspace b test", true),
            ("cargo test -p b", true),
            ("pytest packages/b/tests", true),
            ("go test ./packages/b/...", true),
        ] {
            let ids = checks_in(line, "/p", "", &script);
            assert!(!ids.is_empty(), "{line}");
            let left_out = ids.iter().all(|id| id.leaves_out("packages/a", &names, &packages));
            assert_eq!(left_out, is_left_out, "{line}: {ids:?}");
        }
    }

    #[test]
    fn which_package_is_meant_however_it_is_spelled_a3() {
        for (line, folder) in [
            ("npm test", ""),
            ("cd packages/a && npm test", "packages/a"),
            ("npm test -w packages/a", "packages/a"),
            ("npm --prefix packages/a test", "packages/a"),
            ("pnpm -C ./packages/a test", "packages/a"),
            ("pnpm --filter @shop/a test", "*/a"),
            ("yarn workspace a test", "*/a"),
            ("npx nx run a:test", "*/a"),
            ("npx turbo run test --filter=a", "*/a"),
            ("npx turbo run test", "**"),
            ("pnpm -r test", "**"),
            ("yarn workspaces foreach run test", "**"),
            ("npm test --workspaces", "**"),
            ("docker compose run --rm app npm test", ""),
        ] {
            assert_eq!(place(line), [(folder.to_owned(), true)], "{line}");
        }
    }
}
