//! Keys of any type: `DEL EXPIRE TTL RENAME COPY SCAN SORT OBJECT` and the rest of the family.
mod expire;
mod keys;
mod object;
mod relocate;
mod scan;
mod sort;
mod ttl;
mod wait;

use expire::{EXPIRE, EXPIREAT, PERSIST, PEXPIRE, PEXPIREAT};
use keys::{DEL, EXISTS, KEYS, RANDOMKEY, TOUCH, TYPE, UNLINK};
use object::OBJECT;
use relocate::{COPY, DUMP, MIGRATE, MOVE, RENAME, RENAMENX, RESTORE};
use scan::SCAN;
use sort::{SORT, SORT_RO};
use ttl::{EXPIRETIME, PEXPIRETIME, PTTL, TTL};
use wait::WAIT;

use super::{Categories, Command, Flags, Group, KeyFlags, KeySpec, Run};

pub(super) static COMMANDS: &[Command] = &[
    COPY,
    DEL,
    DUMP,
    EXISTS,
    EXPIRE,
    EXPIREAT,
    EXPIRETIME,
    KEYS,
    MIGRATE,
    MOVE,
    OBJECT,
    PERSIST,
    PEXPIRE,
    PEXPIREAT,
    PEXPIRETIME,
    PTTL,
    RANDOMKEY,
    RENAME,
    RENAMENX,
    RESTORE,
    SCAN,
    SORT,
    SORT_RO,
    TOUCH,
    TTL,
    TYPE,
    UNLINK,
    WAIT,
];
