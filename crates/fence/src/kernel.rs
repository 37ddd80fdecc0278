//! What the kernel of this machine can keep closed, and putting it up.

use serde::Serialize;

/// What keeps a fence up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// Linux.
    Landlock,
    /// macOS.
    Seatbelt,
    /// Nothing that vib knows.
    None,
}

/// What this machine offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Kernel {
    /// By what.
    pub means: Means,
    /// The version of the kernel's interface.
    pub abi: Option<i32>,
    /// Why there is no fence.
    pub why_not: Option<String>,
    /// What this kernel leaves open that a newer one would not.
    pub lacks: Vec<&'static str>,
}

impl Kernel {
    /// A fence can be put up.
    pub fn is_there(&self) -> bool {
        self.means != Means::None
    }

    /// In words: `Landlock, ABI 7`.
    pub fn words(&self) -> String {
        match (self.means, self.abi, &self.why_not) {
            (Means::Landlock, Some(abi), _) => format!("Landlock, ABI {abi}"),
            (Means::Landlock, None, _) => "Landlock".to_owned(),
            (Means::Seatbelt, ..) => "Seatbelt".to_owned(),
            (Means::None, _, Some(why)) => why.clone(),
            (Means::None, _, None) => "this system has none".to_owned(),
        }
    }

    #[cfg_attr(target_os = "macos", expect(dead_code))]
    fn none(why: &str) -> Self {
        Self { means: Means::None, abi: None, why_not: Some(why.to_owned()), lacks: Vec::new() }
    }
}

/// What no kernel of today keeps closed: the judge of commands looks at these, as without the fence.
pub const OPEN: &[&str] = &[
    "changing rights, owner and times of files outside (chmod, chown, touch of what is there)",
    "programs that run already and take orders over a socket: tmux, screen, docker, a user's systemd, databases",
    "reading: keys and other projects can be read (`guard.fence_hide` closes places), also `/proc/PID/environ` of your own programs",
    "the network, and signals to other programs of yours",
    "what lies in the project itself: its git folder, its settings for agents, ignored files (what programs outside would run from there by themselves is told when it changes)",
];

#[cfg(target_os = "linux")]
pub use linux::kernel;
#[cfg(target_os = "linux")]
pub(crate) use linux::{restrict, trial};

#[cfg(target_os = "macos")]
pub use mac::kernel;

/// What this machine offers.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub fn kernel() -> Kernel {
    Kernel::none("vib knows no fence for this system")
}

#[cfg(target_os = "macos")]
mod mac {
    use super::{Kernel, Means};

    /// Seatbelt is there where its program is.
    pub fn kernel() -> Kernel {
        Kernel { means: Means::Seatbelt, abi: None, why_not: None, lacks: Vec::new() }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::path::PathBuf;

    use landlock::{
        ABI, AccessFs, BitFlags, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd,
        RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    };

    use super::{Kernel, Means};
    use crate::places::{Access, Place};
    use crate::{Error, Result};

    /// Renaming between folders is refused by older ones, and too much needs it.
    const OLDEST: i32 = 2;

    /// What this machine offers. Asked in a thread of its own, which ends with what it restricted.
    pub fn kernel() -> Kernel {
        let asked = std::thread::spawn(|| nothing_closed().map(|status| status.landlock)).join();
        match asked {
            Ok(Ok(LandlockStatus::Available { effective_abi, kernel_abi })) => {
                let abi = kernel_abi.unwrap_or(effective_abi as i32);
                if abi < OLDEST {
                    return Kernel::none("its kernel is too old: Landlock ABI 2 (Linux 5.19) is needed");
                }
                let lacks = if abi < 3 { vec!["cutting files outside short (truncate)"] } else { Vec::new() };
                Kernel { means: Means::Landlock, abi: Some(abi), why_not: None, lacks }
            }
            Ok(Ok(LandlockStatus::NotEnabled)) => {
                Kernel::none("Landlock is switched off in this kernel (boot with `lsm=landlock,…`)")
            }
            Ok(Ok(LandlockStatus::NotImplemented)) => Kernel::none("this kernel has no Landlock"),
            Ok(Err(error)) => Kernel::none(&format!("Landlock does not answer: {error}")),
            Err(_) => Kernel::none("Landlock could not be asked"),
        }
    }

    fn nothing_closed() -> std::result::Result<RestrictionStatus, RulesetError> {
        let mut rules = Ruleset::default().handle_access(AccessFs::MakeBlock)?.create()?;
        if let Ok(top) = PathFd::new("/") {
            rules = rules.add_rule(PathBeneath::new(top, AccessFs::MakeBlock))?;
        }
        rules.restrict_self()
    }

    /// Everything that changes what is stored. Device commands (`ioctl`) are left alone: terminals need them.
    fn closed() -> BitFlags<AccessFs> {
        AccessFs::from_write(ABI::V3)
    }

    /// No devices: whoever may make one of a disk may write the disk.
    fn open_folder() -> BitFlags<AccessFs> {
        let devices: BitFlags<AccessFs> = AccessFs::MakeChar | AccessFs::MakeBlock;
        closed() & !devices
    }

    /// Closes everything but these places for this thread and what it starts. `readable`: where hidden places leave files to be read.
    pub(crate) fn restrict(places: &[Place], readable: Option<&[PathBuf]>) -> Result<()> {
        let not_up = |error: RulesetError| Error::NotUp(error.to_string());
        let handled = closed() | if readable.is_some() { AccessFs::ReadFile.into() } else { BitFlags::EMPTY };
        let mut rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(handled)
            .and_then(Ruleset::create)
            .map_err(not_up)?;
        let writable = places.iter().map(|place| {
            let access = match place.access {
                Access::Folder => open_folder(),
                Access::File => AccessFs::WriteFile | AccessFs::Truncate,
            };
            (&place.path, access)
        });
        let readable = readable.into_iter().flatten().map(|path| (path, AccessFs::ReadFile.into()));
        for (path, access) in writable.chain(readable) {
            // What went away since the list was made stays closed.
            let Ok(opened) = PathFd::new(path) else { continue };
            let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI::V3) };
            rules = rules.add_rule(PathBeneath::new(opened, access)).map_err(not_up)?;
        }
        let status = rules.restrict_self().map_err(not_up)?;
        match status.ruleset {
            RulesetStatus::NotEnforced => Err(Error::NotUp("the kernel enforces nothing".to_owned())),
            RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
        }
    }

    /// Runs something behind the fence in a thread of its own, which ends with it.
    pub(crate) fn trial<T: Send + 'static>(
        places: Vec<Place>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        std::thread::spawn(move || restrict(&places, None).map(|()| work()))
            .join()
            .unwrap_or_else(|_| Err(Error::NotUp("the trial did not end".to_owned())))
    }
}
