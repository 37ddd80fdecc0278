//! May this be written? One answer for every surface, from what is really there. (S13, G2)
//!
//! A hook before an edit or a command, `vib patch`, a tool of the MCP server, the page and its API: whoever would change a file asks
//! [`may`] first. It looks at where a path leads (links, other names of the same file, the other case of a name where the file
//! system does not tell them apart) and at what the change would do to it, not at who names it how.
//!
//! What is guarded, strictest first: files that a person protected, keep regions, vib's own files and program, its entries in the
//! clients' settings (a no); everything that steers an agent, the project's policy, what runs by itself, git's own data, places
//! of secrets, the system (a question). A person may do all of it, after it was named in a preview: for them every objection is
//! something to say yes to.

mod content;
mod places;
mod protected;
mod real;

use std::path::{Path, PathBuf};

use project::{Context, RelPath, own_project_of};

pub use protected::among as protected_among;
pub(crate) use protected::notice as protected_notice;

use crate::Engine;
use crate::agent::Change;
use protected::Protected;

/// Who wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// A person, who sees a preview and says yes to it.
    Person,
    /// An agent, through one of its tools.
    Agent,
    /// A script that nobody watches. What it was told to do in so many words it may; else it is bound like an agent.
    Program,
}

/// What would be done at a place.
#[derive(Debug, Clone, Copy)]
pub enum Act<'a> {
    /// An edit, as the tool tells it.
    Edit(&'a Change),
    /// A tool that nobody knows mentions the path; it need not be one that it writes.
    Mentioned,
    /// A tool that nobody knows takes it away: deletes or moves it, with everything in it.
    Taken,
    /// The file gets exactly this content; none: it is not there, or goes.
    Become {
        /// What is in it now.
        before: Option<&'a [u8]>,
        /// What is in it then.
        after: Option<&'a [u8]>,
    },
    /// A command writes it, nobody sees what. The judge of commands has looked at the place itself.
    Written {
        /// Everything below may be written.
        recursive: bool,
    },
    /// A command deletes it.
    Deleted {
        /// With everything below.
        recursive: bool,
    },
}

/// One place, and what would be done there.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// The path, as it was written; relative ones start in the current folder of the context.
    pub path: &'a Path,
    /// What would be done.
    pub act: Act<'a>,
}

/// Where it would happen.
#[derive(Debug, Clone, Copy)]
pub enum Ground<'a> {
    /// In or beside a project.
    Project(&'a Engine),
    /// Where there is none.
    Nowhere(&'a Context),
}

impl<'a> Ground<'a> {
    fn context(self) -> &'a Context {
        match self {
            Self::Project(engine) => engine.context(),
            Self::Nowhere(context) => context,
        }
    }
}

/// Whether it may happen. A later value is stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Answer {
    /// Nothing is guarded there.
    #[default]
    Allow,
    /// A person has to say yes to exactly this.
    Ask,
    /// Not at all.
    Deny,
}

/// Why it should not simply happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// How strict it is.
    pub answer: Answer,
    /// Stable code.
    pub code: &'static str,
    /// The place, for people.
    pub place: String,
    /// The reason, in plain words; it names the place.
    pub reason: String,
}

/// The answer, with one objection for each place that has one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decision {
    /// In the order of the wishes.
    pub objections: Vec<Objection>,
}

impl Decision {
    /// The strictest of all.
    pub fn answer(&self) -> Answer {
        self.objections.iter().map(|objection| objection.answer).max().unwrap_or_default()
    }

    /// The first of the strictest ones.
    pub fn worst(&self) -> Option<&Objection> {
        let answer = self.answer();
        self.objections.iter().find(|objection| objection.answer == answer)
    }
}

/// The project that a path lies in, if vib knows it already. Nothing is made.
pub fn project_around(context: &Context, path: &Path) -> Option<Engine> {
    let folder = context.cwd().join(path).parent()?.canonicalize().ok()?;
    let (_, _, known) = project::find_root_from(context, &folder).ok()?;
    known?;
    Engine::open_from(context.beside(context.cwd()).ok()?, &folder).ok()
}

/// For whoever can ask nobody: any objection to a file that gets this content is a no.
pub(crate) fn unasked(context: &Context, path: &Path, after: &[u8]) -> crate::Result<()> {
    let engine = project_around(context, path);
    let ground = engine.as_ref().map_or(Ground::Nowhere(context), Ground::Project);
    let before = crate::agent::small_file(&context.cwd().join(path));
    let act = Act::Become { before: before.as_deref(), after: Some(after) };
    match may(ground, Actor::Program, &[Wish { path, act }]).worst() {
        None => Ok(()),
        Some(worst) => Err(crate::Error::Guarded {
            code: worst.code,
            place: worst.place.clone(),
            what: worst.in_short(),
        }),
    }
}

/// Decides for all of it.
pub fn may(ground: Ground<'_>, actor: Actor, wishes: &[Wish<'_>]) -> Decision {
    if wishes.is_empty() {
        return Decision::default();
    }
    let mut looking = Looking { ground, protected: None };
    let mut objections: Vec<Objection> =
        wishes.iter().filter_map(|wish| looking.object(wish)).map(|found| found.to(actor)).collect();
    objections.dedup();
    Decision { objections }
}

impl Objection {
    fn new(answer: Answer, code: &'static str, place: &impl ToString, reason: String) -> Self {
        Self { answer, code, place: place.to_string(), reason }
    }

    /// What is special about the place, for a preview: "`README.md` is protected".
    pub fn in_short(&self) -> &'static str {
        match self.code {
            "protected" => "is protected (`vib protect`)",
            "protected_unreadable" => "may be protected: the list cannot be read",
            "keep_region" => "has lines in a keep region (VIBE-KEEP) that would change",
            "keep_region_unseen" => "has a keep region (VIBE-KEEP)",
            other => places::in_short(other),
        }
    }

    /// Nothing is forbidden to a person; everything is named.
    fn to(mut self, actor: Actor) -> Self {
        if actor == Actor::Person {
            self.answer = self.answer.min(Answer::Ask);
        }
        self
    }
}

/// A path from all sides, worked out as far as somebody asks.
struct Target<'w> {
    wish: &'w Wish<'w>,
    /// As written, made absolute.
    full: PathBuf,
    /// As written, inside the project.
    inside: Option<RelPath>,
}

/// One round of looking: what is read once for all wishes.
struct Looking<'g> {
    ground: Ground<'g>,
    protected: Option<crate::Result<Protected>>,
}

impl Looking<'_> {
    /// The strictest objection to one wish.
    fn object(&mut self, wish: &Wish<'_>) -> Option<Objection> {
        let context = self.ground.context();
        let full = places::at_home(context, context.cwd().join(wish.path));
        let inside = match self.ground {
            Ground::Project(engine) => {
                RelPath::from_user(engine.project().root(), context.cwd(), &full).ok().flatten()
            }
            Ground::Nowhere(_) => None,
        };
        let target = Target { wish, full, inside };
        let found = [
            self.protected(&target),
            self.kept(&target),
            self.elsewhere(&target),
            places::object(self.ground, &target),
        ];
        // A tie goes to the first: what a person said outranks what vib knows.
        found.into_iter().flatten().reduce(|a, b| if b.answer > a.answer { b } else { a })
    }

    fn protected(&mut self, target: &Target<'_>) -> Option<Objection> {
        let Ground::Project(engine) = self.ground else { return None };
        let protected = self.protected.get_or_insert_with(|| Protected::of(engine));
        match protected {
            Ok(protected) => protected.object(target),
            Err(error) => {
                let shown = target.wish.path.display();
                let reason = format!("vib cannot tell whether `{shown}` is protected: {error}.");
                Some(Objection::new(Answer::Ask, "protected_unreadable", &shown, reason))
            }
        }
    }

    /// What a person said in another project counts for whoever comes from this one.
    fn elsewhere(&self, target: &Target<'_>) -> Option<Objection> {
        let context = self.ground.context();
        if let Ground::Project(engine) = self.ground
            && target.inside.is_some()
            && own_project_of(engine.project().root(), &target.full).is_none()
        {
            return None;
        }
        let there = project_around(context, &target.full)?;
        let root = there.project().root();
        if matches!(self.ground, Ground::Project(engine) if engine.project().root() == root) {
            return None;
        }
        let inside = RelPath::from_user(root, context.cwd(), &target.full).ok().flatten();
        let target = Target { wish: target.wish, full: target.full.clone(), inside };
        let protected = Protected::of(&there).ok().and_then(|protected| protected.object(&target));
        protected.or_else(|| content::keep_region(&there, &target))
    }

    fn kept(&self, target: &Target<'_>) -> Option<Objection> {
        let Ground::Project(engine) = self.ground else { return None };
        content::keep_region(engine, target)
    }
}
