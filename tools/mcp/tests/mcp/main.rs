//! The profile, by subject.

mod bounds;
mod calls;
mod corpus;
mod defaults;
mod elicitation;
mod header;
mod hostile;
mod legacy;
mod presets;
mod random;
mod results;
mod schemas;
mod shared;
mod statements;
mod toolbox;
mod vectors;
