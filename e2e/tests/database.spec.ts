// A database and a Redis server: SQL in a terminal, row locks that others wait for, the panel of its tables, and its lessons.
import { expect, test } from "../support/fixtures.ts";
import type { Stage } from "../support/stage.ts";
import { Course } from "../support/course.ts";

/** A new session with a Redis server and a database; both terminals are connected to the database. */
async function withDatabase(stage: Stage): Promise<void> {
  const { page } = stage;
  await page.getByTestId("sessions").click();
  await page.getByTestId("new-nodes").selectOption({ index: 0 });
  await page.getByTestId("new-table").selectOption({ index: 1 });
  await page.getByTestId("new-on-nodes").click();
  for (const number of [0, 1]) await page.getByTestId(`node-of-${number}`).selectOption("db");
}

test("a terminal accepts SQL, and prints replies like the mysql client", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await withDatabase(stage);
  await stage.expect("c1", "CREATE TABLE method_lock (method VARCHAR(64) PRIMARY KEY, owner VARCHAR(64));", "Query OK, 0 rows affected (0.00 sec)");
  await stage.expect("c1", "INSERT INTO method_lock VALUES ('transfer', '转账')", "Query OK, 1 row affected");
  await stage.expect("c2", "INSERT INTO method_lock VALUES ('transfer', 'c2')", "ERROR 1062 (23000): Duplicate entry 'transfer' for key 'PRIMARY'");
  await expect(stage.log("c2")).toContainText("A unique index allows each value only once");
  await stage.expect("c2", "SELECT * FROM method_lock", "1 row in set (0.00 sec)");
  await expect(stage.log("c2")).toContainText("| transfer | 转账");
  await stage.expect("c2", "SELEC 1", "ERROR 1064 (42000)");
  await expect(stage.log("c2")).toContainText("c2@db mysql>");
  await stage.expect("c2", "help", "SELECT column, … FROM table");
  await expect(page.getByTestId("tables")).toContainText("transfer");
  // The same terminal switches back to Redis.
  await page.getByTestId("node-of-1").selectOption("r1");
  await stage.expect("c2", "SET k v", "OK");
});

test("a row lock makes others wait, and the panel shows who holds it", async ({ stage }) => {
  const { page } = stage;
  await stage.open("zh-CN");
  await withDatabase(stage);
  await stage.expect("c1", "CREATE TABLE stock (id INT PRIMARY KEY, n INT)", "Query OK");
  await stage.expect("c1", "INSERT INTO stock VALUES (1, 10), (2, 20)", "2 rows affected");
  await stage.expect("c1", "BEGIN", "Query OK");
  await stage.expect("c1", "UPDATE stock SET n = 9 WHERE id = 1", "Changed: 1");
  await stage.expect("c2", "UPDATE stock SET n = 8 WHERE id = 1", "等待 stock 中的行 1，它的行锁由 c1 持有");
  const tables = page.getByTestId("tables");
  await expect(tables).toContainText("c1 修改，未提交");
  await expect(tables).toContainText("c1 持有行锁");
  await expect(tables).toContainText("c2 在等待");
  await stage.expect("c1", "COMMIT", "Query OK");
  await expect(stage.log("c2")).toContainText("Rows matched: 1  Changed: 1");
  await expect(tables).not.toContainText("在等待");
  // All of this is in the session's text.
  await page.reload();
  await expect(stage.log("c2")).toContainText("Rows matched: 1  Changed: 1");
  await expect(page.getByTestId("tables")).toContainText("8");
});

test("a database restarts with what was committed", async ({ stage }) => {
  const { page } = stage;
  await stage.open("en");
  await withDatabase(stage);
  await stage.expect("c1", "CREATE TABLE t (id INT PRIMARY KEY)", "Query OK");
  await stage.expect("c1", "INSERT INTO t VALUES (1)", "1 row affected");
  await stage.expect("c1", "BEGIN", "Query OK");
  await stage.expect("c1", "INSERT INTO t VALUES (2)", "1 row affected");
  await stage.onNode(1, "node-crash");
  await expect(page.getByTestId("tables")).toContainText("down");
  await stage.expect("c2", "SELECT * FROM t", "the node is down");
  await stage.onNode(1, "node-restart");
  await stage.expect("c2", "SELECT COUNT(*) AS n FROM t", "| n |");
  await expect(stage.log("c2")).toContainText("| 1 |");
});

const LESSONS = [
  { language: "en", lesson: "locks/database-lock", table: "method_lock", client: 0, sentence: "INSERT INTO method_lock" },
  { language: "zh-CN", lesson: "lua/write-behind", table: "copied", client: 0, sentence: "INCR views:1" },
] as const;

for (const { language, lesson, table, client, sentence } of LESSONS) {
  test(`the lesson ${lesson} starts with its tables, and its programs query them`, async ({ stage }) => {
    const { page } = stage;
    await new Course(stage).open(lesson, language);
    await expect(page.getByTestId("tables")).toContainText(table);
    await page.getByTestId(`program-${client + 1}`).getByTestId("step").first().click();
    await expect(page.getByTestId("description")).toContainText(sentence);
  });
}
