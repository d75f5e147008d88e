//! Keeps relocations in a release for WebAssembly: they tell the splitter who reads which constant (crates/xtask/src/split/constants.rs).
use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_ARCH", "wasm32") && is("PROFILE", "release") {
        println!("cargo::rustc-link-arg-cdylib=--emit-relocs");
    }
}
