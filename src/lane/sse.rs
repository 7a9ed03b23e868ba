//! Lines of an event stream, out of bytes that arrive cut anywhere.
//!
//! A line ends at LF, CR or CR LF, as the event-stream format has it; a bare CR cannot stand inside the JSON that lines
//! carry. A line is decoded when it is whole, so a character cut by the network is never damaged. What fields mean is
//! `reply`'s affair.

/// A line was longer than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// Cuts bytes into lines.
#[derive(Debug)]
pub struct Lines {
    begun: Vec<u8>,
    limit: usize,
    after_cr: bool,
    at_start: bool,
}

impl Lines {
    /// A reader of lines of at most `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { begun: Vec::new(), limit, after_cr: false, at_start: true }
    }

    /// The next whole line of `input`, which is shortened by it; a begun line is kept for the next call.
    ///
    /// # Errors
    /// A line grows beyond the limit.
    pub fn next(&mut self, input: &mut &[u8]) -> Result<Option<String>, TooLong> {
        if self.after_cr && !input.is_empty() {
            *input = input.strip_prefix(b"\n").unwrap_or(input);
            self.after_cr = false;
        }
        let end = input.iter().position(|&byte| byte == b'\n' || byte == b'\r');
        let (part, rest) = input.split_at(end.unwrap_or(input.len()));
        if self.begun.len() + part.len() > self.limit {
            return Err(TooLong);
        }
        self.begun.extend_from_slice(part);
        let Some((end, after)) = rest.split_first() else {
            *input = rest;
            return Ok(None);
        };
        self.after_cr = *end == b'\r';
        *input = after;
        Ok(Some(self.take()))
    }

    /// Bytes of the line that has begun.
    #[must_use]
    pub fn begun_bytes(&self) -> usize {
        self.begun.len()
    }

    /// What came after the last line end.
    pub fn rest(&mut self) -> Option<String> {
        (!self.begun.is_empty()).then(|| self.take())
    }

    /// The begun line as text, without the byte order mark of the first one.
    fn take(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.begun);
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) if self.at_start => rest.to_owned(),
            _ => text.into_owned(),
        };
        self.at_start = false;
        self.begun.clear();
        text
    }
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field<'a> {
    /// The end of an event.
    Blank,
    /// A keep-alive, or a field that carries nothing for us (`id`, `retry`).
    Nothing,
    /// The name of the event.
    Event(&'a str),
    /// Data of the event.
    Data(&'a str),
    /// A field that older llama.cpp servers write instead of an event.
    Error(&'a str),
    /// None of these.
    Unknown,
}

/// Reads one line.
#[must_use]
pub fn field(line: &str) -> Field<'_> {
    if line.is_empty() {
        return Field::Blank;
    }
    let (name, value) = line.split_once(':').unwrap_or((line, ""));
    let value = value.strip_prefix(' ').unwrap_or(value);
    match name {
        "" | "id" | "retry" => Field::Nothing,
        // A proxy that wraps whole lines turns a comment into data.
        "data" if value.starts_with(':') => Field::Nothing,
        "data" => Field::Data(value),
        "event" => Field::Event(value),
        "error" => Field::Error(value),
        _ => Field::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]]) -> (Vec<String>, Option<String>) {
        let mut lines = Lines::new(100);
        let mut whole = Vec::new();
        for mut piece in pieces.iter().copied() {
            while let Some(line) = lines.next(&mut piece).unwrap() {
                whole.push(line);
            }
        }
        (whole, lines.rest())
    }

    #[test]
    fn every_line_end_at_every_cut() {
        let bytes = "\u{feff}a\r\n\rb\n\u{feff}é\n\r\nc".as_bytes();
        let whole = lines(&[bytes]);
        assert_eq!(whole.0, ["a", "", "b", "\u{feff}é", ""]);
        assert_eq!(whole.1.as_deref(), Some("c"));
        for cut in 0..=bytes.len() {
            assert_eq!(lines(&[&bytes[..cut], &bytes[cut..]]), whole, "cut at {cut}");
        }
    }

    #[test]
    fn a_line_has_a_bound() {
        let mut lines = Lines::new(3);
        assert_eq!(lines.next(&mut b"abc".as_slice()), Ok(None));
        assert_eq!(lines.next(&mut b"\nab".as_slice()), Ok(Some("abc".into())));
        assert_eq!(lines.next(&mut b"abcd".as_slice()), Err(TooLong));
    }

    #[test]
    fn fields() {
        assert_eq!(field(""), Field::Blank);
        assert_eq!(field(": ping"), Field::Nothing);
        assert_eq!(field("data: : PROCESSING"), Field::Nothing);
        assert_eq!(field("id: 7"), Field::Nothing);
        assert_eq!(field("data:x"), Field::Data("x"));
        assert_eq!(field("data:  x"), Field::Data(" x"));
        assert_eq!(field("data"), Field::Data(""));
        assert_eq!(field("event: error"), Field::Event("error"));
        assert_eq!(field("error: {}"), Field::Error("{}"));
        assert_eq!(field(" {\"id\": 1}"), Field::Unknown);
    }
}
