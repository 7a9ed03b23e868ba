//! `gauntlet lane ask|check|new`: one prompt to a lane as a race would send it, whether a server is fit to race, a new lane file.

use super::format::{Table, TableFormat};
use super::interrupt::Interrupt;
use super::view::argument;
use super::{Failure, TextOrJson, lane_new, out};
use crate::clock::Clock;
use crate::lane::check::{Finding, Mark, Speed, check};
use crate::lane::chunk::FailureKind;
use crate::lane::file::{LaneFile, LaneKind};
use crate::lane::hear::{Heard, ask};
use crate::lane::http::HttpLane;
use crate::lane::request::{self, Ask, Message, Purpose, Role};
use crate::load::LoadWatch;
use crate::race::prompts;
use crate::store::read_text;
use crate::text::{shown, shown_lines};
use clap::{Args as ClapArgs, Subcommand};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Largest lane file and prompt, in bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Arguments of `gauntlet lane`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  gauntlet lane new --base-url http://127.0.0.1:8080/v1 --memory-gb 24\n  \
    gauntlet lane check lanes/my-rig.toml\n  \
    gauntlet lane ask lanes/my-rig.toml --prompt \"What is 2+2?\"\n  \
    gauntlet task show --family snake --level 4 | gauntlet lane ask lanes/my-rig.toml --prompt - --format json"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Find out whether the server is fit to race. Exit code 1 when it is not, 3 when it does not answer.
    #[command(after_help = "Examples:\n  gauntlet lane check my-rig.toml\n  \
        gauntlet lane check my-rig.toml --format json")]
    Check(Look),
    /// Write a commented lane file, from flags, from what the server tells, and from answers on a terminal.
    New(lane_new::New),
    /// Send one prompt as a race would and print what came back.
    #[command(
        after_help = "Examples:\n  gauntlet lane ask my-rig.toml --prompt \"What is 2+2?\"\n  \
        gauntlet task show --range 1 | gauntlet lane ask my-rig.toml --prompt - --format json"
    )]
    Ask(One),
}

#[derive(Debug, ClapArgs)]
struct Look {
    /// The lane file.
    file: PathBuf,
    /// How to print.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
}

#[derive(Debug, ClapArgs)]
struct One {
    /// The lane file.
    file: PathBuf,
    /// Print for people or for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    /// The prompt; `-` reads stdin.
    #[arg(long, value_name = "TEXT")]
    prompt: String,
}

/// The whole of `lane check`, for programs.
#[derive(Serialize, JsonSchema)]
pub(super) struct Report<'a> {
    lane: &'a str,
    findings: &'a [Finding],
    speed: &'a Speed,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    match &args.what {
        What::Check(look) => run_check(look),
        What::New(new) => {
            let _interrupt = Interrupt::listen("interrupted");
            lane_new::run(new).map(|()| ExitCode::SUCCESS)
        }
        What::Ask(one) => run_ask(one),
    }
}

fn run_check(look: &Look) -> Result<ExitCode, Failure> {
    let file = server(&look.file)?;
    let clock = Clock::start();
    let mut lane = open(&file, &look.file, clock)?;
    let mut second = open(&file, &look.file, clock)?;
    let text = look.format == TableFormat::Table;
    let mut findings: Vec<Finding> = Vec::new();
    if let Some(finding) = key_in_the_clear(&file) {
        show(text, &finding);
        findings.push(finding);
    }
    let _interrupt = Interrupt::listen("interrupted: the checks above stand");
    let head = format!("{:x}-{:x}", clock.now().wall_ms, std::process::id());
    let mut report = |finding: Finding| {
        show(text, &finding);
        findings.push(finding);
    };
    let unwatched = file.is_here() && !file.watches_load();
    let mut watch = unwatched.then(|| LoadWatch::everybody(clock));
    let speed = runtime()?.block_on(check(&file, &mut lane, &mut second, &head, &mut report));
    if let Some(watch) = watch.as_mut().filter(|_| speed.first_token_ms.is_some()) {
        report(no_load_guard(&file, watch.busiest().as_deref()));
    }
    // For people each finding is printed when it is known.
    let line = || speed.first_token_ms.map_or_else(String::new, |_| speed_line(&speed));
    let report = Report { lane: &file.name, findings: &findings, speed: &speed };
    look.format.print(&report, line, || table(&findings));
    if findings.iter().all(|finding| finding.mark != Mark::Fail) {
        out::next(&format!("gauntlet race --lane {}", argument(&look.file)));
    }
    let failed = |check: &str| {
        findings.iter().any(|finding| finding.mark == Mark::Fail && finding.check == check)
    };
    Ok(ExitCode::from(match findings.iter().map(|finding| finding.mark).max() {
        Some(Mark::Fail) if failed("reach") => 3,
        Some(Mark::Fail) => 1,
        _ => 0,
    }))
}

fn run_ask(one: &One) -> Result<ExitCode, Failure> {
    let file = server(&one.file)?;
    let prompt = prompt(&one.prompt)?;
    let clock = Clock::start();
    let mut lane = open(&file, &one.file, clock)?;
    let nonce = format!("{:x}-{:x}", clock.now().wall_ms, std::process::id());
    let body = request::body(
        &file,
        &Ask {
            purpose: Purpose::Main,
            messages: vec![
                Message::new(Role::System, prompts::system("lane-ask", &nonce)),
                Message::new(Role::User, prompt),
            ],
            limit_tokens: file.answer_limit_tokens,
            thinking: file.thinks(),
        },
    );
    let _interrupt = Interrupt::listen("interrupted");
    let heard = runtime()?.block_on(ask(&mut lane, &body));
    match one.format {
        TextOrJson::Json => out::json(&heard),
        TextOrJson::Text => out::result(&as_text(&heard)),
    }
    Ok(ExitCode::from(if heard.complete { 0 } else { 3 }))
}

/// The lane file of a server.
fn server(path: &Path) -> Result<LaneFile, Failure> {
    let name = path.display().to_string();
    let file = LaneFile::parse(&name, &read_text(path, FILE_BYTES_MAX)?)?;
    match file.kind {
        LaneKind::Http => Ok(file),
        LaneKind::Sim => Err(Failure::Usage {
            what: format!("{name}: a simulated lane has no server"),
            hint: "take a lane file with kind = \"http\"; a pacer just races".into(),
        }),
    }
}

fn open(file: &LaneFile, path: &Path, clock: Clock) -> Result<HttpLane, Failure> {
    let name = path.display();
    let key = match &file.api_key_env {
        None => None,
        Some(variable) => match std::env::var(variable) {
            Ok(key) if !key.is_empty() => Some(key),
            _ => {
                return Err(Failure::Usage {
                    what: format!("{name}: the environment variable {variable} is not set"),
                    hint: format!("export {variable}=... or take api_key_env out of the lane file"),
                });
            }
        },
    };
    HttpLane::new(file, key, clock).map_err(|error| Failure::Lane {
        what: format!("{name}: {error}"),
        hint: "check base_url and the key".into(),
    })
}

fn prompt(text: &str) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let mut prompt = String::new();
    std::io::stdin().take(FILE_BYTES_MAX).read_to_string(&mut prompt).map_err(|error| {
        Failure::Usage { what: format!("stdin: {error}"), hint: "a prompt is UTF-8 text".into() }
    })?;
    Ok(prompt)
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| {
        Failure::Usage {
            what: format!("cannot start the network: {error}"),
            hint: "are there too many open files?".into(),
        }
    })
}

/// A key goes over the wire as it is when there is no TLS.
fn key_in_the_clear(file: &LaneFile) -> Option<Finding> {
    let host = file.base_url.strip_prefix("http://")?.split(['/', ':']).next()?;
    let near = host == "localhost" || host.starts_with("127.") || host.starts_with('[');
    (file.api_key_env.is_some() && !near).then(|| Finding {
        check: "key",
        mark: Mark::Warn,
        says: format!("the key goes to {host} unencrypted"),
        hint: Some("use https, or a tunnel".into()),
    })
}

fn table(findings: &[Finding]) -> Table {
    let mut table = Table::new(&["check", "mark", "says", "hint"]);
    for it in findings {
        let hint = it.hint.as_deref().map(|hint| shown(hint, 300));
        let mark = word(it.mark).to_ascii_lowercase();
        table.row(vec![it.check.into(), mark.into(), shown(&it.says, 300).into(), hint.into()]);
    }
    table
}

fn word(mark: Mark) -> &'static str {
    match mark {
        Mark::Ok => "ok",
        Mark::Warn => "warn",
        Mark::Fail => "FAIL",
    }
}

/// The server is on this machine, and nothing is watched beside it.
fn no_load_guard(file: &LaneFile, busiest: Option<&str>) -> Finding {
    let named = format!("\"{}\"", shown(busiest.unwrap_or("llama-server"), 64));
    let (says, hint) = match (file.load_guard, busiest) {
        (false, _) => (
            "load_guard = false: other programs on this machine are not watched",
            String::from(
                "take that line out, so that a race which something else slowed down is marked",
            ),
        ),
        (true, Some(_)) => (
            "other programs on this machine are not watched, because the lane file does not say which is the server",
            format!(
                "busiest during this check was {named}; if that is the server, write: [setup] server_processes = [{named}]"
            ),
        ),
        (true, None) => (
            "other programs on this machine are not watched, because the lane file does not say which is the server",
            format!(
                "write its process as `ps -e` names it, for instance: [setup] server_processes = [{named}]"
            ),
        ),
    };
    Finding { check: "load guard", mark: Mark::Warn, says: says.into(), hint: Some(hint) }
}

fn show(text: bool, finding: &Finding) {
    if text {
        let mark = word(finding.mark);
        let mut line = format!("{mark:<5} {:<12} {}\n", finding.check, shown(&finding.says, 300));
        if let Some(hint) = finding.hint.as_ref().filter(|_| finding.mark != Mark::Ok) {
            line.push_str(&format!("      {:<12} -> {hint}\n", ""));
        }
        out::result(&line);
    }
}

fn speed_line(speed: &Speed) -> String {
    let first = speed.first_token_ms.map_or_else(|| "unknown".into(), |ms| format!("{ms} ms"));
    let rate = |milli: Option<u64>| {
        milli.map_or_else(
            || "not reported".into(),
            |milli| format!("{}.{} tokens/s", milli / 1000, milli % 1000 / 100),
        )
    };
    format!(
        "speed first token {first}, prefill {}, decode {}\n",
        rate(speed.prefill_milli),
        rate(speed.decode_milli)
    )
}

/// The reply for people: model text with its control characters shown, never obeyed.
fn as_text(heard: &Heard) -> String {
    let block =
        |text: &str| -> String { shown_lines(text.trim()).map(|line| line + "\n").collect() };
    let mut text = String::new();
    if !heard.reasoning.trim().is_empty() {
        text.push_str(&format!("--- thinking\n{}--- answer\n", block(&heard.reasoning)));
    }
    text.push_str(&block(&heard.answer));
    let first = heard.first_token_ms.map_or_else(|| "none".into(), |ms| format!("{ms} ms"));
    let reason = shown(heard.finish_reason.as_deref().unwrap_or("none"), 64);
    let tokens = heard.usage.as_ref().and_then(|usage| usage.completion_tokens);
    let tokens = tokens.map_or_else(|| "not reported".into(), |count| count.to_string());
    text.push_str(&format!(
        "--- first token {first}, end {} ms, finish reason {reason}, tokens {tokens}\n",
        heard.end_ms
    ));
    if let Some(error) = &heard.error {
        let kind = match heard.kind {
            Some(FailureKind::Status) => heard.status.map(|status| format!("HTTP {status}: ")),
            _ => None,
        };
        text.push_str(&format!("error: {}{}\n", kind.unwrap_or_default(), shown(error, 400)));
    }
    text
}
