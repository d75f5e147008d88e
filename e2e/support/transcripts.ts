// The transcripts of the course, from the golden scripts in `crates/redis-model/tests/golden/course/`: what each client types and what it then
// sees. A real Redis has printed the replies, and the layer `golden-real` compares them again. `crates/conformance/src/lib.rs` describes the files.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../crates/redis-model/tests/golden/course/", import.meta.url));

/** The files, without their ending: `geo`, `lua` … */
export const TRANSCRIPTS = readdirSync(FOLDER).map((file) => file.replace(/\.txt$/, "")).sort();

/** A printed line; a regular expression where it varies. */
export type Printed = string | RegExp;

/** What happens: a client types a line, a client leaves, or time passes. */
export type Action = { client: string; line: string } | { leaves: string } | { passes: true };

/** An action, and what every client has seen since its last command once it is done. */
export type Step = { action: Action; seen: Map<string, Printed[]>; isUnordered: boolean };

/** The steps of a file. Clients are `c1`, `c2` … in the order in which they appear. */
export function steps(file: string): Step[] {
  return parse(readFileSync(`${FOLDER}${file}.txt`, "utf8"));
}

const NAME = "[a-z][a-z0-9]*";
const COMMAND = new RegExp(`^(${NAME})> (.*)$`);
const SEES = new RegExp(`^(${NAME})< ?(.*)$`);

export function parse(text: string): Step[] {
  const names: string[] = [];
  const client = (name: string) => {
    if (!names.includes(name)) names.push(name);
    return `c${names.indexOf(name) + 1}`;
  };
  const steps: Step[] = [];
  let isUnordered = false;
  const begin = (action: Action) => {
    const seen = new Map([...(steps.at(-1)?.seen ?? [])].map(([client, lines]) => [client, [...lines]]));
    if ("client" in action) seen.set(action.client, []);
    if ("leaves" in action) seen.delete(action.leaves);
    steps.push({ action, seen, isUnordered });
    isUnordered = false;
  };
  const sees = (client: string, line: Printed) => steps.at(-1)?.seen.get(client)?.push(line);
  for (const line of text.split("\n")) {
    const command = line.match(COMMAND);
    const other = line.match(SEES);
    const action = steps.at(-1)?.action;
    if (line === "" || line.startsWith("#")) continue;
    else if (command) begin({ client: client(command[1]), line: command[2] });
    else if (line.startsWith("@+")) begin({ passes: true });
    else if (other) sees(client(other[1]), other[2]);
    else if (line === "! unordered") isUnordered = true;
    else if (line.startsWith("! config ")) {
      begin({ client: "c1", line: `CONFIG SET ${line.slice("! config ".length)}` });
      sees("c1", "OK");
    } else if (line.startsWith("! disconnect ")) begin({ leaves: client(line.slice("! disconnect ".length)) });
    else if (line.startsWith("!")) throw new Error(`not understood: ${line}`);
    else if (line === "(blocked)") continue;
    else if (action && "client" in action) sees(action.client, line.startsWith("~") ? pattern(line.slice(1)) : line);
    else throw new Error(`nobody sees ${line}`);
  }
  return steps;
}

/** A line that varies. On the page time passes in whole seconds and not in the steps of the file, so a range of milliseconds is any integer. */
function pattern(line: string): RegExp {
  const literal = line.replace(/^ /, "").split(/(\{[^}]*\})/);
  const parts = literal.map((part) => (/^\{(int|\d+\.\.\d+)\}$/.test(part) ? "-?\\d+" : part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")));
  return new RegExp(`^${parts.join("")}$`);
}
