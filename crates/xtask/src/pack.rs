//! Makes a release smaller after trunk has built it: short import names, one style sheet inside the document, no
//! white space in scripts.
//!
//! ```text
//!  x_bg.wasm   import "./x_bg.js" "__wbg_setTimeout_4302406384dcbe88"  →  import "a" "b0"
//!  x.js        the same names, then minified
//!  x_bg.wasm   → the first part, and x_course.wasm … with the chunks that are loaded later (split/), all through wasm-opt
//!  index.html  <link rel="stylesheet" …> × 9 → <style>, its scripts minified, a mark of the build after the names of files,
//!              a Content-Security-Policy with the hashes of its scripts
//!  service.js  the build, and all files with their digests
//! ```
//! None of this changes the behaviour of the page: `trunk build` alone builds a page that works but is half as large again.
use crate::split::{self, ChunkPart, Chunks, Constants};
use crate::{dist, paths, run};
use anyhow::{Context, Result, anyhow, bail};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use sha2::Digest as _;
use wasm_encoder::reencode::{self, Reencode};

/// Suffix of the modules that a script of wasm-bindgen provides.
const GENERATED: &str = "_bg.js";

/// A program that is split.
struct Program {
    /// Prefix of its file name.
    name: &'static str,
    /// The same as the linker wrote it, before trunk gave it to wasm-bindgen.
    linked: &'static str,
    /// The list of its chunks.
    chunks: &'static str,
    /// JavaScript that joins the chunk of the function at the table index `place` before it returns.
    join_now: &'static str,
    /// What wasm-opt does to its parts.
    passes: &'static [&'static str],
    /// Whether a prefix in the list must fit a function. The page's are compared with its sources (split/tests.rs).
    is_list_exact: bool,
}

/// Flattening first, and twice over everything, makes the parts of the page 0.6 % smaller than once.
const SMALL: [&str; 4] = ["--flatten", "--rereloop", "-Oz", "-Oz"];

/// The programs that are split.
const PROGRAMS: [Program; 2] = [
    Program {
        name: PAGE,
        linked: "target/wasm32-unknown-unknown/page/lockstep-page.wasm",
        chunks: include_str!("split/chunks.txt"),
        join_now: "window.lockstep.joinNow(place)",
        passes: &SMALL,
        is_list_exact: false,
    },
    Program {
        name: LUA,
        linked: "target/wasm32-unknown-unknown/page/lua_page.wasm",
        chunks: include_str!("split/lua.txt"),
        join_now: "window.lockstep.withNow(CHUNKS[0], joinNow)",
        passes: &["-Oz"],
        is_list_exact: true,
    },
];

/// Prefix of the file name of the page's program.
const PAGE: &str = "lockstep-page";

/// Prefix of the file name of the module of Lua.
const LUA: &str = "lua-page";

/// Packs the files in `dist/`.
///
/// # Errors
/// If the folder is not in the form that trunk writes, or esbuild rejects a script.
pub fn pack(folder: &Path, esbuild: &Path, path: &OsStr) -> Result<()> {
    for module in dist::files_under(folder)? {
        let name = module.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(stem) = name.strip_suffix("_bg.wasm") {
            let glue = folder.join(format!("{stem}.js"));
            shorten_imports(&module, &glue).with_context(|| format!("cannot shorten the imports of {name}"))?;
            if let Some(program) = PROGRAMS.iter().find(|program| stem.starts_with(program.name)) {
                program.split(folder, stem, path).with_context(|| format!("cannot split {name}"))?;
            }
            let script = minified(esbuild, "js", &fs::read_to_string(&glue)?)?;
            fs::write(&glue, script)?;
        }
    }
    let document = folder.join("index.html");
    let build = mark_build(folder, &document).context("cannot mark index.html")?;
    pack_document(&document, esbuild).context("cannot pack index.html")?;
    fill_service(folder, &build, esbuild).context("cannot fill service.js")
}

/// The service worker, which keeps all files but itself.
pub const SERVICE: &str = "service.js";

/// Writes the build and the digests of all files into the service worker.
fn fill_service(folder: &Path, build: &str, esbuild: &Path) -> Result<()> {
    let service = folder.join(SERVICE);
    let mut files = Vec::new();
    for file in dist::files_under(folder)?.into_iter().filter(|file| *file != service) {
        files.push((dist::name_of(folder, &file)?, fs::read(&file)?));
    }
    let script = filled_service(&fs::read_to_string(&service)?, build, &files)?;
    Ok(fs::write(&service, minified(esbuild, "js", &script)?)?)
}

fn filled_service(script: &str, build: &str, files: &[(String, Vec<u8>)]) -> Result<String> {
    let digests = files.iter().map(|(name, bytes)| {
        let digest = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(bytes));
        format!("{name:?}: {digest:?}")
    });
    let digests = digests.collect::<Vec<_>>().join(", ");
    let script = replaced_once(script, "const BUILD = \"0\"", &format!("const BUILD = {build:?}"))?;
    replaced_once(&script, "const FILES = {}", &format!("const FILES = {{ {digests} }}"))
}

/// Bytes of a program's first part.
fn program_size(folder: &Path, program: &str) -> Result<u64> {
    let is_program = |file: &&PathBuf| {
        let name = file.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
        name.starts_with(program) && name.ends_with("_bg.wasm")
    };
    let files = dist::files_under(folder)?;
    let program = files.iter().find(is_program).with_context(|| format!("there is no {program}"))?;
    Ok(fs::metadata(program)?.len())
}

/// Marks the document with its build, and with the sizes of its programs, so that it knows how much of them has come. Browsers cache files, and a cached file of another build with the same name must not be used.
fn mark_build(folder: &Path, document: &Path) -> Result<String> {
    let mut mark = 0xcbf2_9ce4_8422_2325_u64;
    for file in dist::files_under(folder)? {
        // FNV-1a is enough: the mark need not be secure.
        for byte in fs::read(&file)? {
            mark = (mark ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    let (html, mark) = (fs::read_to_string(document)?, format!("{mark:x}"));
    let mut html = replaced_once(&html, "const BUILD = \"0\"", &format!("const BUILD = {mark:?}"))?;
    for (constant, program) in [("PROGRAM_BYTES", PAGE), ("LUA_BYTES", LUA)] {
        let size = program_size(folder, program)?;
        html = replaced_once(&html, &format!("const {constant} = 0"), &format!("const {constant} = {size}"))?;
    }
    fs::write(document, html)?;
    Ok(mark)
}

/// The names of the two files of the program, from the call that starts it.
///
/// # Errors
/// If there is no such call.
pub fn program_files(html: &str) -> Result<[&str; 2]> {
    let (_, call, _) = element(html, "lockstep.load(", ")").context("the document starts no program")?;
    let names: Vec<&str> = call.split(['"', '\'']).filter_map(|part| part.strip_prefix("./")).collect();
    names.try_into().map_err(|_| anyhow!("the program has not two files: {call}"))
}

/// Shortens the names of imports, in the module and in the script that provides them.
fn shorten_imports(module: &Path, glue: &Path) -> Result<()> {
    let bytes = fs::read(module)?;
    let mut shortener = Shortener::default();
    let mut shortened = wasm_encoder::Module::new();
    shortener
        .parse_core_module(&mut shortened, wasmparser::Parser::new(0), &bytes)
        .map_err(|error| anyhow!("{error}"))?;
    let mut script = fs::read_to_string(glue)?;
    if shortener.names.is_empty() {
        bail!("it imports nothing");
    }
    for (long, short) in &shortener.names {
        script = replaced_once(&script, &format!(" {long}: "), &format!(" {short}: "))?;
    }
    for (long, short) in &shortener.modules {
        script = replaced_once(&script, &format!("\"{long}\": "), &format!("\"{short}\": "))?;
    }
    fs::write(module, shortened.finish())?;
    Ok(fs::write(glue, script)?)
}

impl Program {
    /// Splits the program, and makes its script export what joins the chunks (static/assets.js, static/machine.js).
    fn split(&self, folder: &Path, stem: &str, path: &OsStr) -> Result<()> {
        let (module, glue) = (folder.join(format!("{stem}_bg.wasm")), folder.join(format!("{stem}.js")));
        let chunks = Chunks::parse(self.chunks)?;
        let linked = paths::root().join(self.linked);
        let linked = fs::read(&linked).with_context(|| format!("cannot read {}", linked.display()))?;
        let parts = split::split(&fs::read(&module)?, &chunks, &Constants::read(&linked)?)?;
        if self.is_list_exact && !parts.unused.is_empty() {
            bail!("the list of its chunks names functions that it has not: {}", parts.unused.join(", "));
        }
        let names: Vec<String> = chunks.names.iter().map(|name| format!("{stem}_{name}.wasm")).collect();
        let modules = names.iter().map(|name| folder.join(name)).zip(parts.chunks.iter().map(|chunk| &chunk.module));
        for (file, part) in modules.chain([(module, &parts.first)]) {
            fs::write(&file, part)?;
            self.shrink(&file, path)?;
        }
        self.write_thunks(&chunks, &parts.chunks)?;
        self.write_contents(&chunks, parts.contents)?;
        let script = replaced_once(
            &fs::read_to_string(&glue)?,
            "const import0 = {",
            &format!("const import0 = {{ {}: (place) => {{ {}; }},", split::LOAD, self.join_now),
        )?;
        let ends: Vec<u32> =
            parts.chunks.iter().map(|chunk| chunk.thunks.keys().last().copied().unwrap_or(0)).collect();
        let deferred: Vec<&Vec<u32>> = parts.chunks.iter().map(|chunk| &chunk.deferred).collect();
        // ENDS: the last table index of each chunk; the chunks follow each other in the table.
        let joining = format!(
            "export const CHUNKS = {names:?};\n\
             export const ENDS = {ends:?};\n\
             export const DEFERRED = {deferred:?};\n\
             export const join = (chunk) => WebAssembly.instantiate(chunk, {{ {first}: wasm }});\n\
             export const joinNow = (chunk) => new WebAssembly.Instance(chunk, {{ {first}: wasm }});\n",
            first = split::FIRST
        );
        Ok(fs::write(&glue, format!("{script}\n{joining}"))?)
    }

    /// Lists the functions that are called through a thunk, with their table indices. `joinNow` is given such an index, so the list shows
    /// which function fetched a chunk.
    fn write_thunks(&self, chunks: &Chunks, parts: &[ChunkPart]) -> Result<()> {
        let mut text = String::new();
        for (name, part) in chunks.names.iter().zip(parts) {
            for (place, function) in &part.thunks {
                text.push_str(&format!("{name} {place} {function}\n"));
            }
        }
        self.write_list("thunks", &text)
    }

    /// Lists the content of each part, the largest functions first, to help when a size bound is exceeded.
    fn write_contents(&self, chunks: &Chunks, mut contents: Vec<(Vec<usize>, usize, String)>) -> Result<()> {
        contents.sort_by_key(|(_, bytes, _)| std::cmp::Reverse(*bytes));
        let mut text = String::new();
        for (parts, bytes, name) in contents {
            let names: Vec<&str> = parts.iter().filter_map(|nth| chunks.names.get(*nth)).map(String::as_str).collect();
            let part = if names.is_empty() { "first".to_owned() } else { names.join("+") };
            text.push_str(&format!("{part} {bytes} {name}\n"));
        }
        self.write_list("contents", &text)
    }

    fn write_list(&self, what: &str, text: &str) -> Result<()> {
        let file = paths::root().join(format!("target/{}-{what}.txt", self.name));
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
    }

    /// Shrinks a module with wasm-opt.
    fn shrink(&self, module: &Path, path: &OsStr) -> Result<()> {
        let mut command = Command::new("wasm-opt");
        // The stack is at the bottom of the memory and grows down: its last kilobyte is unused. Data stays in few pieces: each costs more
        // than the zeros between two, compressed (split/late.rs).
        command.args(self.passes).args(["--low-memory-unused", "--skip-pass=memory-packing", "-o"]);
        command.arg(module).arg(module).env("PATH", path);
        run::step(&format!("wasm-opt {}", module.display()), &mut command, Duration::from_secs(10 * 60))?;
        Ok(())
    }
}

/// Copies a module and renames its imports.
#[derive(Default)]
struct Shortener {
    /// (name by wasm-bindgen, short name)
    names: Vec<(String, String)>,
    modules: Vec<(String, String)>,
}

impl Reencode for Shortener {
    type Error = std::convert::Infallible;

    fn parse_import_section(
        &mut self,
        imports: &mut wasm_encoder::ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> Result<(), reencode::Error<Self::Error>> {
        for import in section.into_imports() {
            let import = import?;
            if !import.module.ends_with(GENERATED) {
                // One of our own files, imported by its name.
                imports.import(import.module, import.name, self.entity_type(import.ty)?);
                continue;
            }
            let name = short(&mut self.names, import.name);
            let module = short(&mut self.modules, import.module);
            imports.import(&module, &name, self.entity_type(import.ty)?);
        }
        Ok(())
    }
}

/// `a`, `b` … `z`, `a1`, `b1` …
fn short(known: &mut Vec<(String, String)>, long: &str) -> String {
    if let Some((_, short)) = known.iter().find(|(name, _)| name == long) {
        return short.clone();
    }
    let (round, letter) = (known.len() / 26, (b'a'..=b'z').nth(known.len() % 26).map_or('a', char::from));
    let short = if round == 0 { letter.to_string() } else { format!("{letter}{round}") };
    known.push((long.to_owned(), short.clone()));
    short
}

pub fn replaced_once(text: &str, from: &str, to: &str) -> Result<String> {
    match text.matches(from).count() {
        1 => Ok(text.replacen(from, to, 1)),
        count => bail!("{from:?} stands {count} times in the script, once was expected"),
    }
}

/// Puts the style sheets into the document and minifies them and its scripts.
fn pack_document(document: &Path, esbuild: &Path) -> Result<()> {
    let folder = document.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut html = fs::read_to_string(document)?;
    let mut styles = String::new();
    let mut sheets: Vec<PathBuf> = Vec::new();
    while let Some((before, link, after)) = element(&html, "<link rel=\"stylesheet\"", ">") {
        let name = link.split('"').find_map(|part| part.strip_prefix("./")).context("a style sheet without a name")?;
        styles.push_str(&fs::read_to_string(folder.join(name)).with_context(|| format!("cannot read {name}"))?);
        sheets.push(folder.join(name));
        let mark = if sheets.len() == 1 { "<style></style>" } else { "" };
        html = format!("{before}{mark}{}", after.trim_start());
    }
    if sheets.is_empty() {
        bail!("it names no style sheet");
    }
    let styles = minified(esbuild, "css", &styles)?;
    html = replaced_once(&html, "<style></style>", &format!("<style>{}</style>", styles.trim_end()))?;
    let mut rest = html;
    let mut html = String::new();
    while let Some((before, script, after)) = element(&rest, "<script>", "</script>") {
        let script =
            script.strip_prefix("<script>").and_then(|rest| rest.strip_suffix("</script>")).unwrap_or_default();
        html.push_str(&format!("{before}<script>{}</script>", minified(esbuild, "js", script)?.trim_end()));
        rest = after.to_owned();
    }
    html.push_str(&rest);
    let policy = policy(&html, "'self' ");
    fs::write(document, replaced_once(&html, CHARSET, &format!("{CHARSET}{policy}"))?)?;
    sheets.iter().try_for_each(|sheet| Ok(fs::remove_file(sheet)?))
}

/// The first element of the document's head.
const CHARSET: &str = "<meta charset=\"utf-8\" />";

/// How the element with the policy begins.
pub const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\"";

/// The Content-Security-Policy of a document: it runs its own scripts, and those inside it as they are now; it fetches only from its own
/// host. Modules that were fetched ahead are started as blobs. Yew sets styles in place. `own` names the host, followed by a space; it is empty
/// for a document that is a file and fetches nothing.
pub fn policy(html: &str, own: &str) -> String {
    let mut scripts = String::new();
    let mut rest = html;
    while let Some((_, script, after)) = element(rest, "<script>", "</script>") {
        let text = script.strip_prefix("<script>").and_then(|rest| rest.strip_suffix("</script>")).unwrap_or_default();
        let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text));
        scripts.push_str(&format!(" 'sha256-{hash}'"));
        rest = after;
    }
    format!(
        "{POLICY} content=\"default-src 'none'; script-src {own}blob: 'wasm-unsafe-eval'{scripts}; \
         worker-src {own}blob:; connect-src {own}; style-src {own}'unsafe-inline'; img-src {own}data: blob:; \
         manifest-src {own}; base-uri 'none'; form-action 'none'\" />"
    )
}

/// The text before, inside and after the first match from `begin` to `end`.
pub fn element<'a>(text: &'a str, begin: &str, end: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let (before, rest) = text.split_at_checked(text.find(begin)?)?;
    let (inside, after) = rest.split_at_checked(rest.find(end)?.checked_add(end.len())?)?;
    Some((before, inside, after))
}

fn minified(esbuild: &Path, kind: &str, text: &str) -> Result<String> {
    let mut command = Command::new(esbuild);
    command.args(["--minify", "--charset=utf8", "--log-level=error", &format!("--loader={kind}")]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", run::shown(&command)))?;
    child.stdin.take().context("esbuild takes no input")?.write_all(text.as_bytes())?;
    let output = child.wait_with_output()?;
    if !output.status.success() {
        bail!("esbuild refused a {kind} text ({})", output.status);
    }
    String::from_utf8(output.stdout).context("esbuild wrote something that is not text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_given_once_and_differ() {
        let mut known = Vec::new();
        let names: Vec<String> = (0..60).map(|nth| short(&mut known, &format!("__wbg_{nth}"))).collect();
        assert_eq!((names[0].as_str(), names[25].as_str(), names[26].as_str()), ("a", "z", "a1"));
        assert_eq!(short(&mut known, "__wbg_3"), names[3]);
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), 60);
    }

    #[test]
    fn an_element_is_cut_out_completely() {
        let text = "a<link rel=\"stylesheet\" href=\"./x.css\"/>b";
        assert_eq!(element(text, "<link", ">"), Some(("a", "<link rel=\"stylesheet\" href=\"./x.css\"/>", "b")));
        assert_eq!(element(text, "<style>", "</style>"), None);
    }

    #[test]
    fn policy_allows_the_scripts_of_the_document_and_no_others() {
        let document = "<script>alert(1)</script><p></p><script>let a = 2;</script>";
        let policy = policy(document, "'self' ");
        // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
        assert!(policy.contains("'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"), "{policy}");
        assert_eq!(policy.matches("'sha256-").count(), 2);
        let scripts = policy.split(';').find(|part| part.contains("script-src")).unwrap_or_default();
        assert!(!scripts.contains("unsafe-inline"), "{policy}");
        assert!(scripts.contains("script-src 'self' blob:"), "{policy}");
        assert!(!super::policy(document, "").contains("'self'"), "a file has no host");
    }

    #[test]
    fn the_service_worker_knows_the_build_and_each_file_by_its_content() {
        let script = include_str!("../../../static/service.js");
        let files = [("a.js".to_owned(), b"alert(1)".to_vec()), ("lessons/b.bin".to_owned(), Vec::new())];
        let filled = filled_service(script, "feed", &files).unwrap();
        assert!(filled.contains("const BUILD = \"feed\""), "{filled}");
        assert!(filled.contains("\"a.js\": \"bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=\""), "{filled}");
        assert!(filled.contains("\"lessons/b.bin\": \""), "{filled}");
        assert!(filled_service(&filled, "feed", &files).is_err(), "it is filled once");
    }

    #[test]
    fn a_missing_or_repeated_name_is_an_error() {
        assert!(replaced_once("x a: y", " a: ", " b: ").is_ok());
        assert!(replaced_once("x", " a: ", " b: ").is_err());
        assert!(replaced_once(" a:  a: ", " a: ", " b: ").is_err());
    }
}
