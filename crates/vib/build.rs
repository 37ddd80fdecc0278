//! How the finished program is linked.
//!
//! vib is started with every step of an agent, and most of what a start costs is not vib: it is the dynamic linker, which looks
//! for libraries and writes tens of thousands of addresses into the program before its first line runs. An optimised `vib` for
//! Linux therefore brings its libraries along and lies at a fixed address: about 1 ms less per start, and one file that runs on
//! every distribution. Stack, heap and mappings still lie at random addresses.
//!
//! Where the C library's archives are not installed (Debian has them with gcc), it is linked in the usual way.
//!
//! Then there are the pages of the program: each that a start needs is brought in by the system, with its neighbours. The functions
//! that are needed all day are therefore put side by side, in the order of `functions.order` (see `benches/order-functions`), if
//! the linker can do that.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CC");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let host = env::var("HOST").unwrap_or_default();
    let wanted = is("PROFILE", "release")
        && is("TARGET", &host)
        && is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu");
    let Some(folder) = env::var_os("OUT_DIR").map(PathBuf::from).filter(|_| wanted) else { return };
    if let Some(archives) = Archives::find()
        && archives.stand_in_for_libraries(&folder).is_ok()
    {
        // Only for the program: tests are linked in the usual way.
        println!("cargo:rustc-link-arg-bin=vib=-L{}", folder.display());
        println!("cargo:rustc-link-arg-bin=vib=-static");
        println!("cargo:rustc-link-arg-bin=vib=-no-pie");
    }
    if let Some(arguments) = order_of_functions(&folder) {
        for argument in arguments {
            println!("cargo:rustc-link-arg-bin=vib={argument}");
        }
    }
}

/// What tells the linker the order, if it understands it: LLD does, which Rust brings along for this system, others do not.
fn order_of_functions(folder: &Path) -> Option<[String; 2]> {
    println!("cargo:rerun-if-changed=functions.order");
    let order = env::current_dir().ok()?.join("functions.order");
    let arguments = [
        format!("-Wl,--symbol-ordering-file={}", order.display()),
        "-Wl,--no-warn-symbol-ordering".to_owned(),
    ];
    let source = folder.join("linker_probe.rs");
    fs::write(&source, "fn main() {}").ok()?;
    let mut rustc = Command::new(env::var_os("RUSTC")?);
    rustc.arg(&source).arg("-o").arg(folder.join("linker_probe"));
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    rustc.args(arguments.iter().map(|argument| format!("-Clink-arg={argument}")));
    rustc.output().is_ok_and(|output| output.status.success()).then_some(arguments)
}

/// The libraries that every Rust program needs, as archives.
struct Archives {
    c: PathBuf,
    math: PathBuf,
    unwind: PathBuf,
    compiler: PathBuf,
}

impl Archives {
    fn find() -> Option<Self> {
        let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let find = |name: &str| {
            let answer = Command::new(&compiler).arg(format!("-print-file-name={name}")).output().ok()?;
            let path = PathBuf::from(String::from_utf8(answer.stdout).ok()?.trim());
            path.is_absolute().then_some(path).filter(|path| path.is_file())
        };
        Some(Self {
            c: find("libc.a")?,
            math: find("libm.a")?,
            unwind: find("libgcc_eh.a")?,
            compiler: find("libgcc.a")?,
        })
    }

    /// rustc asks for these three as shared libraries, by name; here it finds a word that leads to the archive.
    fn stand_in_for_libraries(&self, folder: &Path) -> io::Result<()> {
        let Self { c, math, unwind, compiler } = self;
        let lead_to = |name: &str, files: &[&PathBuf]| {
            let files: Vec<String> = files.iter().map(|file| format!("\"{}\"", file.display())).collect();
            fs::write(folder.join(name), format!("GROUP ( {} )\n", files.join(" ")))
        };
        lead_to("libgcc_s.so", &[unwind, compiler, c])?;
        lead_to("libm.so", &[math])?;
        lead_to("libc.so", &[c, unwind, compiler])
    }
}
