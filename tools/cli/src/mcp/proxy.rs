//! `stanchion mcp proxy`: checks what passes between an MCP client and a server.

use std::error::Error;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use stanchion_proxy::transport::http::{self, Uri};
use stanchion_proxy::transport::{Stop, stdio};
use stanchion_proxy::{Event, Kind, Log, Pin, Policy, Setup};
use tokio::net::TcpListener;

use crate::Outcome;

/// Check what passes between an MCP client and a server
///
/// Starts the server, and speaks to the client on standard input and output; or, with `--listen` and
/// `--to`, serves Streamable HTTP in front of a server on Streamable HTTP. Refused tools are removed from lists, calls with bad arguments are answered instead of the server, and results
/// that break their schema do not reach the client. All else is passed on byte for byte. Exits with
/// 0 when the client closes its side, with 1 if the server ended first.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The server and its arguments
    #[arg(value_name = "COMMAND", required_unless_present = "to", conflicts_with = "to", last = true)]
    command: Vec<OsString>,

    /// Serve Streamable HTTP at this address
    #[arg(long, value_name = "ADDR", requires = "to")]
    listen: Option<SocketAddr>,

    /// The server on Streamable HTTP
    #[arg(long, value_name = "URL", requires = "listen")]
    to: Option<Uri>,

    /// Serve counters and latencies for Prometheus at this address, path `/metrics`
    #[arg(long, value_name = "ADDR")]
    metrics: Option<SocketAddr>,

    /// A policy: which tools may be used, how strictly they are checked, limits (TOML)
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// Approved tool definitions: written if it does not exist, and compared with if it does
    #[arg(long, value_name = "FILE")]
    pin: Option<PathBuf>,

    /// Approve the tools as they are now, and write the file of `--pin` anew
    #[arg(long, requires = "pin")]
    approve: bool,

    /// Only report: refuse nothing and change nothing
    #[arg(long)]
    dry_run: bool,

    /// Where events go, one JSON line each [default: standard error]
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    let Arguments { command, listen, to, metrics, policy, pin, approve, dry_run, events } = arguments;
    let named = |path: &PathBuf, error: &dyn Error| format!("{}: {error}", path.display());
    let mut policy = match policy {
        None => Policy::default(),
        Some(path) => {
            let text = fs::read_to_string(path).map_err(|error| named(path, &error))?;
            Policy::from_toml(&text).map_err(|error| named(path, &error))?
        }
    };
    policy.dry_run = *dry_run;
    let pin = pin.as_ref().map(|path| Pin::open(path, *approve)).transpose()?;
    let writer: Box<dyn Write + Send> = match events {
        None => Box::new(io::stderr()),
        Some(path) => {
            let file = File::options().append(true).create(true).open(path);
            Box::new(file.map_err(|error| named(path, &error))?)
        }
    };
    let log = Log::new(Some(writer));
    let setup = Setup::new(policy, pin, log.clone());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let ended: Result<Outcome, Box<dyn Error>> = runtime.block_on(async {
        let (stopper, stop) = Stop::new();
        tokio::spawn(stopper.on_signals());
        if let Some(address) = metrics {
            let (listener, setup, stop) = (bind(*address).await?, Arc::clone(&setup), stop.clone());
            tokio::spawn(async move { http::serve_metrics(&setup, listener, &stop).await });
        }
        let started = Event::new(Kind::Started).with("version", env!("CARGO_PKG_VERSION"));
        match (listen, to) {
            (Some(address), Some(to)) => {
                let listener = bind(*address).await?;
                let address = listener.local_addr()?;
                log.write(started.with("url", format!("http://{address}{}", to.path())));
                http::serve(&setup, listener, to.clone(), &stop).await?;
                Ok(Outcome::Good)
            }
            _ => {
                log.write(started);
                Ok(match stdio::run(&setup, command, &stop).await? {
                    stdio::Ended::Client => Outcome::Good,
                    stdio::Ended::Server(_) => Outcome::Bad,
                })
            }
        }
    });
    // Reading standard input blocks a thread, which must not keep the program alive.
    runtime.shutdown_background();
    let mut event = Event::new(Kind::Ended);
    event.members = log.summary();
    log.write(event);
    ended
}

async fn bind(address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address).await.map_err(|error| format!("{address}: {error}"))
}
