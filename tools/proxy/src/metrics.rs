//! Counters and latencies, as Prometheus reads them.

use crate::events::Kind;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

type Labels = Vec<(&'static str, &'static str)>;

/// The counters of a proxy.
pub struct Metrics {
    registry: Registry,
    messages: Family<Labels, Counter>,
    bytes: Family<Labels, Counter>,
    events: Family<Labels, Counter>,
    checks: Family<Labels, Histogram, fn() -> Histogram>,
    requests: Histogram,
    /// Requests under way.
    pub pending: Gauge,
    /// Sessions that are remembered.
    pub sessions: Gauge,
    counts: Mutex<BTreeMap<Kind, u64>>,
}

/// A microsecond to four seconds.
fn checks() -> Histogram {
    Histogram::new(exponential_buckets(0.000_001, 4.0, 12))
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::with_prefix("stanchion_proxy");
        let checks: fn() -> Histogram = checks;
        let metrics = Metrics {
            messages: Family::default(),
            bytes: Family::default(),
            events: Family::default(),
            checks: Family::new_with_constructor(checks),
            requests: Histogram::new(exponential_buckets(0.0005, 2.0, 18)),
            pending: Gauge::default(),
            sessions: Gauge::default(),
            registry: Registry::default(),
            counts: Mutex::default(),
        };
        registry.register("messages", "Messages read, by who sent them", metrics.messages.clone());
        registry.register("message_bytes", "Bytes of messages read", metrics.bytes.clone());
        registry.register("events", "Events, by kind", metrics.events.clone());
        registry.register("check_seconds", "Time to check a message", metrics.checks.clone());
        registry.register("request_seconds", "Time from a request to its response", metrics.requests.clone());
        registry.register("pending_requests", "Requests under way", metrics.pending.clone());
        registry.register("sessions", "Sessions that are remembered", metrics.sessions.clone());
        Metrics { registry, ..metrics }
    }

    pub(crate) fn message(&self, from: &'static str, bytes: usize) {
        let labels = vec![("from", from)];
        self.messages.get_or_create(&labels).inc();
        self.bytes.get_or_create(&labels).inc_by(bytes as u64);
    }

    pub(crate) fn event(&self, kind: Kind) {
        self.events.get_or_create(&vec![("event", kind.name())]).inc();
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_default() += 1;
    }

    pub(crate) fn events(&self) -> Vec<(&'static str, u64)> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().map(|(kind, count)| (kind.name(), *count)).collect()
    }

    /// Records how long a check took.
    pub(crate) fn check(&self, what: &'static str, time: Duration) {
        self.checks.get_or_create(&vec![("check", what)]).observe(time.as_secs_f64());
    }

    /// Records how long a request took.
    pub(crate) fn request(&self, time: Duration) {
        self.requests.observe(time.as_secs_f64());
    }

    /// Returns all as Prometheus' text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
