//! The proxy's rules without I/O, and its transports between real streams.

mod common;
mod http;
mod pins;
mod rules;
mod stdio;
