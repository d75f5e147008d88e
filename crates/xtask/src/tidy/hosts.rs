//! Checks that the page never contacts another host. This check reads the built files; a browser test watches the requests themselves.
use super::TextFile;

/// Name of the check.
pub const NAME: &str = "dist/ names no other host and no machine";

/// Allowed hosts, with the reason.
const KNOWN: [(&str, &str); 6] = [
    ("www.w3.org", "names of XML vocabularies"),
    ("redis.io", "links that a reader may follow"),
    ("github.com", "links that a reader may follow, and addresses in messages of libraries"),
    ("yew.rs", "addresses in messages of the library Yew"),
    ("developer.mozilla.org", "an address in a message of wasm-bindgen"),
    ("docs.rs", "addresses in messages of libraries"),
];

/// Addresses of other hosts.
pub fn check(built: &[TextFile]) -> Vec<String> {
    let mut findings = Vec::new();
    for file in built {
        let hosts = schemed(&file.text).chain(without_scheme(&file.text));
        let mut strangers: Vec<&str> = hosts.filter(|host| !is_known(host)).collect();
        strangers.sort_unstable();
        strangers.dedup();
        findings.extend(strangers.into_iter().map(|host| format!("{}: names the host `{host}`", file.path)));
    }
    findings
}

fn is_known(host: &str) -> bool {
    KNOWN.iter().any(|(known, _)| host == *known)
}

/// Hosts of `http://…` and similar schemes, anywhere in the text.
fn schemed(text: &str) -> impl Iterator<Item = &str> {
    ["http://", "https://", "ws://", "wss://"]
        .into_iter()
        .flat_map(move |scheme| text.match_indices(scheme).filter_map(move |(at, _)| host_at(text, at + scheme.len())))
}

/// Hosts of `src="//…"`, `href="//…"`, `url(//…)`.
fn without_scheme(text: &str) -> impl Iterator<Item = &str> {
    ["=\"//", "='//", "=//", "url(//", "url('//", "url(\"//"]
        .into_iter()
        .flat_map(move |opener| text.match_indices(opener).filter_map(move |(at, _)| host_at(text, at + opener.len())))
}

/// The host name that starts here: letters, digits, dots and hyphens with a dot inside.
fn host_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..)?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))).unwrap_or(rest.len());
    rest.get(..end).map(|host| host.trim_end_matches('.')).filter(|host| host.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> usize {
        check(&[TextFile { path: "dist/x".to_owned(), text: text.to_owned() }]).len()
    }

    #[test]
    fn other_hosts_are_found_in_every_form() {
        assert_eq!(found("<script src=\"https://cdn.example.org/x.js\">"), 1);
        assert_eq!(found("<link href='//fonts.example.org/a.css'>"), 1);
        assert_eq!(found("body { background: url(//cdn.example.org/a.png) }"), 1);
        assert_eq!(found("new WebSocket('wss://live.example.org')"), 1);
        assert_eq!(found("\u{0}asm\u{1}http://tracker.example.org/p?"), 1);
    }

    #[test]
    fn namespaces_and_own_paths_are_allowed() {
        assert_eq!(
            found("<svg xmlns=\"http://www.w3.org/2000/svg\"><script src=\"./x.js\"></script> a // comment b.c"),
            0
        );
        assert_eq!(found("<a href=\"https://redis.io/commands/set\">"), 0);
    }
}
