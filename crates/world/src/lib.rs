//! The virtual world around the model: clients, clock, timeline.
