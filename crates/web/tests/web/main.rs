//! The server as a browser, a program and an attacker see it: over a socket.

#![cfg(test)]

mod agent;
mod api;
mod doors;
mod history;
mod leaks;
mod live;
mod pages;
mod read_only;
mod runs;
mod security;
mod world;
