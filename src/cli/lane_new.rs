//! `gauntlet lane new`: writes a commented lane file from flags, from what the server tells, and from answers on a terminal.

use super::{Failure, out};
use crate::clock::Clock;
use crate::lane::file::LaneFile;
use crate::lane::http::{HttpLane, ServerFacts};
use crate::text::shown;
use clap::Args as ClapArgs;
use std::io::{BufRead, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;

/// Where most people's server is.
const USUAL_URL: &str = "http://127.0.0.1:8080/v1";

/// Arguments of `gauntlet lane new`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "On a terminal it asks for what the flags and the server do not tell.\n\n\
    Examples:\n  gauntlet lane new\n  \
    gauntlet lane new --base-url http://127.0.0.1:8080/v1 --memory-gb 24 --out my-rig.toml\n  \
    gauntlet lane new --offline --base-url http://rig:8000/v1 --model qwen3-32b --memory-gb 128 --name my-rig\n\n\
    Exit codes: 0 written, 2 something is missing, or the file is there already")]
pub(super) struct New {
    /// The lane in files and tables: a-z, 0-9, `-` and `.`.
    #[arg(long)]
    name: Option<String>,
    /// Where the server's OpenAI-compatible paths begin.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The model's name as the server knows it.
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Memory of the whole rig in GB; it decides the class.
    #[arg(long, value_name = "GB")]
    memory_gb: Option<u64>,
    /// The file to write; NAME.toml when not given. A file that is there is never overwritten.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The environment variable that holds the key.
    #[arg(long, value_name = "VARIABLE")]
    api_key_env: Option<String>,
    /// How the server is told to think: `none`, `system_prompt`, or a request field.
    #[arg(long, value_name = "SWITCH")]
    thinking_switch: Option<String>,
    /// The request field that switches the prompt cache off, or `none`.
    #[arg(long, value_name = "FIELD")]
    cache_off: Option<String>,
    /// How an answer is forced after the buzzer: `ask` or `continue`.
    #[arg(long, value_name = "HOW")]
    forced: Option<String>,
    /// The longest reply in tokens, thinking included.
    #[arg(long, value_name = "TOKENS")]
    answer_limit_tokens: Option<u64>,
    /// Do not look at the server.
    #[arg(long)]
    offline: bool,
}

/// What the server told.
#[derive(Debug, Default)]
struct Seen {
    models: Vec<String>,
    facts: ServerFacts,
}

pub(super) fn run(new: &New) -> Result<(), Failure> {
    let asks = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let mut missing = Vec::new();
    let mut given = |flag: &'static str, value: Option<String>, usual: Option<&str>| match value {
        Some(value) => Ok(value),
        None if asks => ask(flag, usual),
        None => Ok(usual.map_or_else(
            || {
                missing.push(flag);
                String::new()
            },
            str::to_owned,
        )),
    };
    let usual_url = asks.then_some(USUAL_URL);
    let base_url = given("--base-url", new.base_url.clone(), usual_url)?;
    let seen = if new.offline { Seen::default() } else { look(&base_url, new) };
    if seen.models.len() > 1 {
        let listed: Vec<String> = seen.models.iter().take(9).map(|it| shown(it, 100)).collect();
        out::note(&format!("the server lists: {}", listed.join(", ")));
    }
    let only = match seen.models.as_slice() {
        [only] => Some(only.as_str()),
        [first, ..] if asks => Some(first.as_str()),
        _ => None,
    };
    let model = given("--model", new.model.clone(), only)?;
    let short = name_of(&model);
    let name = given("--name", new.name.clone(), (!short.is_empty()).then_some(short.as_str()))?;
    let memory = given("--memory-gb", new.memory_gb.map(|gb| gb.to_string()), None)?;
    if !missing.is_empty() {
        return Err(Failure::Usage {
            what: format!("missing {}", missing.join(", ")),
            hint: "give them as flags, or run it on a terminal and be asked".into(),
        });
    }
    let memory_gb: u64 = memory.trim().parse().map_err(|_| Failure::Usage {
        what: format!("{} is no number of GB", shown(&memory, 40)),
        hint: "the memory of the whole rig, for instance 24".into(),
    })?;
    let path = new.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.toml")));
    let text = file(new, &seen, &name, &base_url, &model, memory_gb);
    let shown_path = path.display().to_string();
    LaneFile::parse(&shown_path, &text)?;
    write_new(&path, &text)?;
    out::result(&format!("{}\n", shown(&shown_path, usize::MAX)));
    out::next(&format!("gauntlet lane check {}", super::view::argument(&path)));
    Ok(())
}

/// Asks for one value on the terminal.
fn ask(flag: &str, usual: Option<&str>) -> Result<String, Failure> {
    let about = match flag {
        "--base-url" => "address of the server's OpenAI-compatible paths",
        "--model" => "the model's name as the server knows it",
        "--name" => "name of the lane, for files and tables (a-z, 0-9, - and .)",
        _ => "memory of the whole rig in GB (it decides your class)",
    };
    loop {
        let offered = usual.map_or_else(String::new, |usual| format!(" [{}]", shown(usual, 100)));
        let prompt = format!("{about}{offered}: ");
        let failed = |error: std::io::Error| Failure::Usage {
            what: format!("cannot ask for {flag}: {error}"),
            hint: format!("give {flag}"),
        };
        let mut terminal = anstream::stderr();
        write!(terminal, "{prompt}").and_then(|()| terminal.flush()).map_err(failed)?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line).map_err(failed)? == 0 {
            return Err(Failure::Usage {
                what: format!("no answer for {flag}"),
                hint: format!("give {flag}"),
            });
        }
        match (line.trim(), usual) {
            ("", Some(usual)) => return Ok(usual.to_owned()),
            ("", None) => {}
            (answer, _) => return Ok(answer.to_owned()),
        }
    }
}

/// Looks at the server, briefly; a server that is not there leaves the file to the flags.
fn look(base_url: &str, new: &New) -> Seen {
    let text = format!(
        "name = \"look\"\nkind = \"http\"\nmemory_gb = 1\nbase_url = {}\nmodel = \"look\"\n\
         [limits]\nconnect_ms = 2000\nfirst_byte_ms = 5000\n",
        quoted(base_url)
    );
    let key = new.api_key_env.as_ref().and_then(|name| std::env::var(name).ok());
    let lane = LaneFile::parse("look", &text)
        .ok()
        .and_then(|file| HttpLane::new(&file, key, Clock::start()).ok());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let (Some(mut lane), Ok(runtime)) = (lane, runtime) else { return Seen::default() };
    runtime.block_on(async {
        match lane.models().await {
            Ok(models) => Seen { models, facts: lane.facts().await },
            Err(error) => {
                let why = shown(&error.to_string(), 200);
                out::note(&format!("the server tells nothing ({why}); going on without it"));
                Seen::default()
            }
        }
    })
}

/// The whole file. What was not given and not seen stands there as a comment.
fn file(new: &New, seen: &Seen, name: &str, base_url: &str, model: &str, memory_gb: u64) -> String {
    let facts = &seen.facts;
    let line = |field: &str, given: Option<String>, usual: &str, about: &str| {
        let code = match given {
            Some(value) => format!("{field} = {value}"),
            None => format!("# {field} = {usual}"),
        };
        format!("{code:<40} # {about}\n")
    };
    let text = |value: &Option<String>| value.as_deref().map(quoted);
    let cache = text(&new.cache_off).or(facts.llama_cpp.then(|| "\"cache_prompt\"".into()));
    let switch = text(&new.thinking_switch).or(facts.thinking_switch.map(quoted));
    // Half of the context is left for the prompt and the forced answer.
    let seen_limit = facts.context.map(|context| (context / 2).clamp(1, 16_384));
    let limit = new.answer_limit_tokens.or(seen_limit).map(|tokens| tokens.to_string());
    let number = |value: Option<u64>| value.map(|value| value.to_string());
    [
        "# A lane of the Gauntlet. Every field stands in the README under \"Lane files\".\n".into(),
        line("name", Some(quoted(name)), "", "in files and tables"),
        line("kind", Some("\"http\"".into()), "", "a server"),
        line(
            "memory_gb",
            Some(memory_gb.to_string()),
            "",
            "of the whole rig: it decides the class",
        ),
        line("base_url", Some(quoted(base_url)), "", "the server"),
        line("model", Some(quoted(model)), "", "its name there"),
        line(
            "api_key_env",
            text(&new.api_key_env),
            "\"GAUNTLET_KEY\"",
            "the variable with the key",
        ),
        line("answer_limit_tokens", limit, "16384", "the longest reply, thinking included"),
        line("cache_off", cache, "\"cache_prompt\"", "field that switches the prompt cache off"),
        line("forced", text(&new.forced), "\"ask\"", "or \"continue\": how an answer is forced"),
        "\n[sampling]\n".into(),
        line("temperature", None, "0.7", "sent as typed; what is not given is not sent"),
        "\n[thinking]\n".into(),
        line("mode", None, "\"on\"", "or \"off\": what the lane races with"),
        line("switch", switch, "\"chat_template_kwargs.enable_thinking\"", "how it is told"),
        "\n[setup]\n".into(),
        line("hardware", None, "\"\"", "for readers"),
        line("engine", None, "\"\"", "with its version"),
        line("context", number(facts.context), "8192", "tokens of a slot"),
        line("slots", number(facts.slots), "1", "requests side by side"),
        line(
            "server_processes",
            None,
            "[\"llama-server\"]",
            "when the server runs on this machine",
        ),
    ]
    .concat()
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A lane's name from a model's: its last part, in safe characters.
fn name_of(model: &str) -> String {
    let last = model.rsplit(['/', '\\']).next().unwrap_or(model).to_ascii_lowercase();
    let last = last.strip_suffix(".gguf").unwrap_or(&last);
    let safe: String = last
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' })
        .take(64)
        .collect();
    safe.trim_matches(['-', '.']).to_owned()
}

/// Writes a file that is not there yet.
fn write_new(path: &std::path::Path, text: &str) -> Result<(), Failure> {
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    made.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| Failure::Usage {
        what: format!("{}: {error}", path.display()),
        hint: match error.kind() {
            ErrorKind::AlreadyExists => "it is left as it is; give another --out".into(),
            _ => "can the folder be written?".into(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_models() {
        assert_eq!(name_of("Qwen/Qwen3-32B:Q4_K_M"), "qwen3-32b-q4-k-m");
        assert_eq!(name_of("/models/gemma_3.gguf"), "gemma-3");
        assert_eq!(name_of("???"), "");
    }

    #[test]
    fn odd_values_stay_values() {
        for text in ["a\"b\\c", "two\nlines", "# no comment"] {
            let line = format!("x = {}", quoted(text));
            let table: toml::Table = toml::from_str(&line).unwrap();
            assert_eq!(table["x"].as_str(), Some(text));
        }
    }
}
