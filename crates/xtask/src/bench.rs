//! `cargo xtask bench`: the figures of `BENCHMARKS.md`, natively and in Chromium.
use crate::{bench_tcp, build, layers, paths, run, setup};
use anyhow::{Result, bail};
use clap::Args;
use std::process::Command;
use std::time::Duration;

/// Options of `bench`.
#[derive(Args)]
pub struct Options {
    /// Names of benches (all without names): model, growth, memory, seek, programs, explorer, crowds, traffic, scripts, fakeredis, tcp, page
    names: Vec<String>,
}

/// The native benches of `crates/xtask/benches/`, in the order in which they run.
const NATIVE: [&str; 10] =
    ["model", "growth", "memory", "seek", "programs", "explorer", "crowds", "traffic", "scripts", "fakeredis"];

/// Runs the named benches, or all.
///
/// # Errors
/// If a name is not the name of a bench, or a bench fails.
pub fn bench(options: &Options) -> Result<()> {
    let known = |name: &String| ["tcp", "page"].contains(&name.as_str()) || NATIVE.contains(&name.as_str());
    if let Some(stranger) = options.names.iter().find(|name| !known(name)) {
        bail!("there is no bench named {stranger}; there are {}, tcp, page", NATIVE.join(", "));
    }
    let wanted = |name: &str| options.names.is_empty() || options.names.iter().any(|n| n == name);
    if wanted("model") || wanted("memory") {
        setup::for_real_redis()?;
    }
    for name in NATIVE.into_iter().filter(|name| wanted(name)) {
        println!("\n{name}");
        let mut command = Command::new(paths::cargo());
        command.args(["bench", "--quiet", "--package", "xtask", "--bench", name]).current_dir(paths::root());
        if name == "fakeredis" {
            command.env("LOCKSTEP_FAKEREDIS", setup::for_bench_beside_fakeredis()?);
        }
        run::interactive(&mut command)?;
    }
    if wanted("scripts") {
        println!("\nscripts behind TCP");
        bench_tcp::bench_scripts()?;
    }
    if wanted("tcp") {
        println!("\ntcp");
        bench_tcp::bench()?;
    }
    if wanted("page") { page() } else { Ok(()) }
}

/// The benches in Chromium, in `e2e/bench/`.
fn page() -> Result<()> {
    println!("\npage");
    setup::for_browser_tests()?;
    build::build(&build::Options::default())?;
    let model = build_model_for_javascript()?;
    run::interactive(layers::playwright(&["--config=bench.config.ts"]).env("LOCKSTEP_PAGE_BENCH", model))
}

/// Builds `crates/page-bench` as a module that a page can import; returns its folder, with `/` at the end.
fn build_model_for_javascript() -> Result<String> {
    let path = setup::for_building()?;
    let mut cargo = Command::new(paths::cargo());
    cargo.args(["build", "--package", "page-bench", "--profile", "page", "--target", "wasm32-unknown-unknown"]);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", build::release_flags());
    run::step("the model for JavaScript", cargo.current_dir(paths::root()), Duration::from_secs(1200))?;
    let folder = paths::target().join("page-bench");
    let wasm = paths::target().join("wasm32-unknown-unknown/page/page_bench.wasm");
    let mut bindgen = Command::new("wasm-bindgen");
    bindgen.args(["--target", "web", "--no-typescript", "--out-dir"]).arg(&folder).arg(wasm).env("PATH", path.value());
    run::step("wasm-bindgen", &mut bindgen, Duration::from_secs(120))?;
    Ok(format!("{}/", folder.display()))
}
