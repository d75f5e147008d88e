//! The state of the script editor: its files, which one is open, and what was last done with it.
use std::rc::Rc;

use world::ClientIndex;
use yew::Reducible;

use super::{FILES_MAX, FIRST, File, TEXT_CHARS_MAX, is_name, is_starter, with_starters};
use crate::i18n::Lang;

/// What the editor asks the reader before it continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asking {
    /// Nothing.
    #[default]
    Nothing,
    /// A new name for the open file.
    Name,
    /// Whether to remove the open file.
    Removal,
}

/// Everything that the editor shows of its files.
#[derive(Clone, Debug, PartialEq)]
pub struct EditorState {
    /// The language of the starters.
    t: Lang,
    /// Sorted by name; never empty, and `open` is the name of one of them.
    files: Rc<Vec<File>>,
    open: String,
    /// The text of the open file when it was opened or last sent: the last outcome belongs to it.
    sent: Rc<str>,
    /// Increases when the text of the open file changes other than by typing.
    edition: u32,
    asking: Asking,
    /// The client that runs the script, if the reader has chosen one.
    client: Option<ClientIndex>,
    /// The line to show, and how many times a line was requested.
    line: (u32, u32),
}

/// A change of the editor state.
#[derive(Clone, Debug, PartialEq)]
pub enum EditorAction {
    /// The reader uses this language.
    Speak(Lang),
    /// Another tab has changed the stored files: these exist now.
    Found(Vec<File>),
    /// Open the file with this name.
    Open(String),
    /// The text of the open file has changed.
    Text(Rc<str>),
    /// The words for `KEYS` of the open file have changed.
    Keys(String),
    /// The words for `ARGV` of the open file have changed.
    Args(String),
    /// The open file was sent to the server.
    Sent,
    /// Open a new file, under this name or a similar free one.
    Add(File),
    /// Rename the open file.
    Rename(String),
    /// Remove the open file; a starter is reset instead.
    Remove,
    /// Ask the reader, or stop asking.
    Ask(Asking),
    /// Run the script as this client.
    Client(ClientIndex),
    /// Show this line.
    Line(u32),
}

impl EditorState {
    /// An editor with these files and the starters; `open` is the file that was open last.
    pub fn new(stored: Vec<File>, open: Option<&str>, t: Lang) -> EditorState {
        let mut editor = EditorState {
            t,
            files: Rc::new(with_starters(stored, t)),
            open: open.unwrap_or(FIRST).to_owned(),
            sent: "".into(),
            edition: 0,
            asking: Asking::Nothing,
            client: None,
            line: (0, 0),
        };
        if !editor.has(&editor.open) {
            FIRST.clone_into(&mut editor.open);
        }
        editor.opened();
        editor
    }

    /// The files, sorted by name.
    pub fn files(&self) -> &Rc<Vec<File>> {
        &self.files
    }

    /// The open file.
    pub fn file(&self) -> Option<&File> {
        self.files.iter().find(|file| file.name == self.open)
    }

    /// The text of the open file when it was opened or last sent.
    pub fn sent(&self) -> &Rc<str> {
        &self.sent
    }

    /// Increases when the text of the open file changes other than by typing.
    pub fn edition(&self) -> u32 {
        self.edition
    }

    /// What the reader is asked.
    pub fn asking(&self) -> Asking {
        self.asking
    }

    /// The client that runs the script, if the reader has chosen one.
    pub fn client(&self) -> Option<ClientIndex> {
        self.client
    }

    /// The line to show, and how many times a line was requested.
    pub fn line(&self) -> (u32, u32) {
        self.line
    }

    /// Whether the open file may get this name.
    pub fn may_be_called(&self, name: &str) -> bool {
        is_name(name) && (name == self.open || !self.has(name))
    }

    /// Whether another file fits.
    pub fn has_room(&self) -> bool {
        self.files.len() < FILES_MAX
    }

    fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.name == name)
    }

    /// This name, or the name with a number before its extension if a file has it already.
    fn free_name(&self, wanted: &str) -> String {
        let (stem, ending) =
            wanted.rsplit_once('.').map_or((wanted, String::new()), |(stem, e)| (stem, format!(".{e}")));
        let numbered = (2..).map(|n| format!("{stem}-{n}{ending}")).take(FILES_MAX.saturating_add(1));
        std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !self.has(name)).unwrap_or_default()
    }

    fn opened(&mut self) {
        self.sent = self.file().map(|file| Rc::clone(&file.text)).unwrap_or_default();
        self.edition = self.edition.wrapping_add(1);
        self.asking = Asking::Nothing;
    }

    fn change(&mut self, change: impl FnOnce(&mut File)) {
        let open = self.open.clone();
        if let Some(file) = Rc::make_mut(&mut self.files).iter_mut().find(|file| file.name == open) {
            change(file);
        }
    }

    fn put(&mut self, files: Vec<File>) {
        self.files = Rc::new(with_starters(files, self.t));
        if !self.has(&self.open) {
            FIRST.clone_into(&mut self.open);
        }
    }

    /// Replaces the files with ones that were not typed here.
    fn change_files(&mut self, files: Vec<File>) {
        let before = self.file().map(|file| Rc::clone(&file.text));
        self.put(files);
        if self.file().map(|file| Rc::clone(&file.text)) != before {
            self.opened();
        }
    }

    fn without_open(&self) -> Vec<File> {
        self.files.iter().filter(|file| file.name != self.open).cloned().collect()
    }
}

impl Reducible for EditorState {
    type Action = EditorAction;

    fn reduce(self: Rc<Self>, action: EditorAction) -> Rc<Self> {
        let mut next = (*self).clone();
        match action {
            EditorAction::Speak(t) => {
                next.t = t;
                next.change_files(self.files.to_vec());
            }
            EditorAction::Found(files) => next.change_files(files),
            EditorAction::Open(name) if self.has(&name) => {
                next.open = name;
                next.opened();
            }
            EditorAction::Open(_) => {}
            EditorAction::Text(text) => next.change(|file| file.text = text),
            EditorAction::Keys(keys) => next.change(|file| file.keys = keys),
            EditorAction::Args(args) => next.change(|file| file.args = args),
            EditorAction::Sent => next.sent = self.file().map(|file| Rc::clone(&file.text)).unwrap_or_default(),
            EditorAction::Add(file) => {
                if self.has_room() && file.text.chars().count() <= TEXT_CHARS_MAX {
                    let name = self.free_name(if is_name(&file.name) { &file.name } else { "script.lua" });
                    let mut files = self.files.to_vec();
                    files.push(File { name: name.clone(), ..file });
                    next.put(files);
                    next.open = name;
                    next.opened();
                }
            }
            EditorAction::Rename(name) => {
                next.asking = Asking::Nothing;
                if let Some(file) = self.file().filter(|_| self.may_be_called(&name)) {
                    let mut files = self.without_open();
                    files.push(File { name: name.clone(), ..file.clone() });
                    next.open = name;
                    next.put(files);
                }
            }
            EditorAction::Remove => {
                next.put(self.without_open());
                if !is_starter(&self.open) {
                    FIRST.clone_into(&mut next.open);
                }
                next.opened();
            }
            EditorAction::Ask(asking) => next.asking = asking,
            EditorAction::Client(client) => next.client = Some(client),
            EditorAction::Line(line) => next.line = (line, self.line.1.wrapping_add(1)),
        }
        if next == *self { self } else { Rc::new(next) }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use yew::Reducible;

    use super::{Asking, EditorAction, EditorState};
    use crate::i18n::Lang;
    use crate::state::scripts::{FIRST, File, starter};

    fn editor(actions: impl IntoIterator<Item = EditorAction>) -> Rc<EditorState> {
        let editor = actions
            .into_iter()
            .fold(Rc::new(EditorState::new(Vec::new(), Some("gone.lua"), Lang::En)), EditorState::reduce);
        assert!(editor.file().is_some());
        editor
    }

    fn open(editor: &EditorState) -> (&str, &str) {
        editor.file().map_or(("", ""), |file| (&file.name, &file.text))
    }

    #[test]
    fn typing_changes_only_the_open_file() {
        let before = editor([]);
        let after = Rc::clone(&before).reduce(EditorAction::Text("return 2".into()));
        assert_eq!(open(&after), (FIRST, "return 2"));
        assert_eq!(after.edition(), before.edition());
        assert_eq!(after.sent(), before.sent());
        let sent = after.reduce(EditorAction::Sent);
        assert_eq!(&**sent.sent(), "return 2");
        assert!(Rc::ptr_eq(&sent, &Rc::clone(&sent).reduce(EditorAction::Sent)));
    }

    #[test]
    fn new_file_gets_a_free_name_and_is_opened() {
        let add = || EditorAction::Add(File::new("stock.lua", "return 1"));
        let editor = editor([add(), add()]);
        assert_eq!(open(&editor), ("stock-3.lua", "return 1"));
        assert_eq!(open(&editor.reduce(EditorAction::Add(File::new("", "")))).0, "script.lua");
    }

    #[test]
    fn removed_starter_is_reset() {
        let editor =
            editor([EditorAction::Text("return 2".into()), EditorAction::Ask(Asking::Removal), EditorAction::Remove]);
        assert_eq!(editor.file(), starter(FIRST, Lang::En).as_ref());
        assert_eq!(editor.asking(), Asking::Nothing);
    }

    #[test]
    fn renamed_starter_leaves_the_original() {
        let editor = editor([EditorAction::Text("return 2".into()), EditorAction::Rename("mine.lua".into())]);
        assert_eq!(open(&editor), ("mine.lua", "return 2"));
        assert!(editor.files().iter().any(|file| Some(file) == starter(FIRST, Lang::En).as_ref()));
        for taken in [FIRST, "", ","] {
            assert_eq!(open(&Rc::clone(&editor).reduce(EditorAction::Rename(taken.into()))).0, "mine.lua");
        }
    }

    #[test]
    fn language_changes_only_unedited_files() {
        let before = editor([EditorAction::Open("stock.lua".into()), EditorAction::Args("3".into())]);
        let after = Rc::clone(&before).reduce(EditorAction::Speak(Lang::ZhCn));
        assert_eq!(after.file(), before.file());
        let first = Rc::clone(&after).reduce(EditorAction::Open(FIRST.into()));
        assert_eq!(first.file(), starter(FIRST, Lang::ZhCn).as_ref());
        let back = first.reduce(EditorAction::Speak(Lang::En));
        assert_eq!(back.file(), starter(FIRST, Lang::En).as_ref());
        assert_eq!(**back.sent(), *back.file().map(|file| file.text.to_string()).unwrap_or_default());
    }

    #[test]
    fn another_tab_may_change_or_remove_the_open_file() {
        let mine = File::new("mine.lua", "return 1");
        let here = editor([EditorAction::Add(mine.clone())]);
        let same = Rc::clone(&here).reduce(EditorAction::Found(vec![mine]));
        assert!(Rc::ptr_eq(&same, &here));
        let changed = same.reduce(EditorAction::Found(vec![File::new("mine.lua", "return 2")]));
        assert_eq!(open(&changed), ("mine.lua", "return 2"));
        assert_ne!(changed.edition(), here.edition());
        assert_eq!(open(&changed.reduce(EditorAction::Found(Vec::new()))).0, FIRST);
    }

    #[test]
    fn number_of_files_is_limited() {
        let adds = (0..300).map(|_| EditorAction::Add(File::new("x.lua", "")));
        let editor = editor(adds.chain([EditorAction::Add(File::new("big", &"x".repeat(200_000)))]));
        assert!(editor.files().len() <= 100 && open(&editor).0 != "big");
    }
}
