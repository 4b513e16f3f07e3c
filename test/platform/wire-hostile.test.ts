// Invalid messages of a PostgreSQL server: a statement gets an error, and never the bytes of another.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  against,
  answer,
  description,
  expected,
  given,
  int16,
  int32,
  message,
  prepared,
  ready,
  row,
  type Script,
  statement,
} from "#test/support/fake-postgres.ts";
import { failureOf, objectsOf } from "#test/support/wire-rows.ts";

const columns = (...fields: (Buffer | string)[]) =>
  message("T", Buffer.concat(fields.map((field) => Buffer.from(field))));
const beforeColumns = Buffer.concat([message("3"), message("1"), message("t", int16(0))]);

describe("an invalid protocol message destroys the connection", () => {
  test.each<[string, Buffer]>([
    ["nothing is prepared", given],
    ["columns are missing", Buffer.concat([beforeColumns, ready])],
    ["a step is left out", Buffer.concat([message("3"), message("t", int16(0))])],
    ["more columns than bytes", Buffer.concat([beforeColumns, columns(int16(-1), "a\0")])],
    ["a column without its end", Buffer.concat([beforeColumns, columns(int16(1), "abc")])],
    ["a column cut off", Buffer.concat([beforeColumns, columns(int16(1), "abc\0", int32(1))])],
    ["columns without a count", Buffer.concat([beforeColumns, columns("a")])],
    ["a request for a password", message("R", int32(3))],
  ])("in a prepare response: %s", async (_, bytes) => {
    await against(
      (socket) => socket.write(bytes),
      async (wires) => {
        const failures = await Promise.all([1, 2].map(() => failureOf(wires.query(statement, []))));
        for (const failure of failures) expect(failure).toBeInstanceOf(Error);
      },
    );
  });

  const bound = message("2");
  const rowOf = (...parts: Buffer[]) =>
    Buffer.concat([bound, message("D", Buffer.concat(parts)), message("C", "SELECT 1\0"), ready]);
  test.each<[string, Buffer, string]>([
    ["length 3", message("2", "", 3), "a message of 3 bytes"],
    ["length 0", message("2", "", 0), "a message of 0 bytes"],
    ["length -1", message("2", "", -1), "a message of -1 bytes"],
    ["length -2^31", message("2", "", -(2 ** 31)), "a message of -2147483648 bytes"],
    ["length 1 GB", Buffer.concat([bound, message("D", int16(3), 2 ** 30)]), "a message of 1073741824 bytes"],
    ["length 2 GB", Buffer.concat([bound, message("D", int16(3), 2 ** 31 - 1)]), "a message of 2147483647 bytes"],
    ["unknown code", message("!"), 'an unexpected "!"'],
    ["code zero", message("\0"), "unexpected"],
    ["a row before its time", row("one", int32(1), ""), 'an unexpected "D"'],
    ["columns in a run", columns(int16(0)), 'an unexpected "T"'],
    ["ready without an end", Buffer.concat([bound, ready]), 'an unexpected "Z"'],
    ["rows behind the end", Buffer.concat([bound, message("C"), row("one", int32(1), "")]), 'an unexpected "D"'],
    ["two answers for one", Buffer.concat([given, given]), "no error"],
    ["copying in", message("G", Buffer.from([0, 0, 0])), 'an unexpected "G"'],
    ["copying out", Buffer.concat([bound, message("H", Buffer.from([0, 0, 0]))]), 'an unexpected "H"'],
    ["an open transaction", Buffer.concat([bound, message("C"), message("Z", "T")]), "no idle state after a statement"],
    ["ready without a state", Buffer.concat([bound, message("C"), message("Z")]), "a message of 4 bytes"],
    ["a row with fewer values", answer(row("one", int32(1))), "row that does not match its columns"],
    ["a row with more values", answer(row("one", int32(1), "", "")), "row that does not match its columns"],
    ["a row without a count", rowOf(Buffer.from([0])), "row that does not match its columns"],
    ["a row without anything", rowOf(), "row that does not match its columns"],
    [
      "a value beyond its row",
      rowOf(int16(3), int32(7), Buffer.from("abc"), int32(-1), int32(-1)),
      "ends before its values",
    ],
    ["a value of 2 GB", rowOf(int16(3), int32(2 ** 31 - 1), int32(-1), int32(-1)), "ends before its values"],
    [
      "a last value of 2 GB",
      rowOf(int16(3), int32(-1), int32(-1), int32(2 ** 31 - 1)),
      "whose length does not match its values",
    ],
    ["a value of length -2", rowOf(int16(3), int32(-2), int32(-1), int32(-1)), "ends before its values"],
    [
      "bytes behind the values",
      rowOf(int16(3), int32(-1), int32(-1), int32(-1), Buffer.from([0])),
      "whose length does not match its values",
    ],
    ["an error without an end", message("E", "Mno"), "within a text"],
    ["an error without anything", message("E"), "within a text"],
  ])("in an execute response: %s", async (_, bytes, problem) => {
    const script: Script = (socket, count) => socket.write(count === 0 ? description : bytes);
    await against(script, async (wires) => {
      await wires.query("first, prepared", []).catch(() => {});
      const failure = await failureOf(wires.query("first, prepared", []));
      expect(failure === "no error" ? failure : String(failure)).toMatch(
        problem === "no error" ? /no error|unexpected/ : problem,
      );
    });
  });

  test("while idle: the next statement opens another connection", async () => {
    const script: Script = (socket, count, connection) => {
      socket.write(count === 0 ? description : given);
      if (connection === 0 && count === 1) socket.write(given);
    };
    await against(script, async (wires) => {
      await wires.query(statement, []);
      await failureOf(wires.query(statement, [])); // before or after the unsolicited response
      expect(objectsOf(await wires.query(statement, []))).toEqual(expected);
    });
  });

  test("a huge declared length allocates no memory and times out like a response", async () => {
    const claim = Buffer.concat([message("2"), message("D", int16(3), 200_000_000)]);
    await against(
      (socket, count) => socket.write(count === 0 ? description : claim),
      async (wires) => {
        const before = process.memoryUsage().arrayBuffers;
        await expect(wires.query(statement, [])).rejects.toThrow("Query read timeout");
        expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
      },
      200,
    );
  });

  test("a value that does not match its type is an error of its reader", async () => {
    const types = {
      a: 16,
      b: 23,
      c: 20,
      d: 701,
      e: 1184,
      f: 3802,
      g: 1009,
      h: 1009,
      i: 1007,
      j: 1009,
      k: 1009,
      l: 114,
      m: 21,
    };
    const list = (...parts: number[]) => Buffer.concat(parts.map(int32));
    const arrays = [
      list(7, 0, 25),
      list(1, 0, 25, 2 ** 30, 1),
      list(1, 0, 23, 1, 1, 3),
      list(1, 0, 25, 1, 1, 100),
      list(2, 0, 25, 2 ** 30, 1, 0, 1),
    ];
    const values = [Buffer.alloc(2), "abc", "abc", "", "abc", "\x02{}", ...arrays, "{", "abc"];
    await against(
      (socket, count) => socket.write(count === 0 ? prepared(types) : answer(row(...values))),
      async (wires) => {
        const rows = await wires.query(statement, []);
        for (const column of values.keys())
          expect(() => rows.value(0, column), `column ${column}`).toThrow(/bytes|JSON|array|element|version|range/);
      },
    );
  });

  test("any changed byte of a response gives a result or an error", async () => {
    let bytes = given;
    const script: Script = (socket, count) =>
      count === 0 ? socket.write(description) : socket.write(bytes, () => socket.end());
    const changed = fc.array(fc.tuple(fc.nat(given.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
    const garbage = fc.uint8Array({ maxLength: 60 }).map((random) => Buffer.concat([message("2"), random]));
    const answers = fc.oneof(
      changed.map((changes) =>
        changes.reduce((all, [place, byte]) => all.fill(byte, place, place + 1), Buffer.from(given)),
      ),
      garbage,
    );
    await fc.assert(
      fc.asyncProperty(answers, async (all) => {
        bytes = all;
        await against(script, async (wires) => {
          const rows = await wires.query(statement, []).catch((error: unknown) => error);
          if (rows instanceof Error) return;
          expect(rows).toMatchObject({ width: 3 });
        });
      }),
      { numRuns: 200 },
    );
  });
});

describe("a silent PostgreSQL server", () => {
  test("is disconnected after the limit, and the next statement opens another connection", async () => {
    const script: Script = (socket, count, connection) => {
      if (connection > 0 || count === 0) socket.write(count === 0 ? description : given);
    };
    await against(
      script,
      async (wires) => {
        const failures = await Promise.all([1, 2].map(() => failureOf(wires.query(statement, []))));
        for (const failure of failures) expect(String(failure)).toBe("Error: Query read timeout");
        expect(objectsOf(await wires.query(statement, []))).toEqual(expected);
      },
      100,
    );
  });

  test("does not keep a closing connection open", async () => {
    const script: Script = (socket, count) => {
      socket.write(count === 0 ? description : given);
      if (count === 1) socket.pause(); // also the end of the connection is not received
    };
    await against(script, async (wires) => void (await wires.query(statement, [])), 100);
  });

  test("does not delay a statement on another connection", async () => {
    const ending = Promise.withResolvers<void>();
    const script: Script = (socket, count, connection) => {
      socket.write(count === 0 ? description : given);
      if (connection > 0) return;
      socket.end = () => {
        ending.resolve(); // and nothing more: the connection stays open
        return socket;
      };
    };
    await against(
      script,
      async (wires) => {
        await wires.query(statement, []);
        await ending.promise;
        expect(objectsOf(await wires.query(statement, []))).toEqual(expected);
      },
      1000,
      20,
    );
  });

  test("can be queried again at once after a lost statement", async () => {
    const script: Script = (socket, count, connection) => {
      if (connection === 0 && count === 1) socket.resetAndDestroy();
      else socket.write(count === 0 ? description : given);
    };
    await against(script, async (wires) => {
      expect(objectsOf(await wires.query(statement, []).catch(() => wires.query(statement, [])))).toEqual(expected);
    });
  });

  test("ends a statement with its error after the rows it had sent", async () => {
    const error = message("E", "SERROR\0C57014\0Mcancelled\0Q?\0\0");
    const failed = Buffer.concat([message("2"), row("one", int32(1), "sad"), error, ready]);
    const script: Script = (socket, count) => socket.write([description, failed, given][count] ?? failed);
    await against(script, async (wires) => {
      const [first, second] = [failureOf(wires.query(statement, [])), wires.query(statement, [])];
      expect(await first).toMatchObject({ code: "57014", message: "cancelled", severity: "ERROR", detail: undefined });
      expect(objectsOf(await second)).toEqual(expected);
    });
  });

  test("reports the last error message of the server for the running statement", async () => {
    const words = message("E", "SFATAL\0C57P01\0Mshutting down\0\0");
    await against(
      (socket, count) => (count === 0 ? socket.write(description) : socket.end(words)),
      async (wires) => {
        const failures = await Promise.all([1, 2].map(() => failureOf(wires.query(statement, []))));
        expect(failures).toEqual([
          expect.objectContaining({ code: "57P01" }),
          new Error("Connection terminated unexpectedly"),
        ]);
      },
    );
  });
});
