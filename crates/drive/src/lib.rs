//! Any agent, watched: the proxy between an editor and an agent, and the driver that plays the editor itself.
//!
//! Both speak the Agent Client Protocol (JSON-RPC, one message per line). What the two sides say to each other becomes the same events that
//! hooks bring (`hooks::adapters::acp`) and goes through the same router: there is no second way of deciding. The agent runs below a
//! process that holds it ([`hold`]), so that nothing of it is left when it ends, or when vib is killed.
//!
//! What this promises:
//! - Every message goes through byte for byte unless vib has something to say.
//! - What cannot be read for certain and may be a request to write or to run something is refused, not passed on.
//! - A question of the agent is answered by the router's verdict: a no is answered here, with the reason told to the person at once and to
//!   the model with the next prompt; what a person has to decide goes on to the editor with the reason.
//! - What an agent does without asking is saved and told; it cannot be stopped here.
//!
//! No runtime: one thread per direction reads lines, one thread decides, in order. Start reading at [`proxy`], then [`desk`].

pub mod acp;
pub mod agent;
mod answers;
mod calls;
pub mod desk;
pub mod drive;
pub mod executor;
pub mod hold;
pub mod message;
pub mod proxy;
pub mod spend;
pub mod stream;
pub mod table;
mod wire;

pub use wire::Out;
