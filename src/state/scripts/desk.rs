//! The desk of the script editor: which files there are, which one lies open, and what was last done with it.
use std::rc::Rc;

use world::ClientIndex;
use yew::Reducible;

use super::{FILES_MAX, FIRST, File, TEXT_CHARS_MAX, is_name, is_starter, with_starters};
use crate::i18n::Lang;

/// What the editor has to know from the reader before it goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asking {
    /// Nothing.
    #[default]
    Nothing,
    /// Another name for the open file.
    Name,
    /// Whether the open file shall really go.
    Removal,
}

/// Everything that the editor shows of its files.
#[derive(Clone, Debug, PartialEq)]
pub struct Desk {
    /// The language of the starters.
    t: Lang,
    /// Ordered by name; never empty, and `open` is the name of one of them.
    files: Rc<Vec<File>>,
    open: String,
    /// The text of the open file when it was opened or last sent: what the last outcome belongs to.
    sent: Rc<str>,
    /// Grows whenever the text of the open file changes by something else than typing.
    edition: u32,
    asking: Asking,
    /// Who shall run it, when the reader has said so.
    client: Option<ClientIndex>,
    /// The line that the reader wants to see, and how often one was wanted.
    line: (u32, u32),
}

/// What can be done on the desk.
#[derive(Clone, Debug, PartialEq)]
pub enum DeskAction {
    /// The reader speaks this language.
    Speak(Lang),
    /// Another tab has changed what is stored: these files there are.
    Found(Vec<File>),
    /// Open the file of this name.
    Open(String),
    /// The open file has this text now.
    Text(Rc<str>),
    /// The open file has these words for `KEYS`.
    Keys(String),
    /// The open file has these words for `ARGV`.
    Args(String),
    /// The open file has been sent to the server.
    Sent,
    /// Open a new file of about this name.
    Add(File),
    /// Give the open file another name.
    Rename(String),
    /// Remove the open file; a starter becomes what it was.
    Remove,
    /// Ask the reader, or ask no more.
    Ask(Asking),
    /// Let this client run it.
    Client(ClientIndex),
    /// Show this line.
    Line(u32),
}

impl Desk {
    /// A desk with these files and the starters; `open` was open last.
    pub fn new(stored: Vec<File>, open: Option<&str>, t: Lang) -> Desk {
        let mut desk = Desk {
            t,
            files: Rc::new(with_starters(stored, t)),
            open: open.unwrap_or(FIRST).to_owned(),
            sent: "".into(),
            edition: 0,
            asking: Asking::Nothing,
            client: None,
            line: (0, 0),
        };
        if !desk.has(&desk.open) {
            FIRST.clone_into(&mut desk.open);
        }
        desk.opened();
        desk
    }

    /// The files, ordered by name.
    pub fn files(&self) -> &Rc<Vec<File>> {
        &self.files
    }

    /// The file that lies open.
    pub fn file(&self) -> Option<&File> {
        self.files.iter().find(|file| file.name == self.open)
    }

    /// The text of the open file when it was opened or last sent.
    pub fn sent(&self) -> &Rc<str> {
        &self.sent
    }

    /// Grows whenever the text of the open file changes by something else than typing.
    pub fn edition(&self) -> u32 {
        self.edition
    }

    /// What the reader is being asked.
    pub fn asking(&self) -> Asking {
        self.asking
    }

    /// Who shall run it, when the reader has said so.
    pub fn client(&self) -> Option<ClientIndex> {
        self.client
    }

    /// The line that the reader wants to see, and how often one was wanted.
    pub fn line(&self) -> (u32, u32) {
        self.line
    }

    /// May the open file get this name?
    pub fn may_be_called(&self, name: &str) -> bool {
        is_name(name) && (name == self.open || !self.has(name))
    }

    /// Is there room for one more file?
    pub fn has_room(&self) -> bool {
        self.files.len() < FILES_MAX
    }

    fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.name == name)
    }

    /// The name itself, or with a number before its ending when there is such a file already.
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

    /// Puts files that were not typed here.
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

impl Reducible for Desk {
    type Action = DeskAction;

    fn reduce(self: Rc<Self>, action: DeskAction) -> Rc<Self> {
        let mut next = (*self).clone();
        match action {
            DeskAction::Speak(t) => {
                next.t = t;
                next.change_files(self.files.to_vec());
            }
            DeskAction::Found(files) => next.change_files(files),
            DeskAction::Open(name) if self.has(&name) => {
                next.open = name;
                next.opened();
            }
            DeskAction::Open(_) => {}
            DeskAction::Text(text) => next.change(|file| file.text = text),
            DeskAction::Keys(keys) => next.change(|file| file.keys = keys),
            DeskAction::Args(args) => next.change(|file| file.args = args),
            DeskAction::Sent => next.sent = self.file().map(|file| Rc::clone(&file.text)).unwrap_or_default(),
            DeskAction::Add(file) => {
                if self.has_room() && file.text.chars().count() <= TEXT_CHARS_MAX {
                    let name = self.free_name(if is_name(&file.name) { &file.name } else { "script.lua" });
                    let mut files = self.files.to_vec();
                    files.push(File { name: name.clone(), ..file });
                    next.put(files);
                    next.open = name;
                    next.opened();
                }
            }
            DeskAction::Rename(name) => {
                next.asking = Asking::Nothing;
                if let Some(file) = self.file().filter(|_| self.may_be_called(&name)) {
                    let mut files = self.without_open();
                    files.push(File { name: name.clone(), ..file.clone() });
                    next.open = name;
                    next.put(files);
                }
            }
            DeskAction::Remove => {
                next.put(self.without_open());
                if !is_starter(&self.open) {
                    FIRST.clone_into(&mut next.open);
                }
                next.opened();
            }
            DeskAction::Ask(asking) => next.asking = asking,
            DeskAction::Client(client) => next.client = Some(client),
            DeskAction::Line(line) => next.line = (line, self.line.1.wrapping_add(1)),
        }
        if next == *self { self } else { Rc::new(next) }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use yew::Reducible;

    use super::{Asking, Desk, DeskAction};
    use crate::i18n::Lang;
    use crate::state::scripts::{FIRST, File, starter};

    fn desk(actions: impl IntoIterator<Item = DeskAction>) -> Rc<Desk> {
        let desk = actions.into_iter().fold(Rc::new(Desk::new(Vec::new(), Some("gone.lua"), Lang::En)), Desk::reduce);
        assert!(desk.file().is_some());
        desk
    }

    fn open(desk: &Desk) -> (&str, &str) {
        desk.file().map_or(("", ""), |file| (&file.name, &file.text))
    }

    #[test]
    fn typing_changes_the_open_file_and_nothing_else() {
        let before = desk([]);
        let after = Rc::clone(&before).reduce(DeskAction::Text("return 2".into()));
        assert_eq!(open(&after), (FIRST, "return 2"));
        assert_eq!(after.edition(), before.edition());
        assert_eq!(after.sent(), before.sent());
        let sent = after.reduce(DeskAction::Sent);
        assert_eq!(&**sent.sent(), "return 2");
        assert!(Rc::ptr_eq(&sent, &Rc::clone(&sent).reduce(DeskAction::Sent)));
    }

    #[test]
    fn a_new_file_gets_a_free_name_and_lies_open() {
        let add = || DeskAction::Add(File::new("stock.lua", "return 1"));
        let desk = desk([add(), add()]);
        assert_eq!(open(&desk), ("stock-3.lua", "return 1"));
        assert_eq!(open(&desk.reduce(DeskAction::Add(File::new("", "")))).0, "script.lua");
    }

    #[test]
    fn a_starter_that_is_removed_is_what_it_was() {
        let desk = desk([DeskAction::Text("return 2".into()), DeskAction::Ask(Asking::Removal), DeskAction::Remove]);
        assert_eq!(desk.file(), starter(FIRST, Lang::En).as_ref());
        assert_eq!(desk.asking(), Asking::Nothing);
    }

    #[test]
    fn a_renamed_starter_leaves_the_original_behind() {
        let desk = desk([DeskAction::Text("return 2".into()), DeskAction::Rename("mine.lua".into())]);
        assert_eq!(open(&desk), ("mine.lua", "return 2"));
        assert!(desk.files().iter().any(|file| Some(file) == starter(FIRST, Lang::En).as_ref()));
        for taken in [FIRST, "", ","] {
            assert_eq!(open(&Rc::clone(&desk).reduce(DeskAction::Rename(taken.into()))).0, "mine.lua");
        }
    }

    #[test]
    fn another_language_is_for_what_nobody_has_written() {
        let before = desk([DeskAction::Open("stock.lua".into()), DeskAction::Args("3".into())]);
        let after = Rc::clone(&before).reduce(DeskAction::Speak(Lang::ZhCn));
        assert_eq!(after.file(), before.file());
        let first = Rc::clone(&after).reduce(DeskAction::Open(FIRST.into()));
        assert_eq!(first.file(), starter(FIRST, Lang::ZhCn).as_ref());
        let back = first.reduce(DeskAction::Speak(Lang::En));
        assert_eq!(back.file(), starter(FIRST, Lang::En).as_ref());
        assert_eq!(**back.sent(), *back.file().map(|file| file.text.to_string()).unwrap_or_default());
    }

    #[test]
    fn another_tab_may_change_or_remove_the_open_file() {
        let mine = File::new("mine.lua", "return 1");
        let here = desk([DeskAction::Add(mine.clone())]);
        let same = Rc::clone(&here).reduce(DeskAction::Found(vec![mine]));
        assert!(Rc::ptr_eq(&same, &here));
        let changed = same.reduce(DeskAction::Found(vec![File::new("mine.lua", "return 2")]));
        assert_eq!(open(&changed), ("mine.lua", "return 2"));
        assert_ne!(changed.edition(), here.edition());
        assert_eq!(open(&changed.reduce(DeskAction::Found(Vec::new()))).0, FIRST);
    }

    #[test]
    fn there_is_a_bound() {
        let adds = (0..300).map(|_| DeskAction::Add(File::new("x.lua", "")));
        let desk = desk(adds.chain([DeskAction::Add(File::new("big", &"x".repeat(200_000)))]));
        assert!(desk.files().len() <= 100 && open(&desk).0 != "big");
    }
}
