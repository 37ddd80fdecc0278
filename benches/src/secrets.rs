//! `bench secrets TREE`: finding secrets in a real tree, in bytes per second of processor time, beside what is installed; and
//! what it costs to clean a small text in a fresh process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use fs_err as fs;

use crate::measure::{Contender, Times, in_turn};
use crate::peers::on_path;
use crate::random::Random;
use crate::report::{Floor, Machine, Report, Section, human_ms};
use crate::{Tools, load, step, tree};

const RATE_FLOOR: f64 = 60.0;
const REDACT_LIMIT_MS: f64 = 3.0;

/// What to measure on.
#[derive(Debug, Args)]
pub struct SecretArgs {
    /// A checkout to look at; it is only read.
    tree: PathBuf,
    /// How often each thing is timed (cleaning a text 30 times as often).
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// Another `vib` to measure.
    #[arg(long)]
    vib: Option<PathBuf>,
}

/// A program that reads a whole tree.
struct Scanner {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<&'static str>,
    /// Exit codes that mean it did its work.
    done: &'static [i32],
}

/// Measures everything.
pub fn measure_secrets(args: &SecretArgs) -> Result<Report> {
    ensure!(args.runs > 0, "--runs must be at least 1");
    let tools = Tools::find(args.vib.as_deref())?;
    let load_before = load();
    let tree = fs::canonicalize(&args.tree)?;
    let tree_size = tree::weigh(&tree)?;
    let home = tempfile::Builder::new().prefix("vib-bench-").tempdir()?;
    let (scanners, missing) = installed(&tools.vib);
    let mut section = Section::new("looking at the whole tree, processor time");
    let mut rates = Section::new("MB per second of processor time");
    let mut floors = Vec::new();
    let mut words = None;
    for scanner in &scanners {
        step(scanner.name);
        let cpu = (0..=args.runs)
            .map(|_| scanner.cpu_time(&tree, home.path()))
            .skip(1)
            .collect::<Result<Vec<_>>>()?;
        let times = Times::new(cpu);
        let rate = tree_size.bytes as f64 / 1e6 / (times.median() / 1e3);
        rates.rate(scanner.name, rate);
        if scanner.name == "vib" {
            let measured = format!("{rate:.0} MB/s, best {:.0}", tree_size.bytes as f64 / 1e3 / times.best());
            let claim = format!("at least {RATE_FLOOR:.0} MB per second of processor time");
            floors.push(Floor::new(claim, rate >= RATE_FLOOR, measured));
        }
        let others: Vec<(&str, &Times)> = words.as_ref().map(|words| ("rg", words)).into_iter().collect();
        section.time(scanner.name, &times, &others);
        if scanner.name == "rg" {
            words = Some(times);
        }
    }
    step("cleaning 2 KB");
    let (cleaning, floor) = redact(&tools, args.runs * 30, home.path())?;
    floors.push(floor);
    let mut report = Report {
        machine: Machine {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load: [load_before, load()],
            programs: vec![version(&tools.vib)?],
        },
        tree: tree.display().to_string(),
        tree_size,
        sections: vec![section, rates, cleaning],
        floors,
        notes: Vec::new(),
    };
    if !missing.is_empty() {
        report.notes.push(format!("not installed, so not measured: {}", missing.join(", ")));
    }
    Ok(report)
}

/// vib, a plain search as the floor, and the scanners whose program is there; and the names of those that are missing.
fn installed(vib: &Path) -> (Vec<Scanner>, Vec<&'static str>) {
    let peer = |name: &'static str, arguments: &[&'static str], done| Scanner {
        name,
        program: PathBuf::from(name),
        arguments: arguments.to_vec(),
        done,
    };
    let words = "AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}";
    let peers = vec![
        peer("rg", &["-uuu", "--no-messages", "-c", "-e", words], &[0, 1, 2]),
        peer("gitleaks", &["dir", "--no-banner", "-l", "error", "--exit-code", "0"], &[0]),
        peer("trufflehog", &["filesystem", "--json", "--no-verification", "--no-update"], &[0, 183]),
        peer(
            "kingfisher",
            &["scan", "--no-validate", "--git-history", "none", "--no-update-check"],
            &[0, 200, 205],
        ),
        peer("ripsecrets", &[], &[0, 1]),
        peer("detect-secrets", &["scan", "--all-files", "-n"], &[0]),
    ];
    let missing = peers.iter().map(|peer| peer.name).filter(|name| !on_path(name)).collect();
    let own = Scanner {
        name: "vib",
        program: vib.to_path_buf(),
        arguments: vec!["secrets", "scan", "--all", "--format", "jsonl"],
        done: &[0, 1],
    };
    let mut all: Vec<Scanner> = peers.into_iter().filter(|peer| on_path(peer.name)).collect();
    // Behind the plain search, so that its ratio can be told.
    let place = usize::from(all.first().is_some_and(|first| first.name == "rg"));
    all.insert(place, own);
    (all, missing)
}

impl Scanner {
    fn cpu_time(&self, tree: &Path, home: &Path) -> Result<Duration> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(tree).current_dir("/").env("HOME", home);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let before = children_cpu()?;
        let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
        let cpu = children_cpu()?.saturating_sub(before);
        if !status.code().is_some_and(|code| self.done.contains(&code)) {
            bail!("{command:?}: {status}");
        }
        Ok(cpu)
    }
}

#[cfg(unix)]
fn children_cpu() -> Result<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(micros.try_into()?))
}

#[cfg(not(unix))]
fn children_cpu() -> Result<Duration> {
    bail!("this system is not supported")
}

/// `vib redact` with 2 KB against a process that does nothing.
fn redact(tools: &Tools, runs: usize, home: &Path) -> Result<(Section, Floor)> {
    let (plain, mixed) = (home.join("plain.txt"), home.join("mixed.txt"));
    fs::write(&plain, text(false))?;
    fs::write(&mixed, text(true))?;
    let clean = |input: &Path| -> Result<Duration> {
        let mut command = Command::new(&tools.vib);
        command.arg("redact").current_dir(home).env("HOME", home).env("VIBELIGN_CONFIG", home.join("config"));
        command.stdin(Stdio::from(fs::File::open(input)?.into_parts().0)).stdout(Stdio::null());
        let start = Instant::now();
        let status = command.status()?;
        let time = start.elapsed();
        ensure!(status.success(), "`vib redact`: {status}");
        Ok(time)
    };
    let mut contenders: Vec<Contender<'_>> =
        vec![Box::new(|| tools.empty_process()), Box::new(|| clean(&plain)), Box::new(|| clean(&mixed))];
    let times = in_turn(runs, &mut contenders)?;
    let mut section = Section::new("cleaning 2 KB in a fresh process");
    let names = ["an empty process", "vib redact, plain text", "vib redact, with secrets and paths"];
    for (name, times) in names.iter().zip(&times) {
        section.time(name, times, &[]);
    }
    let more = times[2].median().max(times[1].median()) - times[0].median();
    let claim = format!("`vib redact` of 2 KB within {REDACT_LIMIT_MS:.0} ms of an empty process");
    let floor = Floor::new(claim, more <= REDACT_LIMIT_MS, format!("{} more", human_ms(more)));
    Ok((section, floor))
}

/// 2 KB of build output; with secrets and private paths, or without.
fn text(with_secrets: bool) -> String {
    let mut random = Random::new(7);
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut text = String::new();
    while text.len() < 2048 {
        let token: String = (0..36).map(|_| char::from(letters[random.below(letters.len())])).collect();
        text.push_str("   Compiling shop v0.3.1\nwarning: unused variable `total` in src/cart.rs:14:9\n");
        if with_secrets {
            text.push_str(&format!(
                "export GITHUB_TOKEN=ghp_{token}\nerror: cannot open /home/ann/shop/db.toml\n"
            ));
        } else {
            text.push_str("test cart::adds_items ... ok (the token count is 12, the key is `total`)\n");
        }
    }
    text.truncate(2048);
    text
}

fn version(vib: &Path) -> Result<String> {
    let text = crate::measure::read(Command::new(vib).arg("--version"))?;
    Ok(String::from_utf8_lossy(&text).trim().to_owned())
}
