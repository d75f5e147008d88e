// Several clients side by side: one waits, another wakes it; the session outlives a reload.
import { expect, test } from "../support/fixtures.ts";

test("a client that waits in BRPOP is woken by another", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "BRPOP mail 0");
  await expect(stage.terminal("c1")).not.toContainText('2) "hello"');
  await stage.expect("c2", "LPUSH mail hello", "(integer) 1");
  await expect(stage.log("c1")).toContainText('1) "mail"');
  await expect(stage.log("c1")).toContainText('2) "hello"');
});

test("replies look as redis-cli prints them", async ({ stage }) => {
  await stage.open("en");
  await stage.type("c1", "RPUSH l a b c");
  await stage.type("c1", "LRANGE l 0 -1");
  await stage.type("c1", "INCR l");
  await stage.type("c1", "GET nothing");
  const lines = (await stage.transcript("c1")).split("\n").map((line) => line.trim());
  for (const line of ["(integer) 3", '1) "a"', '2) "b"', '3) "c"', "(nil)"]) expect(lines).toContain(line);
  expect(lines.join("\n")).toContain("(error) WRONGTYPE Operation against a key holding the wrong kind of value");
});

test("the session survives a reload", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET kept yes", "OK");
  await stage.expect("c2", "GET kept", '"yes"');
  await stage.page.reload();
  await expect(stage.log("c1")).toContainText("SET kept yes");
  await stage.expect("c1", "STRLEN kept", "(integer) 3");
});

test("the language can be switched at any moment and nothing is lost", async ({ stage }) => {
  await stage.open("en");
  await stage.expect("c1", "SET word 1", "OK");
  await stage.speak("zh-CN");
  await expect(stage.log("c1")).toContainText("SET word 1");
  await stage.expect("c1", "INCR word", "(integer) 2");
  await stage.speak("en");
  await stage.expect("c1", "INCR word", "(integer) 3");
});
