//! Publish/subscribe: who listens to what, and delivering a message.
use std::collections::BTreeMap;

use bytes::Bytes;
use resp::Value;

use crate::{Server, client::ClientId, value::glob};

/// Who listens to what, each list in the order of subscription.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PubSub {
    /// `SUBSCRIBE`.
    pub channels: BTreeMap<Bytes, Vec<ClientId>>,
    /// `PSUBSCRIBE`.
    pub patterns: BTreeMap<Bytes, Vec<ClientId>>,
    /// `SSUBSCRIBE`.
    pub shard_channels: BTreeMap<Bytes, Vec<ClientId>>,
}

/// Adds a listener; false when it was there.
pub(crate) fn listen(index: &mut BTreeMap<Bytes, Vec<ClientId>>, name: &Bytes, client: ClientId) -> bool {
    let listeners = index.entry(name.clone()).or_default();
    if listeners.contains(&client) {
        return false;
    }
    listeners.push(client);
    true
}

/// Takes a listener away; false when it was not there.
pub(crate) fn unlisten(index: &mut BTreeMap<Bytes, Vec<ClientId>>, name: &Bytes, client: ClientId) -> bool {
    let Some(listeners) = index.get_mut(name) else { return false };
    let before = listeners.len();
    listeners.retain(|listener| *listener != client);
    let removed = listeners.len() < before;
    if listeners.is_empty() {
        index.remove(name);
    }
    removed
}

impl Server {
    /// Delivers a message to the listeners of a channel and of patterns that match it; answers how many got it.
    pub(crate) fn publish(&mut self, channel: &Bytes, message: &Bytes) -> usize {
        let mut receivers = 0usize;
        let listeners = self.pubsub.channels.get(channel).cloned().unwrap_or_default();
        for client in listeners {
            let parts = vec![bulk(b"message"), Value::Bulk(channel.clone()), Value::Bulk(message.clone())];
            self.push(client, parts);
            receivers = receivers.saturating_add(1);
        }
        let matching: Vec<(Bytes, Vec<ClientId>)> = self
            .pubsub
            .patterns
            .iter()
            .filter(|(pattern, _)| glob::matches(pattern, channel, false))
            .map(|(pattern, clients)| (pattern.clone(), clients.clone()))
            .collect();
        for (pattern, clients) in matching {
            for client in clients {
                let parts = vec![
                    bulk(b"pmessage"),
                    Value::Bulk(pattern.clone()),
                    Value::Bulk(channel.clone()),
                    Value::Bulk(message.clone()),
                ];
                self.push(client, parts);
                receivers = receivers.saturating_add(1);
            }
        }
        receivers
    }

    /// Delivers a message to the listeners of a shard channel.
    pub(crate) fn publish_shard(&mut self, channel: &Bytes, message: &Bytes) -> usize {
        let listeners = self.pubsub.shard_channels.get(channel).cloned().unwrap_or_default();
        for client in &listeners {
            let parts = vec![bulk(b"smessage"), Value::Bulk(channel.clone()), Value::Bulk(message.clone())];
            self.push(*client, parts);
        }
        listeners.len()
    }
}

fn bulk(text: &'static [u8]) -> Value {
    Value::Bulk(Bytes::from_static(text))
}
