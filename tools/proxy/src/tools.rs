//! The tools of a server, as the proxy checks them: a toolbox, the policy and the lock file.

use crate::events::{Event, Kind, Log};
use crate::message::INTERNAL_ERROR;
use crate::pin::{Difference, Pin};
use crate::policy::{Choice, Mode, Policy};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use stanchion_mcp::{
    Compiler, Failure, INVALID_PARAMS, Loaded, ProtocolVersion, RefusedTool, TOOLS, Tool, ToolFault, Toolbox,
};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Size of the call for which steps are counted: values, and bytes of JSON. As `stanchion mcp`.
const NODES: u64 = 100;
const BYTES: u64 = 4_000;
/// Longest cursor of a page.
const MAX_CURSOR_BYTES: usize = 64 << 10;
/// How old a list must be before a call of a tool that is not in it reads the list again.
const FRESH: Duration = Duration::from_secs(1);

/// Everything that all sessions share.
#[derive(Debug)]
pub struct Setup {
    /// The policy.
    pub policy: Policy,
    /// Where events go.
    pub log: Log,
    compiler: Compiler,
    pin: Mutex<Option<Pin>>,
}

impl Setup {
    /// Makes a setup.
    pub fn new(policy: Policy, pin: Option<Pin>, log: Log) -> Arc<Setup> {
        let compiler = Compiler::new(policy.profile());
        Arc::new(Setup { policy, log, compiler, pin: Mutex::new(pin) })
    }

    pub(crate) fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    /// Whether what breaks a rule of this mode is refused.
    pub(crate) fn refuses(&self, mode: Mode) -> bool {
        mode == Mode::Enforce && !self.policy.dry_run
    }

    /// Reports something that a rule forbids.
    pub(crate) fn report(&self, event: Event, is_refused: bool) {
        self.log.write(event.with("action", if is_refused { "refused" } else { "passed" }));
    }

    /// Returns what may be logged of a failure: places and keywords, and values if the policy says.
    pub(crate) fn loggable(&self, failure: &Failure) -> Value {
        if self.policy.log.values {
            return failure.to_json().get("errors").cloned().unwrap_or_else(|| failure.message().into());
        }
        let place = |error: &Value| json!({"instancePath": error["instancePath"], "schemaPath": error["schemaPath"], "keyword": error["keyword"]});
        match failure.to_json().get("errors").and_then(Value::as_array) {
            Some(errors) => errors.iter().take(20).map(place).collect(),
            None => failure.kind().into(),
        }
    }
}

/// The tools of a server, shared by the sessions that see the same list.
#[derive(Debug)]
pub struct Tools {
    setup: Arc<Setup>,
    toolbox: Toolbox,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// When the list was read.
    loaded: Option<Instant>,
    /// Why the list could not be read, and when.
    failed: Option<(Instant, String)>,
    /// Definitions that were read, refused ones included.
    read: usize,
    /// Cursors of the pages that were read.
    cursors: HashSet<String>,
    /// Tools that are not shown, by name, with the reason.
    hidden: HashMap<String, String>,
    /// Tools that are shown though they cannot be checked.
    unchecked: HashSet<String>,
    /// Definitions for the lock file, until the list is complete.
    to_approve: Vec<(String, Value)>,
}

/// What becomes of a call.
pub(crate) enum Call {
    /// It goes to the server. Its result is checked, if there is a tool.
    Pass(Option<Tool>),
    /// It is answered with this `result` or `error`.
    Answer(&'static str, String),
}

impl Tools {
    /// Makes an empty list.
    pub fn new(setup: &Arc<Setup>) -> Arc<Tools> {
        let toolbox = Toolbox::sharing(&setup.compiler);
        Arc::new(Tools { setup: Arc::clone(setup), toolbox, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the list as out of date.
    pub(crate) fn changed(&self) {
        self.toolbox.list_changed();
    }

    /// Records that the list could not be read.
    pub(crate) fn failed(&self, reason: &str) {
        self.setup.log.write(Event::new(Kind::ListFailed).with("message", reason));
        self.state().failed = Some((Instant::now(), reason.to_owned()));
    }

    /// Whether the list must be read before a call of this tool can be checked.
    pub(crate) fn needs_list(&self, name: &str) -> bool {
        let policy = &self.setup.policy;
        if !policy.allows(name) || policy.mode_of(name) == Mode::Off {
            return false;
        }
        let state = self.state();
        if state.failed.as_ref().is_some_and(|(when, _)| when.elapsed() < FRESH) {
            return false;
        }
        let Some(loaded) = state.loaded.filter(|_| !self.toolbox.is_stale()) else { return true };
        let is_known = state.hidden.contains_key(name)
            || state.unchecked.contains(name)
            || self.toolbox.get(name).is_some()
            || self.toolbox.refused(name).is_some();
        !is_known && loaded.elapsed() > FRESH
    }

    /// Checks a call, given its parameters as text.
    pub(crate) fn check_call(&self, name: &str, params: &str, version: ProtocolVersion<'_>) -> Call {
        let policy = &self.setup.policy;
        let mode = policy.mode_of(name);
        let refuse = |code: i64, message: String| {
            let is_refused = self.setup.refuses(mode);
            self.setup.report(
                Event::new(Kind::CallRefused).tool(name).with("message", message.as_str()),
                is_refused,
            );
            if is_refused {
                Call::Answer("error", json!({"code": code, "message": message}).to_string())
            } else {
                Call::Pass(None)
            }
        };
        if !policy.allows(name) {
            let message = format!("tool {}: not allowed by the policy of the proxy", Value::from(name));
            if mode == Mode::Enforce || policy.dry_run {
                return refuse(INVALID_PARAMS, message);
            }
            // A list of names is no check: it holds in every mode.
            self.setup.report(Event::new(Kind::CallRefused).tool(name).with("message", &*message), true);
            return Call::Answer("error", json!({"code": INVALID_PARAMS, "message": message}).to_string());
        }
        if mode == Mode::Off {
            return Call::Pass(None);
        }
        let state = self.state();
        if let Some((_, reason)) = state.failed.as_ref().filter(|_| state.loaded.is_none()) {
            return refuse(INTERNAL_ERROR, format!("the tools of the server could not be read: {reason}"));
        }
        if let Some(reason) = state.hidden.get(name) {
            return refuse(INVALID_PARAMS, reason.clone());
        }
        if state.unchecked.contains(name) {
            return Call::Pass(None);
        }
        drop(state);
        let Some(tool) = self.toolbox.get(name) else {
            return match self.toolbox.refused(name) {
                Some(refused) => refuse(INVALID_PARAMS, refused.to_string()),
                None if policy.unlisted == Choice::Warn => {
                    let message = "the server does not list it";
                    self.setup
                        .report(Event::new(Kind::CallRefused).tool(name).with("message", message), false);
                    Call::Pass(None)
                }
                None => refuse(INVALID_PARAMS, format!("unknown tool {}", Value::from(name))),
            };
        };
        match self.toolbox.check_call_text(params, version) {
            Ok(tool) => Call::Pass(Some(tool)),
            Err(failure) => {
                let is_refused = self.is_refused(mode, &failure);
                let event = Event::new(Kind::CallRefused).tool(name).with("kind", failure.kind());
                self.setup.report(event.with("errors", self.setup.loggable(&failure)), is_refused);
                if !is_refused {
                    return Call::Pass(Some(tool));
                }
                let json = failure.to_json();
                match (json.get("result"), json.get("error")) {
                    (Some(result), _) => Call::Answer("result", result.to_string()),
                    (None, Some(error)) => Call::Answer("error", error.to_string()),
                    (None, None) => {
                        let error = json!({"code": INVALID_PARAMS, "message": failure.message()});
                        Call::Answer("error", error.to_string())
                    }
                }
            }
        }
    }

    /// Checks a result. Returns the text for the client.
    pub(crate) fn check_result<'t>(
        &self,
        tool: &Tool,
        version: ProtocolVersion<'_>,
        result: &'t str,
    ) -> Cow<'t, str> {
        let mode = self.setup.policy.mode_of(tool.name());
        match tool.send_result_text(version, result) {
            Ok(text) if text == result || self.setup.policy.dry_run => Cow::Borrowed(result),
            Ok(text) => {
                self.setup.log.metrics().event(Kind::ResultChanged);
                Cow::Owned(text)
            }
            Err(failure) => {
                let is_refused = self.is_refused(mode, &failure);
                let event = Event::new(Kind::ResultRefused).tool(tool.name()).with("kind", failure.kind());
                self.setup.report(event.with("errors", self.setup.loggable(&failure)), is_refused);
                match failure.to_json().get("result") {
                    _ if !is_refused => Cow::Borrowed(result),
                    Some(result) => Cow::Owned(result.to_string()),
                    None => Cow::Owned(error_result(failure.message(), version)),
                }
            }
        }
    }

    fn is_refused(&self, mode: Mode, failure: &Failure) -> bool {
        let is_undecided = failure.to_json().get("undecided").is_some();
        self.setup.refuses(mode) && !(is_undecided && self.setup.policy.undecided == Choice::Warn)
    }

    /// Reads a page of the list. Returns the text of each definition for the client, or `None` for
    /// one that it does not get to see.
    pub(crate) fn read_page<'t>(
        &self,
        items: &[&'t RawValue],
        cursor: Option<&str>,
        is_last: bool,
        version: ProtocolVersion<'_>,
    ) -> Result<Vec<Option<Cow<'t, str>>>, String> {
        let mut state = self.state();
        let texts = items.iter().map(|item| item.get());
        let is_again = cursor.is_some_and(|cursor| state.cursors.contains(cursor));
        let (loaded, base) = match cursor {
            None => {
                *state = State { failed: None, ..State::default() };
                (self.toolbox.replace_each(texts), 0)
            }
            Some(_) if is_again => self.read_again(texts),
            Some(cursor) => {
                let pages = self.setup.policy.limits.pages;
                if state.cursors.len() >= pages {
                    return Err(format!("tools/list: more than {pages} pages"));
                }
                if cursor.len() > MAX_CURSOR_BYTES {
                    return Err(format!("tools/list: a cursor of more than {MAX_CURSOR_BYTES} bytes"));
                }
                state.cursors.insert(cursor.to_owned());
                (self.toolbox.extend_each(texts), state.read.min(TOOLS))
            }
        };
        if !is_again {
            state.read = base + items.len();
        }
        let mut refused: HashMap<usize, RefusedTool> = HashMap::new();
        let mut too_many = usize::MAX;
        for tool in loaded.refused {
            let index = tool.index().unwrap_or_default().saturating_sub(base);
            if matches!(tool.fault(), ToolFault::TooMany) {
                too_many = index;
            }
            refused.insert(index, tool);
        }
        for (name, warning) in loaded.warnings {
            let event = Event::new(Kind::ToolWarning).tool(&name).with("message", warning.to_string());
            self.setup.log.write(event);
        }
        let mut shown = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            shown.push(match refused.get(&index) {
                Some(tool) => self.keep_refused(&mut state, tool, item.get()),
                None if index >= too_many => self.unless_enforced(item.get(), ""),
                None => self.show(&mut state, item.get(), version),
            });
        }
        if is_last {
            self.complete(&mut state);
        }
        state.loaded = Some(Instant::now());
        Ok(shown)
    }

    /// Reads a page once more: its tools replace those of the same names.
    fn read_again<'t>(&self, texts: impl Iterator<Item = &'t str>) -> (Loaded, usize) {
        let mut loaded = Loaded::default();
        let box_of_its_own = Toolbox::sharing(&self.setup.compiler);
        loaded.refused = box_of_its_own.replace_each(texts).refused;
        for tool in box_of_its_own.tools() {
            // A full toolbox was reported when it was filled.
            let _ = self.toolbox.insert(tool);
        }
        (loaded, 0)
    }

    fn keep_refused<'t>(&self, state: &mut State, tool: &RefusedTool, item: &'t str) -> Option<Cow<'t, str>> {
        let name = tool.name().unwrap_or_default();
        let mode = self.setup.policy.mode_of(name);
        let is_shown =
            !self.setup.refuses(mode) && (self.setup.policy.allows(name) || self.setup.policy.dry_run);
        if mode != Mode::Off {
            let event = Event::new(Kind::ToolRefused).tool(name).with("message", tool.to_string());
            self.setup.report(event, !is_shown);
        }
        if is_shown && !matches!(tool.fault(), ToolFault::Duplicate) {
            state.unchecked.insert(name.to_owned());
        }
        is_shown.then_some(Cow::Borrowed(item))
    }

    fn unless_enforced<'t>(&self, item: &'t str, name: &str) -> Option<Cow<'t, str>> {
        let is_shown = !self.setup.refuses(self.setup.policy.mode_of(name));
        is_shown.then_some(Cow::Borrowed(item))
    }

    /// Decides whether a tool that the toolbox accepted is shown, and how.
    fn show<'t>(
        &self,
        state: &mut State,
        item: &'t str,
        version: ProtocolVersion<'_>,
    ) -> Option<Cow<'t, str>> {
        let Named { name } = serde_json::from_str(item).ok()?;
        let policy = &self.setup.policy;
        let mode = policy.mode_of(&name);
        if !policy.allows(&name) {
            let event = Event::new(Kind::ToolRefused).tool(&name);
            self.setup.report(event.with("message", "not allowed by the policy"), !policy.dry_run);
            return policy.dry_run.then_some(Cow::Borrowed(item));
        }
        if mode == Mode::Off {
            return Some(Cow::Borrowed(item));
        }
        let tool = self.toolbox.get(&name)?;
        let reason = self.too_costly(&tool).map(|message| (Kind::ToolRefused, message));
        if let Some((kind, message)) = reason.or_else(|| self.unapproved(state, &name, item, mode)) {
            let is_refused = self.setup.refuses(mode);
            self.setup.report(Event::new(kind).tool(&name).with("message", message.as_str()), is_refused);
            if is_refused {
                self.toolbox.remove(&name);
                state.hidden.insert(name, message);
                return None;
            }
        }
        match tool.definition_text_for(version) {
            Ok(text) if text == item || policy.dry_run => Some(Cow::Borrowed(item)),
            Ok(text) => Some(Cow::Owned(text.into_owned())),
            Err(refused) => {
                let is_refused = self.setup.refuses(mode);
                let event = Event::new(Kind::ToolRefused).tool(&name).with("message", refused.to_string());
                self.setup.report(event, is_refused);
                (!is_refused).then_some(Cow::Borrowed(item))
            }
        }
    }

    fn too_costly(&self, tool: &Tool) -> Option<String> {
        let limit = self.setup.policy.limits.cost?;
        let steps = tool.validators().map(|validator| validator.cost().steps(NODES, BYTES)).max()?;
        (steps > limit).then(|| {
            format!(
                "tool {}: a check may take {steps} steps; the policy allows {limit}",
                Value::from(tool.name())
            )
        })
    }

    /// Compares a tool with the lock file. Returns why it is not approved.
    fn unapproved(&self, state: &mut State, name: &str, item: &str, mode: Mode) -> Option<(Kind, String)> {
        let pin = self.setup.pin.lock().unwrap_or_else(PoisonError::into_inner);
        let pin = pin.as_ref()?;
        // The toolbox accepted it, so its depth is bounded.
        let definition: Value = serde_json::from_str(item).unwrap_or_default();
        if !pin.is_set() {
            state.to_approve.push((name.to_owned(), definition));
            return None;
        }
        let pins = &self.setup.policy.pin;
        let (choice, message) = match pin.compare(name, &definition)? {
            Difference::New => (pins.new, "it is not in the lock file".to_owned()),
            Difference::Changed(lines) => {
                (pins.changed, format!("it has changed since it was approved:\n{}", lines.join("\n")))
            }
        };
        let message = format!("tool {}: {message}", Value::from(name));
        if choice == Choice::Warn && self.setup.refuses(mode) {
            self.setup.report(Event::new(Kind::ToolChanged).tool(name).with("message", message), false);
            return None;
        }
        Some((Kind::ToolChanged, message))
    }

    /// Writes the lock file, if there was none.
    fn complete(&self, state: &mut State) {
        let tools = std::mem::take(&mut state.to_approve);
        let mut pin = self.setup.pin.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pin) = pin.as_mut().filter(|pin| !pin.is_set()) {
            let event = match pin.approve(tools) {
                Ok(count) => Event::new(Kind::Pinned).with("tools", count),
                Err(error) => Event::new(Kind::Pinned)
                    .with("message", format!("the lock file was not written: {error}")),
            };
            self.setup.log.write(event);
        }
    }
}

#[derive(serde::Deserialize)]
struct Named {
    name: String,
}

/// Returns a result with `isError` and a text.
pub(crate) fn error_result(text: &str, version: ProtocolVersion<'_>) -> String {
    let mut result = json!({"content": [{"type": "text", "text": text}], "isError": true});
    if !version.is_legacy() {
        result["resultType"] = stanchion_mcp::protocol::COMPLETE.into();
    }
    result.to_string()
}
