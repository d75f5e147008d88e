//! Short messages that rise at the foot of the page and go away by themselves.
use std::rc::Rc;

use world::StepError;
use yew::Reducible;

use crate::i18n::Lang;

/// How a notice is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something went as asked.
    Done,
    /// Something was refused.
    Refused,
    /// Something needs attention; it stays until it is closed.
    Warning,
}

/// One message; the text is looked up when it is shown, so that it follows the language.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Names this notice for closing it.
    pub id: u32,
    /// How it is marked.
    pub kind: NoticeKind,
    /// What it says.
    pub text: Said,
}

/// Everything that a notice can say.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// The share link is in the clipboard; its length in characters.
    LinkCopied(u64),
    /// The transcript is in the clipboard.
    TranscriptCopied,
    /// The browser refused access to the clipboard.
    ClipboardRefused,
    /// A session file has been opened; how many steps it has.
    SessionOpened(u64),
    /// What was stored could not be read and stands under another key.
    SetAside,
    /// A link or a file could not be read.
    NotASession,
    /// It was made by a newer version of the page.
    FromTheFuture,
    /// It is larger than the page accepts.
    TooLarge,
    /// The browser's storage is full or closed: the session lives in this tab only.
    NotStored,
    /// The world refused what was asked for.
    Refused(StepError),
    /// A paste was too large to run.
    PasteTooLarge,
    /// The module that runs scripts could not be fetched: the script was not run.
    NoMachine,
    /// A script that ran long was stopped.
    ScriptStopped,
    /// Traffic was stopped: the session goes on from where it has come to.
    TrafficStopped,
    /// The browser does not keep a script; it lasts as long as the page.
    ScriptNotStored,
    /// A script would be larger than the editor takes.
    ScriptTooLarge,
    /// A file that holds no text.
    ScriptNotText,
    /// A file cannot be called so, or another one is.
    ScriptName,
    /// The same session was open in another tab; this tab goes on with a copy.
    Forked,
    /// What only one of the two programs says, so that the other does not carry it.
    Words(NoticeKind, Words),
}

/// A sentence in the language in which it is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub fn(Lang) -> &'static str);

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        self.0 as usize == other.0 as usize
    }
}

impl Said {
    /// How a notice with this text is marked.
    pub fn kind(&self) -> NoticeKind {
        match self {
            Said::Words(kind, _) => *kind,
            Said::LinkCopied(_)
            | Said::TranscriptCopied
            | Said::SessionOpened(_)
            | Said::ScriptStopped
            | Said::TrafficStopped => NoticeKind::Done,
            Said::SetAside | Said::NotStored | Said::ScriptNotStored | Said::Forked => NoticeKind::Warning,
            Said::ClipboardRefused
            | Said::NoMachine
            | Said::NotASession
            | Said::FromTheFuture
            | Said::TooLarge
            | Said::PasteTooLarge
            | Said::ScriptTooLarge
            | Said::ScriptNotText
            | Said::ScriptName
            | Said::Refused(_) => NoticeKind::Refused,
        }
    }
}

/// The notices that are up, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notices {
    /// What is shown.
    pub shown: Vec<Notice>,
    next_id: u32,
}

/// At most this many are up; the oldest makes room.
const NOTICES_MAX: usize = 3;

/// A change of what is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Notify {
    /// Say this.
    Say(Said),
    /// Close that one.
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

    use super::{Notices, Notify, Said};

    #[test]
    fn repeated_notices_do_not_pile_up() {
        let mut notices = Rc::new(Notices::default());
        for _ in 0..3 {
            notices = notices.reduce(Notify::Say(Said::NotStored));
        }
        assert_eq!(notices.shown.len(), 1);
        for n in 0..9 {
            notices = notices.reduce(Notify::Say(Said::LinkCopied(n)));
        }
        assert_eq!(notices.shown.len(), 3);
    }

    #[test]
    fn closing_what_is_not_there_changes_nothing() {
        let notices = Rc::new(Notices::default()).reduce(Notify::Say(Said::SetAside));
        assert!(Rc::ptr_eq(&notices, &Rc::clone(&notices).reduce(Notify::Close(99))));
        let id = notices.shown[0].id;
        assert!(notices.reduce(Notify::Close(id)).shown.is_empty());
    }
}
