//! Standings as a table of 80 columns, as CSV and as Markdown. The words come from `sheet.rs`, fit to be shown.

use super::sheet::{AsideSheet, ClassSheet, RowSheet, Sheet};
use crate::cli::format::{Table, markdown_text};
use crate::cli::out::{counted, seconds};

/// Columns that the table keeps to; only figures longer than any season's make it wider.
const COLUMNS: usize = 80;

/// The least room that a lane's name is left.
const LANE_COLUMNS_MIN: usize = 16;

/// For people: a block a class, then what is in no table.
pub(super) fn table(sheet: &Sheet) -> String {
    let lanes = counted(lanes(sheet), "lane");
    let title = format!("{} standings", sheet.title);
    let gap = COLUMNS.saturating_sub(title.chars().count() + lanes.len()).max(2);
    let mut text = format!("{title}{}{lanes}\n", " ".repeat(gap));
    let head = Cells::head(sheet.preview);
    let cells: Vec<Vec<Cells>> =
        sheet.classes.iter().map(|class| class.rows.iter().map(Cells::of).collect()).collect();
    let widths = Widths::fit(&head, cells.iter().flatten());
    for (class, rows) in sheet.classes.iter().zip(&cells) {
        text += &format!("\n{} GB class\n", class.memory_gb);
        if rows.is_empty() {
            text += &format!("   {}\n   {}\n", enter(sheet), enter_as(class));
            continue;
        }
        text += &widths.line(&head);
        rows.iter().for_each(|row| text += &widths.line(row));
    }
    if sheet.classes.is_empty() {
        text += &format!("\n{}\n", enter(sheet));
    }
    for (title, lines) in lists(sheet) {
        text += &format!("\n{title}\n");
        for (race, what) in lines {
            text += &format!("   {race}\n      {what}\n");
        }
    }
    text + "\n" + &footer(sheet).join("\n") + " --format json for programs.\n"
}

/// What a reader of the tables must know.
fn footer(sheet: &Sheet) -> Vec<&'static str> {
    let mut lines = Vec::new();
    if sheet.preview {
        lines.push("A preview season: no ranks until its difficulty is calibrated.");
    }
    if rows(sheet).any(is_published) {
        lines.push("published: from the season's published figures, not raced here.");
    }
    lines.push("Times in seconds.");
    lines
}

/// How many lanes have a row.
fn lanes(sheet: &Sheet) -> u64 {
    rows(sheet).count() as u64
}

fn rows(sheet: &Sheet) -> impl Iterator<Item = &RowSheet> {
    sheet.classes.iter().flat_map(|class| &class.rows)
}

fn is_published(row: &RowSheet) -> bool {
    row.source == "published"
}

/// What to do about an empty table.
fn enter(sheet: &Sheet) -> String {
    format!("no finisher yet: gauntlet race --season {} --lane my-rig.toml", sheet.file)
}

/// What puts a lane into a class.
fn enter_as(class: &ClassSheet) -> String {
    format!("with memory_gb = {} in my-rig.toml", class.memory_gb)
}

/// The lists below the tables: a title, then races, each with what is to say of it.
fn lists(sheet: &Sheet) -> Vec<(&'static str, Vec<(String, String)>)> {
    let aside = |it: &AsideSheet| {
        let finish = it.finish_ms.map_or(String::new(), |ms| format!(" {}", seconds(ms)));
        (it.race.clone(), format!("{}{finish}: {}", it.status, it.reason))
    };
    let apart = sheet.apart.iter().map(|it| (it.race.clone(), it.reason.clone())).collect();
    let mut lists: Vec<(&str, Vec<(String, String)>)> = vec![
        ("Further attempts", sheet.attempts.iter().map(aside).collect()),
        ("Void", sheet.void.iter().map(aside).collect()),
        ("Listed apart", apart),
    ];
    lists.retain(|(_, lines)| !lines.is_empty());
    lists
}

/// The figures of a row in words; all but the lane stand right.
struct Cells {
    rank: String,
    lane: String,
    figures: [String; 5],
    mark: &'static str,
}

impl Cells {
    fn head(preview: bool) -> Self {
        let behind = if preview { "" } else { "behind" };
        let figures = ["finish", behind, "hits", "think", "loops"].map(String::from);
        Self { rank: String::new(), lane: String::from("lane"), figures, mark: "" }
    }

    fn of(row: &RowSheet) -> Self {
        let time = |ms: Option<u64>| ms.map_or(String::from("-"), seconds);
        let behind = match row.behind_ms {
            Some(0) if row.rank == Some(1) => String::from("leader"),
            Some(ms) => format!("+{}", gap(ms)),
            None => String::new(),
        };
        Self {
            rank: row.rank.map_or(String::new(), |rank| rank.to_string()),
            lane: row.lane.clone(),
            figures: [
                time(row.finish_ms),
                behind,
                format!("{}/{}", row.hits, row.targets),
                time(row.thinking_ms),
                seconds(row.loops_ms),
            ],
            mark: mark(row),
        }
    }
}

/// A gap to a tenth; one that a tenth would round away stands in full.
fn gap(ms: u64) -> String {
    if (1..50).contains(&ms) { format!("0.{ms:03}") } else { seconds(ms) }
}

/// What sets a row apart from a raced and finished one.
fn mark(row: &RowSheet) -> &'static str {
    match row.status {
        "finished" if is_published(row) => row.source,
        "finished" => "",
        status => status,
    }
}

/// How wide each column of the table is, the same in every class.
struct Widths {
    rank: usize,
    lane: usize,
    figures: [usize; 5],
}

impl Widths {
    fn fit<'a>(head: &'a Cells, rows: impl Iterator<Item = &'a Cells>) -> Self {
        let wide = |text: &str| text.chars().count();
        let mut fit = Self { rank: 2, lane: 0, figures: [0; 5] };
        let mut mark = 0;
        for cells in rows.chain([head]) {
            fit.rank = fit.rank.max(wide(&cells.rank));
            fit.lane = fit.lane.max(wide(&cells.lane));
            for (width, text) in fit.figures.iter_mut().zip(&cells.figures) {
                *width = (*width).max(wide(text));
            }
            mark = mark.max(wide(cells.mark));
        }
        // The two gaps of two columns are in `line`: before behind and hits, and before the mark.
        let gaps = 1 + fit.figures.iter().filter(|width| **width > 0).count() + 2;
        let mark = if mark > 0 { mark + 2 } else { 0 };
        let other = fit.rank + gaps + fit.figures.iter().sum::<usize>() + mark;
        fit.lane = fit.lane.min(COLUMNS.saturating_sub(other).max(LANE_COLUMNS_MIN));
        fit
    }

    fn line(&self, cells: &Cells) -> String {
        let (rank, lane) = (self.rank, self.lane);
        let name = cut(&cells.lane, lane);
        let mut line = format!("{:>rank$} {name:<lane$}", cells.rank);
        for (index, text) in cells.figures.iter().enumerate() {
            let width = self.figures[index];
            if width > 0 {
                let gap = if (1..3).contains(&index) { "  " } else { " " };
                line += &format!("{gap}{text:>width$}");
            }
        }
        if !cells.mark.is_empty() {
            line += &format!("  {}", cells.mark);
        }
        line.truncate(line.trim_end().len());
        line + "\n"
    }
}

/// A name cut to so many columns, with its end shown as `...`.
fn cut(name: &str, columns: usize) -> String {
    if name.chars().count() <= columns {
        return name.to_owned();
    }
    name.chars().take(columns.saturating_sub(3)).chain("...".chars()).collect()
}

/// For spreadsheets: one row a lane.
pub(super) fn rows_table(sheet: &Sheet) -> Table {
    let mut table = Table::new(&[
        "memory_gb",
        "rank",
        "lane",
        "race",
        "finish_ms",
        "behind_ms",
        "hits",
        "targets",
        "loops",
        "loops_ms",
        "thinking_ms",
        "buzzers",
        "source",
        "status",
    ]);
    for class in &sheet.classes {
        for row in &class.rows {
            table.row(vec![
                class.memory_gb.into(),
                row.rank.into(),
                row.lane.as_str().into(),
                row.race.as_deref().into(),
                row.finish_ms.into(),
                row.behind_ms.into(),
                row.hits.into(),
                row.targets.into(),
                row.loops.into(),
                row.loops_ms.into(),
                row.thinking_ms.into(),
                row.buzzers.into(),
                row.source.into(),
                row.status.into(),
            ]);
        }
    }
    table
}

/// For Markdown pages: a table a class, then lists.
pub(super) fn markdown(sheet: &Sheet) -> String {
    let mut text = format!("# {} standings\n", markdown_text(&sheet.title));
    for class in &sheet.classes {
        text += &format!("\n## {} GB class\n\n", class.memory_gb);
        if class.rows.is_empty() {
            let (enter, class) = (markdown_text(&enter(sheet)), markdown_text(&enter_as(class)));
            text += &format!("{enter} {class}\n");
            continue;
        }
        text += "| rank | lane | finish | behind | hits | think | loops | |\n";
        text += "|---:|:---|---:|---:|---:|---:|---:|:---|\n";
        for row in &class.rows {
            let cells = Cells::of(row);
            let [finish, behind, hits, think, loops] = cells.figures;
            let (rank, lane, mark) = (cells.rank, markdown_text(&cells.lane), cells.mark);
            text += &format!(
                "| {rank} | {lane} | {finish} | {behind} | {hits} | {think} | {loops} | {mark} |\n"
            );
        }
    }
    for (title, lines) in lists(sheet) {
        text += &format!("\n## {title}\n\n");
        for (race, what) in lines {
            text += &format!("- {}: {}\n", markdown_text(&race), markdown_text(&what));
        }
    }
    text + "\n" + &footer(sheet).join("  \n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_gap_is_not_rounded_away() {
        assert_eq!([0, 1, 49, 50, 67_700].map(gap), ["0.0", "0.001", "0.049", "0.1", "67.7"]);
    }

    #[test]
    fn long_names_are_cut() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abc...");
    }
}
