//! Streamable HTTP on both sides: a client that posts to us, and a server that we post to.
//!
//! Requests and responses keep their headers, so sessions, authorization, versions and the
//! position in a stream (`Last-Event-ID`) are the business of the peers. Bodies of JSON and events
//! go through a [`Session`]: one for each `Mcp-Session-Id`, and one for each request without it.

use super::Stop;
use super::sse::{self, Blocks, Found};
use crate::events::{Event, Kind};
use crate::message::{INTERNAL_ERROR, INVALID_REQUEST, error_response};
use crate::policy::Timeouts;
use crate::session::{Listing, Session};
use crate::tools::{Setup, Tools};
use bytes::Bytes;
use http_body_util::channel::{Channel, Sender};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
pub use hyper::Uri;
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpListener;
use tokio::sync::Mutex as AsyncMutex;
use tokio::task::JoinSet;
use tokio::time::timeout;

type Body = BoxBody<Bytes, io::Error>;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Headers that belong to one connection, or to the form of a body.
const HOP: [&str; 11] = [
    "accept-encoding",
    "connection",
    "content-length",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Serves clients on a listener, in front of the server at this address, until it is stopped.
pub async fn serve(setup: &Arc<Setup>, listener: TcpListener, to: Uri, stop: &Stop) -> io::Result<()> {
    let address = listener.local_addr()?;
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(Timeouts::duration(setup.policy.timeouts.connect)));
    let gate = Arc::new(Gate {
        setup: Arc::clone(setup),
        is_local: address.ip().is_loopback(),
        client: Client::builder(TokioExecutor::new()).build(connector),
        to: check_target(to)?,
        sessions: Mutex::default(),
    });
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.wait() => break,
        };
        while connections.try_join_next().is_some() {}
        // An error belongs to one connection, such as too many open files.
        let Ok((stream, peer)) = accepted else {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (gate, stop) = (Arc::clone(&gate), stop.wait());
        connections.spawn(connection(gate, TokioIo::new(stream), peer, stop));
    }
    let all = async { while connections.join_next().await.is_some() {} };
    let _ = timeout(Timeouts::duration(setup.policy.timeouts.drain), all).await;
    Ok(())
}

/// Serves counters at `/metrics`, until it is stopped.
pub async fn serve_metrics(setup: &Arc<Setup>, listener: TcpListener, stop: &Stop) -> io::Result<()> {
    loop {
        let (stream, _) = tokio::select! {
            accepted = listener.accept() => match accepted { Ok(accepted) => accepted, Err(_) => continue },
            () = stop.wait() => return Ok(()),
        };
        let setup = Arc::clone(setup);
        tokio::spawn(async move {
            let service = service_fn(move |request: Request<Incoming>| {
                let response = match request.uri().path() {
                    "/metrics" => {
                        let text = Bytes::from(setup.log.metrics().text());
                        let mut response = Response::new(Full::new(text));
                        let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
                        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
                        response
                    }
                    _ => {
                        let mut response =
                            Response::new(Full::new(Bytes::from_static(b"expected /metrics\n")));
                        *response.status_mut() = StatusCode::NOT_FOUND;
                        response
                    }
                };
                async move { Ok::<_, Infallible>(response) }
            });
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

/// Checks that the server's address is one that we can speak to.
fn check_target(to: Uri) -> io::Result<Uri> {
    match (to.scheme_str(), to.authority()) {
        (Some("http"), Some(_)) => Ok(to),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{to}: expected an address that begins with http://"),
        )),
    }
}

async fn connection(
    gate: Arc<Gate>,
    stream: TokioIo<tokio::net::TcpStream>,
    _: SocketAddr,
    stop: impl Future<Output = ()>,
) {
    let service = service_fn(move |request| {
        let gate = Arc::clone(&gate);
        async move { Ok::<_, Infallible>(gate.handle(request).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new().serve_connection(stream, service);
    tokio::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => {}
        () = stop => {
            // Requests under way are answered, and no new ones read.
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Everything that connections share.
struct Gate {
    setup: Arc<Setup>,
    /// Whether only this machine can reach us.
    is_local: bool,
    client: Client<HttpConnector, Full<Bytes>>,
    to: Uri,
    sessions: Mutex<Sessions>,
}

/// Conversations by session, and tools by authorization for requests without one.
#[derive(Default)]
struct Sessions {
    by_id: HashMap<String, Arc<Conversation>>,
    order: VecDeque<String>,
    tools: HashMap<Vec<u8>, Arc<Tools>>,
}

struct Conversation {
    session: Mutex<Session>,
    /// Held while the tools are read.
    listing: AsyncMutex<()>,
}

impl Conversation {
    fn new(session: Session) -> Arc<Conversation> {
        Arc::new(Conversation { session: Mutex::new(session), listing: AsyncMutex::new(()) })
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Gate {
    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn handle(self: &Arc<Gate>, request: Request<Incoming>) -> Response<Body> {
        if let Some(refused) = self.foreign(request.headers()) {
            return answer(StatusCode::FORBIDDEN, &error_response(None, INVALID_REQUEST, &refused));
        }
        let path = request.uri().path();
        if path.starts_with("/.well-known/") {
            return self.pass(request).await;
        }
        if path != self.to.path() {
            let message = format!("expected the path {}", self.to.path());
            return answer(StatusCode::NOT_FOUND, &error_response(None, INVALID_REQUEST, &message));
        }
        match *request.method() {
            Method::POST => self.post(request).await,
            Method::GET => self.get(request).await,
            Method::DELETE => self.delete(request).await,
            _ => self.pass(request).await,
        }
    }

    /// Refuses pages of other sites that reach us by a name of their own (DNS rebinding). The
    /// server cannot see that, because it sees our address.
    fn foreign(&self, headers: &HeaderMap) -> Option<String> {
        let is_ours = |host: &str| {
            let name =
                host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
            let name = name.map_or(host, |(name, _)| name);
            matches!(name, "localhost" | "127.0.0.1" | "[::1]") || name.starts_with("127.")
        };
        let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
        if let Some(host) = text(header::HOST).filter(|host| self.is_local && !is_ours(host)) {
            return Some(format!("Host: expected this machine, found {host:?}"));
        }
        let origin = text(header::ORIGIN).filter(|_| self.is_local)?;
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        (!is_ours(host)).then(|| format!("Origin: expected this machine, found {origin:?}"))
    }

    /// Returns the conversation that a request belongs to.
    fn conversation(&self, headers: &HeaderMap, is_initialize: bool) -> Arc<Conversation> {
        let id = headers.get(SESSION).and_then(|id| id.to_str().ok());
        let mut sessions = self.sessions();
        let conversation = match id {
            Some(id) => match sessions.by_id.get(id) {
                Some(known) => Arc::clone(known),
                // The proxy may have been started after the session.
                None => Conversation::new(Session::new(&self.setup, &Tools::new(&self.setup)).resumable()),
            },
            None if is_initialize => {
                Conversation::new(Session::new(&self.setup, &Tools::new(&self.setup)).resumable())
            }
            None => {
                // Who may see which tools depends on the authorization.
                let key = headers.get(header::AUTHORIZATION).map_or(&[][..], HeaderValue::as_bytes);
                if !sessions.tools.contains_key(key)
                    && sessions.tools.len() >= self.setup.policy.limits.sessions
                {
                    sessions.tools.clear();
                }
                let tools = sessions.tools.entry(key.to_vec()).or_insert_with(|| Tools::new(&self.setup));
                Conversation::new(Session::new(&self.setup, tools))
            }
        };
        drop(sessions);
        conversation.session().set_version(headers.get(VERSION).and_then(|version| version.to_str().ok()));
        if let Some(id) = id {
            self.remember(id, &conversation);
        }
        conversation
    }

    fn remember(&self, id: &str, conversation: &Arc<Conversation>) {
        let mut sessions = self.sessions();
        if sessions.by_id.insert(id.to_owned(), Arc::clone(conversation)).is_none() {
            sessions.order.push_back(id.to_owned());
        }
        while sessions.by_id.len() > self.setup.policy.limits.sessions {
            let Some(oldest) = sessions.order.pop_front() else { break };
            sessions.by_id.remove(&oldest);
        }
        self.setup.log.metrics().sessions.set(sessions.by_id.len() as i64);
    }

    fn forget(&self, headers: &HeaderMap) {
        let Some(id) = headers.get(SESSION).and_then(|id| id.to_str().ok()) else { return };
        let mut sessions = self.sessions();
        sessions.by_id.remove(id);
        sessions.order.retain(|other| other != id);
        self.setup.log.metrics().sessions.set(sessions.by_id.len() as i64);
    }

    /// Sends a request to the server.
    async fn send(
        &self,
        method: &Method,
        path: Option<&str>,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Result<Response<Incoming>, String> {
        let mut parts = self.to.clone().into_parts();
        if let Some(path) = path {
            parts.path_and_query = path.parse().ok();
        }
        let uri = Uri::from_parts(parts).map_err(|error| error.to_string())?;
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method.clone();
        *request.uri_mut() = uri;
        for (name, value) in headers.iter().filter(|(name, _)| !HOP.contains(&name.as_str())) {
            request.headers_mut().append(name, value.clone());
        }
        self.client.request(request).await.map_err(|error| {
            let cause =
                std::error::Error::source(&error).map_or_else(String::new, |cause| format!(": {cause}"));
            let message = format!("{}: {error}{cause}", self.to);
            self.setup.log.write(Event::new(Kind::ServerFailed).with("message", message.as_str()));
            message
        })
    }

    /// Passes a request on that has no message.
    async fn pass(&self, request: Request<Incoming>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let Ok(body) = read(body, self.setup.policy.limits.message_bytes).await else {
            return answer(StatusCode::PAYLOAD_TOO_LARGE, "");
        };
        let path = parts.uri.path_and_query().map(hyper::http::uri::PathAndQuery::as_str);
        match self.send(&parts.method, path, &parts.headers, body).await {
            Ok(response) => reply(response, |body| body.map_err(io::Error::other).boxed()),
            Err(message) => bad_gateway(&[], &message),
        }
    }

    async fn delete(&self, request: Request<Incoming>) -> Response<Body> {
        let headers = request.headers().clone();
        let response = self.pass(request).await;
        if response.status().is_success() || response.status() == StatusCode::NOT_FOUND {
            self.forget(&headers);
        }
        response
    }

    async fn get(self: &Arc<Gate>, request: Request<Incoming>) -> Response<Body> {
        let headers = request.headers().clone();
        let conversation = self.conversation(&headers, false);
        let path = request.uri().path_and_query().map(|path| path.as_str().to_owned());
        match self.send(&Method::GET, path.as_deref(), &headers, Bytes::new()).await {
            Ok(response) if is_stream(&response) => {
                self.stream(response, conversation, headers, Bytes::new(), None)
            }
            Ok(response) => reply(response, |body| body.map_err(io::Error::other).boxed()),
            Err(message) => bad_gateway(&[], &message),
        }
    }

    async fn post(self: &Arc<Gate>, request: Request<Incoming>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let headers = parts.headers;
        let limit = self.setup.policy.limits.message_bytes;
        let Ok(body) = read(body, limit).await else {
            let message = format!("a message of the client has more than {limit} bytes");
            self.setup
                .report(Event::new(Kind::TooLong).with("from", "client").with("message", &*message), true);
            return answer(StatusCode::PAYLOAD_TOO_LARGE, &error_response(None, INVALID_REQUEST, &message));
        };
        let conversation = self.conversation(&headers, Session::is_initialize(&body));
        let is_ready = conversation.session().needs(&body).is_none();
        if !is_ready {
            self.list_tools(&conversation, &headers, &body).await;
        }
        let (onward, back) = {
            let step = conversation.session().client_now(&body);
            // Untouched, the body itself goes on.
            let onward = step.onward.map(|onward| match onward {
                std::borrow::Cow::Borrowed(_) => body.clone(),
                std::borrow::Cow::Owned(text) => Bytes::from(text),
            });
            (onward, step.back)
        };
        let Some(onward) = onward else {
            let status = match &back {
                Some(back) if back.contains("\"id\":null") => StatusCode::BAD_REQUEST,
                Some(_) => StatusCode::OK,
                None => StatusCode::ACCEPTED,
            };
            return answer(status, &back.unwrap_or_default());
        };
        let path = parts.uri.path_and_query().map(|path| path.as_str().to_owned());
        let response = match self.send(&Method::POST, path.as_deref(), &headers, onward.clone()).await {
            Ok(response) => response,
            Err(message) => {
                let failed = conversation.session().fail(&onward, &message);
                return bad_gateway(&failed, &message);
            }
        };
        if let Some(id) = response.headers().get(SESSION).and_then(|id| id.to_str().ok()) {
            self.remember(id, &conversation);
        }
        if response.status() == StatusCode::NOT_FOUND {
            self.forget(&headers);
        }
        if is_stream(&response) {
            return self.stream(response, conversation, headers, onward, back);
        }
        self.whole(response, &conversation, &headers, &onward, back).await
    }

    /// Handles a response that is one message.
    async fn whole(
        self: &Arc<Gate>,
        response: Response<Incoming>,
        conversation: &Arc<Conversation>,
        headers: &HeaderMap,
        asked: &[u8],
        back: Option<String>,
    ) -> Response<Body> {
        let is_json = kind_of(&response).is_some_and(|kind| kind.starts_with("application/json"));
        let (parts, body) = response.into_parts();
        let limit = self.setup.policy.limits.message_bytes;
        let fail = |message: &str| conversation.session().fail(asked, message);
        let body = match read(body, limit).await {
            Ok(body) => body,
            Err(error) => {
                let message = format!("the server's response was not read: {error}");
                self.setup.report(
                    Event::new(Kind::TooLong).with("from", "server").with("message", &*message),
                    true,
                );
                return bad_gateway(&fail(&message), &message);
            }
        };
        let new = if is_json && !body.is_empty() {
            let step = conversation.session().server(&body);
            let new = step.onward.map(std::borrow::Cow::into_owned);
            if let Some(text) = step.back {
                self.answer_server(headers, text);
            }
            match new {
                Some(new) => merged(new, back.as_deref()),
                None => {
                    let message = "the server's response is not one to this request";
                    return bad_gateway(&fail(message), message);
                }
            }
        } else {
            // An error of HTTP, or no content. Nothing more will come.
            drop(fail("no response"));
            match back {
                Some(back) => return answer(StatusCode::OK, &back),
                None => {
                    return reply(Response::from_parts(parts, body), full);
                }
            }
        };
        reply(Response::from_parts(parts, Bytes::from(new)), full)
    }

    /// Sends an answer of our own to the server, to a request of it that the client does not see.
    fn answer_server(self: &Arc<Gate>, headers: &HeaderMap, text: String) {
        let (gate, headers) = (Arc::clone(self), own_headers(headers, None));
        tokio::spawn(async move { drop(gate.send(&Method::POST, None, &headers, text.into()).await) });
    }

    /// Passes a stream of events on, each through the session.
    fn stream(
        self: &Arc<Gate>,
        response: Response<Incoming>,
        conversation: Arc<Conversation>,
        headers: HeaderMap,
        asked: Bytes,
        back: Option<String>,
    ) -> Response<Body> {
        // A client that reads slowly fills the channel, and then we read no more.
        let (sender, channel) = Channel::new(4);
        let (parts, body) = response.into_parts();
        let gate = Arc::clone(self);
        tokio::spawn(async move {
            let pump = Pump { gate: &gate, conversation: &conversation, headers: &headers, asked: &asked };
            // An error means that the client is gone.
            let _ = pump.run(body, sender, back).await;
        });
        reply(Response::from_parts(parts, channel), |body| body.boxed())
    }

    /// Reads the tools of the server, if nobody did meanwhile.
    async fn list_tools(self: &Arc<Gate>, conversation: &Conversation, headers: &HeaderMap, held: &[u8]) {
        let _held = conversation.listing.lock().await;
        // INVARIANT: the lock is taken once.
        let first = {
            let mut session = conversation.session();
            session.needs(held).and_then(|_| session.list_request(held))
        };
        let Some(first) = first else { return };
        let seconds = self.setup.policy.timeouts.list;
        let reading = self.read_pages(conversation, headers, first);
        let failure = match timeout(Timeouts::duration(seconds), reading).await {
            Ok(Ok(())) => return,
            Ok(Err(message)) => message,
            Err(_) => format!("no answer in {seconds} seconds"),
        };
        conversation.session().fail_listing(&failure);
    }

    async fn read_pages(
        &self,
        conversation: &Conversation,
        headers: &HeaderMap,
        first: String,
    ) -> Result<(), String> {
        let limit = self.setup.policy.limits.message_bytes;
        let headers = own_headers(headers, Some("tools/list"));
        let mut request = first;
        loop {
            let response = self.send(&Method::POST, None, &headers, request.into()).await?;
            if !response.status().is_success() {
                return Err(format!("tools/list: the server answered {}", response.status()));
            }
            let is_stream = is_stream(&response);
            let mut body = response.into_body();
            let mut blocks = Blocks::new(limit);
            let mut whole = Vec::new();
            let listing = 'read: loop {
                let Some(frame) = body.frame().await else {
                    break conversation.session().server(&whole).listing;
                };
                let frame = frame.map_err(|error| error.to_string())?;
                let Ok(data) = frame.into_data() else { continue };
                if !is_stream {
                    whole.extend_from_slice(&data);
                    if whole.len() > limit {
                        return Err(format!("a list of more than {limit} bytes"));
                    }
                    continue;
                }
                blocks.push(&data);
                while let Some(found) = blocks.next() {
                    let Found::Block(block) = found else { return Err("a list that is too long".to_owned()) };
                    let Some(data) = block.data else { continue };
                    let step = conversation.session().server(data.as_bytes());
                    if step.listing.is_some() {
                        break 'read step.listing;
                    }
                }
            };
            match listing {
                Some(Listing::Next(next)) => request = next,
                Some(Listing::Done) => return Ok(()),
                None => return Err("tools/list: the server did not answer".to_owned()),
            }
        }
    }
}

/// A stream on its way to the client.
struct Pump<'p> {
    gate: &'p Arc<Gate>,
    conversation: &'p Conversation,
    headers: &'p HeaderMap,
    /// The message of the client that the stream answers.
    asked: &'p [u8],
}

impl Pump<'_> {
    async fn run(
        &self,
        mut body: Incoming,
        mut sender: Sender<Bytes, io::Error>,
        back: Option<String>,
    ) -> Result<(), http_body_util::channel::SendError> {
        let mut blocks = Blocks::new(self.gate.setup.policy.limits.message_bytes);
        let mut is_resumable = false;
        if let Some(back) = back {
            sender.send_data(sse::event(&back)).await?;
        }
        while let Some(Ok(frame)) = body.frame().await {
            let Ok(data) = frame.into_data() else { continue };
            blocks.push(&data);
            while let Some(found) = blocks.next() {
                match found {
                    Found::Block(block) => {
                        is_resumable |= block.has_id;
                        let new = self.block(&block);
                        if !new.is_empty() {
                            sender.send_data(new).await?;
                        }
                    }
                    Found::TooLong => {
                        let message = "an event of the server is longer than allowed";
                        let event = Event::new(Kind::TooLong).with("from", "server").with("message", message);
                        self.gate.setup.report(event, true);
                        self.fail(message, &mut sender).await?;
                    }
                }
            }
        }
        if !is_resumable {
            self.fail("the server closed the stream before it answered", &mut sender).await?;
        }
        let rest = blocks.rest();
        if rest.first() == Some(&b':') {
            sender.send_data(rest).await?;
        }
        Ok(())
    }

    /// Answers what the client waits for on this stream.
    async fn fail(
        &self,
        message: &str,
        sender: &mut Sender<Bytes, io::Error>,
    ) -> Result<(), http_body_util::channel::SendError> {
        let failed = self.conversation.session().fail(self.asked, message);
        for response in failed {
            sender.send_data(sse::event(&response)).await?;
        }
        Ok(())
    }

    /// Returns what the client gets of an event.
    fn block(&self, block: &sse::Block) -> Bytes {
        let Some(data) = &block.data else { return block.raw.clone() };
        let (onward, back) = {
            let step = self.conversation.session().server(data.as_bytes());
            let onward = match step.onward {
                Some(std::borrow::Cow::Borrowed(_)) => block.raw.clone(),
                Some(std::borrow::Cow::Owned(text)) => block.with_data(Some(&text)),
                // The identifier stays, so that a client can resume after it.
                None if block.has_id => block.with_data(None),
                None => Bytes::new(),
            };
            (onward, step.back)
        };
        if let Some(back) = back {
            self.gate.answer_server(self.headers, back);
        }
        onward
    }
}

/// Returns the headers of a request of our own, in the place of a client's.
fn own_headers(headers: &HeaderMap, method: Option<&'static str>) -> HeaderMap {
    let mut own = headers.clone();
    let params: Vec<HeaderName> =
        own.keys().filter(|name| name.as_str().starts_with("mcp-param-")).cloned().collect();
    for name in params.iter().chain([&METHOD, &NAME]) {
        own.remove(name);
    }
    if let Some(method) = method.filter(|_| headers.contains_key(METHOD)) {
        own.insert(METHOD, HeaderValue::from_static(method));
    }
    own.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    own.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    own
}

/// Reads a body of bounded length.
async fn read(body: Incoming, limit: usize) -> Result<Bytes, String> {
    let collected = Limited::new(body, limit).collect().await;
    collected.map(http_body_util::Collected::to_bytes).map_err(|error| error.to_string())
}

fn kind_of(response: &Response<Incoming>) -> Option<&str> {
    response.headers().get(header::CONTENT_TYPE)?.to_str().ok()
}

fn is_stream(response: &Response<Incoming>) -> bool {
    kind_of(response).is_some_and(|kind| kind.starts_with("text/event-stream"))
}

/// Returns the response to a batch: the server's part and ours.
fn merged(response: String, back: Option<&str>) -> String {
    match back {
        None => response,
        Some(back) => {
            let inner = |text: &str| {
                let text = text.trim().to_owned();
                text.strip_prefix('[')
                    .and_then(|text| text.strip_suffix(']'))
                    .map(str::to_owned)
                    .unwrap_or(text)
            };
            format!("[{},{}]", inner(&response), inner(back))
        }
    }
}

/// Returns the server's response with another body.
fn reply<B>(response: Response<B>, body: impl FnOnce(B) -> Body) -> Response<Body> {
    let (mut parts, old) = response.into_parts();
    for name in HOP {
        parts.headers.remove(name);
    }
    Response::from_parts(parts, body(old))
}

fn full(body: Bytes) -> Body {
    Full::new(body).map_err(|never| match never {}).boxed()
}

fn answer(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(full(Bytes::from(text.to_owned())));
    *response.status_mut() = status;
    if !text.is_empty() {
        let kind = HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    response
}

/// Answers requests that the server did not.
fn bad_gateway(failed: &[String], message: &str) -> Response<Body> {
    match failed {
        [] => answer(StatusCode::BAD_GATEWAY, &error_response(None, INTERNAL_ERROR, message)),
        [one] => answer(StatusCode::OK, one),
        many => answer(StatusCode::OK, &format!("[{}]", many.join(","))),
    }
}
