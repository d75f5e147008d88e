//! The sections of `INFO`, fields in Redis' order.
//!
//! Fields about keys, clients, commands and time show the state of the model. The model has no processes, sockets, allocators, disks or
//! replicas; their fields have the values of a server that has just started.
use std::fmt::Write as _;

use resp::decimal::fixed;

use crate::{Server, memory_stats::MemoryStats, server::REDIS_VERSION};

/// A section of `INFO`.
pub(super) struct Section {
    /// The name in requests.
    pub name: &'static str,
    /// The title in the header line.
    pub title: &'static str,
    /// Is it included if no section is requested?
    pub is_default: bool,
    /// Renders the lines, each with its line end.
    pub text: fn(&Server) -> String,
}

const fn section(name: &'static str, title: &'static str, is_default: bool, text: fn(&Server) -> String) -> Section {
    Section { name, title, is_default, text }
}

pub(super) static ALL: [Section; 13] = [
    section("server", "Server", true, server),
    section("clients", "Clients", true, clients),
    section("memory", "Memory", true, memory),
    section("persistence", "Persistence", true, persistence),
    section("stats", "Stats", true, stats),
    section("replication", "Replication", true, replication),
    section("cpu", "CPU", true, cpu),
    section("modules", "Modules", true, |_| String::new()),
    section("commandstats", "Commandstats", false, commandstats),
    section("errorstats", "Errorstats", true, errorstats),
    section("latencystats", "Latencystats", false, latencystats),
    section("cluster", "Cluster", true, |_| "cluster_enabled:0\n".to_owned()),
    section("keyspace", "Keyspace", true, keyspace),
];

fn server(server: &Server) -> String {
    let uptime_s = server.now_ms.saturating_sub(server.started_ms) / 1000;
    let port = server.config.port;
    let hz = server.config.shown_by_name("hz");
    let lru_clock = (server.now_ms / 1000) % (1 << 24);
    format!(
        "redis_version:{REDIS_VERSION}\nredis_git_sha1:00000000\nredis_git_dirty:0\nredis_build_id:0\n\
         redis_mode:standalone\nos:Linux x86_64\narch_bits:64\nmonotonic_clock:POSIX clock_gettime\n\
         multiplexing_api:epoll\natomicvar_api:c11-builtin\ngcc_version:12.2.0\nprocess_id:1\n\
         process_supervised:no\nrun_id:{}\ntcp_port:{port}\nserver_time_usec:{}\nuptime_in_seconds:{uptime_s}\n\
         uptime_in_days:{}\nhz:{hz}\nconfigured_hz:{hz}\nlru_clock:{lru_clock}\n\
         executable:/usr/bin/redis-server\nconfig_file:\nio_threads_active:0\n",
        identity(server, 1),
        server.now_ms.saturating_mul(1000),
        uptime_s / 86_400,
    )
}

/// 40 hexadecimal digits derived from the seed; a real server draws them at random when it starts.
fn identity(server: &Server, what: u64) -> String {
    let mut rng = crate::rng::Rng::new(server.config.seed.wrapping_add(what));
    let digits: String = (0..3).map(|_| format!("{:016x}", rng.next_u64())).collect();
    digits.chars().take(40).collect()
}

fn clients(server: &Server) -> String {
    // Clients that wait for a pause to end count as blocked too, but have no timeout.
    let waits = || server.clients.iter().filter_map(|client| client.blocked.as_ref());
    let blocked = waits().count();
    let maxclients = server.config.shown_by_name("maxclients");
    let timed = waits().filter(|blocked| blocked.wait.deadline_ms.is_some()).count();
    format!(
        "connected_clients:{}\ncluster_connections:0\nmaxclients:{maxclients}\nclient_recent_max_input_buffer:0\n\
         client_recent_max_output_buffer:{}\nblocked_clients:{blocked}\ntracking_clients:0\n\
         clients_in_timeout_table:{timed}\n",
        server.clients.len(),
        server.largest_output_buffer(),
    )
}

fn memory(server: &Server) -> String {
    let stats = MemoryStats::of(server);
    let (used, peak, startup) = (stats.total as u64, stats.peak as u64, stats.startup);
    let (used_human, peak_human) = (human(used), human(peak));
    let (overhead, dataset, share) = (stats.overhead, stats.dataset(), fixed(stats.peak_percent(), 2));
    let (dataset_share, clients) = (fixed(stats.dataset_percent(), 2), stats.clients);
    let cached = server.scripts.cached_bytes() as u64;
    let functions = server.scripts.libraries().fold(0u64, |sum, library| sum.saturating_add(library.bytes() as u64));
    let scripts = cached.saturating_add(functions);
    let maxmemory = server.config.maxmemory;
    let policy = server.config.maxmemory_policy.name();
    format!(
        "used_memory:{used}\nused_memory_human:{used_human}\nused_memory_rss:{used}\n\
         used_memory_rss_human:{used_human}\nused_memory_peak:{peak}\nused_memory_peak_human:{peak_human}\n\
         used_memory_peak_perc:{share}%\nused_memory_overhead:{overhead}\nused_memory_startup:{startup}\n\
         used_memory_dataset:{dataset}\nused_memory_dataset_perc:{dataset_share}%\nallocator_allocated:{used}\n\
         allocator_active:{used}\nallocator_resident:{used}\ntotal_system_memory:0\n\
         total_system_memory_human:0B\nused_memory_lua:0\nused_memory_vm_eval:0\nused_memory_lua_human:0B\n\
         used_memory_scripts_eval:{cached}\nnumber_of_cached_scripts:{}\nnumber_of_functions:{}\n\
         number_of_libraries:{}\nused_memory_vm_functions:0\nused_memory_vm_total:0\n\
         used_memory_vm_total_human:0B\nused_memory_functions:{functions}\nused_memory_scripts:{scripts}\n\
         used_memory_scripts_human:{}\nmaxmemory:{maxmemory}\nmaxmemory_human:{}\nmaxmemory_policy:{policy}\n\
         allocator_frag_ratio:1.00\nallocator_frag_bytes:0\nallocator_rss_ratio:1.00\nallocator_rss_bytes:0\n\
         rss_overhead_ratio:1.00\nrss_overhead_bytes:0\nmem_fragmentation_ratio:1.00\n\
         mem_fragmentation_bytes:0\nmem_not_counted_for_evict:0\nmem_replication_backlog:0\n\
         mem_total_replication_buffers:0\nmem_clients_slaves:0\nmem_clients_normal:{clients}\nmem_cluster_links:0\n\
         mem_aof_buffer:0\nmem_allocator:libc\nactive_defrag_running:0\nlazyfree_pending_objects:0\n\
         lazyfreed_objects:{}\n",
        server.scripts.cached_len(),
        server.scripts.functions_len(),
        server.scripts.libraries().len(),
        human(scripts),
        human(maxmemory),
        server.stats.lazyfreed_objects,
    )
}

/// A size such as `0B` or `1.16M`; units start at 1024.
fn human(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["K", "M", "G", "T", "P"];
    if bytes < 1024 {
        return format!("{bytes}B");
    }
    let mut amount = bytes as f64 / 1024.0;
    let mut units = UNITS.iter();
    let mut unit = units.next().copied().unwrap_or_default();
    for larger in units {
        if amount < 1024.0 {
            break;
        }
        amount /= 1024.0;
        unit = larger;
    }
    fixed(amount, 2) + unit
}

fn persistence(server: &Server) -> String {
    format!(
        "loading:0\nasync_loading:0\ncurrent_cow_peak:0\ncurrent_cow_size:0\ncurrent_cow_size_age:0\n\
         current_fork_perc:0.00\ncurrent_save_keys_processed:0\ncurrent_save_keys_total:0\n\
         rdb_changes_since_last_save:{}\nrdb_bgsave_in_progress:0\nrdb_last_save_time:{}\n\
         rdb_last_bgsave_status:ok\nrdb_last_bgsave_time_sec:-1\nrdb_current_bgsave_time_sec:-1\nrdb_saves:0\n\
         rdb_last_cow_size:0\nrdb_last_load_keys_expired:0\nrdb_last_load_keys_loaded:0\naof_enabled:0\n\
         aof_rewrite_in_progress:0\naof_rewrite_scheduled:0\naof_last_rewrite_time_sec:-1\n\
         aof_current_rewrite_time_sec:-1\naof_last_bgrewrite_status:ok\naof_rewrites:0\n\
         aof_rewrites_consecutive_failures:0\naof_last_write_status:ok\naof_last_cow_size:0\n\
         module_fork_in_progress:0\nmodule_fork_last_cow_size:0\n",
        server.stats.changes,
        server.started_ms / 1000,
    )
}

fn stats(server: &Server) -> String {
    let stats = &server.stats;
    let pubsub = &server.pubsub;
    format!(
        "total_connections_received:{}\ntotal_commands_processed:{}\ninstantaneous_ops_per_sec:0\n\
         total_net_input_bytes:0\ntotal_net_output_bytes:0\ntotal_net_repl_input_bytes:0\n\
         total_net_repl_output_bytes:0\ninstantaneous_input_kbps:0.00\ninstantaneous_output_kbps:0.00\n\
         instantaneous_input_repl_kbps:0.00\ninstantaneous_output_repl_kbps:0.00\nrejected_connections:0\n\
         sync_full:0\nsync_partial_ok:0\nsync_partial_err:0\nexpired_keys:{}\nexpired_stale_perc:0.00\n\
         expired_time_cap_reached_count:0\nexpire_cycle_cpu_milliseconds:0\nevicted_keys:{}\nevicted_clients:0\n\
         total_eviction_exceeded_time:0\ncurrent_eviction_exceeded_time:0\nkeyspace_hits:{}\nkeyspace_misses:{}\n\
         pubsub_channels:{}\npubsub_patterns:{}\npubsubshard_channels:{}\nlatest_fork_usec:0\ntotal_forks:0\n\
         migrate_cached_sockets:0\nslave_expires_tracked_keys:0\nactive_defrag_hits:0\nactive_defrag_misses:0\n\
         active_defrag_key_hits:0\nactive_defrag_key_misses:0\ntotal_active_defrag_time:0\n\
         current_active_defrag_time:0\ntracking_total_keys:0\ntracking_total_items:0\ntracking_total_prefixes:0\n\
         unexpected_error_replies:0\ntotal_error_replies:{}\ndump_payload_sanitizations:0\n\
         total_reads_processed:0\ntotal_writes_processed:0\nio_threaded_reads_processed:0\n\
         io_threaded_writes_processed:0\nreply_buffer_shrinks:0\nreply_buffer_expands:0\n",
        stats.connections_received,
        stats.commands_processed,
        stats.expired_keys,
        stats.evicted_keys,
        stats.keyspace_hits,
        stats.keyspace_misses,
        pubsub.channels.len(),
        pubsub.patterns.len(),
        pubsub.shard_channels.len(),
        stats.errors,
    )
}

fn replication(server: &Server) -> String {
    format!(
        "role:master\nconnected_slaves:0\nmaster_failover_state:no-failover\nmaster_replid:{}\n\
         master_replid2:0000000000000000000000000000000000000000\nmaster_repl_offset:0\nsecond_repl_offset:-1\n\
         repl_backlog_active:0\nrepl_backlog_size:1048576\nrepl_backlog_first_byte_offset:0\nrepl_backlog_histlen:0\n",
        identity(server, 2),
    )
}

fn cpu(_: &Server) -> String {
    "used_cpu_sys:0.000000\nused_cpu_user:0.000000\nused_cpu_sys_children:0.000000\n\
     used_cpu_user_children:0.000000\nused_cpu_sys_main_thread:0.000000\nused_cpu_user_main_thread:0.000000\n"
        .to_owned()
}

/// Commands take no virtual time, so only the counts are meaningful.
fn commandstats(server: &Server) -> String {
    let mut text = String::new();
    for (key, (calls, rejected, failed)) in server.stats.calls_by_command.iter() {
        let (container, name) = key.id;
        let bar = if container.is_empty() { "" } else { "|" };
        let _ = writeln!(
            text,
            "cmdstat_{container}{bar}{name}:calls={calls},usec=0,usec_per_call=0.00,\
             rejected_calls={rejected},failed_calls={failed}"
        );
    }
    text
}

fn errorstats(server: &Server) -> String {
    let mut text = String::new();
    for (code, count) in server.stats.errors_by_code.iter() {
        let _ = writeln!(text, "errorstat_{code}:count={count}");
    }
    text
}

fn latencystats(server: &Server) -> String {
    let mut text = String::new();
    if !server.config.is_latency_tracked {
        return text;
    }
    // Commands take no virtual time.
    let percentiles = server.config.shown_by_name("latency-tracking-info-percentiles");
    let shown: Vec<String> =
        percentiles.split_ascii_whitespace().map(|percentile| format!("p{percentile}=0.000")).collect();
    let shown = shown.join(",");
    for (key, (calls, _, _)) in server.stats.calls_by_command.iter() {
        let (container, name) = key.id;
        if *calls > server.stats.untracked_calls.get(key).copied().unwrap_or(0) {
            let bar = if container.is_empty() { "" } else { "|" };
            let _ = writeln!(text, "latency_percentiles_usec_{container}{bar}{name}:{shown}");
        }
    }
    text
}

fn keyspace(server: &Server) -> String {
    let mut text = String::new();
    for (index, db) in server.databases.iter().enumerate().filter(|(_, db)| !db.is_empty()) {
        let _ = writeln!(
            text,
            "db{index}:keys={},expires={},avg_ttl={}",
            db.len(),
            db.expires_len(),
            db.avg_ttl_ms(server.now_ms)
        );
    }
    text
}
