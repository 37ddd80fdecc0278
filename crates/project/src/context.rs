//! Time, randomness and environment, handed in so that tests own them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::platform;

/// Where "now" comes from.
#[derive(Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// Milliseconds since 1970; each look moves it on by one second, so that order is visible in tests.
    Stepping(AtomicU64),
}

/// Where random numbers come from.
#[derive(Debug)]
pub enum Random {
    /// The operating system.
    System,
    /// A seed and a counter: the same run gives the same ids.
    Seeded(AtomicU64),
}

/// The world as one run of vib sees it.
#[derive(Debug)]
pub struct Context {
    cwd: PathBuf,
    home: Option<PathBuf>,
    state: Option<PathBuf>,
    config: Option<PathBuf>,
    memory: Option<PathBuf>,
    temp: Option<PathBuf>,
    guard_covered: Option<OsString>,
    variable: fn(&str) -> Option<OsString>,
    user: Option<String>,
    host: Option<String>,
    clock: Clock,
    random: Random,
}

impl Context {
    /// The real world. `VIBELIGN_TEST_CLOCK` (milliseconds since 1970) and `VIBELIGN_TEST_SEED` replace clock and
    /// randomness, for tests and recorded demos.
    pub fn from_process() -> std::io::Result<Self> {
        let get = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let number = |name: &str| get(name).and_then(|value| value.to_str()?.parse::<u64>().ok());
        // `PWD` is ignored on purpose: a project must have one name, whatever link led to it.
        let cwd = std::env::current_dir()?;
        let cwd = cwd.canonicalize().unwrap_or(cwd);
        Ok(Self {
            clock: number("VIBELIGN_TEST_CLOCK")
                .map_or(Clock::System, |ms| Clock::Stepping(AtomicU64::new(ms))),
            random: number("VIBELIGN_TEST_SEED")
                .map_or(Random::System, |seed| Random::Seeded(AtomicU64::new(seed))),
            variable: |name| std::env::var_os(name).filter(|value| !value.is_empty()),
            ..Self::with_environment(cwd, &get)
        })
    }

    /// A world with this current folder and environment, and the real clock.
    pub fn with_environment(cwd: PathBuf, get: &dyn Fn(&str) -> Option<OsString>) -> Self {
        Self {
            cwd,
            home: get(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from),
            state: platform::state_folder(get),
            config: platform::config_folder(get),
            memory: platform::memory_folder(get),
            temp: get(if cfg!(windows) { "TEMP" } else { "TMPDIR" })
                .map(PathBuf::from)
                .filter(|folder| folder.is_absolute()),
            guard_covered: get("VIBELIGN_GUARD_COVERED"),
            variable: |_| None,
            user: ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| get(name)?.into_string().ok()),
            host: get("COMPUTERNAME").and_then(|name| name.into_string().ok()),
            clock: Clock::System,
            random: Random::System,
        }
    }

    /// The same world with a clock of its own, which stands at this time: for tests that live through months.
    #[must_use]
    pub fn with_clock(mut self, ms: u64) -> Self {
        self.clock = Clock::Stepping(AtomicU64::new(ms));
        self
    }

    /// Sets a clock of its own; the system's cannot be set.
    pub fn set_clock(&self, ms: u64) {
        if let Clock::Stepping(clock) = &self.clock {
            clock.store(ms, Ordering::Relaxed);
        }
    }

    /// The same world, seen from another folder.
    pub fn in_folder(mut self, cwd: &Path) -> std::io::Result<Self> {
        self.cwd = fs_err::canonicalize(self.cwd.join(cwd))?;
        Ok(self)
    }

    /// A second world like this one, seen from another folder. Each goes on with its own clock and random numbers.
    pub fn beside(&self, cwd: &Path) -> std::io::Result<Self> {
        Ok(Self {
            cwd: fs_err::canonicalize(self.cwd.join(cwd))?,
            home: self.home.clone(),
            state: self.state.clone(),
            config: self.config.clone(),
            memory: self.memory.clone(),
            temp: self.temp.clone(),
            guard_covered: self.guard_covered.clone(),
            variable: self.variable,
            user: self.user.clone(),
            host: self.host.clone(),
            clock: match &self.clock {
                Clock::System => Clock::System,
                Clock::Stepping(ms) => Clock::Stepping(AtomicU64::new(ms.load(Ordering::Relaxed))),
            },
            random: match &self.random {
                Random::System => Random::System,
                Random::Seeded(counter) => Random::Seeded(AtomicU64::new(counter.load(Ordering::Relaxed))),
            },
        })
    }

    /// The current folder, links resolved.
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// The home folder.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The folder for checkpoints, logs and locks.
    pub fn state(&self) -> crate::Result<&Path> {
        self.state.as_deref().ok_or(crate::Error::NoStateFolder)
    }

    /// The folder of the user's settings.
    pub fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// The folder for memory that all projects share.
    pub fn memory(&self) -> Option<&Path> {
        self.memory.as_deref()
    }

    /// The user's own folder for throw-away files, where one is set.
    pub fn temp(&self) -> Option<&Path> {
        self.temp.as_deref()
    }

    /// What `VIBELIGN_GUARD_COVERED` says, which wins over the setting `guard.covered`.
    pub fn guard_covered(&self) -> Option<&std::ffi::OsStr> {
        self.guard_covered.as_deref()
    }

    /// The same world as a hook sees it: the client's environment is anybody's word (a project's settings can set it), so it may make the
    /// guard stricter and never looser. (S4)
    #[must_use]
    pub fn for_hook(mut self) -> Self {
        self.guard_covered = self.guard_covered.filter(|word| word != "allow");
        self
    }

    /// A variable of the environment that the user named in a setting, to hand it on. Values are never shown or kept.
    pub fn variable(&self, name: &str) -> Option<OsString> {
        (self.variable)(name)
    }

    /// The user's login name, as far as the environment says; else the name of the home folder.
    pub fn user(&self) -> Option<String> {
        let from_home = || Some(self.home()?.file_name()?.to_str()?.to_owned());
        self.user.clone().or_else(from_home)
    }

    /// The machine's name.
    pub fn host(&self) -> Option<String> {
        self.host.clone().or_else(platform::host_name).filter(|host| !host.is_empty())
    }

    /// Milliseconds since 1970.
    pub fn now_ms(&self) -> i64 {
        match &self.clock {
            Clock::System => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
            }
            Clock::Stepping(ms) => i64::try_from(ms.fetch_add(1_000, Ordering::Relaxed)).unwrap_or(i64::MAX),
        }
    }

    /// Milliseconds since 1970 by the machine's clock, whatever clock a test gave this run: for waits that nobody may skip.
    pub fn wall_ms(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    /// Sixty-four random bits of the system, whatever seed a test gave this run: for what nobody may guess.
    pub fn secret_u64(&self) -> u64 {
        getrandom::u64().unwrap_or_else(|_| self.random_u64())
    }

    /// Sixty-four random bits.
    pub fn random_u64(&self) -> u64 {
        match &self.random {
            Random::System => getrandom::u64().unwrap_or_else(|_| {
                // No randomness source: ids must still differ, not be secret.
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                scramble(now.as_nanos() as u64 ^ (u64::from(std::process::id()) << 32))
            }),
            Random::Seeded(counter) => scramble(counter.fetch_add(1, Ordering::Relaxed)),
        }
    }
}

/// SplitMix64's finaliser: spreads a counter over all bits.
fn scramble(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
