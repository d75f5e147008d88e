//! The address that opens a schedule in the page: the session compressed and encoded in base64url, as in the page
//! (`src/hooks/link.rs`).
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use world::Input;

use super::Subject;

/// The address; the cursor is before the first step of the schedule. `None` if the schedule cannot be appended there.
pub fn address(page: &str, subject: &Subject, schedule: &[Input]) -> Option<String> {
    let mut timeline = subject.timeline.clone();
    timeline.append_branch(timeline.cursor(), schedule, 0).ok()?;
    let mut squeezed = DeflateEncoder::new(Vec::new(), Compression::best());
    squeezed.write_all(timeline.to_text().as_bytes()).ok()?;
    let squeezed = squeezed.finish().ok()?;
    let page = page.split_once('#').map_or(page, |(page, _)| page);
    Some(format!("{page}{}s={}", subject.fragment, URL_SAFE_NO_PAD.encode(squeezed)))
}
