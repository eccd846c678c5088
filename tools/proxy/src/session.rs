//! One conversation between a client and a server, without I/O.
//!
//! Every transport gives each message to [`Session::client`] or [`Session::server`] and does what
//! the returned [`Step`] says. All rules are here, so they are the same for every transport.

use crate::events::{Event, Kind};
use crate::message::{
    self, Envelope, INTERNAL_ERROR, INVALID_REQUEST, Id, Malformed, OVERLOADED, Params, error_response,
    response, version_of,
};
use crate::policy::Strictness;
use crate::tools::{Call, Setup, Tools, error_result};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use stanchion_mcp::protocol::TOOLS_CHANGED;
use stanchion_mcp::{ElicitationSchema, INVALID_PARAMS, ProtocolVersion, ResultKind, Tool};
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

/// Most tasks, and most answered requests, that are remembered.
const REMEMBERED: usize = 1_000;
/// The beginning of the identifiers of our own requests.
const OWN: &str = "stanchion-proxy-";

/// What becomes of a message.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Step<'m> {
    /// What goes on to the other side: the message as it came, or as a rule changed it.
    pub onward: Option<Cow<'m, str>>,
    /// What goes back to the side that sent it.
    pub back: Option<String>,
    /// What comes next in reading the server's tools, if this message belongs to that.
    pub listing: Option<Listing>,
}

/// What comes next in reading the server's tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// This request goes to the server.
    Next(String),
    /// The list is complete, or cannot be read. Messages that were held are handled again.
    Done,
}

/// The tools must be read before the message can be checked: [`Session::list_request`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeedsTools;

impl<'m> Step<'m> {
    fn onward(message: impl Into<Cow<'m, str>>) -> Step<'m> {
        Step { onward: Some(message.into()), ..Step::default() }
    }

    fn back(message: String) -> Step<'m> {
        Step { back: Some(message), ..Step::default() }
    }
}

/// A conversation.
#[derive(Debug)]
pub struct Session {
    setup: Arc<Setup>,
    tools: Arc<Tools>,
    /// The version that was agreed on, by `initialize` or by a header.
    version: Option<String>,
    /// Requests of the client that the server has not answered.
    pending: HashMap<Id, Pending>,
    /// Requests that were answered, which a stream that is resumed may answer again.
    answered: VecDeque<(Id, Asked)>,
    keeps_answered: bool,
    /// Forms that the client has not answered.
    forms: HashMap<Id, ElicitationSchema>,
    /// Calls that became tasks.
    tasks: VecDeque<(String, Called)>,
    listing: Option<OwnList>,
    asked: u64,
}

#[derive(Debug)]
struct Pending {
    asked: Asked,
    since: Instant,
}

/// A request of the client.
#[derive(Clone, Debug)]
enum Asked {
    Initialize,
    List { cursor: Option<String>, version: Option<String> },
    Call(Called),
    TaskResult(Called),
    TaskState(Called),
    Other,
}

#[derive(Clone, Debug)]
struct Called {
    tool: Option<Tool>,
    version: Option<String>,
}

/// The proxy's own reading of the list.
#[derive(Debug)]
struct OwnList {
    id: Id,
    cursor: Option<String>,
    pages: usize,
    /// `_meta` of our requests.
    client: Option<Value>,
}

impl Session {
    /// Makes a session that sees these tools.
    pub fn new(setup: &Arc<Setup>, tools: &Arc<Tools>) -> Session {
        Session {
            setup: Arc::clone(setup),
            tools: Arc::clone(tools),
            version: None,
            pending: HashMap::new(),
            answered: VecDeque::new(),
            keeps_answered: false,
            forms: HashMap::new(),
            tasks: VecDeque::new(),
            listing: None,
            asked: 0,
        }
    }

    /// Sets that a response may come again, on a stream that is resumed.
    #[must_use]
    pub fn resumable(mut self) -> Session {
        self.keeps_answered = true;
        self
    }

    /// Sets the protocol version, if none was agreed on by `initialize`.
    pub fn set_version(&mut self, version: Option<&str>) {
        if self.version.is_none() {
            self.version = version.map(str::to_owned);
        }
    }

    /// Returns the version that was agreed on.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Returns how many requests of the client are under way.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Handles a message of the client, unless the tools must be read first.
    pub fn client<'m>(&mut self, bytes: &'m [u8]) -> Result<Step<'m>, NeedsTools> {
        match self.needs(bytes) {
            Some(needs) => Err(needs),
            None => Ok(self.client_now(bytes)),
        }
    }

    /// Returns whether the tools must be read before a message of the client can be checked.
    pub fn needs(&self, bytes: &[u8]) -> Option<NeedsTools> {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let needs_tools = match items(text) {
            Some(batch) => batch.is_ok_and(|batch| batch.iter().any(|item| self.needs_tools(item.get()))),
            None => self.needs_tools(text),
        };
        needs_tools.then_some(NeedsTools)
    }

    /// Handles a message of the client with the tools that were read.
    pub fn client_now<'m>(&mut self, bytes: &'m [u8]) -> Step<'m> {
        let start = Instant::now();
        let step = match std::str::from_utf8(bytes) {
            Err(error) => self.malformed("client", &not_text(error)),
            Ok(text) => match items(text) {
                Some(Ok(batch)) => self.batch(text, &batch, Session::client_one),
                Some(Err(malformed)) => self.malformed("client", &malformed),
                None => self.client_one(text),
            },
        };
        self.setup.log.count_message("client", bytes.len());
        self.setup.log.metrics().check("client", start.elapsed());
        step
    }

    /// Whether a message is a response, which must not wait for anything.
    pub fn is_response(bytes: &[u8]) -> bool {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        Envelope::read(text).is_ok_and(|envelope| envelope.is_response())
    }

    /// Handles a message of the server.
    pub fn server<'m>(&mut self, bytes: &'m [u8]) -> Step<'m> {
        let start = Instant::now();
        let step = match std::str::from_utf8(bytes) {
            Err(error) => self.malformed("server", &not_text(error)),
            Ok(text) => match items(text) {
                Some(Ok(batch)) => self.batch(text, &batch, Session::server_one),
                Some(Err(malformed)) => self.malformed("server", &malformed),
                None => self.server_one(text),
            },
        };
        self.setup.log.count_message("server", bytes.len());
        self.setup.log.metrics().check("server", start.elapsed());
        step
    }

    /// Handles each message of a batch. Untouched, the batch stays byte for byte.
    fn batch<'m>(
        &mut self,
        text: &'m str,
        batch: &[&'m RawValue],
        mut one: impl FnMut(&mut Session, &'m str) -> Step<'m>,
    ) -> Step<'m> {
        let (mut onward, mut back, mut listing) = (Vec::new(), Vec::new(), None);
        let mut is_changed = false;
        for item in batch {
            let step = one(self, item.get());
            is_changed |= !matches!(&step.onward, Some(Cow::Borrowed(_)));
            onward.extend(step.onward);
            back.extend(step.back);
            listing = step.listing.or(listing);
        }
        let array = |items: &[Cow<'_, str>]| format!("[{}]", items.join(","));
        let onward = match onward.is_empty() {
            true => None,
            false if is_changed => Some(Cow::Owned(array(&onward))),
            false => Some(Cow::Borrowed(text)),
        };
        let back = (!back.is_empty()).then(|| format!("[{}]", back.join(",")));
        Step { onward, back, listing }
    }

    /// Reports a message that is not one of JSON-RPC. The client is told; of a server it is dropped.
    fn malformed<'m>(&self, from: &'static str, fault: &Malformed) -> Step<'m> {
        let event = Event::new(Kind::Malformed).with("from", from).with("message", fault.message.as_str());
        self.setup.report(event, true);
        match from {
            "client" => Step::back(error_response(None, fault.code, &fault.message)),
            _ => Step::default(),
        }
    }

    /// Handles a message of `from` that was longer than allowed, whose identifier was found.
    pub fn too_long(
        &mut self,
        from: &'static str,
        found: Option<&RawValue>,
        is_response: bool,
    ) -> Step<'static> {
        let limit = self.setup.policy.limits.message_bytes;
        let message = format!("a message of the {from} has more than {limit} bytes");
        self.setup.report(Event::new(Kind::TooLong).with("from", from).with("message", &*message), true);
        let id = found.and_then(Id::of);
        match (from, is_response) {
            ("client", false) => Step::back(error_response(id.as_ref(), INVALID_REQUEST, &message)),
            ("server", false) if id.is_some() => {
                Step::back(error_response(id.as_ref(), INVALID_REQUEST, &message))
            }
            ("server", true) => match id {
                Some(id) if self.listing.as_ref().is_some_and(|listing| listing.id == id) => {
                    self.fail_listing(&message);
                    Step { listing: Some(Listing::Done), ..Step::default() }
                }
                Some(id) if self.answer(&id).is_some() => {
                    Step::onward(error_response(Some(&id), INTERNAL_ERROR, &message))
                }
                Some(_) | None => Step::default(),
            },
            ("client", true) => match id {
                Some(id) => Step::onward(error_response(Some(&id), INTERNAL_ERROR, &message)),
                None => Step::default(),
            },
            _ => Step::default(),
        }
    }

    /// Whether a message begins a session.
    pub fn is_initialize(bytes: &[u8]) -> bool {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        Envelope::read(text).is_ok_and(|envelope| envelope.method.as_deref() == Some("initialize"))
    }

    /// Answers the requests of a message, or of a batch, that are still under way.
    pub fn fail(&mut self, message: &[u8], reason: &str) -> Vec<String> {
        let text = std::str::from_utf8(message).unwrap_or_default();
        let batch = items(text).and_then(Result::ok);
        let texts = batch.map_or_else(|| vec![text], |batch| batch.iter().map(|item| item.get()).collect());
        let mut failed = Vec::new();
        for text in texts {
            let Ok(Envelope { id: Some(id), method: Some(_), .. }) = Envelope::read(text) else { continue };
            let Some(id) = Id::of(id) else { continue };
            if self.pending.remove(&id).is_some() {
                self.setup.log.metrics().pending.dec();
                failed.push(error_response(Some(&id), INTERNAL_ERROR, reason));
            }
        }
        failed
    }

    /// Answers all requests that are under way, because the server ended.
    pub fn fail_all(&mut self, reason: &str) -> Vec<String> {
        self.setup.log.metrics().pending.dec_by(self.pending.len() as i64);
        let pending = std::mem::take(&mut self.pending);
        pending.keys().map(|id| error_response(Some(id), INTERNAL_ERROR, reason)).collect()
    }

    // The client's messages.

    fn needs_tools(&self, text: &str) -> bool {
        // Cheaper than reading the message, and never wrong in the direction that matters.
        if !text.contains("call") && !text.contains('\\') {
            return false;
        }
        let Ok(envelope) = Envelope::read(text) else { return false };
        if envelope.method.as_deref() != Some("tools/call") || envelope.id().is_none() {
            return false;
        }
        let name = Params::of(&envelope).ok().and_then(|params| message::string(params.name));
        name.is_some_and(|name| self.tools.needs_list(&name))
    }

    fn client_one<'m>(&mut self, text: &'m str) -> Step<'m> {
        let envelope = match Envelope::read(text) {
            Ok(envelope) => envelope,
            Err(malformed) => return self.malformed("client", &malformed),
        };
        match (envelope.method.as_deref(), envelope.id()) {
            (Some(method), Some(id)) => self.request(text, &envelope, method, id),
            (Some(_), None) if envelope.id.is_some() => {
                let message = "id: expected a string or a number".to_owned();
                self.malformed("client", &Malformed { code: INVALID_REQUEST, message })
            }
            (Some("tools/call"), None) => {
                // Nothing could answer it, and a server might run it unchecked.
                let message = "tools/call: expected an id".to_owned();
                self.malformed("client", &Malformed { code: INVALID_REQUEST, message })
            }
            (Some("notifications/cancelled"), None) => {
                let cancelled = Params::of(&envelope).ok().and_then(|params| params.request).and_then(Id::of);
                if let Some(id) = cancelled {
                    self.answer(&id);
                }
                Step::onward(text)
            }
            (Some(_), None) => Step::onward(text),
            (None, id) if envelope.is_response() => self.form_answer(text, &envelope, id),
            (None, _) => {
                let message = "expected a method, a result or an error".to_owned();
                self.malformed("client", &Malformed { code: INVALID_REQUEST, message })
            }
        }
    }

    fn request<'m>(&mut self, text: &'m str, envelope: &Envelope<'m>, method: &str, id: Id) -> Step<'m> {
        if self.pending.contains_key(&id) || is_own(&id) {
            let message = "the id belongs to another request under way";
            self.setup
                .report(Event::new(Kind::Malformed).with("from", "client").with("message", message), true);
            return Step::back(error_response(Some(&id), INVALID_REQUEST, message));
        }
        let limit = self.setup.policy.limits.pending;
        if self.pending.len() >= limit {
            self.setup.report(Event::new(Kind::Overload).with("limit", limit), true);
            let message = format!("{limit} requests are under way, and no more are allowed; try again later");
            return Step::back(error_response(Some(&id), OVERLOADED, &message));
        }
        let asked = match method {
            "initialize" => Asked::Initialize,
            "tools/list" => match Params::of(envelope) {
                Ok(params) => {
                    Asked::List { cursor: message::string(params.cursor), version: params.version() }
                }
                Err(message) => return Step::back(error_response(Some(&id), INVALID_PARAMS, &message)),
            },
            "tools/call" => match self.call(envelope) {
                Ok(called) => Asked::Call(called),
                Err((member, text)) => return Step::back(response(Some(&id), member, &text)),
            },
            "tasks/result" => self.task(envelope).map_or(Asked::Other, Asked::TaskResult),
            "tasks/get" => self.task(envelope).map_or(Asked::Other, Asked::TaskState),
            _ => Asked::Other,
        };
        self.setup.log.metrics().pending.inc();
        self.pending.insert(id, Pending { asked, since: Instant::now() });
        Step::onward(text)
    }

    /// Checks a call. The error is the member of the response and its text.
    fn call(&self, envelope: &Envelope<'_>) -> Result<Called, (&'static str, String)> {
        let refuse = |message: &str| {
            self.setup.report(Event::new(Kind::CallRefused).with("message", message), true);
            ("error", json!({"code": INVALID_PARAMS, "message": message}).to_string())
        };
        let params = Params::of(envelope).map_err(|message| refuse(&message))?;
        let name = message::string(params.name).ok_or_else(|| refuse("name: expected a string"))?;
        let version = params.version();
        let text = envelope.params.map_or("{}", RawValue::get);
        let natural = version_of(version.as_deref(), self.version());
        match self.tools.check_call(&name, text, natural) {
            Call::Pass(tool) => Ok(Called { tool, version }),
            Call::Answer(member, text) => Err((member, text)),
        }
    }

    fn task(&self, envelope: &Envelope<'_>) -> Option<Called> {
        let id = message::string(Params::of(envelope).ok()?.task)?;
        self.tasks.iter().find(|(task, _)| *task == id).map(|(_, called)| called.clone())
    }

    /// Checks what a user entered into a form.
    fn form_answer<'m>(&mut self, text: &'m str, envelope: &Envelope<'m>, id: Option<Id>) -> Step<'m> {
        let form = id.as_ref().and_then(|id| self.forms.remove(id));
        let (Some(form), Some(result), Some(id)) = (form, envelope.result, id) else {
            return Step::onward(text);
        };
        let checked = match serde_json::from_str::<Value>(result.get()) {
            Ok(result) => form.check_result(&result).map(drop).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let Err(message) = checked else { return Step::onward(text) };
        let is_refused = self.setup.refuses(self.setup.policy.mode);
        let logged =
            if self.setup.policy.log.values { message.as_str() } else { "the content does not conform" };
        self.setup.report(Event::new(Kind::FormAnswerRefused).with("message", logged), is_refused);
        match is_refused {
            true => Step::onward(error_response(Some(&id), INVALID_PARAMS, &message)),
            false => Step::onward(text),
        }
    }

    // The server's messages.

    fn server_one<'m>(&mut self, text: &'m str) -> Step<'m> {
        let envelope = match Envelope::read(text) {
            Ok(envelope) => envelope,
            Err(malformed) => return self.malformed("server", &malformed),
        };
        match (envelope.method.as_deref(), envelope.id()) {
            (Some("elicitation/create"), Some(id)) => self.form(text, &envelope, id),
            (Some(TOOLS_CHANGED), None) => {
                self.tools.changed();
                Step::onward(text)
            }
            (Some("notifications/cancelled"), None) => {
                let cancelled = Params::of(&envelope).ok().and_then(|params| params.request).and_then(Id::of);
                if let Some(id) = cancelled {
                    self.forms.remove(&id);
                }
                Step::onward(text)
            }
            (Some(_), _) => Step::onward(text),
            (None, Some(id)) if envelope.is_response() => self.response(text, &envelope, id),
            // An error without an identifier belongs to no request.
            (None, None) if envelope.error.is_some() && envelope.result.is_none() => Step::onward(text),
            (None, _) => {
                let message = "expected a method, a result or an error".to_owned();
                self.malformed("server", &Malformed { code: INVALID_REQUEST, message })
            }
        }
    }

    /// Takes a request out of those under way, and returns what it was.
    fn answer(&mut self, id: &Id) -> Option<Asked> {
        let Some(Pending { asked, since }) = self.pending.remove(id) else {
            return self.answered.iter().find(|(other, _)| other == id).map(|(_, asked)| asked.clone());
        };
        let metrics = self.setup.log.metrics();
        metrics.pending.dec();
        metrics.request(since.elapsed());
        if self.keeps_answered {
            if self.answered.len() >= REMEMBERED {
                self.answered.pop_front();
            }
            self.answered.push_back((id.clone(), asked.clone()));
        }
        Some(asked)
    }

    fn response<'m>(&mut self, text: &'m str, envelope: &Envelope<'m>, id: Id) -> Step<'m> {
        if self.listing.as_ref().is_some_and(|listing| listing.id == id) {
            return Step { listing: Some(self.next_page(envelope)), ..Step::default() };
        }
        let Some(asked) = self.answer(&id) else {
            if !is_own(&id) {
                self.setup.report(Event::new(Kind::Unasked).with("from", "server"), true);
            }
            return Step::default();
        };
        let Some(result) = envelope.result else { return Step::onward(text) };
        if envelope.error.is_some() {
            let message = "the server's response has a result and an error";
            self.setup
                .report(Event::new(Kind::Malformed).with("from", "server").with("message", message), true);
            return Step::onward(error_response(Some(&id), INTERNAL_ERROR, message));
        }
        let checked = match asked {
            Asked::Other => return Step::onward(text),
            Asked::Initialize => {
                let agreed = serde_json::from_str::<Agreed>(result.get()).ok();
                self.version = agreed.and_then(|agreed| agreed.version).or(self.version.take());
                return Step::onward(text);
            }
            Asked::List { cursor, version } => self.list(result, cursor.as_deref(), version.as_deref()),
            Asked::Call(called) | Asked::TaskResult(called) => Ok(self.result(result.get(), &called)),
            Asked::TaskState(called) => Ok(self.task_state(result.get(), &called)),
        };
        match checked {
            Ok(Cow::Borrowed(_)) => Step::onward(text),
            Ok(Cow::Owned(new)) => Step::onward(message::replace(text, result.get(), &new)),
            Err(message) => {
                let is_refused = self.setup.refuses(self.setup.policy.mode);
                let event = Event::new(Kind::Malformed).with("from", "server").with("message", &*message);
                self.setup.report(event, is_refused);
                match is_refused {
                    true => Step::onward(error_response(Some(&id), INTERNAL_ERROR, &message)),
                    false => Step::onward(text),
                }
            }
        }
    }

    /// Checks a page of tools for the client.
    fn list<'m>(
        &self,
        result: &'m RawValue,
        cursor: Option<&str>,
        version: Option<&str>,
    ) -> Result<Cow<'m, str>, String> {
        let page = Page::of(result)?;
        let version = version_of(version, self.version());
        let shown = self.tools.read_page(&page.items, cursor, page.next.is_none(), version)?;
        if shown.iter().all(|item| matches!(item, Some(Cow::Borrowed(_)))) {
            return Ok(Cow::Borrowed(result.get()));
        }
        let tools: Vec<&str> = shown.iter().flatten().map(AsRef::as_ref).collect();
        let tools = format!("[{}]", tools.join(","));
        Ok(Cow::Owned(message::replace(result.get(), page.tools.get(), &tools)))
    }

    /// Checks the result of a call for the client.
    fn result<'m>(&mut self, result: &'m str, called: &Called) -> Cow<'m, str> {
        let version = called.version.clone().or_else(|| self.version.clone());
        let version = ProtocolVersion::from(version.as_deref());
        if result.contains("taskId") || result.contains("inputRequests") {
            // Neither is a final result.
            let value: Value = serde_json::from_str(result).unwrap_or_default();
            match ResultKind::of(&value) {
                Some(ResultKind::Task) => {
                    let id = value.pointer("/task/taskId").or_else(|| value.get("taskId"));
                    if let Some(id) = id.and_then(Value::as_str) {
                        if self.tasks.len() >= REMEMBERED {
                            self.tasks.pop_front();
                        }
                        self.tasks.push_back((id.to_owned(), called.clone()));
                    }
                }
                Some(ResultKind::InputRequired) => {
                    if let Some(refused) = self.bad_request(&value, version) {
                        return Cow::Owned(error_result(&refused, version));
                    }
                }
                _ => {}
            }
        }
        match &called.tool {
            Some(tool) => self.tools.check_result(tool, version, result),
            None => Cow::Borrowed(result),
        }
    }

    /// Checks the result inside the state of a finished task.
    fn task_state<'m>(&mut self, state: &'m str, called: &Called) -> Cow<'m, str> {
        let Ok(Finished { result: Some(result) }) = serde_json::from_str::<Finished<'_>>(state) else {
            return Cow::Borrowed(state);
        };
        match self.result(result.get(), called) {
            Cow::Borrowed(_) => Cow::Borrowed(state),
            Cow::Owned(new) => Cow::Owned(message::replace(state, result.get(), &new)),
        }
    }

    /// Checks the forms in a result that asks for input. Returns why one is refused.
    fn bad_request(&self, result: &Value, version: ProtocolVersion<'_>) -> Option<String> {
        let requests = result.get("inputRequests")?.as_object()?;
        let forms = requests.values().filter(|request| request["method"] == "elicitation/create");
        let schemas = forms.filter_map(|request| request.pointer("/params/requestedSchema"));
        let refused =
            schemas.filter_map(|schema| self.read_form(&schema.to_string(), version).err()).next()?;
        let is_refused = self.setup.refuses(self.setup.policy.mode);
        self.setup.report(Event::new(Kind::FormRefused).with("message", refused.as_str()), is_refused);
        is_refused.then_some(refused)
    }

    fn read_form(&self, schema: &str, version: ProtocolVersion<'_>) -> Result<ElicitationSchema, String> {
        // Servers send what a later version allows; clients that cannot draw it say so.
        let version = match self.setup.policy.schemas {
            Strictness::Strict => version,
            Strictness::Lenient => ProtocolVersion::ABSENT,
        };
        let profile = self.setup.compiler().profile();
        ElicitationSchema::from_text(profile, version, schema).map_err(|refusal| refusal.to_string())
    }

    /// Checks a form that the server asks the user to fill in.
    fn form<'m>(&mut self, text: &'m str, envelope: &Envelope<'m>, id: Id) -> Step<'m> {
        let is_refused = self.setup.refuses(self.setup.policy.mode);
        let checked = match Params::of(envelope) {
            Err(message) => Err(message),
            // A form may also be a page elsewhere, which has no schema.
            Ok(Params { form: None, .. }) => return Step::onward(text),
            Ok(Params { form: Some(schema), .. }) => {
                self.read_form(schema.get(), ProtocolVersion::from(self.version()))
            }
        };
        let checked = match checked {
            Ok(_) if self.forms.len() >= self.setup.policy.limits.pending => {
                Err("too many forms are under way".to_owned())
            }
            checked => checked,
        };
        match checked {
            Ok(form) => {
                self.forms.insert(id, form);
                Step::onward(text)
            }
            Err(message) => {
                self.setup.report(Event::new(Kind::FormRefused).with("message", &*message), is_refused);
                match is_refused {
                    true => Step::back(error_response(Some(&id), INVALID_PARAMS, &message)),
                    false => Step::onward(text),
                }
            }
        }
    }

    // Our own reading of the list.

    /// Returns the request by which the proxy reads the tools itself, for a message that needs them.
    /// `None` if it is under way already.
    pub fn list_request(&mut self, held: &[u8]) -> Option<String> {
        if self.listing.is_some() {
            return None;
        }
        let text = std::str::from_utf8(held).unwrap_or_default();
        let first = items(text).and_then(Result::ok).and_then(|items| items.first().map(|item| item.get()));
        let envelope = Envelope::read(first.unwrap_or(text)).ok();
        let client = envelope.and_then(|envelope| Params::of(&envelope).ok()?.client());
        Some(self.ask_for_page(None, 0, client))
    }

    fn ask_for_page(&mut self, cursor: Option<String>, pages: usize, client: Option<Value>) -> String {
        self.asked += 1;
        let id = Id::String(format!("{OWN}{}", self.asked).into());
        let mut params = json!({});
        if let Some(cursor) = &cursor {
            params["cursor"] = cursor.as_str().into();
        }
        if let Some(client) = &client {
            params["_meta"] = client.clone();
        }
        let request = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/list\",\"params\":{params}}}",
            id.text()
        );
        self.listing = Some(OwnList { id, cursor, pages, client });
        request
    }

    /// Gives up reading the tools. Messages that were held are handled again, and refused.
    pub fn fail_listing(&mut self, reason: &str) {
        if self.listing.take().is_some() {
            self.tools.failed(reason);
        }
    }

    fn next_page(&mut self, envelope: &Envelope<'_>) -> Listing {
        let Some(OwnList { cursor, pages, client, .. }) = self.listing.take() else { return Listing::Done };
        match self.read_own_page(envelope, cursor.as_deref(), client.as_ref()) {
            Ok(None) => Listing::Done,
            Ok(Some(_)) if pages + 1 >= self.setup.policy.limits.pages => {
                self.tools.failed(&format!("more than {} pages", self.setup.policy.limits.pages));
                Listing::Done
            }
            Ok(next) => Listing::Next(self.ask_for_page(next, pages + 1, client)),
            Err(reason) => {
                self.tools.failed(&reason);
                Listing::Done
            }
        }
    }

    /// Reads a page. Returns the next cursor.
    fn read_own_page(
        &self,
        envelope: &Envelope<'_>,
        cursor: Option<&str>,
        client: Option<&Value>,
    ) -> Result<Option<String>, String> {
        let Some(result) = envelope.result else {
            let error = envelope.error.map_or("null", RawValue::get);
            let error: Value = serde_json::from_str(error).unwrap_or_default();
            return Err(format!("tools/list: {}", error["message"].as_str().unwrap_or("an error")));
        };
        let page = Page::of(result)?;
        let version = client.and_then(|client| client.get(stanchion_mcp::protocol::META_VERSION));
        let version = version_of(version.and_then(Value::as_str), self.version());
        self.tools.read_page(&page.items, cursor, page.next.is_none(), version)?;
        Ok(page.next)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.setup.log.metrics().pending.dec_by(self.pending.len() as i64);
    }
}

/// The result of `tools/list`.
struct Page<'t> {
    tools: &'t RawValue,
    items: Vec<&'t RawValue>,
    next: Option<String>,
}

impl<'t> Page<'t> {
    fn of(result: &'t RawValue) -> Result<Page<'t>, String> {
        let fault = |error: serde_json::Error| format!("tools/list: {error}");
        let Listed { tools, next } = serde_json::from_str(result.get()).map_err(fault)?;
        let items = serde_json::from_str(tools.get()).map_err(fault)?;
        Ok(Page { tools, items, next: message::string(next).filter(|cursor| !cursor.is_empty()) })
    }
}

#[derive(Deserialize)]
struct Listed<'t> {
    #[serde(borrow)]
    tools: &'t RawValue,
    #[serde(borrow, default, rename = "nextCursor")]
    next: Option<&'t RawValue>,
}

#[derive(Deserialize)]
struct Agreed {
    #[serde(rename = "protocolVersion")]
    version: Option<String>,
}

#[derive(Deserialize)]
struct Finished<'t> {
    #[serde(borrow, default)]
    result: Option<&'t RawValue>,
}

fn is_own(id: &Id) -> bool {
    matches!(id, Id::String(text) if text.starts_with(OWN))
}

fn not_text(error: std::str::Utf8Error) -> Malformed {
    Malformed { code: message::PARSE_ERROR, message: format!("the message is not UTF-8: {error}") }
}

/// Returns the messages of a batch. `None` if the text is not an array.
fn items(text: &str) -> Option<Result<Vec<&RawValue>, Malformed>> {
    text.trim_ascii_start().starts_with('[').then(|| {
        let items: Vec<&RawValue> = serde_json::from_str(text)
            .map_err(|error| Malformed { code: message::PARSE_ERROR, message: error.to_string() })?;
        if items.is_empty() {
            let message = "a batch without messages".to_owned();
            return Err(Malformed { code: INVALID_REQUEST, message });
        }
        Ok(items)
    })
}
