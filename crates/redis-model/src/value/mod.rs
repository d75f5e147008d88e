//! The values that keys hold: pure data structures with Redis' encodings, knowing nothing of servers or commands.
