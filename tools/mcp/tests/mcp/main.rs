//! The profile, by subject.

mod bounds;
mod calls;
mod corpus;
mod defaults;
mod elicitation;
mod header;
mod hostile;
mod legacy;
mod results;
mod schemas;
mod shared;
mod toolbox;
mod vectors;
