//! `vib demo`: the whole story on a small project in a temporary folder, with the same engine as every command.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use engine::diff::Detail;
use engine::recover::{self, Applied, Choice, Query};
use engine::undo::Confirmation;
use engine::{Engine, Result};
use project::Context;
use serde::Serialize;
use store::{CheckpointKind, Origin, SnapshotRequest};
use texts::{Language, Texts};

use crate::answer::Answer;
use crate::cli::Session;
use crate::render;
use crate::theme::paint;

/// See the whole story: an agent breaks a small project, vib brings it back
///
/// Runs in a temporary folder with a store of its own; nothing of yours is touched, and nothing is left behind.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Keep the folder, to look around in it
    #[arg(long)]
    keep: bool,
}

/// What the demo showed, for `--json`.
#[derive(Debug, Serialize)]
struct Story {
    folder: String,
    kept: bool,
    steps: Vec<Step>,
    /// What was lost came back and the good work stayed; then everything was as the agent had left it.
    came_back: bool,
    undo_was_undone: bool,
}

#[derive(Debug, Serialize)]
struct Step {
    title: String,
    text: String,
}

/// The project: the kind of thing people build with agents.
const FILES: &[(&str, &str)] = &[
    ("README.md", "# Corner shop\n\nA small shop: a page, a cart, a checkout.\n"),
    (".gitignore", "node_modules/\n.env\n"),
    (".env", "PAYMENT_KEY=not-a-real-key\n"),
    ("package.json", "{ \"name\": \"corner-shop\", \"scripts\": { \"start\": \"node src/server.js\" } }\n"),
    (
        "src/cart.js",
        "export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price * \
         item.count;\n  }\n  return sum;\n}\n",
    ),
    (
        "src/login.js",
        "export function login(user, password) {\n  if (!user || !password) {\n    throw new Error('missing');\n  }\n  \
         return check(user, password);\n}\n",
    ),
    ("src/server.js", "import { total } from './cart.js';\nimport { login } from './login.js';\n"),
    ("assets/logo.svg", "<svg xmlns='http://www.w3.org/2000/svg'><circle r='8'/></svg>\n"),
];

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let folder = tempfile::Builder::new().prefix("vib-demo-").tempdir().map_err(project::Error::from)?;
    let base = folder.path().canonicalize().map_err(project::Error::from)?;
    let shop = base.join("shop");
    let mut teller = Teller { session, steps: Vec::new(), shop: shop.clone() };
    let (came_back, undo_was_undone) = teller.tell(&base)?;
    let steps = teller.steps;
    let kept = args.keep.then(|| folder.keep());
    let story =
        Story { folder: shop.display().to_string(), kept: kept.is_some(), steps, came_back, undo_was_undone };
    let exit = if came_back && undo_was_undone { 0 } else { 3 };
    Ok(Answer::new(&session.printer, &story, |story, _| ending(story)).with_exit(exit))
}

fn ending(story: &Story) -> String {
    let mut out = String::new();
    if story.kept {
        out.push_str(&format!("The folder is kept: {}\n", story.folder));
    }
    out.push_str("\nThat was the demo. In your own project, start with `vib init`.\n");
    out
}

struct Teller<'s> {
    session: &'s Session,
    steps: Vec<Step>,
    shop: std::path::PathBuf,
}

impl Teller<'_> {
    /// Tells the story; returns whether everything came back, and whether the recovery could be taken back.
    fn tell(&mut self, base: &Path) -> Result<(bool, bool)> {
        for (name, text) in FILES {
            self.write(name, text)?;
        }
        let get = |name: &str| -> Option<OsString> {
            match name {
                "HOME" => Some(base.join("home").into_os_string()),
                "VIBELIGN_STATE" => Some(base.join("state").into_os_string()),
                "VIBELIGN_CONFIG" => Some(base.join("config").into_os_string()),
                _ => None,
            }
        };
        let context = Context::with_environment(self.shop.clone(), &get);
        let engine = Engine::open(context)?;

        self.scene(
            "A small shop, and an agent is asked: “make the cart faster”. vib saves before every step.",
        );
        self.step(&engine, "prompt", None)?;

        self.scene("Step 1: the agent edits src/cart.js with its edit tool. Good work.");
        self.step(&engine, "Edit", Some("src/cart.js"))?;
        self.write(
            "src/cart.js",
            "export function total(items) {\n  return items.reduce((sum, item) => sum + item.price * item.count, 0);\n}\n",
        )?;
        let wanted = self.photograph();

        self.scene(
            "Step 2: a command of the agent goes wrong and empties another file. No edit tool sees that.",
        );
        self.step(&engine, "Bash", None)?;
        self.shell("sed 's/missing/empty/' src/login.js > src/login.js")?;

        self.scene("Step 3: the agent cleans up, too much: `rm -rf assets README.md .env`");
        self.step(&engine, "Bash", None)?;
        self.shell("rm -rf assets README.md .env")?;
        let broken = self.photograph();

        self.scene(
            "Step 4: the agent wants to go on with `rm -rf ~`. Before it runs, vib judges it.  $ vib judge",
        );
        // Judged only; nothing runs it.
        let judgement = engine::judge::judge_command(engine.context(), "rm -rf ~");
        self.show(&render::judged(&judgement, self.theme()));

        let texts = Texts::new(Language::of_environment(engine.context()));
        let query = Query { words: "it broke".to_owned(), tool: "cli".to_owned(), ..Query::default() };
        self.scene("“It broke!” — what happened, and what is the safest way back?  $ vib recover it broke");
        let report = recover::diagnose(&engine, &query, self.progress())?;
        self.show(&render::recover(&report, &texts, self.theme()));

        self.scene("What exactly would the first way do?  $ vib recover --preview");
        let preview =
            recover::preview(&engine, &query, Choice::Recommended, Detail::Counts, self.progress())?;
        self.show(&render::recover_preview(&preview, &texts, self.theme()));

        self.scene(&format!(
            "Yes. vib saves the broken state first.  $ vib recover --yes --plan {}",
            preview.plan
        ));
        let done = self.apply(&engine, &preview.plan)?;
        self.show(&render::recovered(&done, &texts, self.theme()));
        let came_back = self.photograph() == wanted;
        let verdict = self.verdict(
            came_back,
            "what was lost is back, content, names and modes; the good work on the cart is still there",
        );
        self.show(&verdict);

        self.scene("Changed your mind? One command returns to the state before.  $ vib recover --return");
        let preview = recover::returning(&engine, Detail::Counts, self.progress())?;
        let again = self.apply(&engine, &preview.plan)?;
        self.show(&render::recovered(&again, &texts, self.theme()));
        let undone = self.photograph() == broken;
        let verdict = self.verdict(undone, "every file is exactly as the agent had left it");
        self.show(&verdict);

        self.scene("And once more to the good state.  $ vib recover --return");
        let preview = recover::returning(&engine, Detail::Counts, self.progress())?;
        self.apply(&engine, &preview.plan)?;
        let healthy_again = self.photograph() == wanted;
        let verdict = self.verdict(healthy_again, "the shop is whole again, with the faster cart");
        self.show(&verdict);
        Ok((came_back && healthy_again, undone))
    }

    fn apply(&self, engine: &Engine, plan: &str) -> Result<Applied> {
        recover::apply(engine, plan, Confirmation::Flag, None, "cli", self.progress())
    }

    /// What a hook does before a step of an agent.
    fn step(&self, engine: &Engine, tool: &str, file: Option<&str>) -> Result<()> {
        let is_prompt = tool == "prompt";
        let request = SnapshotRequest {
            kind: CheckpointKind::Turn,
            message: None,
            pinned: false,
            by_agent: true,
            origin: Origin {
                session: Some("demo".to_owned()),
                turn: Some("1".to_owned()),
                agent: Some("some-agent".to_owned()),
                tool: (!is_prompt).then(|| tool.to_owned()),
                trigger: Some(if is_prompt { "prompt" } else { "tool" }.to_owned()),
                prompt: Some("make the cart faster".to_owned()),
                ..Origin::default()
            },
            moment: store::Moment::Between,
        };
        let paths: Vec<_> = file.into_iter().map(std::path::PathBuf::from).collect();
        engine::checkpoint::create(engine, &request, &paths, self.progress())?;
        Ok(())
    }

    fn scene(&mut self, title: &str) {
        self.session.printer.now(&format!("\n{}\n", paint(self.theme().strong, format!("▶ {title}"))));
        self.steps.push(Step { title: title.to_owned(), text: String::new() });
    }

    fn show(&mut self, text: &str) {
        self.session.printer.now(text);
        if let Some(step) = self.steps.last_mut() {
            step.text.push_str(&anstream::adapter::strip_str(text).to_string());
        }
    }

    fn verdict(&self, good: bool, claim: &str) -> String {
        if good {
            format!("{} compared file by file: {claim}.\n", paint(self.theme().added, "✓"))
        } else {
            format!("{} NOT true that {claim}. Please report this.\n", paint(self.theme().error, "✗"))
        }
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.shop.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(project::Error::from)?;
        }
        std::fs::write(path, text).map_err(project::Error::from)?;
        Ok(())
    }

    fn shell(&self, script: &str) -> Result<()> {
        Command::new("sh")
            .arg("-c")
            .arg(script)
            .current_dir(&self.shop)
            .status()
            .map_err(project::Error::from)?;
        Ok(())
    }

    /// Every file with its content and mode, for comparing.
    fn photograph(&self) -> Vec<(String, Vec<u8>, u32)> {
        let mut files = Vec::new();
        collect(&self.shop, &self.shop, &mut files);
        files.sort();
        files
    }

    fn progress(&self) -> &dyn store::Progress {
        &self.session.progress
    }

    fn theme(&self) -> &crate::theme::Theme {
        self.session.printer.theme()
    }
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, Vec<u8>, u32)>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        if name.starts_with(".vibelign") {
            continue;
        }
        #[cfg(unix)]
        let mode = {
            use std::os::unix::fs::PermissionsExt;
            entry.metadata().map_or(0, |metadata| metadata.permissions().mode())
        };
        #[cfg(not(unix))]
        let mode = 0;
        if path.is_dir() {
            files.push((format!("{name}/"), Vec::new(), mode));
            collect(root, &path, files);
        } else {
            files.push((name, std::fs::read(&path).unwrap_or_default(), mode));
        }
    }
}
