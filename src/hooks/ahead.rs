//! Prefetches files while the page is idle, so that no key press waits for the network and a loaded page keeps working offline. Then the
//! service worker keeps all of them for the next visit.
use lesson::{Index, Lesson};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::assets::{self, Chunk};
use super::{NoticesHandle, charts, editor, explorer, machine, use_lang, use_notices};
use crate::i18n::{CHINESE_FILE, CHINESE_FILES, ENGLISH_FILES, Lang};
use crate::state::notices::NoticeText;

/// Prefetches the remaining chunks of the program, the lessons in the reader's language, the script engine and the explorer.
#[hook]
pub fn use_fetching_ahead() {
    let t = use_lang();
    use_effect_with(t, |t| spawn_local(fetch(*t)));
    let notices = use_notices();
    use_effect_with((), move |()| spawn_local(tell_of_newer(notices)));
}

/// Says that a newer build is ready. Its words are in a chunk.
async fn tell_of_newer(notices: NoticesHandle) {
    assets::newer().await;
    Chunk::Rest.ready().await;
    notices.say(NoticeText::NewBuild);
}

async fn fetch(t: Lang) {
    assets::fetch_ahead((t == Lang::ZhCn).then(|| CHINESE_FILE.to_owned())).await;
    assets::fetch_ahead([Index::path(t.tag())]).await;
    let documentation: &[&str] = match t {
        Lang::En => &ENGLISH_FILES,
        Lang::ZhCn => &CHINESE_FILES,
    };
    assets::fetch_ahead(documentation.iter().map(|name| (*name).to_owned())).await;
    let tools = machine::FILES
        .iter()
        .chain(&explorer::FILES)
        .chain([&machine::SECOND_PART, &editor::BUNDLE, &charts::BUNDLE])
        .map(|name| (*name).to_owned());
    assets::fetch_ahead(lessons(t).await.into_iter().chain(tools)).await;
    assets::mark_fetched();
    assets::keep();
}

/// The files of all lessons; empty if the index of lessons cannot be fetched or read.
async fn lessons(t: Lang) -> Vec<String> {
    let file = assets::bytes(&Index::path(t.tag())).await.unwrap_or_default();
    let Ok(index) = Index::read(&file) else { return Vec::new() };
    let tracks = index.tracks.iter();
    tracks.flat_map(|track| track.lessons.iter().map(|entry| Lesson::path(&track.id, &entry.id, t.tag()))).collect()
}
