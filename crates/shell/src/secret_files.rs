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
pub(crate) fn is_secret(path: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::is_secret;

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
