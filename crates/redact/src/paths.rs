//! What a file's path says: generated files make no names of their own, and some files are secrets as a whole.

/// Lock files, bundles and recordings: full of hashes beside words such as `key` and `integrity`.
pub(crate) fn is_generated(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "composer.lock",
        "cargo.lock", "yarn.lock", "flake.lock", "uv.lock", "poetry.lock", "pipfile.lock", "gemfile.lock",
        "go.mod", "mix.lock", "package.resolved", "packages.lock.json", "bun.lock", "deno.lock",
    ];
    const ENDINGS: &[&str] = &[
        ".min.js",
        ".min.css",
        ".map",
        ".svg",
        ".lock",
        ".sum",
        ".snap",
        ".ipynb",
        ".wasm.js",
        ".bundle.js",
    ];
    NAMES.contains(&name.as_str()) || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Scripts and styles, which programs squeeze into a few lines.
pub(crate) fn may_be_minified(path: &str) -> bool {
    [".js", ".cjs", ".mjs", ".css"].iter().any(|ending| path.ends_with(ending))
}

/// Says whether a file is a secret by its name alone (`id_rsa`, `*.p12`, `.env`), and what it holds.
///
/// The content decides in the end; this is for warning before such a file is committed or sent away.
pub fn secret_file(path: &str) -> Option<&'static str> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    const EXACT: &[(&str, &str)] = &[
        ("id_rsa", "SSH private key"),
        ("id_dsa", "SSH private key"),
        ("id_ecdsa", "SSH private key"),
        ("id_ed25519", "SSH private key"),
        (".netrc", "login data"),
        ("_netrc", "login data"),
        (".npmrc", "package registry login"),
        (".pypirc", "package registry login"),
        (".git-credentials", "git login"),
        (".pgpass", "database login"),
        (".htpasswd", "password hashes"),
        (".env", "environment secrets"),
        (".dockercfg", "container registry login"),
        ("credentials.json", "service credentials"),
        ("service-account.json", "service credentials"),
        ("secrets.yml", "application secrets"),
        ("secrets.yaml", "application secrets"),
        ("master.key", "application master key"),
        ("wallet.dat", "wallet"),
        ("terraform.tfstate", "infrastructure state with secrets"),
    ];
    const ENDINGS: &[(&str, &str)] = &[
        (".pem", "key or certificate"),
        (".p12", "key store"),
        (".pfx", "key store"),
        (".jks", "key store"),
        (".keystore", "key store"),
        (".kdbx", "password database"),
        (".ppk", "SSH private key"),
        (".ovpn", "VPN profile"),
        (".asc", "PGP key"),
    ];
    const HARMLESS: &[&str] = &[".env.example", ".env.sample", ".env.template", ".env.dist"];
    if HARMLESS.contains(&name.as_str()) {
        return None;
    }
    let exact = EXACT.iter().find(|(exact, _)| *exact == name).map(|(_, about)| *about);
    let ending = || ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, about)| *about);
    let env = || name.starts_with(".env.").then_some("environment secrets");
    exact.or_else(ending).or_else(env)
}
