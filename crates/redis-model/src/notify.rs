//! Keyspace notifications: which events are enabled (`notify-keyspace-events`), and publishing them.
use bitflags::bitflags;
use bytes::Bytes;

use crate::Server;

bitflags! {
    /// Classes of keyspace events, with the letters of `notify-keyspace-events`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Notify: u32 {
        /// `K`: publish on `__keyspace@<db>__:<key>`.
        const KEYSPACE = 1;
        /// `E`: publish on `__keyevent@<db>__:<event>`.
        const KEYEVENT = 1 << 1;
        /// `g`: `DEL`, `EXPIRE`, `RENAME` …
        const GENERIC = 1 << 2;
        /// `$`
        const STRING = 1 << 3;
        /// `l`
        const LIST = 1 << 4;
        /// `s`
        const SET = 1 << 5;
        /// `h`
        const HASH = 1 << 6;
        /// `z`
        const ZSET = 1 << 7;
        /// `x`
        const EXPIRED = 1 << 8;
        /// `e`
        const EVICTED = 1 << 9;
        /// `t`
        const STREAM = 1 << 10;
        /// `m`: a key was looked up and missing; not part of `A`.
        const KEY_MISS = 1 << 11;
        /// `d`: module events.
        const MODULE = 1 << 13;
        /// `n`: a key was created; not part of `A`.
        const NEW = 1 << 14;
        /// `A`: an alias of `g$lshzxetd`.
        const ALL = Self::GENERIC.bits() | Self::STRING.bits() | Self::LIST.bits() | Self::SET.bits()
            | Self::HASH.bits() | Self::ZSET.bits() | Self::EXPIRED.bits() | Self::EVICTED.bits()
            | Self::STREAM.bits() | Self::MODULE.bits();
    }
}

/// Letter of each class but `K`, `E`, `m` and `A`, in the order in which Redis prints them.
const LETTERS: [(u8, Notify); 11] = [
    (b'g', Notify::GENERIC),
    (b'$', Notify::STRING),
    (b'l', Notify::LIST),
    (b's', Notify::SET),
    (b'h', Notify::HASH),
    (b'z', Notify::ZSET),
    (b'x', Notify::EXPIRED),
    (b'e', Notify::EVICTED),
    (b't', Notify::STREAM),
    (b'd', Notify::MODULE),
    (b'n', Notify::NEW),
];

/// Letters that are printed after those, whether or not `A` stands for those.
const APART: [(u8, Notify); 3] = [(b'K', Notify::KEYSPACE), (b'E', Notify::KEYEVENT), (b'm', Notify::KEY_MISS)];

impl Notify {
    /// Parses the letters of `notify-keyspace-events`; `None` if one of them is unknown.
    pub fn parse(letters: &[u8]) -> Option<Notify> {
        let mut classes = Notify::empty();
        for letter in letters {
            if *letter == b'A' {
                classes |= Notify::ALL;
                continue;
            }
            let (_, class) = LETTERS.iter().chain(&APART).find(|(known, _)| known == letter)?;
            classes |= *class;
        }
        Some(classes)
    }

    /// The letters, as `CONFIG GET` prints them. Next to an `A`, Redis forgets to print `n`, although it is in force.
    pub fn letters(self) -> String {
        let mut text = String::new();
        if self.contains(Notify::ALL) {
            text.push('A');
        } else {
            text.extend(LETTERS.iter().filter(|(_, class)| self.contains(*class)).map(|(l, _)| char::from(*l)));
        }
        text.extend(APART.iter().filter(|(_, class)| self.contains(*class)).map(|(l, _)| char::from(*l)));
        text
    }
}

impl Server {
    /// Publishes `event` about `key` of database `db` if its class is enabled.
    pub(crate) fn notify(&mut self, class: Notify, event: &'static str, db: usize, key: &Bytes) {
        let wanted = self.config.notify_keyspace_events;
        if !wanted.intersects(class) {
            return;
        }
        if wanted.contains(Notify::KEYSPACE) {
            let mut channel = format!("__keyspace@{db}__:").into_bytes();
            channel.extend_from_slice(key);
            self.publish(&Bytes::from(channel), &Bytes::from_static(event.as_bytes()));
        }
        if wanted.contains(Notify::KEYEVENT) {
            let channel = Bytes::from(format!("__keyevent@{db}__:{event}"));
            self.publish(&channel, key);
        }
    }
}
