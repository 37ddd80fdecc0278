//! Installation into real-looking settings and back, and what the doctor finds.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails where it stands")]

mod doctor;
mod files;
mod plugin;
mod scopes;
mod servers;
mod settings;
mod texts;
