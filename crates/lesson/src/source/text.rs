//! The text of a lesson: pieces with headings, and conversion of Markdown to safe HTML.
use super::Mistake;
use crate::Html;
use pulldown_cmark::{Event, Options, Parser, Tag, html};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A piece of the text with a heading.
pub struct Piece {
    /// Its heading, plain text.
    pub title: String,
    /// The content below the heading.
    pub html: Html,
    /// The heading's line, from 1.
    line: usize,
}

/// The text of a lesson in one language.
pub struct Text {
    path: PathBuf,
    /// In the order of the file.
    order: Vec<String>,
    pieces: BTreeMap<String, Piece>,
}

impl Text {
    /// Splits a text into its pieces.
    pub fn read(path: &Path, text: &str, faults: &mut Vec<Mistake>) -> Text {
        let mut read = Text { path: path.to_path_buf(), order: Vec::new(), pieces: BTreeMap::new() };
        // Heading, its line number, the content below it.
        let mut open: Option<(&str, usize, String)> = None;
        let mut is_code = false;
        for (number, line) in text.lines().enumerate().map(|(index, line)| (index.saturating_add(1), line)) {
            is_code ^= line.starts_with("```");
            if let Some(heading) = line.strip_prefix("## ").filter(|_| !is_code) {
                read.close(open.take(), faults);
                open = Some((heading, number, String::new()));
            } else if let Some((_, _, body)) = &mut open {
                body.push_str(line);
                body.push('\n');
            } else if !line.trim().is_empty() {
                faults.push(read.fault(number, "a text begins with a heading: `## Title {#id}`"));
            }
        }
        read.close(open, faults);
        read
    }

    fn fault(&self, line: usize, what: impl Into<String>) -> Mistake {
        Mistake { path: self.path.clone(), line, what: what.into() }
    }

    fn close(&mut self, piece: Option<(&str, usize, String)>, faults: &mut Vec<Mistake>) {
        let Some((heading, line, body)) = piece else { return };
        let parts = heading.trim_end().strip_suffix('}').and_then(|heading| heading.rsplit_once(" {#"));
        let Some((title, id)) = parts else {
            faults.push(self.fault(line, "a heading carries an id: `## Title {#id}`"));
            return;
        };
        let html = match to_html(&body) {
            Ok(html) => html,
            Err((below, what)) => {
                faults.push(self.fault(line.saturating_add(below), what));
                return;
            }
        };
        if html.is_empty() {
            faults.push(self.fault(line, "nothing stands below this heading"));
        }
        let piece = Piece { title: title.trim().to_owned(), html, line };
        if let Some(earlier) = self.pieces.insert(id.to_owned(), piece) {
            faults.push(self.fault(line, format!("`{id}` stands in line {} already", earlier.line)));
        }
        self.order.push(id.to_owned());
    }

    /// Compares the pieces with the expected ones, including their order.
    pub fn compare(&self, wanted: &[String], faults: &mut Vec<Mistake>) {
        let line = |id: &String| self.pieces.get(id).map_or(0, |piece| piece.line);
        for id in self.order.iter().filter(|id| !wanted.contains(id)) {
            faults.push(self.fault(line(id), format!("lesson.toml knows no `{id}`")));
        }
        let missing: Vec<_> = wanted.iter().filter(|id| !self.order.contains(id)).collect();
        for id in &missing {
            faults.push(self.fault(0, format!("a heading with {{#{id}}} is missing; lesson.toml asks for it")));
        }
        let here = self.order.iter().filter(|id| wanted.contains(id));
        let there = wanted.iter().filter(|id| !missing.contains(id));
        if let Some((id, other)) = here.zip(there).find(|(here, there)| here != there) {
            faults.push(self.fault(line(id), format!("`{other}` comes here; lesson.toml has another order")));
        }
    }

    /// Heading and HTML of a piece; empty if it is missing, which was already reported.
    pub fn piece(&self, id: &str) -> (String, Html) {
        self.pieces.get(id).map(|piece| (piece.title.clone(), piece.html.clone())).unwrap_or_default()
    }

    /// The HTML of a piece.
    pub fn html(&self, id: &str) -> Html {
        self.piece(id).1
    }
}

/// Converts a line of Markdown to HTML without a surrounding paragraph. `Err` names forbidden syntax.
pub fn line(markdown: &str) -> Result<Html, String> {
    let html = to_html(markdown).map_err(|(_, what)| what)?;
    let inner = html.trim_end().strip_prefix("<p>").and_then(|html| html.strip_suffix("</p>"));
    inner.filter(|inner| !inner.contains("<p>")).map(str::to_owned).ok_or_else(|| "this is one line of text".to_owned())
}

/// Converts Markdown to HTML. `Err` names forbidden syntax, with its line number from 1.
fn to_html(markdown: &str) -> Result<Html, (usize, String)> {
    let mut events = Vec::new();
    for (event, span) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        if let Some(what) = objection(&event) {
            let before = markdown.get(..span.start).unwrap_or_default();
            return Err((before.matches('\n').count().saturating_add(1), what));
        }
        events.push(event);
    }
    let mut out = Html::new();
    html::push_html(&mut out, joined(&events).into_iter());
    // An empty header cell is not a header. A figure does not wrap, and can also be scrolled by keyboard.
    let out = out.replace("<th></th>", "<td></td>");
    Ok(out.replace("<pre><code class=\"language-figure\">", "<pre class=\"prose-figure\" tabindex=\"0\"><code>"))
}

fn objection(event: &Event<'_>) -> Option<String> {
    match event {
        Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock) => {
            Some("HTML is not allowed in a lesson: write Markdown".to_owned())
        }
        Event::Start(Tag::Image { .. }) => Some("pictures are not allowed in a lesson".to_owned()),
        Event::Start(Tag::Link { dest_url, .. }) if !dest_url.starts_with('#') => {
            Some(format!("a link leads to a place of this page, like `#learn/locks/setnx`, not to `{dest_url}`"))
        }
        Event::Start(Tag::Heading { level, .. }) if (*level as usize) < 3 => {
            Some("headings below `## Title {#id}` begin with `###`".to_owned())
        }
        _ => None,
    }
}

/// Removes line breaks between Chinese characters, which would be rendered as spaces.
fn joined<'a>(events: &[Event<'a>]) -> Vec<Event<'a>> {
    let mut joined = Vec::with_capacity(events.len());
    for (index, event) in events.iter().enumerate() {
        let (before, after) = events.split_at_checked(index).unwrap_or_default();
        let before = nearest(before.iter().rev()).and_then(|text| text.chars().next_back());
        let after = nearest(after.iter().skip(1)).and_then(|text| text.chars().next());
        let is_within = match (before, after) {
            (Some(before), Some(after)) => is_mark(before) || is_mark(after) || (is_wide(before) && is_wide(after)),
            (Some(before), None) => is_mark(before),
            (None, Some(after)) => is_mark(after),
            (None, None) => false,
        };
        if !(matches!(event, Event::SoftBreak) && is_within) {
            joined.push(event.clone());
        }
    }
    joined
}

/// The nearest text, skipping the starts and ends of emphasis and links.
fn nearest<'a, 'b>(mut events: impl Iterator<Item = &'a Event<'b>>) -> Option<&'a str>
where
    'b: 'a,
{
    match events.find(|event| !matches!(event, Event::Start(_) | Event::End(_))) {
        Some(Event::Text(text)) => Some(text),
        _ => None,
    }
}

/// Whether this is a Chinese character or punctuation mark.
const fn is_wide(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}' | '“' | '”' | '…' | '—')
}

/// Whether this is a full-width punctuation mark, which includes its own space.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_can_be_scrolled_and_code_wraps() {
        let html = to_html("```figure\na  b\n```\n\n```java\nf();\n```").unwrap();
        assert!(html.starts_with("<pre class=\"prose-figure\" tabindex=\"0\"><code>a  b\n</code></pre>"), "{html}");
        assert!(html.contains("<pre><code class=\"language-java\">"), "{html}");
    }

    #[test]
    fn empty_header_cell_is_not_a_header() {
        let html = to_html("| | one |\n| --- | --- |\n| a | b |").unwrap();
        assert!(html.contains("<tr><td></td><th>one</th></tr>"), "{html}");
    }

    #[test]
    fn chinese_lines_are_joined_without_a_space() {
        let html = |markdown: &str| to_html(markdown).unwrap();
        assert_eq!(html("先读\n再写，\nRedis 答\n`OK`。"), "<p>先读再写，Redis 答\n<code>OK</code>。</p>\n");
        assert_eq!(html("先读\n*再写*\n三步"), "<p>先读<em>再写</em>三步</p>\n");
        assert_eq!(html("read\nwrite"), "<p>read\nwrite</p>\n");
    }

    #[test]
    fn forbidden_markdown_is_rejected_with_its_line() {
        let line = |markdown: &str| to_html(markdown).unwrap_err().0;
        assert_eq!(line("a\n\n<b>x</b>"), 3);
        assert_eq!(line("<script>alert(1)</script>"), 1);
        assert_eq!(line("a\n\n![x](#y)"), 3);
        assert_eq!(line("[x](https://example.com)"), 1);
        assert_eq!(line("[x](javascript:alert(1))"), 1);
        assert_eq!(line("a\n\n# b"), 3);
        assert_eq!(
            to_html("[x](#learn/locks/setnx) `a<b` & c").unwrap(),
            "<p><a href=\"#learn/locks/setnx\">x</a> <code>a&lt;b</code> &amp; c</p>\n"
        );
    }
}
