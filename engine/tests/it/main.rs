//! The engine's tests through its public face, in one binary: each more would compile the engine's generics again.
//! `cargo test -p stanchion --test it model::` runs one module.

mod advice;
mod builder;
mod cache;
mod depth;
mod diagnose;
mod kinds;
mod listings;
mod messages;
mod model;
mod patterns;
mod text;
mod trail;
mod unions;
