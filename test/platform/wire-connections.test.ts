// Connections for hot reads: the errors and settings of the pool, and lost connections.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase, rawSql, sql } from "#src/db/connection/database.ts";
import { Rows } from "#src/db/connection/wire/rows.ts";
import { OutOfTimeError } from "#src/db/connection/database-errors.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import { HeldUpError } from "#src/db/connection/wire/wire.ts";
import { Wires } from "#src/db/connection/wire/wires.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";
import { expectSame, failureOf, objectsOf, rowsOf } from "#test/support/wire-rows.ts";

let throwAway: TestDatabase;
let database: Database;
beforeAll(async () => {
  throwAway = await createTestDatabase({ empty: true });
  database = openDatabase({ url: throwAway.url });
});
afterAll(async () => {
  await database.close();
  await throwAway.drop();
});

/** Separate connections with session `options`. */
async function onWires(
  work: (wires: Wires) => Promise<void>,
  { options = "", most = 1, heldUpMs = 60_000 } = {},
): Promise<void> {
  const config = { connectionString: throwAway.url, options };
  const wires = new Wires({ config, most, answerLimitMs: 30_000, heldUpMs });
  try {
    await work(wires);
  } finally {
    await wires.close();
  }
}

/** Waits until a session is in `pg_sleep`: an earlier cancel would have no effect. */
async function untilItSleeps(pid: unknown): Promise<void> {
  const sleeping = "select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'";
  while ((await database.pool.query(sleeping, [pid])).rowCount === 0);
}

describe("errors of wire connections", () => {
  test.each([
    ["of syntax", rawSql("selec 1")],
    [
      "with all fields",
      sql`do $$ begin raise exception 'no' using detail = 'd', hint = 'h', column = 'c', table = 't', schema = 's', constraint = 'n', datatype = 'y', errcode = '23505'; end $$`,
    ],
    ["of a value", sql`select ${"x"}::int`],
    ["of too many values", sql`select ${1}::text where ${rawSql("$2::text is null and false")}`],
    ["within rows", sql`select 1 / (3 - n) from generate_series(1, 5) n`],
  ])("%s are the same as with the pool", async (_, statement) => {
    const [ours, theirs] = [await failureOf(database.rows(statement)), await failureOf(database.query(statement))];
    expect(ours).toBeInstanceOf(pg.DatabaseError);
    expect({ ...(ours as object) }).toEqual({ ...(theirs as object) });
    expect(String(ours)).toBe(String(theirs));
    expect(objectsOf(await rowsOf(database, sql`select 1 as one`))).toEqual([{ one: 1 }]);
  });

  test("for text that cannot be stored are returned to callers", async () => {
    for (const bad of ["\0", ["\0"]])
      await expect(database.rows(sql`select ${bad}::text`)).rejects.toThrow("Text must not contain NUL characters.");
  });

  test("of connecting are the same as with pg", async () => {
    const nowhere = openDatabase({ url: throwAway.url.replace(/\/[^/?]+(\?|$)/, "/no_such_database$1") });
    const failures = await Promise.all([1, 2, 3].map(() => failureOf(nowhere.rows(sql`select 1`))));
    for (const failure of failures) expect(failure).toMatchObject({ code: "3D000" });
    await nowhere.close();
  });

  test("of a cancelled or slow statement do not affect others", async () => {
    await onWires(async (wires) => {
      const pid = (await wires.query("select pg_backend_pid() as pid", [])).value(0, 0);
      const [slow, next] = [failureOf(wires.query("select pg_sleep(30)", [])), wires.query("select 2 as two", [])];
      await untilItSleeps(pid);
      await database.pool.query("select pg_cancel_backend($1)", [pid]);
      expect(await slow).toMatchObject({ code: "57014" });
      expect(objectsOf(await next)).toEqual([{ two: 2 }]);
    });
    await onWires(
      async (wires) => {
        const [slow, next] = [failureOf(wires.query("select pg_sleep(30)", [])), wires.query("select 2 as two", [])];
        expect(await slow).toMatchObject({ code: "57014" });
        expect(objectsOf(await next)).toEqual([{ two: 2 }]);
      },
      { options: "-c statement_timeout=500" },
    );
  });
});

describe("a slow statement on a wire connection", () => {
  const sleep = "select pg_sleep(30)";

  test("sends other statements to the pool if no connection is free", async () => {
    await onWires(async (wires) => {
      const pid = (await wires.query("select pg_backend_pid() as pid", [])).value(0, 0);
      const slow = failureOf(wires.query(sleep, []));
      expect(wires.takes("select 1")).toBe(true);
      await untilItSleeps(pid);
      await expect.poll(() => wires.takes("select 1")).toBe(false);
      await database.pool.query("select pg_cancel_backend($1)", [pid]);
      expect(await slow).toMatchObject({ code: "57014" });
      expect(wires.takes("select 1")).toBe(true);
    });
  });
});

test("fails the statements behind it, so that they can run elsewhere, and drops their late results", async () => {
  const wires = new Wires({
    config: { connectionString: throwAway.url },
    most: 1,
    answerLimitMs: 30_000,
    heldUpMs: 20,
  });
  try {
    const pid = (await wires.query("select pg_backend_pid() as pid", [])).value(0, 0);
    const slow = failureOf(wires.query("select pg_sleep(30)", []));
    await untilItSleeps(pid);
    const behind = ["select 1 as one", "select 2 as two"].map((text) => failureOf(wires.query(text, [])));
    for (const failure of behind) expect(await failure).toBeInstanceOf(HeldUpError);
    await database.pool.query("select pg_cancel_backend($1)", [pid]);
    expect(await slow).toMatchObject({ code: "57014" });
    await expect.poll(() => wires.load.inUse).toBe(0); // the server has answered those behind it, too
    expect(objectsOf(await wires.query("select 2 as two", []))).toEqual([{ two: 2 }]);
  } finally {
    await wires.close();
  }
});

test("fails the statements behind it, even if they waited with it for a connection", async () => {
  await onWires(
    async (wires) => {
      const slow = failureOf(new TimeLimit(300).run(() => wires.query("select pg_sleep(60)", [])));
      expect(await failureOf(wires.query("select 1 as one", []))).toBeInstanceOf(HeldUpError);
      expect(await slow).toBeInstanceOf(OutOfTimeError);
    },
    { heldUpMs: 20 },
  );
});

test("ends the preparation of a statement on the server once all its callers have left", async () => {
  await database.pool.query("create table locked (a int)");
  const holder = await database.pool.connect();
  await holder.query("begin; lock table locked in access exclusive mode");
  await onWires(async (wires) => {
    const ask = (ms: number) => failureOf(new TimeLimit(ms).run(() => wires.query("select a from locked", [])));
    // The first one leaves before there is a connection.
    for (const failure of [ask(1), ask(50), ask(200)]) expect(await failure).toBeInstanceOf(OutOfTimeError);
    await expect.poll(() => wires.load.inUse).toBe(0);
  });
  await holder.query("commit; drop table locked");
  holder.release();
});

test("keeps the statements on a connection whose responses came while the process was busy", async () => {
  const config = { connectionString: throwAway.url };
  const wires = new Wires({ config, most: 1, answerLimitMs: 30_000, heldUpMs: 50 });
  try {
    await wires.query("select 1 as one", []);
    const running = [1, 2, 3].map(() => wires.query("select 1 as one", []));
    await new Promise(setImmediate); // they are sent
    for (const end = performance.now() + 100; performance.now() < end;); // as while garbage is collected
    for (const rows of await Promise.all(running)) expect(objectsOf(rows)).toEqual([{ one: 1 }]);
  } finally {
    await wires.close();
  }
});

describe("quick statements of one turn", () => {
  /** Waits for some seconds, and divides. The result is text with the time at which the transaction began. */
  const statement =
    "select 12 / $2::int || ' ' || transaction_timestamp() as result from (select pg_sleep($1::float8)) s";
  const run = async (wires: Wires, { seconds = 0, by = 1 } = {}) =>
    String((await wires.query(statement, [seconds, by])).value(0, 0));

  /** On one connection, when the statement is known to be quick. */
  const whenQuick = (work: (wires: Wires) => Promise<void>, heldUpMs = 60_000) =>
    onWires(
      async (wires) => {
        for (;;) {
          const [one, other] = await Promise.all([run(wires), run(wires)]);
          if (one === other) return work(wires);
        }
      },
      { heldUpMs },
    );

  test("run in one transaction, of which an error fails its own statement only", async () => {
    await whenQuick(async (wires) => {
      const settled = await Promise.allSettled([1, 0, 2, 0, 0, 3].map((by) => run(wires, { by })));
      const results = settled.map((one) =>
        one.status === "fulfilled" ? one.value.split(" ")[0] : (one.reason as pg.DatabaseError).code,
      );
      expect(results).toEqual(["12", "22012", "6", "22012", "22012", "4"]);
    });
  });

  test("are not blocked by one of them that turns out to be slow", async () => {
    await whenQuick(async (wires) => {
      const running = [0, 60, 0].map((seconds) => failureOf(run(wires, { seconds })));
      for (const failure of running) expect(await failure).toBeInstanceOf(HeldUpError);
      await expect.poll(() => wires.load.inUse).toBe(0); // the server has ended them
      expect(await run(wires)).toMatch(/^12 /);
    }, 20);
  });

  test("are cancelled alone", async () => {
    await whenQuick(async (wires) => {
      const before = run(wires);
      const slow = failureOf(new TimeLimit(200).run(() => run(wires, { seconds: 60 })));
      const behind = run(wires);
      expect(await slow).toBeInstanceOf(OutOfTimeError);
      expect(await Promise.all([before, behind])).toEqual([
        expect.stringMatching(/^12 /),
        expect.stringMatching(/^12 /),
      ]);
    });
  });
});

describe("wire connections", () => {
  test("have the settings of the pool", async () => {
    const names = ["TimeZone", "statement_timeout", "plan_cache_mode", "jit", "idle_in_transaction_session_timeout"];
    await expectSame(
      database,
      sql`select name, setting from pg_settings where name = any(${names}::text[]) order by 1`,
    );
  });

  test("are shared by quick statements of one turn, but not with a slow one", async () => {
    await onWires(
      async (wires) => {
        const pidOf = async (text: string) => JSON.stringify(objectsOf(await wires.query(text, [])));
        const quick = () => pidOf("select pg_backend_pid() as pid");
        const slow = () => pidOf("select pg_backend_pid() as pid from pg_sleep(0.01)");
        let pids = new Set<string>();
        while (pids.size < 2) pids = new Set(await Promise.all([slow(), slow()])); // until both are open
        // Until it has once taken little time.
        while (pids.size > 1) pids = new Set(await Promise.all([quick(), quick(), quick()]));
        const [slowPid, ...quickPids] = await Promise.all([slow(), quick()]);
        expect(quickPids).not.toContain(slowPid);
      },
      { most: 2 },
    );
  });

  test("fail their statements when they are lost, and are replaced", async () => {
    await onWires(async (wires) => {
      for (let round = 0; round < 3; round++) {
        const pid = (await wires.query("select pg_backend_pid() as pid", [])).value(0, 0);
        const lost = [1, 2, 3].map((n) => failureOf(wires.query(`select pg_sleep(30), ${n}`, [])));
        await database.pool.query("select pg_terminate_backend($1)", [pid]);
        for (const failure of lost) expect(await failure).toBeInstanceOf(Error);
      }
      expect(objectsOf(await wires.query("select 1 as one", []))).toEqual([{ one: 1 }]);
    });
  });

  test("are closed when idle and opened again on demand", async () => {
    const config = { connectionString: throwAway.url, application_name: "idle" };
    const wires = new Wires({ config, most: 2, answerLimitMs: 30_000, idleMs: 50 });
    expect(objectsOf(await wires.query("select 1 as one", []))).toEqual([{ one: 1 }]);
    while ((await database.pool.query("select from pg_stat_activity where application_name = 'idle'")).rowCount);
    expect(objectsOf(await wires.query("select 1 as one", []))).toEqual([{ one: 1 }]);
    await wires.close();
    await expect(wires.query("select 1 as one", [])).rejects.toThrow("cannot be prepared");
  });

  test("are replaced when they end while idle", async () => {
    await onWires(async (wires) => {
      const pid = (await wires.query("select pg_backend_pid() as pid", [])).value(0, 0);
      await database.pool.query("select pg_terminate_backend($1, 5000)", [pid]);
      // The end may be read before the statement is sent, or after: then that one fails.
      await failureOf(wires.query("select 1 as one", []));
      expect(objectsOf(await wires.query("select 1 as one", []))).toEqual([{ one: 1 }]);
    });
  });

  test("prepare a statement again when its columns change", async () => {
    await database.pool.query("create table changing (a int); insert into changing values (1)");
    const statement = sql`select * from changing`;
    const before = await rowsOf(database, statement);
    await database.pool.query("alter table changing add b text default 'x', alter a type text");
    const [one, two] = await Promise.all([rowsOf(database, statement), rowsOf(database, statement)]);
    expect(objectsOf(one)).toEqual([{ a: "1", b: "x" }]);
    expect(objectsOf(two)).toEqual([{ a: "1", b: "x" }]);
    expect(two.columns).toBe(one.columns);
    expect(objectsOf(before)).toEqual([{ a: 1 }]);
    await database.pool.query("drop table changing");
    await expect(database.rows(statement)).rejects.toThrow("does not exist");
  });

  test("are no longer used if they lose prepared statements: the pool is used", async () => {
    const forgetful = openDatabase({ url: throwAway.url });
    expect(await forgetful.rows(sql`select 1 as one`)).toBeInstanceOf(Rows);
    await forgetful.rows(sql`deallocate all`);
    expect(forgetful.wires?.isOff).toBe(false);
    expect(await Promise.all([1, 2].map(() => forgetful.rows(sql`select 1 as one`)))).toEqual([
      [{ one: 1 }],
      [{ one: 1 }],
    ]);
    expect(forgetful.wires?.isOff).toBe(true);
    expect(await forgetful.rows(sql`select 2 as two`)).toEqual([{ two: 2 }]);
    await forgetful.close();
  });

  test("are not used without the option or for more statements than are kept prepared", async () => {
    const without = openDatabase({ url: throwAway.url, wires: false });
    expect(await without.rows(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await without.close();
    await onWires(async (wires) => {
      const taken = Array.from({ length: 1010 }, (_, n) => wires.takes(`select ${n}`));
      expect(taken.filter(Boolean)).toHaveLength(1000);
      expect(wires.takes("select 7")).toBe(true);
      await expect(wires.query("select 1009", [])).rejects.toThrow("cannot be prepared");
    });
  });

  test("finish pending statements before they close", async () => {
    let answers: Promise<Rows[]> | undefined;
    await onWires(
      async (wires) => {
        answers = Promise.all([1, 2, 3].map((n) => wires.query("select $1::int as n, pg_sleep(0.01)", [n])));
      },
      { most: 2 },
    );
    expect((await answers)?.map((rows) => rows.value(0, 0))).toEqual([1, 2, 3]);
  });
});
