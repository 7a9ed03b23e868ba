//! The formats that commands print in, and the one place where tables become CSV and Markdown.
//!
//! A command that prints data takes a [`TableFormat`]; one whose result is a text or a single value takes [`TextOrJson`].

use super::out;
use crate::text::csv_cell;
use clap::ValueEnum;
use serde::Serialize;

/// Whether a command prints for people or for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    /// For people.
    #[value(alias = "table")]
    Text,
    /// For programs.
    Json,
}

/// How tables are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people.
    #[value(alias = "text")]
    Table,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
    /// For Markdown pages.
    Md,
}

impl TableFormat {
    /// Prints a value in this format; for people as `text` has it.
    pub(crate) fn print<T: Serialize>(
        self,
        value: &T,
        text: impl FnOnce() -> String,
        table: impl FnOnce() -> Table,
    ) {
        match self {
            Self::Table => out::result(&text()),
            Self::Json => out::json(value),
            Self::Csv => out::result(&table().csv()),
            Self::Md => out::result(&table().markdown()),
        }
    }
}

/// One cell of a table. Texts of strangers are made fit to be shown before they come here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Words.
    Text(String),
    /// A count or a time in whole milliseconds.
    Number(u64),
    /// What is not known or does not apply.
    Nothing,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Number(u64::from(number))
    }
}

impl From<u8> for Cell {
    fn from(number: u8) -> Self {
        Self::Number(u64::from(number))
    }
}

impl From<bool> for Cell {
    fn from(is: bool) -> Self {
        Self::from(if is { "true" } else { "false" })
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

/// Rows of cells under the names that JSON has for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    heads: &'static [&'static str],
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(heads: &'static [&'static str]) -> Self {
        Self { heads, rows: Vec::new() }
    }

    /// Adds a row: a cell for each head.
    pub(crate) fn row(&mut self, mut cells: Vec<Cell>) {
        cells.resize(self.heads.len(), Cell::Nothing);
        self.rows.push(cells);
    }

    /// For spreadsheets, RFC 4180.
    pub(crate) fn csv(&self) -> String {
        let mut text = self.heads.join(",") + "\r\n";
        for row in &self.rows {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| match cell {
                    Cell::Text(text) => csv_cell(text),
                    Cell::Number(number) => number.to_string(),
                    Cell::Nothing => String::new(),
                })
                .collect();
            text += &(cells.join(",") + "\r\n");
        }
        text
    }

    /// For Markdown pages.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let number = |column: usize| {
            let cells = self.rows.iter().map(|row| &row[column]);
            let mut known = cells.filter(|cell| **cell != Cell::Nothing).peekable();
            known.peek().is_some() && known.all(|cell| matches!(cell, Cell::Number(_)))
        };
        let heads: Vec<String> = self.heads.iter().map(|head| head.replace('_', " ")).collect();
        let rules: Vec<String> = (0..heads.len())
            .map(|column| String::from(if number(column) { "---:" } else { ":---" }))
            .collect();
        let mut text = line(&heads) + &line(&rules);
        for row in &self.rows {
            let cells = row.iter().map(|cell| match cell {
                Cell::Text(text) => markdown_text(text),
                Cell::Number(number) => number.to_string(),
                Cell::Nothing => String::new(),
            });
            text += &line(&cells.collect::<Vec<_>>());
        }
        text
    }
}

/// Text that Markdown shows as it is: what could begin a link, a tag, a cell or an emphasis is escaped.
pub(crate) fn markdown_text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "\\`*_[]<>|#~&:$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_shows_what_is_written() {
        assert_eq!(markdown_text("a|b <i> [x](y)"), "a\\|b \\<i\\> \\[x\\](y)");
    }

    #[test]
    fn a_table_has_a_cell_for_each_head() {
        let mut table = Table::new(&["lane", "finish_ms"]);
        table.row(vec![Cell::from("a|b"), Cell::from(167_800_u64)]);
        table.row(vec![Cell::from("c,d")]);
        assert_eq!(table.csv(), "lane,finish_ms\r\na|b,167800\r\n\"c,d\",\r\n");
        let markdown = "| lane | finish ms |\n| :--- | ---: |\n| a\\|b | 167800 |\n| c,d |  |\n";
        assert_eq!(table.markdown(), markdown);
    }
}
