//! Publish/subscribe: the subscriptions, and delivering a message.
use std::collections::BTreeMap;

use bytes::Bytes;
use resp::Value;

use crate::{Server, client::ClientId, value::glob};

/// Subscribers by name, each list in the order of subscription.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PubSub {
    /// `SUBSCRIBE`.
    pub channels: BTreeMap<Bytes, Vec<ClientId>>,
    /// `PSUBSCRIBE`.
    pub patterns: BTreeMap<Bytes, Vec<ClientId>>,
    /// `SSUBSCRIBE`.
    pub shard_channels: BTreeMap<Bytes, Vec<ClientId>>,
}

/// The three kinds of subscriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    Channels,
    Patterns,
    ShardChannels,
}

/// The first words of the pushed messages.
pub(crate) struct PushWords {
    pub subscribed: &'static str,
    pub unsubscribed: &'static str,
}

impl Audience {
    pub(crate) const ALL: [Audience; 3] = [Audience::Channels, Audience::Patterns, Audience::ShardChannels];

    pub(crate) const fn words(self) -> PushWords {
        match self {
            Audience::Channels => PushWords { subscribed: "subscribe", unsubscribed: "unsubscribe" },
            Audience::Patterns => PushWords { subscribed: "psubscribe", unsubscribed: "punsubscribe" },
            Audience::ShardChannels => PushWords { subscribed: "ssubscribe", unsubscribed: "sunsubscribe" },
        }
    }
}

impl PubSub {
    fn index_mut(&mut self, audience: Audience) -> &mut BTreeMap<Bytes, Vec<ClientId>> {
        match audience {
            Audience::Channels => &mut self.channels,
            Audience::Patterns => &mut self.patterns,
            Audience::ShardChannels => &mut self.shard_channels,
        }
    }
}

impl Server {
    /// Subscribes a client; subscribing twice changes nothing. The caller sends the confirmation.
    pub(crate) fn subscribe(&mut self, id: ClientId, audience: Audience, name: &Bytes) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let is_new = match audience {
            Audience::Channels => client.channels.insert(name.clone()),
            Audience::ShardChannels => client.shard_channels.insert(name.clone()),
            Audience::Patterns if client.patterns.contains(name) => false,
            Audience::Patterns => {
                client.patterns.push(name.clone());
                true
            }
        };
        if is_new {
            self.pubsub.index_mut(audience).entry(name.clone()).or_default().push(id);
        }
    }

    /// Unsubscribes a client; changes nothing if it was not subscribed. The caller sends the confirmation.
    pub(crate) fn unsubscribe(&mut self, id: ClientId, audience: Audience, name: &Bytes) {
        if let Some(client) = self.clients.get_mut(&id) {
            match audience {
                Audience::Channels => _ = client.channels.remove(name),
                Audience::ShardChannels => _ = client.shard_channels.remove(name),
                Audience::Patterns => client.patterns.retain(|pattern| pattern != name),
            }
        }
        let index = self.pubsub.index_mut(audience);
        if let Some(listeners) = index.get_mut(name) {
            listeners.retain(|listener| *listener != id);
            if listeners.is_empty() {
                index.remove(name);
            }
        }
    }

    /// Ends every subscription of a client without confirmations.
    pub(crate) fn unsubscribe_everything(&mut self, id: ClientId) {
        for audience in Audience::ALL {
            for name in self.subscriptions(id, audience) {
                self.unsubscribe(id, audience, &name);
            }
        }
    }

    /// The subscriptions of a client: patterns in the order of subscription, channels by name (Redis lists them in the order of a
    /// hash table).
    pub(crate) fn subscriptions(&self, id: ClientId, audience: Audience) -> Vec<Bytes> {
        let Some(client) = self.clients.get(&id) else { return Vec::new() };
        match audience {
            Audience::Channels => client.channels.iter().cloned().collect(),
            Audience::Patterns => client.patterns.clone(),
            Audience::ShardChannels => client.shard_channels.iter().cloned().collect(),
        }
    }

    /// The number in a confirmation: channels and patterns are counted together, shard channels separately.
    pub(crate) fn subscription_count(&self, id: ClientId, audience: Audience) -> usize {
        let Some(client) = self.clients.get(&id) else { return 0 };
        match audience {
            Audience::Channels | Audience::Patterns => client.subscription_count(),
            Audience::ShardChannels => client.shard_channels.len(),
        }
    }

    /// Delivers a message to the subscribers of a channel and of patterns that match it; returns the number of receivers.
    pub(crate) fn publish(&mut self, channel: &Bytes, message: &Bytes) -> usize {
        let listeners = self.pubsub.channels.get(channel).cloned().unwrap_or_default();
        let mut receivers = listeners.len();
        for client in listeners {
            self.push(client, vec![Value::bulk("message"), Value::Bulk(channel.clone()), Value::Bulk(message.clone())]);
        }
        let matching = self.pubsub.patterns.iter().filter(|(pattern, _)| glob::matches(pattern, channel, false));
        let matching: Vec<(Bytes, Vec<ClientId>)> = matching.map(|(name, ids)| (name.clone(), ids.clone())).collect();
        for (pattern, listeners) in matching {
            receivers = receivers.saturating_add(listeners.len());
            for client in listeners {
                let words = [pattern.clone(), channel.clone(), message.clone()].map(Value::Bulk);
                self.push(client, [Value::bulk("pmessage")].into_iter().chain(words).collect());
            }
        }
        receivers
    }

    /// Delivers a message to the subscribers of a shard channel; returns the number of receivers.
    pub(crate) fn publish_shard(&mut self, channel: &Bytes, message: &Bytes) -> usize {
        let listeners = self.pubsub.shard_channels.get(channel).cloned().unwrap_or_default();
        for client in &listeners {
            let words = [channel.clone(), message.clone()].map(Value::Bulk);
            self.push(*client, [Value::bulk("smessage")].into_iter().chain(words).collect());
        }
        listeners.len()
    }
}
