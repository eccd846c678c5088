//! The policy: which tools may be used, how strictly they are checked, and what may be logged.
//!
//! It is a TOML file. Every key has a default, so an empty file is a policy.

use glob::Pattern;
use serde::Deserialize;
use stanchion_mcp::stanchion::Limits;
use stanchion_mcp::{MissingType, Profile};
use std::fmt;
use std::time::Duration;

/// What happens to a tool, a call or a result that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// It is refused, and reported.
    #[default]
    Enforce,
    /// It is passed on, and reported.
    Warn,
    /// It is passed on unchecked.
    Off,
}

/// What happens to a value whose check reached a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// It is refused.
    #[default]
    Refuse,
    /// It is passed on, and reported.
    Warn,
}

/// Which schemas a tool may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strictness {
    /// What published servers send: an input schema without `type`, `"outputSchema": null`.
    #[default]
    Lenient,
    /// What the specification allows.
    Strict,
}

/// All choices of an operator.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// The mode of tools that no rule names.
    pub mode: Mode,
    /// Which schemas a tool may have.
    pub schemas: Strictness,
    /// Values whose check reached a limit.
    pub undecided: Choice,
    /// Calls of tools that the server does not list.
    pub unlisted: Choice,
    /// Whether `format` is an assertion.
    pub formats: bool,
    /// Patterns of names; if there are any, other tools are not shown.
    #[serde(deserialize_with = "patterns")]
    pub allow: Vec<Pattern>,
    /// Patterns of names that are not shown, also if they are allowed.
    #[serde(deserialize_with = "patterns")]
    pub deny: Vec<Pattern>,
    /// Limits on messages and schemas.
    pub limits: Bounds,
    /// How long to wait.
    pub timeouts: Timeouts,
    /// What may be logged.
    pub log: Logging,
    /// What happens to tools that differ from the lock file.
    pub pin: Pins,
    /// Modes of some tools. The first rule that fits holds.
    pub tool: Vec<Rule>,
    /// Whether everything is only reported, and nothing refused or changed. Set by `--dry-run`.
    #[serde(skip)]
    pub dry_run: bool,
}

/// Limits on messages and schemas.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bounds {
    /// Most bytes of a message.
    pub message_bytes: usize,
    /// Most requests under way at once, in a session.
    pub pending: usize,
    /// Most sessions that are remembered.
    pub sessions: usize,
    /// Most pages of a list that the proxy reads by itself.
    pub pages: usize,
    /// Most steps that a call of 100 values in 4 kB may take, as `stanchion mcp` reports them. A
    /// tool that may take more is refused.
    pub cost: Option<u64>,
    /// Most steps of a check.
    pub steps: Option<u64>,
    /// Deepest nesting of subschemas.
    pub depth: Option<usize>,
    /// Most subschemas.
    pub subschemas: Option<usize>,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            message_bytes: 16 << 20,
            pending: 10_000,
            sessions: 10_000,
            pages: 1_000,
            cost: None,
            steps: None,
            depth: None,
            subschemas: None,
        }
    }
}

/// How long to wait, in seconds.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Timeouts {
    /// For the server's tools, when the proxy reads them by itself.
    pub list: f64,
    /// For requests under way, when the proxy ends.
    pub drain: f64,
    /// For the server to end after its input was closed, before it is killed.
    pub exit: f64,
    /// For a connection to a server.
    pub connect: f64,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts { list: 30.0, drain: 10.0, exit: 5.0, connect: 10.0 }
    }
}

/// What may be logged.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Logging {
    /// Whether events have values of arguments and results. Without it, they have places and
    /// keywords.
    pub values: bool,
}

/// What happens to tools that differ from the lock file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pins {
    /// A tool whose definition differs.
    pub changed: Choice,
    /// A tool that is not in the file.
    pub new: Choice,
}

/// The mode of some tools.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The name of a tool, or a pattern with `*` and `?`.
    #[serde(deserialize_with = "pattern")]
    pub name: Pattern,
    /// Its mode.
    pub mode: Mode,
}

/// A policy that cannot be read. `Display` names the line and what was expected.
#[derive(Clone, Debug)]
pub struct PolicyError(String);

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for PolicyError {}

impl Policy {
    /// Reads a policy.
    ///
    /// ```
    /// use stanchion_proxy::{Mode, Policy};
    ///
    /// let policy = Policy::from_toml("deny = ['delete_*']\n[[tool]]\nname = 'search'\nmode = 'warn'\n")?;
    /// assert_eq!(policy.mode_of("search"), Mode::Warn);
    /// assert!(!policy.allows("delete_all"));
    ///
    /// let error = Policy::from_toml("[limits]\nmesage_bytes = 1\n").unwrap_err().to_string();
    /// assert!(error.contains("line 2") && error.contains("did you mean `message_bytes`?"), "{error}");
    /// # Ok::<(), stanchion_proxy::PolicyError>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Policy, PolicyError> {
        let policy: Policy = toml::from_str(text).map_err(|error| {
            let advice = suggestion(error.message());
            PolicyError(format!("{}{advice}", error.to_string().trim_end()))
        })?;
        policy.check().map_err(PolicyError)?;
        Ok(policy)
    }

    fn check(&self) -> Result<(), String> {
        let Timeouts { list, drain, exit, connect } = self.timeouts;
        for (name, seconds) in [("list", list), ("drain", drain), ("exit", exit), ("connect", connect)] {
            if !(0.0..=86_400.0).contains(&seconds) {
                return Err(format!("timeouts.{name}: expected 0 to 86400 seconds, found {seconds}"));
            }
        }
        let Bounds { message_bytes, pending, sessions, pages, .. } = self.limits;
        for (name, limit, least) in [
            ("message_bytes", message_bytes, 1_024),
            ("pending", pending, 1),
            ("sessions", sessions, 1),
            ("pages", pages, 1),
        ] {
            if limit < least {
                return Err(format!("limits.{name}: expected at least {least}, found {limit}"));
            }
        }
        Ok(())
    }

    /// Whether a tool may be shown and called.
    pub fn allows(&self, tool: &str) -> bool {
        let fits = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(tool));
        (self.allow.is_empty() || fits(&self.allow)) && !fits(&self.deny)
    }

    /// Returns the mode of a tool.
    pub fn mode_of(&self, tool: &str) -> Mode {
        self.tool.iter().find(|rule| rule.name.matches(tool)).map_or(self.mode, |rule| rule.mode)
    }

    /// Returns the settings for compiling and checking.
    pub fn profile(&self) -> Profile {
        let mut limits = Limits::default();
        if let Some(steps) = self.limits.steps {
            limits = limits.steps(steps);
        }
        if let Some(depth) = self.limits.depth {
            limits = limits.depth(depth);
        }
        if let Some(subschemas) = self.limits.subschemas {
            limits = limits.subschemas(subschemas);
        }
        let profile = match self.schemas {
            Strictness::Lenient => Profile::lenient(),
            Strictness::Strict => Profile::default().missing_type(MissingType::Refuse),
        };
        profile.limits(limits).assert_formats(self.formats)
    }
}

impl Timeouts {
    /// Returns seconds as a duration.
    pub(crate) fn duration(seconds: f64) -> Duration {
        Duration::try_from_secs_f64(seconds).unwrap_or_default()
    }
}

fn parse_pattern<E: serde::de::Error>(text: &str) -> Result<Pattern, E> {
    Pattern::new(text).map_err(|error| E::custom(format!("pattern `{text}`: {error}")))
}

fn pattern<'d, D: serde::Deserializer<'d>>(reader: D) -> Result<Pattern, D::Error> {
    parse_pattern(&String::deserialize(reader)?)
}

fn patterns<'d, D: serde::Deserializer<'d>>(reader: D) -> Result<Vec<Pattern>, D::Error> {
    Vec::<String>::deserialize(reader)?.iter().map(|text| parse_pattern(text)).collect()
}

/// Returns the nearest known name, from a message «unknown field `a`, expected `b` or `c`».
fn suggestion(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    let Some(unknown) = names.next().filter(|_| message.starts_with("unknown ")) else {
        return String::new();
    };
    let nearest = names
        .map(|name| (strsim::damerau_levenshtein(unknown, name), name))
        .min()
        .filter(|(distance, _)| *distance <= 1 + unknown.len() / 3);
    nearest.map_or_else(String::new, |(_, name)| format!("\ndid you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, parts: &[&str]) {
        let error = Policy::from_toml(text).unwrap_err().to_string();
        for part in parts {
            assert!(error.contains(part), "{part:?} is not in {error}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        refused("mod = 'warn'", &["line 1", "unknown field `mod`", "did you mean `mode`?"]);
        refused("mode = 'wran'", &["line 1", "did you mean `warn`?"]);
        refused("[limits]\npending = 0", &["limits.pending: expected at least 1, found 0"]);
        refused("[limits]\npending = -1", &["line 2"]);
        refused("[timeouts]\nlist = -1", &["timeouts.list"]);
        refused("deny = ['[']", &["pattern `[`"]);
        refused("[[tool]]\nname = 'a'", &["mode"]);
        refused("xyzzy = 1", &["unknown field `xyzzy`"]);
        refused("mode = ", &["line 1"]);
    }

    #[test]
    fn deny_wins_and_the_first_rule_holds() {
        let policy = Policy::from_toml(
            "mode = 'enforce'\nallow = ['get_*', 'put']\ndeny = ['get_secret']\n\
             [[tool]]\nname = 'get_?'\nmode = 'off'\n[[tool]]\nname = 'get_*'\nmode = 'warn'",
        )
        .unwrap();
        assert!(policy.allows("get_a") && policy.allows("put"));
        assert!(!policy.allows("get_secret") && !policy.allows("other"));
        assert_eq!(policy.mode_of("get_a"), Mode::Off);
        assert_eq!(policy.mode_of("get_more"), Mode::Warn);
        assert_eq!(policy.mode_of("put"), Mode::Enforce);
        assert!(Policy::from_toml("").unwrap().allows("anything"));
    }
}
