//! Which paths usually hold secrets, judged by name alone.

/// Parts of a path that mark everything below as secret.
const SECRET_PARTS: &[&str] = &[
    "/.ssh/",
    "/.gnupg/",
    "/.aws/",
    "/.kube/config",
    "/.docker/config.json",
    "/gcloud/",
    "/.azure/",
    "/keychains/",
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/sudoers",
    "/etc/kubernetes/",
    "/.password-store/",
    "/.config/gh/hosts.yml",
    "/containers/auth.json",
    "/pypoetry/auth.toml",
    "/.terraform.d/credentials",
    "/.config/op/",
    "/.local/share/keyrings/",
    "/proc/self/environ",
    "/.mozilla/firefox",
    "/login data",
    "/.oci/",
    "/.databricks",
    "/.config/rclone/rclone.conf",
    "/.codex/auth.json",
    "/.claude/.credentials",
    "/.gemini/oauth",
    "/run/secrets/",
    "/.m2/settings-security.xml",
    "/.cargo/credentials",
    "/.gem/credentials",
];

/// Whole file names.
const SECRET_NAMES: &[&str] = &[
    ".netrc",
    "_netrc",
    ".pgpass",
    ".pypirc",
    ".boto",
    ".s3cfg",
    ".git-credentials",
    ".vault-token",
    ".my.cnf",
    ".htpasswd",
    ".dockercfg",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "credentials.json",
    "application_default_credentials.json",
    "service-account.json",
    "secrets.yml",
    "secrets.yaml",
    "secrets.json",
    "secrets.toml",
    ".npmrc",
    "master.key",
];

/// Endings of names of key material.
const SECRET_ENDINGS: &[&str] =
    &[".key", ".pfx", ".p12", ".kdbx", ".jks", ".keystore", ".ppk", ".keytab", ".keychain", ".keychain-db"];

/// Endings that say "only an example".
const EXAMPLE_ENDINGS: &[&str] = &[".example", ".sample", ".template", ".dist", ".tmpl", ".defaults", ".pub"];

/// Whether reading this path would show a secret.
pub fn is_secret(path: &str) -> bool {
    let lower = format!("/{}", path.trim_start_matches("file://").to_lowercase());
    let name = lower.rsplit('/').next().unwrap_or_default();
    if EXAMPLE_ENDINGS.iter().any(|end| name.ends_with(end)) || matches!(name, "known_hosts") {
        return false;
    }
    let env_file = name == ".env"
        || name == ".envrc"
        || (name.starts_with(".env") && name[4..].starts_with(['.', '?', '*', '-', '_', '[']));
    env_file
        || SECRET_NAMES.contains(&name)
        || SECRET_ENDINGS.iter().any(|end| name.ends_with(end))
        || SECRET_PARTS.iter().any(|part| lower.contains(part) || format!("{lower}/").ends_with(part))
}

/// Whether a variable of this name usually holds a secret: `OPENAI_API_KEY`, `DB_PASSWORD`, `GITHUB_TOKEN`.
pub(crate) fn is_secret_variable(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "KEY",
        "APIKEY",
        "TOKEN",
        "SECRET",
        "SECRETS",
        "PASSWORD",
        "PASSWD",
        "PASS",
        "PASSPHRASE",
        "CREDENTIAL",
        "CREDENTIALS",
        "PAT",
        "PWD",
        "AUTH",
        "DSN",
        "BEARER",
        "PRIVATE",
    ];
    let name = name.to_ascii_uppercase();
    let parts: Vec<&str> = name.split('_').filter(|part| !part.is_empty()).collect();
    // One word alone (`KEY`, `PASS`, `PWD`) is usually a variable of the script itself.
    parts.len() > 1
        && !matches!(name.as_str(), "OLD_PWD" | "SSH_AUTH_SOCK")
        && !matches!(
            parts.last(),
            Some(&("SOCK" | "FILE" | "PATH" | "DIR" | "ID" | "NAME" | "URL" | "COUNT" | "LEN" | "MODE"))
        )
        && parts
            .iter()
            .any(|part| WORDS.contains(part) || part.ends_with("APIKEY") || part.ends_with("TOKEN"))
        || parts.len() == 1
            && name.len() > 6
            && ["PASSWORD", "APIKEY", "SECRETKEY", "AUTHTOKEN"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::{is_secret, is_secret_variable};

    #[test]
    fn variables_by_name() {
        for yes in [
            "OPENAI_API_KEY",
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "DB_PASSWORD",
            "NPM_AUTH",
            "GH_PAT",
            "PGPASSWORD",
        ] {
            assert!(is_secret_variable(yes), "{yes}");
        }
        for no in [
            "PWD",
            "OLDPWD",
            "KEY",
            "PATH",
            "SSH_AUTH_SOCK",
            "KEYBOARD",
            "TOKENS_COUNT",
            "KEY_FILE",
            "MONKEY_ISLAND",
        ] {
            assert!(!is_secret_variable(no), "{no}");
        }
    }

    #[test]
    fn secrets_by_name() {
        for yes in [
            ".env",
            ".env.local",
            ".env?",
            "~/.ssh/id_rsa",
            "/home/*/.aws/credentials",
            "certs/server.key",
            "/etc/shadow",
            "a/.netrc",
        ] {
            assert!(is_secret(yes), "{yes}");
        }
        for no in [
            ".env.example",
            "src/main.rs",
            "keys.py",
            ".environment.md",
            "id_rsa.pub",
            "monkey",
            "~/.ssh/known_hosts",
        ] {
            assert!(!is_secret(no), "{no}");
        }
    }
}
