//! The frame of every page: head, policy, band, footer. One stylesheet and one script, both inside the page, allowed by their
//! SHA-256 alone; nothing is fetched from anywhere.

use super::{mark, words};
use crate::digest;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The stylesheet.
const STYLE: &str = include_str!("style.css");

/// The script.
const SCRIPT: &str = include_str!("script.js");

/// What a page may do: be styled and scripted by what we wrote, and nothing else.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = |text: &str| digest::base64(&Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
});

/// A page to be framed.
pub(crate) struct Page<'a> {
    /// Its title, fit to be shown.
    pub title: &'a str,
    /// What search engines and link previews say of it, fit to be shown.
    pub about: &'a str,
    /// The way from here to the folder of the home page: empty, or `../` for each folder.
    pub up: &'a str,
    /// Where it stands: the pages above it, each with its path from here, and its own name.
    pub crumbs: &'a [(String, String)],
    /// The name of this page in that row.
    pub here: &'a str,
    /// What stands in the dark band.
    pub band: Markup,
    /// What stands on the paper.
    pub body: Markup,
    /// What the script of the page plays, as JSON.
    pub data: Option<&'a str>,
}

/// The whole document.
pub(crate) fn document(page: &Page<'_>) -> String {
    let home = format!("{}index.html", page.up);
    let feed = format!("{}feed.xml", page.up);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(*POLICY);
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { (page.title) }
                meta name="description" content=(page.about);
                link rel="alternate" type="application/atom+xml" title="New races" href=(feed);
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the figures" }
                (mark::patterns())
                div.band { div.wrap {
                    header.top {
                        a.brand href=(home) { (mark::brand()) span { "gauntlet" } }
                        nav.crumb aria-label="You are here" {
                            @for (path, name) in page.crumbs {
                                a href=(path) { (name) } " / "
                            }
                            span aria-current="page" { (page.here) }
                        }
                        button.js-only #theme type="button" { "Dark" }
                    }
                    (page.band)
                } }
                main.wrap #main { (page.body) }
                div.wrap { footer {
                    "Times in seconds. A static page: it asks no server for anything, and works from a folder. "
                    a href=(feed) { "New races as a feed" } "."
                } }
                @if let Some(data) = page.data {
                    script #data type="application/json" { (PreEscaped(embedded(data))) }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    markup.into_string()
}

/// JSON that may stand inside a page: nothing in it can end the element it stands in.
pub(crate) fn embedded(json: &str) -> String {
    crate::text::shown_json(json)
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}

/// A command to copy.
pub(crate) fn command(line: &str) -> Markup {
    html! { pre.cmd { code { (words::line(line)) } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_json_stays_json_and_closes_nothing() {
        let json = r#"{"a":"</script><!--&\u202e"}"#.replace("\\u202e", "\u{202e}");
        let inside = embedded(&json);
        assert_eq!(inside, r#"{"a":"\u003c/script\u003e\u003c!--\u0026\u202e"}"#);
        let value: serde_json::Value = serde_json::from_str(&inside).unwrap();
        assert_eq!(value["a"], "</script><!--&\u{202e}");
    }

    #[test]
    fn the_policy_names_what_stands_in_the_page() {
        let page = Page {
            title: "<t>",
            about: "\"a\"",
            up: "",
            crumbs: &[],
            here: "Home",
            band: html! {},
            body: html! {},
            data: None,
        };
        let text = document(&page);
        let between = |open: &str, close: &str| {
            text.split_once(open).and_then(|(_, rest)| rest.split_once(close)).unwrap().0
        };
        for inline in [between("<style>", "</style>"), between("<script>", "</script>")] {
            let hash = digest::base64(&Sha256::digest(inline.as_bytes()));
            assert!(text.contains(&format!("'sha256-{hash}'")));
        }
        assert!(text.contains("<title>&lt;t&gt;</title>") && !text.contains("style=\""));
    }
}
