//! What `--format json` prints and what a race leaves keep to the schemas that `gauntlet schema` publishes.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod common;

use common::server::{self, Server};
use common::{GAUNTLET, kept_races, root, scratch};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

fn run(args: &[&str]) -> String {
    let output = Command::new(GAUNTLET).args(args).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn schema(name: &str) -> Value {
    serde_json::from_str(&run(&["schema", name])).unwrap()
}

/// A validator of what our schemas use. An unknown word in a schema is a failure of the test, so that none goes unchecked.
struct Validator<'a> {
    root: &'a Value,
    faults: Vec<String>,
}

/// The faults of a value.
fn faults(root: &Value, value: &Value) -> Vec<String> {
    let mut validator = Validator { root, faults: Vec::new() };
    validator.check(root, value, "");
    validator.faults
}

impl Validator<'_> {
    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        let schema = match schema {
            Value::Bool(true) => return,
            Value::Bool(false) => return self.faults.push(format!("{at}: nothing may stand here")),
            schema => schema.as_object().unwrap(),
        };
        for (word, rule) in schema {
            self.rule(schema, word, rule, value, at);
        }
    }

    fn rule(
        &mut self,
        schema: &Map<String, Value>,
        word: &str,
        rule: &Value,
        value: &Value,
        at: &str,
    ) {
        let mut wrong = |what: String| self.faults.push(format!("{at}: {what}"));
        match word {
            "$schema" | "title" | "description" | "format" | "$defs" | "default" => {}
            "$ref" => {
                let path = rule.as_str().unwrap().strip_prefix('#').unwrap();
                let target = self.root.pointer(path).unwrap().clone();
                self.check(&target, value, at);
            }
            "type" => {
                let types: Vec<&Value> =
                    rule.as_array().map_or(vec![rule], |all| all.iter().collect());
                if !types.iter().any(|kind| is(kind.as_str().unwrap(), value)) {
                    wrong(format!("{value} is no {rule}"));
                }
            }
            "enum" if !rule.as_array().unwrap().contains(value) => {
                wrong(format!("{value} is none of {rule}"))
            }
            "const" if rule != value => wrong(format!("{value} is not {rule}")),
            "enum" | "const" => {}
            "minimum" => {
                if value.as_f64().is_some_and(|it| it < rule.as_f64().unwrap()) {
                    wrong(format!("{value} is below {rule}"));
                }
            }
            "maximum" => {
                if value.as_f64().is_some_and(|it| it > rule.as_f64().unwrap()) {
                    wrong(format!("{value} is above {rule}"));
                }
            }
            "required" => {
                let missing = |name: &&Value| {
                    value.is_object() && value.get(name.as_str().unwrap()).is_none()
                };
                let missing: Vec<&Value> =
                    rule.as_array().unwrap().iter().filter(missing).collect();
                missing.into_iter().for_each(|name| wrong(format!("{name} is missing")));
            }
            "properties" => {
                for (name, schema) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(name) {
                        self.check(schema, value, &format!("{at}/{name}"));
                    }
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                for (name, value) in value.as_object().into_iter().flatten() {
                    if !known.is_some_and(|known| known.contains_key(name)) {
                        self.check(rule, value, &format!("{at}/{name}"));
                    }
                }
            }
            "items" => {
                for (index, value) in value.as_array().into_iter().flatten().enumerate() {
                    self.check(rule, value, &format!("{at}/{index}"));
                }
            }
            "minItems" | "maxItems" => {
                let count = value.as_array().map_or(0, Vec::len) as u64;
                let due = rule.as_u64().unwrap();
                if (word == "minItems" && count < due) || (word == "maxItems" && count > due) {
                    wrong(format!("{count} items, {word} {due}"));
                }
            }
            "anyOf" | "oneOf" => {
                let fits = |schema: &&Value| {
                    let mut one = Validator { root: self.root, faults: Vec::new() };
                    one.check(schema, value, at);
                    one.faults.is_empty()
                };
                let count = rule.as_array().unwrap().iter().filter(fits).count();
                if count == 0 || (word == "oneOf" && count > 1) {
                    wrong(format!("{count} of {word} fit {value}"));
                }
            }
            other => panic!("the validator does not know {other:?}"),
        }
    }
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type {other}"),
    }
}

/// The names of a value's own fields.
fn fields(value: &Value) -> BTreeSet<String> {
    value.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

fn keeps_to(name: &str, text: &str) {
    let (schema, value) = (schema(name), serde_json::from_str(text).unwrap());
    let found = faults(&schema, &value);
    assert!(found.is_empty(), "{name}:\n{}", found.join("\n"));
    // The schema is of this output and not of any: each field that it prints is described, and taking one out is seen.
    let known = schema.get("properties").map_or_else(BTreeSet::new, fields);
    assert!(value.is_array() || fields(&value).is_subset(&known), "{name}: {:?}", fields(&value));
    let needed = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    assert!(value.is_array() || !needed.is_empty(), "{name} asks for nothing");
    if let Some(field) = needed.first().and_then(Value::as_str) {
        let mut less = value.clone();
        less.as_object_mut().unwrap().remove(field);
        assert!(!faults(&schema, &less).is_empty(), "{name} without {field} passes");
    }
}

#[test]
fn kept_races_keep_to_their_schemas() {
    let (result, log, io) = (schema("result"), schema("log"), schema("io"));
    for race in kept_races() {
        let read = |name: &str| fs::read_to_string(race.join(name)).unwrap();
        let value = serde_json::from_str(&read("result.json")).unwrap();
        assert_eq!(faults(&result, &value), [""; 0], "{}", race.display());
        for (name, schema) in [("log.jsonl", &log), ("io.jsonl", &io)] {
            for (number, line) in (1..).zip(read(name).lines().take(400)) {
                let value = serde_json::from_str(line).unwrap();
                assert_eq!(faults(schema, &value), [""; 0], "{}/{name}:{number}", race.display());
            }
        }
    }
}

#[test]
fn outputs_keep_to_their_schemas() {
    let (race, season) = (root("replays/21-pacer-club-attempt1"), root("seasons/21.toml"));
    let json = ["--format", "json"];
    for (name, args) in [
        ("replay", vec!["replay", &race, "published"]),
        ("answers", vec!["answers", &race, "--thinking", "--prompt"]),
        ("verify", vec!["verify", &race]),
        ("attempts", vec!["attempts", &root("replays")]),
        ("rank", vec!["rank", &season, &root("replays"), "--published"]),
        ("task-show", vec!["task", "show", "--range", "1"]),
        ("task-solve", vec!["task", "solve", "--range", "2"]),
        ("task-grade", vec!["task", "grade", "--range", "1", "--answer", "/dev/null"]),
        ("task-dial", vec!["task", "dial", "cups", "--seeds", "2"]),
        ("publish", vec!["publish", &race, "--check"]),
        ("judge-prepare", vec!["judge", "--prepare"]),
    ] {
        keeps_to(name, &run(&[&args[..], &json].concat()));
    }
    let site = scratch("schema-site").display().to_string();
    keeps_to("site", &run(&[&["site", &race, "--out", &site][..], &json].concat()));
    let code = scratch("schema-code");
    fs::write(&code, "def f(x):\n    return [x, 1.5, None]\n").unwrap();
    let path = code.display().to_string();
    let args = ["judge", "--code", &path, "--function", "f", "--input", "[3]"];
    keeps_to("judge", &run(&[&args[..], &json].concat()));
}

#[test]
fn what_a_server_brings_keeps_to_its_schema() {
    let reply =
        vec![server::stream_head(), server::text("4"), server::finish("stop"), server::done()];
    let server = Server::start(vec![reply]);
    let folder = scratch("schema-lane");
    fs::create_dir_all(&folder).unwrap();
    let lane = folder.join("lane.toml");
    let url = server.base_url();
    let text = format!(
        "name = \"rig\"\nkind = \"http\"\nmemory_gb = 8\nbase_url = \"{url}\"\nmodel = \"m\"\n"
    );
    fs::write(&lane, text).unwrap();
    let lane = lane.display().to_string();
    keeps_to("lane-ask", &run(&["lane", "ask", &lane, "--prompt", "2+2", "--format", "json"]));
    keeps_to("lane-check", &run(&["lane", "check", &lane, "--format", "json"]));
}

#[test]
fn every_schema_is_listed_and_made() {
    let list = run(&["schema"]);
    let names: Vec<&str> = list.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert!(names.contains(&"result") && names.len() > 10, "{list}");
    for name in names {
        assert!(schema(name).get("$schema").is_some(), "{name}");
    }
}
