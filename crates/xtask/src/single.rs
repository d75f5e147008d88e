//! Writes the page as one HTML file, which opens from a folder or a USB stick without a server.
//!
//! ```text
//!  dist/index.html   <html …>                 → <html data-whole …>: static/assets.js takes all files from the document
//!                    <link rel="icon" …>      → its picture inside the address
//!                    <link rel="manifest" …>  → nothing: only a page with a server can be installed
//!                    its policy               → the same without a host
//!                    </body>                  → before it all other files: <script type="text/plain" id="asset:NAME">, gzip in base64
//! ```
//! Its scripts are those of the page in `dist/`, unchanged.
use crate::{dist, pack, paths};
use anyhow::{Context, Result, bail};
use base64::Engine as _;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Where the file is written, from the root of the project.
pub const FILE: &str = "dist-single/lockstep.html";

/// The document in `dist/`.
const DOCUMENT: &str = "index.html";
/// Endings of files that only a page with a server needs, or that are written into the document itself.
const LEFT_OUT: [&str; 5] = [DOCUMENT, pack::SERVICE, ".webmanifest", ".png", ".svg"];

/// The files of a build, by name.
type Files = BTreeMap<String, Vec<u8>>;

/// Writes the file from the finished `dist/`; the result is its size in bytes.
///
/// # Errors
/// If `dist/` is not in the form that `pack` writes, or the file cannot be written.
pub fn write() -> Result<usize> {
    let page = whole(&read(&paths::root().join("dist"))?).context("cannot put dist/ into one file")?;
    let file = paths::root().join(FILE);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(&file, &page).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(page.len())
}

fn read(folder: &Path) -> Result<Files> {
    let files = dist::files_under(folder)?.into_iter().map(|path| {
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((dist::name_of(folder, &path)?, bytes))
    });
    files.collect()
}

/// The document with all files inside.
fn whole(files: &Files) -> Result<String> {
    let document = String::from_utf8(named(files, DOCUMENT)?.clone()).context("the document is not text")?;
    for name in pack::program_files(&document)? {
        named(files, name)?;
    }
    let html = pack::replaced_once(&document, "<html ", "<html data-whole ")?;
    let html = replaced_element(&html, "<link rel=\"manifest\"", |_| Ok(String::new()))?;
    let html = replaced_element(&html, "<link rel=\"icon\"", |link| {
        let name = link.split('"').find_map(|part| part.strip_prefix("./")).context("the icon has no name")?;
        let address = format!("data:image/svg+xml;base64,{}", base64(named(files, name)?));
        pack::replaced_once(link, &format!("./{name}"), &address)
    })?;
    let html = replaced_element(&html, pack::POLICY, |_| Ok(pack::policy(&html, "")))?;
    let (before, after) = html.rsplit_once("</body>").context("the document has no end")?;
    let mut page = before.to_owned();
    for (name, bytes) in files.iter().filter(|(name, _)| !LEFT_OUT.iter().any(|ending| name.ends_with(ending))) {
        page.push_str(&inside(name, bytes)?);
    }
    Ok(page + "</body>" + after)
}

/// The file with this name.
fn named<'a>(files: &'a Files, name: &str) -> Result<&'a Vec<u8>> {
    files.get(name).with_context(|| format!("there is no {name}"))
}

/// Replaces the one element that begins like this.
fn replaced_element(html: &str, begin: &str, replace: impl Fn(&str) -> Result<String>) -> Result<String> {
    let (before, element, after) =
        pack::element(html, begin, ">").with_context(|| format!("there is no {begin} …>"))?;
    Ok(format!("{before}{}{after}", replace(element)?))
}

/// A file as an element. Letters of base64 end no element, whatever the file contains.
fn inside(name: &str, bytes: &[u8]) -> Result<String> {
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte)) {
        bail!("{name:?} cannot be the name of an element");
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    Ok(format!("<script type=\"text/plain\" id=\"asset:{name}\">{}</script>\n", base64(&packed.finish()?)))
}

fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn build() -> Files {
        let start = "<script>lockstep.load(\"./page.js\",\"./page_bg.wasm\")</script>";
        let policy = pack::policy(start, "'self' ");
        let html = format!(
            "<!doctype html><html lang=\"en\"><head>{policy}<link rel=\"icon\" href=\"./a.svg\" />\
             <link rel=\"manifest\" href=\"./a.webmanifest\" />{start}</head><body><p></p></body></html>"
        );
        let files = [
            ("index.html", html.as_str()),
            ("a.svg", "<svg/>"),
            ("a.webmanifest", "{}"),
            ("a-192.png", "png"),
            ("service.js", "caches"),
            ("page.js", "const end = '</script><script>alert(1)</script>';"),
            ("page_bg.wasm", "\0asm"),
            ("lessons/index.en.bin", "lessons"),
        ];
        files.into_iter().map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).collect()
    }

    /// The bytes of a file inside the page.
    fn unpacked(page: &str, name: &str) -> Vec<u8> {
        let begin = format!("<script type=\"text/plain\" id=\"asset:{name}\">");
        let (_, element, _) = pack::element(page, &begin, "</script>").unwrap();
        let letters = element.strip_prefix(&begin).unwrap().strip_suffix("</script>").unwrap();
        let packed = base64::engine::general_purpose::STANDARD.decode(letters).unwrap();
        let mut bytes = Vec::new();
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn all_files_of_the_program_are_inside_and_none_ends_its_element() {
        let files = build();
        let page = whole(&files).unwrap();
        for name in ["page.js", "page_bg.wasm", "lessons/index.en.bin"] {
            assert_eq!(unpacked(&page, name), files[name], "{name}");
        }
        assert_eq!(page.matches("asset:").count(), 3);
        assert_eq!(page.matches("<script").count(), 4);
        assert_eq!(page.matches("</script>").count(), 4);
    }

    #[test]
    fn the_document_names_no_file_and_no_host() {
        let page = whole(&build()).unwrap();
        assert!(page.starts_with("<!doctype html><html data-whole lang=\"en\">"), "{page}");
        assert!(page.contains("href=\"data:image/svg+xml;base64,PHN2Zy8+\""), "{page}");
        assert!(!page.contains("manifest\" href"), "{page}");
        assert!(!page.contains("preload"), "{page}");
        assert!(!page.contains("'self'"), "{page}");
        assert_eq!(page.matches("'sha256-").count(), 1);
    }

    #[test]
    fn files_stand_behind_everything_else_in_order_of_name() {
        let page = whole(&build()).unwrap();
        let at = |text: &str| page.find(text).unwrap();
        let order = [
            "Content-Security-Policy",
            "lockstep.load(",
            "<p>",
            "asset:lessons",
            "asset:page.js",
            "asset:page_bg",
            "</body>",
        ];
        assert!(order.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{page}");
        assert!(page.ends_with("</body></html>"));
        assert_eq!(page, whole(&build()).unwrap(), "the same build gives the same file");
    }

    #[test]
    fn a_missing_file_or_part_is_an_error() {
        for name in ["index.html", "a.svg", "page.js", "page_bg.wasm"] {
            let mut files = build();
            files.remove(name);
            assert!(whole(&files).unwrap_err().to_string().contains(name), "{name}");
        }
        for part in [
            "</body>",
            "<html ",
            "lockstep.load(",
            "rel=\"icon\"",
            "rel=\"manifest\"",
            "http-equiv",
            ",\"./page_bg.wasm\"",
        ] {
            let mut files = build();
            let html = String::from_utf8(files["index.html"].clone()).unwrap().replace(part, "");
            files.insert("index.html".to_owned(), html.into_bytes());
            assert!(whole(&files).is_err(), "{part}");
        }
        let mut files = build();
        files.insert("a\"b.js".to_owned(), Vec::new());
        assert!(whole(&files).is_err());
    }
}
