//! Strings: `GET SET INCR APPEND LCS` and the rest of the family.
mod bytes;
mod get_set;
mod lcs;
mod many;
mod number;

use bytes::{APPEND, GETRANGE, SETRANGE, STRLEN, SUBSTR};
use get_set::{GET, GETDEL, GETEX, GETSET, PSETEX, SET, SETEX, SETNX};
use lcs::LCS;
use many::{MGET, MSET, MSETNX};
use number::{DECR, DECRBY, INCR, INCRBY, INCRBYFLOAT};

use super::{Command, Deprecation, Flags, Group, KeyFlags, KeySpec, Run};

pub(super) static COMMANDS: &[Command] = &[
    APPEND,
    DECR,
    DECRBY,
    GET,
    GETDEL,
    GETEX,
    GETRANGE,
    GETSET,
    INCR,
    INCRBY,
    INCRBYFLOAT,
    LCS,
    MGET,
    MSET,
    MSETNX,
    PSETEX,
    SET,
    SETEX,
    SETNX,
    SETRANGE,
    STRLEN,
    SUBSTR,
];
