//! Judges a job with a loaded image: a fresh guest for each input, limits, verdicts.
//!
//! Runs in the child process only, after [`confine`](super::confine). Words that end in a log are
//! made here and in `driver.py`.

use serde::Deserialize;
use serde_json::Value;
use wasmtime::component::{Component, InstancePre};
use wasmtime::{Engine, Result, Store, Trap};
use wasmtime_wasi::I32Exit;

use super::host::{self, FUEL, Guest};
use super::image;
use super::job::{Job, Run, RunVerdict};

/// An image ready to judge with.
pub(super) struct Court {
    engine: Engine,
    guest: InstancePre<Guest>,
}

/// What the driver says, see `_reply` there.
#[derive(Deserialize)]
struct Reply {
    verdict: RunVerdict,
    value: Option<Value>,
    error: Option<String>,
}

impl Court {
    pub(super) fn new(engine: Engine, component: &Component) -> Result<Self> {
        let guest = host::linker(&engine, component)?.instantiate_pre(component)?;
        Ok(Self { engine, guest })
    }

    /// All calls of a job, in order.
    pub(super) async fn judge(&self, job: &Job) -> Result<Vec<Run>> {
        let mut runs = Vec::with_capacity(job.inputs.len());
        for arguments in &job.inputs {
            runs.push(self.call(job, arguments).await?);
        }
        Ok(runs)
    }

    /// One call. An error here is one of the engine or of this machine, never a verdict.
    async fn call(&self, job: &Job, arguments: &[Value]) -> Result<Run> {
        let payload = serde_json::to_string(&(&job.code, &job.function, arguments))?;
        let source = format!("import _judge\nresult = _judge.run({})", literal(&payload));
        let mut store = Store::new(&self.engine, Guest::new(&[], None));
        store.limiter(|guest| guest);
        store.set_fuel(FUEL)?;
        store.set_epoch_deadline(host::TICKS);
        let instance = self.guest.instantiate_async(&mut store).await?;
        let ended = image::execute(&mut store, &instance, &source).await;
        let fuel = FUEL.saturating_sub(store.get_fuel()?);
        let (verdict, value, error) = match ended {
            Ok(Ok(text)) => returned(&text),
            Ok(Err(text)) => raised(&text, store.data().memory_denied),
            Err(error) => trapped(error)?,
        };
        Ok(Run { verdict, value, error, fuel })
    }
}

/// Longest reply of the driver: its 1 MiB, once more in JSON, where a character may take two.
const REPLY_BYTES_MAX: usize = 5 << 19;

/// Deepest value, one above what the driver lets pass; the files that it goes into can be nested 128 deep.
const DEPTH_MAX: usize = 101;

/// How deep a value is nested.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(items) => 1 + items.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

type Ended = (RunVerdict, Option<Value>, Option<String>);

/// The driver came to its end. `text` is its JSON reply, once more in JSON.
fn returned(text: &str) -> Ended {
    // The driver keeps these bounds; an answer that has tampered with it does not get past them here.
    if text.len() > REPLY_BYTES_MAX {
        return (RunVerdict::CodeLimit, None, Some("returned more than 1 MiB".into()));
    }
    let reply =
        serde_json::from_str(text).and_then(|inner: String| serde_json::from_str::<Reply>(&inner));
    match reply {
        Ok(Reply { verdict: RunVerdict::Ok, value: Some(value), .. })
            if depth(&value) > DEPTH_MAX =>
        {
            (RunVerdict::CodeError, None, Some("returned a value that is nested too deep".into()))
        }
        Ok(Reply { verdict: RunVerdict::Ok, value, .. }) => {
            (RunVerdict::Ok, Some(value.unwrap_or(Value::Null)), None)
        }
        Ok(Reply { verdict, error, .. }) => (verdict, None, error.map(|e| line(&e))),
        // The answer has tampered with the driver.
        Err(_) => (RunVerdict::CodeError, None, Some("the answer broke its own judge".into())),
    }
}

/// An exception passed the driver by: there was no memory left to catch it, or it was tampered
/// with.
fn raised(text: &str, memory_denied: bool) -> Ended {
    let last = text.lines().rfind(|l| !l.trim().is_empty()).unwrap_or("unknown error");
    let verdict = if memory_denied { RunVerdict::CodeLimit } else { RunVerdict::CodeError };
    (verdict, None, Some(line(last)))
}

/// The guest ended without returning.
fn trapped(error: wasmtime::Error) -> Result<Ended> {
    if let Some(I32Exit(status)) = error.downcast_ref() {
        let words = format!("the code ended the interpreter (exit status {status})");
        return Ok((RunVerdict::CodeError, None, Some(words)));
    }
    let words = match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => "used up its fuel (too long a computation)".to_owned(),
        Some(Trap::StackOverflow) => "used up its stack (too deep a recursion)".to_owned(),
        Some(Trap::Interrupt) => "ran far longer than its fuel should last".to_owned(),
        Some(trap) => format!("the engine stopped it: {trap}"),
        None => return Err(error),
    };
    Ok((RunVerdict::CodeLimit, None, Some(line(&words))))
}

/// One line of at most 300 characters.
fn line(text: &str) -> String {
    let mut out: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if out.chars().count() > 300 {
        out = out.chars().take(297).chain("...".chars()).collect();
    }
    out
}

/// A Python string literal.
fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8 + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_survive_python() {
        assert_eq!(literal("a\"b\\c\nd\u{e9}"), "\"a\\\"b\\\\c\\nd\u{e9}\"");
    }

    #[test]
    fn errors_are_one_bounded_line() {
        assert_eq!(line("a\n  b\tc"), "a b c");
        assert_eq!(line(&"x".repeat(1000)).chars().count(), 300);
    }

    #[test]
    fn a_reply_that_is_no_reply_is_the_answers_fault() {
        assert_eq!(returned("17").0, RunVerdict::CodeError);
        let (verdict, value, _) = returned(r#""{\"verdict\":\"ok\",\"value\":null}""#);
        assert_eq!((verdict, value), (RunVerdict::Ok, Some(Value::Null)));
    }
}
