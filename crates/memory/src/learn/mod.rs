//! What memory learns from how it was used: importance, episodes and patterns, and the policy by which recall weighs.
//! (MM8–MM10)
//!
//! Everything here is a fold over events and can be thrown away. Nothing here decides anything for a person: patterns are
//! proposals with evidence, a decision is never made or promoted, and a policy only changes the order in which memories are
//! offered.
//!
//! Start reading at [`usage::Usage::fold`], then [`policy`].

pub mod episodes;
pub mod importance;
pub mod interval;
pub mod patterns;
pub mod policy;
pub mod promote;
pub mod shape;
pub mod tiers;
pub mod usage;
