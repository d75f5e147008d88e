//! Short messages at the bottom of the page that disappear by themselves.
use std::rc::Rc;

use world::StepError;
use yew::Reducible;

use crate::i18n::Lang;

/// The kind of a notice, which decides how it is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// An action succeeded.
    Done,
    /// An action was refused.
    Refused,
    /// Something needs attention; the notice stays until it is closed.
    Warning,
}

/// One message. Its text is looked up when it is shown, so it follows the language.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Identifies the notice when it is closed.
    pub id: u32,
    /// Its kind.
    pub kind: NoticeKind,
    /// Its text.
    pub text: NoticeText,
}

/// Everything that a notice can say.
#[derive(Clone, Debug, PartialEq)]
pub enum NoticeText {
    /// The share link was copied to the clipboard; its length in characters.
    LinkCopied(u64),
    /// The transcript was copied to the clipboard.
    TranscriptCopied,
    /// The browser refused access to the clipboard.
    ClipboardRefused,
    /// A session file was opened; its number of steps.
    SessionOpened(u64),
    /// A stored text could not be read and was moved to another key.
    SetAside,
    /// A link or a file could not be read.
    NotASession,
    /// The link or file was made by a newer version of the page.
    NewerVersion,
    /// The link or file is larger than the page accepts.
    TooLarge,
    /// The browser's storage is full or blocked: the session lives only in this tab.
    NotStored,
    /// The world refused an input.
    Refused(StepError),
    /// A paste was too large to run.
    PasteTooLarge,
    /// The script module could not be loaded, so the script did not run.
    NoMachine,
    /// A script ran too long and was stopped.
    ScriptStopped,
    /// Traffic was stopped: the session continues from where it got to.
    TrafficStopped,
    /// The same, because the handler failed and the reader wants it to stop there.
    TrafficStoppedAtFault,
    /// The browser could not store a script; it is lost when the page closes.
    ScriptNotStored,
    /// A script is too long for the editor.
    ScriptTooLarge,
    /// A file is not text.
    ScriptNotText,
    /// A file name is not allowed, or already taken.
    ScriptName,
    /// The same session was open in another tab; this tab continues with a copy.
    Forked,
    /// A newer build of the page is ready, and a reload shows it.
    NewBuild,
    /// A text of only one of the two WebAssembly programs, so that the other does not include it.
    FixedText(NoticeKind, FixedText),
}

/// A sentence that is looked up in the current language.
#[derive(Clone, Copy, Debug)]
pub struct FixedText(pub fn(Lang) -> &'static str);

impl PartialEq for FixedText {
    fn eq(&self, other: &FixedText) -> bool {
        self.0 as usize == other.0 as usize
    }
}

impl NoticeText {
    /// How a notice with this text is marked.
    pub fn kind(&self) -> NoticeKind {
        match self {
            NoticeText::FixedText(kind, _) => *kind,
            NoticeText::LinkCopied(_)
            | NoticeText::TranscriptCopied
            | NoticeText::SessionOpened(_)
            | NoticeText::ScriptStopped
            | NoticeText::TrafficStopped
            | NoticeText::TrafficStoppedAtFault => NoticeKind::Done,
            NoticeText::SetAside
            | NoticeText::NotStored
            | NoticeText::ScriptNotStored
            | NoticeText::Forked
            | NoticeText::NewBuild => NoticeKind::Warning,
            NoticeText::ClipboardRefused
            | NoticeText::NoMachine
            | NoticeText::NotASession
            | NoticeText::NewerVersion
            | NoticeText::TooLarge
            | NoticeText::PasteTooLarge
            | NoticeText::ScriptTooLarge
            | NoticeText::ScriptNotText
            | NoticeText::ScriptName
            | NoticeText::Refused(_) => NoticeKind::Refused,
        }
    }
}

/// The visible notices, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notices {
    /// The notices.
    pub shown: Vec<Notice>,
    next_id: u32,
}

/// At most this many are visible; the oldest makes room.
const NOTICES_MAX: usize = 3;

/// A change of the visible notices.
#[derive(Clone, Debug, PartialEq)]
pub enum Notify {
    /// Show this text.
    Say(NoticeText),
    /// Close the notice with this id.
    Close(u32),
}

impl Reducible for Notices {
    type Action = Notify;

    fn reduce(self: Rc<Self>, action: Notify) -> Rc<Self> {
        let mut next = (*self).clone();
        match action {
            Notify::Say(text) => {
                next.shown.retain(|notice| notice.text != text);
                if next.shown.len() >= NOTICES_MAX {
                    next.shown.remove(0);
                }
                next.shown.push(Notice { id: next.next_id, kind: text.kind(), text });
                next.next_id = next.next_id.wrapping_add(1);
            }
            Notify::Close(id) => {
                next.shown.retain(|notice| notice.id != id);
                if next.shown.len() == self.shown.len() {
                    return self;
                }
            }
        }
        Rc::new(next)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use yew::Reducible;

    use super::{NoticeText, Notices, Notify};

    #[test]
    fn repeated_notices_do_not_pile_up() {
        let mut notices = Rc::new(Notices::default());
        for _ in 0..3 {
            notices = notices.reduce(Notify::Say(NoticeText::NotStored));
        }
        assert_eq!(notices.shown.len(), 1);
        for n in 0..9 {
            notices = notices.reduce(Notify::Say(NoticeText::LinkCopied(n)));
        }
        assert_eq!(notices.shown.len(), 3);
    }

    #[test]
    fn closing_an_unknown_notice_changes_nothing() {
        let notices = Rc::new(Notices::default()).reduce(Notify::Say(NoticeText::SetAside));
        assert!(Rc::ptr_eq(&notices, &Rc::clone(&notices).reduce(Notify::Close(99))));
        let id = notices.shown[0].id;
        assert!(notices.reduce(Notify::Close(id)).shown.is_empty());
    }
}
