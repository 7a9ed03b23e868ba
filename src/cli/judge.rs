//! `gauntlet judge`: run a piece of Python in the sandbox that judges code answers, by hand.

use super::{Failure, TextOrJson, Walls, out};
use crate::clock::Clock;
use crate::judge::job::{Job, Run, RunVerdict};
use crate::judge::{judge, prepare};
use crate::store::read_text;
use crate::text::shown;
use clap::Args as ClapArgs;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

/// Largest code file, in bytes.
const CODE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Arguments of `gauntlet judge`.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Example:\n  gauntlet judge --code answer.py --function paint --input '[4, 6, [[\"rect\", 0, 0, 2, 2, \"R\"]]]'\n\n\
    Exit codes: 0 the call returned a plain value, 1 it did not, 2 a bad file or argument"
)]
pub(crate) struct Args {
    /// The Python file.
    #[arg(long, value_name = "FILE", required_unless_present = "prepare")]
    code: Option<PathBuf>,
    /// The function to call.
    #[arg(long, value_name = "NAME", required_unless_present = "prepare")]
    function: Option<String>,
    /// Its positional arguments as a JSON array.
    #[arg(long, value_name = "JSON-ARRAY-OF-ARGUMENTS", required_unless_present = "prepare")]
    input: Option<String>,
    /// Only make the sandbox ready, which takes some 20 s once a machine.
    #[arg(long, conflicts_with_all = ["code", "function", "input"])]
    prepare: bool,
    #[command(flatten)]
    walls: Walls,
    /// Print for people or for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Judged<'a> {
    verdict: RunVerdict,
    value: Option<&'a Value>,
    error: Option<&'a str>,
    fuel: u64,
    ms: u64,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Ready {
    made: bool,
    image_sha256: String,
    folder: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.prepare {
        return make_ready(args.format);
    }
    let code = read_text(
        args.code.as_deref().unwrap_or_else(|| std::path::Path::new("")),
        CODE_BYTES_MAX,
    )?;
    let inputs = vec![arguments(args.input.as_deref().unwrap_or_default())?];
    let function = args.function.clone().unwrap_or_default();
    if !crate::judge::is_prepared() {
        out::note("preparing the Python sandbox, once, about 20 s");
        prepare()?;
    }
    let clock = Clock::start();
    let judgement = judge(&Job { code, function, inputs }, args.walls.unconfined())?;
    let ms = clock.now().t_ms;
    let Some(run) = judgement.runs.first() else {
        return Err(Failure::Usage {
            what: String::from("the sandbox gave no run"),
            hint: String::from("report this"),
        });
    };
    match args.format {
        TextOrJson::Json => out::json(&Judged {
            verdict: run.verdict,
            value: run.value.as_ref(),
            error: run.error.as_deref(),
            fuel: run.fuel,
            ms,
        }),
        TextOrJson::Text => out::result(&text(run, ms)),
    }
    Ok(if run.verdict == RunVerdict::Ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn make_ready(format: TextOrJson) -> Result<ExitCode, Failure> {
    let prepared = prepare()?;
    let ready =
        Ready { made: prepared.made, image_sha256: prepared.image_sha256, folder: prepared.folder };
    match format {
        TextOrJson::Json => out::json(&ready),
        TextOrJson::Text => {
            let word = if ready.made { "made" } else { "was ready" };
            out::result(&format!(
                "sandbox {word}: image {}\n  in {}\n",
                ready.image_sha256,
                ready.folder.display()
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn arguments(text: &str) -> Result<Vec<Value>, Failure> {
    serde_json::from_str(text).map_err(|error| Failure::Usage {
        what: format!("--input is no JSON array of arguments: {error}"),
        hint: String::from(
            "one array that holds the arguments in order, for instance '[3, \"ab\", [1, 2]]'",
        ),
    })
}

fn text(run: &Run, ms: u64) -> String {
    let verdict = serde_json::to_value(run.verdict).ok();
    let verdict = verdict.as_ref().and_then(Value::as_str).unwrap_or_default();
    let mut text = format!("{verdict}  ({} fuel, {ms} ms)\n", run.fuel);
    if let Some(value) = &run.value {
        text += &format!("  value  {}\n", shown(&value.to_string(), 4000));
    }
    if let Some(error) = &run.error {
        text += &format!("  error  {}\n", shown(error, 400));
    }
    text
}
