//! What tests, linters and builds write by themselves, by name: nobody types into it.

use project::RelPath;

/// Folders for what programs make.
const FOLDERS: &str = "dist build out output target coverage htmlcov test-results playwright-report __snapshots__ \
    __pycache__ node_modules vendor generated gen __generated__ .next .nuxt .turbo .cache .pytest_cache .mypy_cache .ruff_cache .tox \
    .nyc_output obj _build .svelte-kit storybook-static CMakeFiles";
/// Files by their name.
const NAMES: &str = "Cargo.lock package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb poetry.lock uv.lock \
    Pipfile.lock Gemfile.lock composer.lock go.sum flake.lock mix.lock pubspec.lock Package.resolved gradle.lockfile .coverage \
    coverage.xml lcov.info junit.xml .eslintcache tsconfig.tsbuildinfo";
/// Files by how their name ends.
const ENDINGS: &[&str] = &[
    ".snap",
    ".snap.new",
    ".log",
    ".tsbuildinfo",
    ".pyc",
    ".o",
    ".class",
    ".profraw",
    ".gcda",
    ".gcno",
    ".tmp",
    ".a",
    ".so",
    ".dylib",
    ".dll",
    ".exe",
    ".wasm",
    ".jar",
    ".whl",
    ".zip",
    ".gz",
    ".map",
    ".min.js",
    ".min.css",
    ".bundle.js",
    ".sqlite",
    ".sqlite3",
    ".db",
    ".db-shm",
    ".db-wal",
    ".d.ts",
];

/// True if such a command may well have written it.
pub(super) fn is_written_by_checks(path: &RelPath) -> bool {
    let Ok(path) = std::str::from_utf8(path.as_bytes()) else { return false };
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let listed = |list: &str, word: &str| list.split_whitespace().any(|one| one == word);
    listed(NAMES, name)
        || ENDINGS.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending))
        || folders.split('/').chain([name]).any(|folder| listed(FOLDERS, folder))
}
