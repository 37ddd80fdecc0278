//! What was learned from how memories were used.

use std::collections::{BTreeMap, HashMap};

use ::memory::recall::Weights;

use crate::Engine;

/// How recall weighs now.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Its number; 0: built in.
    pub number: u64,
    /// The weights.
    pub weights: Weights,
    /// What is done to the classes.
    pub lifts: BTreeMap<String, f32>,
    /// What is done to single memories.
    pub learned: HashMap<String, f32>,
}

/// The policy in force.
pub fn in_force(_engine: &Engine) -> Policy {
    Policy::default()
}
