// Reads the folder of a lesson: its clients, its story, and the right answers of its tasks.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A file of a lesson, `streams/pending` and `mark-script.lua`. */
export function fileOf(lesson: string, name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../lessons/${lesson}/${name}`, import.meta.url)), "utf8");
}

/** The tables of this name, `[[task]]`, each with its text up to the next table. */
function tables(lesson: string, name: string): string[] {
  const parts = fileOf(lesson, "lesson.toml").split(/^(?=\[)/m);
  return parts.filter((part) => part.startsWith(`[[${name}]]\n`));
}

/** The value after `name = ` in a table: in these files strings and lists of strings are JSON, except for literal strings, `'a "b"'`, and for a
 * trailing comma in a list. */
function value<T>(table: string, name: string): T | undefined {
  const found = table.match(new RegExp(`^${name} = (\\[\\n[\\s\\S]*?^\\]|.*)`, "m"))?.[1];
  const strings = found?.replace(/"(?:[^"\\]|\\.)*"|'([^']*)'/g, (string, literal?: string) => (literal === undefined ? string : JSON.stringify(literal)));
  return strings === undefined ? undefined : JSON.parse(strings.replace(/,\s*\]$/, "]"));
}

/** A task of a lesson, with its answer. */
export type Task = { id: string; kind: string; choices: string[]; answer: string; property: string; solution: string | string[] };

/** The tasks of a lesson. */
export function tasks(lesson: string): Task[] {
  return tables(lesson, "task").map((table) => ({
    id: value<string>(table, "id") ?? "",
    kind: value<string>(table, "kind") ?? "",
    choices: value<string[]>(table, "choices") ?? [],
    answer: value<string>(table, "answer") ?? "",
    property: value<string>(table, "property") ?? "",
    solution: value<string | string[]>(table, "solution") ?? [],
  }));
}

/** Names of the clients, `p1`, `c1`, `c2`, by their positions on the stage. */
export function clients(lesson: string): string[] {
  return tables(lesson, "client").flatMap((table) => {
    const places = Array.from({ length: value<number>(table, "count") ?? 1 }, (_, nth) => nth + 1);
    return places.map((place) => `${value<string>(table, "name")}${place}`);
  });
}

/** The lines of the story up to the step that breaks this property. */
export function wayTo(lesson: string, property: string): string[] {
  const steps = tables(lesson, "step");
  const last = steps.findIndex((step) => value<string[]>(step, "breaks")?.includes(property));
  if (last < 0) throw new Error(`the story of ${lesson} does not break ${property}`);
  return steps.slice(0, last + 1).flatMap((step) => value<string[]>(step, "do") ?? []);
}
