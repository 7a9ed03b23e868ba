//! What the command line teaches about itself: help with examples that parse, a name for everything, a first contact in ten lines.

use super::{Cli, WELCOME};
use clap::{Command, CommandFactory, Parser};

/// Every command that people see, with its whole name.
fn commands() -> Vec<(String, Command)> {
    fn walk(name: &str, command: &Command, found: &mut Vec<(String, Command)>) {
        for below in command.get_subcommands().filter(|it| !it.is_hide_set()) {
            let name = format!("{name} {}", below.get_name());
            walk(&name, below, found);
            found.push((name, below.clone()));
        }
    }
    let mut found = Vec::new();
    walk("gauntlet", &Cli::command(), &mut found);
    found.push((String::from("gauntlet"), Cli::command()));
    found
}

fn after(command: &Command) -> String {
    command.get_after_help().map_or_else(String::new, ToString::to_string)
}

/// The words of a command line, as a shell splits them; what follows a pipe or two spaces is no part of it.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    let mut begun = false;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => (quote, begun) = (Some(c), true),
            ('|' | '>', None) => break,
            (' ', None) if rest.peek() == Some(&' ') => break,
            (' ', None) if begun => {
                words.push(std::mem::take(&mut word));
                begun = false;
            }
            (' ', None) => {}
            (c, _) => {
                word.push(c);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

/// The command lines in a text of help.
fn examples(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter_map(|line| line.find("gauntlet ").map(|at| (line, at)));
    // In a sentence a command stands between ticks; an example begins its line, or follows a word and a colon or a pipe.
    let lines = lines.filter(|(line, at)| {
        let before = line[..*at].trim_end();
        before.is_empty() || before.ends_with(':') || before.ends_with('|')
    });
    let all = lines.flat_map(|(line, at)| {
        line[at..].split(" | ").map(str::trim).filter(|it| it.starts_with("gauntlet "))
    });
    all.map(words).collect()
}

#[test]
fn every_command_teaches_by_examples_that_parse() {
    for (name, command) in commands() {
        let examples = examples(&after(&command));
        assert!(!examples.is_empty(), "{name} --help has no example");
        let mut own = false;
        for example in examples {
            let line = example.join(" ");
            own |= line.starts_with(&name);
            if let Err(error) = Cli::try_parse_from(&example) {
                panic!("{name} --help teaches `{line}`, which is refused:\n{error}");
            }
        }
        assert!(own, "{name} --help has no example of its own");
    }
}

#[test]
fn every_argument_says_what_it_is() {
    for (name, command) in commands() {
        assert!(command.get_about().is_some(), "{name} says nothing of itself");
        for argument in command.get_arguments().filter(|it| it.get_id() != "help") {
            assert!(argument.get_help().is_some(), "{name}: {} says nothing", argument.get_id());
        }
    }
    Cli::command().debug_assert();
}

#[test]
fn the_first_contact_fits_ten_lines_of_a_hundred_columns() {
    assert!(WELCOME.lines().count() <= 10);
    assert!(WELCOME.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn a_misspelt_word_meets_the_right_one() {
    for (args, near) in [
        (&["gauntlet", "raec"][..], "'race'"),
        (&["gauntlet", "replay", "x", "--sped", "3"], "'--speed'"),
        (&["gauntlet", "race", "--format", "jsn"], "'json'"),
    ] {
        let error = Cli::try_parse_from(args).unwrap_err().to_string();
        assert!(error.contains(near), "{args:?}: {error}");
    }
}
