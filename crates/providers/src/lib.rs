//! Models behind an HTTP address: asked, paid for, and never exchanged in silence.
//!
//! [`Caller::ask`] asks one [`Question`] and gives one [`Reply`], or says why not ([`Stopped`]). It speaks two dialects ([`Dialect`]), sorts
//! what goes wrong into four classes (ask again, ask somebody else, ask differently, stop), and tells everything that it does
//! ([`Happening`]). A [`Purse`] is asked before each call and told after it. Blocking; no async runtime.
//!
//! Promises: a key is read from where the person said it is ([`Key`]), sent to that provider's address and to no other, and written nowhere. A
//! weaker model answers only with consent. What a server sends is bounded in size and in time. A call of a tool is handed out once.
//!
//! Start reading at [`Caller`], then `fault`.

mod caller;
pub mod capabilities;
mod choose;
pub mod codes;
mod dialect;
mod draft;
pub mod estimate;
mod exchange;
pub mod fault;
mod happening;
mod http;
pub mod keyring;
pub mod ledger;
mod machine;
mod model;
mod policy;
mod purse;
mod secret;
pub mod settings;
mod shorten;
mod sse;
mod substitute;
mod world;

pub use caller::Caller;
pub use fault::{Adaptation, Class, Fault};
pub use happening::{Happening, Stopped};
pub use ledger::{BudgetNotice, Ledger, Limit};
pub use machine::Machine;
pub use model::{
    Dialect, End, Key, Message, ModelQuestion, ModelTool, Part, Price, Provider, Reply, Role, TokenUsage,
};
pub use policy::Policy;
pub use purse::{NoLimit, OverBudget, Purse};
pub use secret::Secret;
pub use world::CallerWorld;
// Shorter, behind the name of this crate.
pub use model::{ModelQuestion as Question, ModelTool as Tool, TokenUsage as Usage};
pub use world::CallerWorld as World;
