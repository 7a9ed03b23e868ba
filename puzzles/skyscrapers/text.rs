//! How a grid is written and read: `2143/3412/1234/4321`. Tolerant to notation, never to content.
//!
//! Grammar: as many digits as the grid has cells, row by row. Between rows stands `/` (or `\`, `|`, `;`), in all gaps or in
//! none; spaces, tabs and commas mean nothing; one pair of brackets or quotes may enclose the whole.

use super::rules::{SIZE_MAX, Square};

/// Longer values are not read.
const LONGEST: usize = 300;

/// Writes a grid; an empty cell is a dot.
pub(super) fn write(square: &Square, size: usize) -> String {
    let cell = |height: &u8| if *height == 0 { '.' } else { char::from(b'0' + height) };
    let rows: Vec<String> =
        square[..size].iter().map(|row| row[..size].iter().map(cell).collect()).collect();
    rows.join("/")
}

/// Reads a full grid, or says what it stumbled on.
pub(super) fn read(value: &str, size: usize) -> Result<Square, String> {
    if value.len() > LONGEST {
        return Err(format!("a grid of more than {LONGEST} characters"));
    }
    let mut text = value.trim().trim_end_matches('.');
    for (open, close) in [('"', '"'), ('[', ']'), ('(', ')')] {
        if let Some(inner) = text.strip_prefix(open).and_then(|text| text.strip_suffix(close)) {
            text = inner;
        }
    }
    let mut rows = vec![Vec::new()];
    for char in text.chars() {
        match char {
            ' ' | '\t' | ',' => {}
            '/' | '\\' | '|' | ';' => rows.push(Vec::new()),
            '0'..='9' => {
                let height = char as u8 - b'0';
                if height == 0 || usize::from(height) > size {
                    return Err(format!("no height {height}"));
                }
                let last = rows.len() - 1;
                rows[last].push(height);
            }
            other => return Err(format!("a grid with {other:?}")),
        }
    }
    if rows.len() > 1 && rows.last().is_some_and(Vec::is_empty) {
        // A mark after the last row, too.
        rows.pop();
    }
    if let [run] = rows.as_slice() {
        match run.len() {
            0 => return Err("no grid".to_owned()),
            cells if cells == size * size => {
                rows = run.chunks(size).map(<[u8]>::to_vec).collect();
            }
            cells => return Err(format!("{cells} of {} cells", size * size)),
        }
    }
    if rows.len() != size {
        return Err(format!("{} of {size} rows", rows.len()));
    }
    let mut square = [[0; SIZE_MAX]; SIZE_MAX];
    for (number, row) in rows.iter().enumerate() {
        if row.len() != size {
            return Err(format!("{} of {size} cells in row {}", row.len(), number + 1));
        }
        square[number][..size].copy_from_slice(row);
    }
    Ok(square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn notations_of_one_grid() {
        let grid = read("2143/3412/1234/4321", 4).expect("the notation of the prompt");
        assert_eq!(write(&grid, 4), "2143/3412/1234/4321");
        for value in [
            "2143 / 3412 / 1234 / 4321",
            "2 1 4 3 / 3 4 1 2 / 1 2 3 4 / 4 3 2 1",
            "2,1,4,3 / 3,4,1,2 / 1,2,3,4 / 4,3,2,1.",
            "2143|3412|1234|4321",
            "2143; 3412; 1234; 4321",
            "2143/3412/1234/4321/",
            "\"2143/3412/1234/4321\"",
            "2143341212344321",
            "2143 3412 1234 4321",
        ] {
            assert_eq!(read(value, 4), Ok(grid), "{value}");
        }
    }

    #[test]
    fn what_is_not_a_grid() {
        for value in [
            "",
            "-",
            ".",
            "/",
            "2143",
            "2143/3412/1234",
            "2143/3412/1234/432",
            "2143/3412/1234/4321/1",
            "2143/3412/1234/43210",
            "2143/3412/1234/4325",
            "214/33412/1234/4321",
            "2143//3412/1234/4321",
            "..../..../..../....",
            "abcd/abcd/abcd/abcd",
            "2143/3412/1234/432\u{0661}",
        ] {
            assert!(read(value, 4).is_err(), "{value}");
        }
        assert!(read(&"1".repeat(1_000_000), 4).is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(heights in proptest::collection::vec(1_u8..=5, 25)) {
            let mut square = Square::default();
            for (at, height) in heights.into_iter().enumerate() {
                square[at / 5][at % 5] = height;
            }
            prop_assert_eq!(read(&write(&square, 5), 5), Ok(square));
        }

        #[test]
        fn any_text_is_read(value in any::<String>(), size in 4_usize..=6) {
            // Whatever comes of it, no panic.
            let _ = read(&value, size);
        }
    }
}
