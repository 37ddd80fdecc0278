//! How each client is started without a person, a key or a network: settings, environment, command line.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::Client;
use crate::install::{self, Installed};

/// The world that a client is started in.
pub struct Place<'p> {
    /// Its home folder.
    pub home: &'p Path,
    /// The project.
    pub root: &'p Path,
    /// The address of the model.
    pub model: &'p str,
    /// How much the client may do by itself.
    pub leave: &'p Leave,
}

/// How much a client may do without asking a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Leave {
    /// Everything: the flag that skips all questions.
    #[default]
    Everything,
    /// What it does when nobody says anything.
    AsItComes,
    /// These words on its command line.
    Words(&'static [&'static str]),
}

impl Leave {
    fn words(&self, everything: &'static [&'static str]) -> &'static [&'static str] {
        match self {
            Self::Everything => everything,
            Self::AsItComes => &[],
            Self::Words(words) => words,
        }
    }
}

/// Writes the client's own settings: which model to ask, and nothing to ask elsewhere.
pub fn prepare(client: Client, place: &Place<'_>) {
    let (root, model) = (place.root.display(), place.model);
    match client {
        Client::ClaudeCode | Client::Copilot => {}
        Client::Codex => save(
            &place.home.join(".codex/config.toml"),
            &format!(
                "model = \"gpt-5.5\"\nmodel_provider = \"scripted\"\ncheck_for_update_on_startup = false\n\n\
                 [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{model}/v1\"\nwire_api = \"responses\"\n\
                 env_key = \"SCRIPTED_KEY\"\nrequest_max_retries = 0\nstream_max_retries = 0\n\n\
                 [analytics]\nenabled = false\n\n[features]\nplugins = false\napps = false\n\n[projects.\"{root}\"]\ntrust_level = \"trusted\"\n"
            ),
        ),
        Client::Gemini => save(
            &place.home.join(".gemini/settings.json"),
            &json!({
                "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
                "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
                "privacy": {"usageStatisticsEnabled": false},
                "telemetry": {"enabled": false},
            })
            .to_string(),
        ),
        Client::OpenCode => {
            let folder = place.home.join(".config/opencode");
            save(
                &folder.join("opencode.json"),
                &json!({
                    "autoupdate": false, "share": "disabled", "model": "scripted/scripted",
                    "small_model": "scripted/scripted", "permission": "allow",
                    "provider": {"scripted": {
                        "npm": "@ai-sdk/openai-compatible", "name": "scripted",
                        "options": {"baseURL": format!("{model}/v1"), "apiKey": "none"},
                        "models": {"scripted": {"name": "scripted", "tool_call": true,
                                                "limit": {"context": 200_000, "output": 8_000}}},
                    }},
                })
                .to_string(),
            );
            // OpenCode puts one there itself; a project that stays as it is can be compared.
            save(
                &place.root.join(".opencode/.gitignore"),
                "node_modules\npackage.json\npackage-lock.json\n.gitignore\n",
            );
            // With a plugin in a folder OpenCode installs this package there and waits for the network, unless it is there.
            for folder in [folder, place.root.join(".opencode")] {
                fs::create_dir_all(folder.join("node_modules")).expect("a folder");
                let (_, version) = client.package();
                let dependencies = json!({"dependencies": {"@opencode-ai/plugin": version}});
                save(&folder.join("package.json"), &dependencies.to_string());
                save(
                    &folder.join("package-lock.json"),
                    &json!({"lockfileVersion": 3, "packages": {"": dependencies}}).to_string(),
                );
            }
        }
    }
}

/// The command that sends one prompt, in a new session or in the one before.
pub fn command(
    client: Client,
    installed: &Installed,
    place: &Place<'_>,
    prompt: &str,
    again: bool,
) -> Command {
    let mut command = Command::new(&installed.program);
    command.current_dir(place.root).env_clear();
    for (name, folder) in [
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_STATE_HOME", ".local/state"),
        ("XDG_CACHE_HOME", ".cache"),
    ] {
        command.env(name, place.home.join(folder));
    }
    command
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", place.home)
        .env("SHELL", "/bin/bash")
        .env("TERM", "dumb")
        .env("NO_COLOR", "1")
        .env("LANG", "C.UTF-8")
        .env("TZ", "UTC");
    // The model refuses to be a way out of the machine, and writes down who tried.
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
        command.env(name, place.model);
    }
    for name in ["NO_PROXY", "no_proxy"] {
        command.env(name, "127.0.0.1,localhost");
    }
    let again = |words: &'static [&'static str]| if again { words } else { &[] };
    match client {
        Client::ClaudeCode => command
            .envs([
                ("ANTHROPIC_BASE_URL", place.model),
                ("ANTHROPIC_API_KEY", "none"),
                ("IS_SANDBOX", "1"),
                ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
                ("DISABLE_AUTOUPDATER", "1"),
                ("DISABLE_TELEMETRY", "1"),
                ("DISABLE_ERROR_REPORTING", "1"),
            ])
            .args(place.leave.words(&["--dangerously-skip-permissions"]))
            .args(["--model", "claude-sonnet-4-5"])
            .args(again(&["--continue"]))
            .args(["-p", prompt]),
        Client::Codex => command
            .env("SCRIPTED_KEY", "none")
            .arg("exec")
            .args(again(&["resume", "--last"]))
            .arg("--skip-git-repo-check")
            .args(place.leave.words(&["--dangerously-bypass-approvals-and-sandbox"]))
            .args(["--dangerously-bypass-hook-trust", prompt]),
        Client::Gemini => command
            .envs([
                ("GOOGLE_GEMINI_BASE_URL", place.model),
                ("GEMINI_API_KEY", "none"),
                ("GEMINI_CLI_NO_RELAUNCH", "true"),
            ])
            .args(place.leave.words(&["--approval-mode", "yolo"]))
            .args(["--model", "gemini-2.5-pro"])
            .args(again(&["--resume", "latest"]))
            .args(["-p", prompt]),
        Client::OpenCode => command
            .envs([
                ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
                ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
                ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
                ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1"),
                ("OPENCODE_DISABLE_SHARE", "1"),
            ])
            .env("PATH", path_with(install::ripgrep()))
            .arg("run")
            .args(again(&["--continue"]))
            .arg(prompt),
        Client::Copilot => command
            .env("XDG_CACHE_HOME", &installed.cache)
            .env("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", place.model))
            .envs([
                ("COPILOT_OFFLINE", "true"),
                ("COPILOT_PROVIDER_API_KEY", "none"),
                ("COPILOT_PROVIDER_WIRE_API", "completions"),
                ("COPILOT_MODEL", "claude-sonnet-4.5"),
                ("COPILOT_AUTO_UPDATE", "false"),
            ])
            // Exactly this word also trusts the folder, also when a session is continued.
            .envs((*place.leave == Leave::Everything).then_some(("COPILOT_ALLOW_ALL", "true")))
            .args(place.leave.words(&["--allow-all-paths"]))
            .args(again(&["--continue"]))
            .args(["-p", prompt]),
    };
    command
}

/// The search path of the person who runs the tests, and one folder more.
fn path_with(folder: Option<PathBuf>) -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::env::split_paths(&path).chain(folder)).unwrap_or(path)
}

/// The command that starts a client on a terminal with a first prompt, and the answers to all that it asks newcomers.
pub fn on_screen(client: Client, installed: &Installed, place: &Place<'_>, prompt: &str) -> Command {
    let root = place.root.display().to_string();
    let ask = match client {
        Client::ClaudeCode => {
            let known = json!({
                "hasCompletedOnboarding": true, "theme": "dark", "bypassPermissionsModeAccepted": true,
                "customApiKeyResponses": {"approved": ["none"], "rejected": []},
                "projects": {root: {"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}},
            });
            save(&place.home.join(".claude.json"), &known.to_string());
            let settings =
                json!({"skipDangerousModePermissionPrompt": true, "enableAllProjectMcpServers": true});
            amend(&place.home.join(".claude/settings.json"), &settings);
            ""
        }
        Client::Copilot => {
            save(
                &place.home.join(".copilot/config.json"),
                &json!({"trusted_folders": [root], "banner": "never"}).to_string(),
            );
            "-i"
        }
        _ => panic!("{} was never put on a screen here", client.name()),
    };
    let headless = command(client, installed, place, prompt, false);
    let mut command = Command::new(headless.get_program());
    command.env_clear().current_dir(place.root).env("TERM", "xterm-256color");
    let kept = headless.get_envs().filter(|(name, _)| *name != "TERM");
    command.envs(kept.filter_map(|(name, value)| Some((name, value?))));
    let words = headless.get_args().map(|word| if word == "-p" { ask.as_ref() } else { word });
    command.args(words.filter(|word| !word.is_empty()));
    command
}

/// Puts these keys into a file of settings and leaves the others: vib's hooks are among them.
fn amend(path: &PathBuf, more: &Value) {
    let there = fs::read(path).ok().and_then(|text| serde_json::from_slice::<Value>(&text).ok());
    let mut settings = there.unwrap_or_else(|| json!({}));
    for (key, value) in more.as_object().into_iter().flatten() {
        settings[key] = value.clone();
    }
    save(path, &settings.to_string());
}

/// Where a client keeps its own settings, for files that are put beside them.
pub fn save(path: &PathBuf, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).unwrap_or_else(|error| panic!("can't write `{}`: {error}", path.display()));
}
