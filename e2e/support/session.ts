// Sessions in their text form, for tests and benches that need a long one; the form is described in crates/world.

/** Two clients; lines of a third client, which then leaves with its terminal; then lines of the first client. */
export function sessionText(lines: string[], before: string[] = []): string {
  const guest = before.length === 0 ? [] : ["+ guest 2", ...before.map((line) => `guest> ${line}`), "- guest"];
  const steps = ["+ c1 0", "+ c2 1", ...guest, ...lines.map((line) => `c1> ${line}`)];
  const head = ["lockstep 1", "seed 7", "start 1767268800000", "maxmemory 67108864", "proto-max-bulk-len 16777216", ""];
  return [...head, ...steps, `end ${steps.length} at ${steps.length} of ${steps.length}`, ""].join("\n");
}

/** Eight clients that acquire one lock again and again, in turns: `rounds` of nine steps, in the ninth of which a tenth of a second passes.
 * With three nodes the lock, the stock and a log of sales are on one node each. */
export function lockText(rounds: number, nodes: 1 | 3 = 1): string {
  const isSpread = nodes === 3;
  const program = [
    isSpread ? "local store, log = connect('r2'), connect('r3')" : "local store = redis",
    "local token = uuid()",
    "local sold = 0",
    "while true do",
    "  while not redis.call('SET', 'lock', token, 'NX', 'PX', 10000) do",
    "    sleep(100)",
    "  end",
    "  enter('checkout')",
    "  local stock = tonumber(store.call('GET', 'stock'))",
    "  work(100)",
    "  store.call('SET', 'stock', stock - 1)",
    ...(isSpread ? ["  log.call('RPUSH', 'sales', stock)"] : []),
    "  sold = sold + 1",
    "  tally('sold')",
    "  leave('checkout')",
    "  if redis.call('GET', 'lock') == token then",
    "    redis.call('DEL', 'lock')",
    "  end",
    "end",
  ].join("\n");
  const clients = ["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"];
  const stage = [
    "+ hand 99",
    ...(isSpread ? ["hand@ 1"] : []),
    "hand> SET stock 100000",
    "- hand",
    "@watch mutual-exclusion",
    "@watch only-owner-releases lock",
    ...(isSpread ? [] : ["@watch sum always = 100000 key stock tally sold"]),
    ...clients.flatMap((name, place) => [`+ ${name} ${place}`, `${name}< load ${JSON.stringify(program)}`]),
  ];
  const round = [...clients.map((name) => `${name}< step 0`), "@+100ms"];
  const steps = [...stage, ...Array.from({ length: rounds }, () => round).flat()];
  const head = isSpread ? "lockstep 2\nseed 7\nnode r1 always\nnode r2 always\nnode r3 none" : "lockstep 1\nseed 7";
  return `${head}\n\n${steps.join("\n")}\nend ${steps.length} at ${steps.length} of ${steps.length}\n`;
}
