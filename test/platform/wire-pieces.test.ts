// Wire responses that are split, joined or truncated anywhere: a statement gets its own rows or an error.
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  against,
  description,
  expected,
  given,
  int32,
  message,
  prepared,
  ready,
  result,
  row,
  rows,
  type Script,
  statement,
} from "#test/support/fake-postgres.ts";
import { failureOf, objectsOf } from "#test/support/wire-rows.ts";

/** Sends raw bytes in chunks that are read one by one. */
async function sendPieces(socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    if (piece.length > 0) socket.write(piece);
    await turn();
    await turn();
  }
}

const cut = (bytes: Buffer, ...places: number[]) =>
  [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length));

describe("a response of PostgreSQL", () => {
  test("is parsed equally for any split", async () => {
    let pieces: readonly Buffer[] = [];
    await against(
      (socket, count) => void sendPieces(socket, count === 0 ? cut(description) : pieces),
      async (wires) => {
        for (let place = 0; place <= given.length; place++) {
          pieces = cut(given, place);
          expect(objectsOf(await wires.query(statement, []))).toEqual(expected);
        }
        pieces = Array.from(given, (byte) => Buffer.from([byte]));
        expect(objectsOf(await wires.query(statement, []))).toEqual(expected);
      },
    );
  });

  test("is parsed equally if the prepare response is split", async () => {
    const pieces = Array.from(description, (byte) => Buffer.from([byte]));
    await against(
      (socket, count) => void sendPieces(socket, count === 0 ? pieces : [given]),
      async (wires) => {
        expect(objectsOf(await wires.query(statement, []))).toEqual(expected);
      },
    );
  });

  test("belongs to its statement, however responses are joined and split", async () => {
    const sizes = fc.array(fc.array(fc.nat(3000), { maxLength: 4 }), { minLength: 1, maxLength: 8 });
    const places = fc.array(fc.nat(40_000), { maxLength: 5 });
    let sent: Promise<void> = Promise.resolve();
    let [wanted, split]: [number[][], number[]] = [[], []];
    let at = 0;
    let waiting: Buffer[] = [];
    const script: Script = (socket, count, _, runs) => {
      if (count === 0) return socket.write(prepared({ id: 25, x: 25 }));
      for (const end = at + runs; at < end; at++)
        waiting.push(result(...(wanted[at]?.map((size, n) => row(`${at}.${n}`, "x".repeat(size))) ?? [])));
      waiting.push(ready);
      if (at < wanted.length) return;
      const bytes = Buffer.concat(waiting);
      [at, waiting] = [0, []];
      sent = sendPieces(socket, cut(bytes, ...split.filter((place) => place < bytes.length)));
    };
    await against(script, async (wires) => {
      await fc.assert(
        fc.asyncProperty(sizes, places, async (sizesOfAll, splitAt) => {
          [wanted, split] = [sizesOfAll, splitAt.toSorted((a, b) => a - b)];
          const all = await Promise.all(wanted.map(() => wires.query(statement, [])));
          expect(all.map(objectsOf)).toEqual(
            wanted.map((sizesOfOne, i) => sizesOfOne.map((size, n) => ({ id: `${i}.${n}`, x: "x".repeat(size) }))),
          );
          for (const [index, one] of all.entries()) if (index % 2 === 0) one.free();
          await sent;
        }),
        { numRuns: 60 },
      );
    });
  });

  test("may contain notices, settings and notifications anywhere", async () => {
    const aside = Buffer.concat([message("N", "SNOTICE\0\0"), message("S", "a\0b\0"), message("A", "1234a\0b\0")]);
    const parts = [
      message("2"),
      row("one", int32(1), "sad"),
      row("two äö", null, ""),
      message("C", "SELECT 2\0"),
      ready,
    ];
    const withAsides = Buffer.concat(parts.flatMap((part) => [aside, part]));
    await against(
      (socket, count) => socket.write(count === 0 ? Buffer.concat([aside, description]) : withAsides),
      async (wires) => {
        expect(objectsOf(await wires.query(statement, []))).toEqual(expected);
        expect(objectsOf(await wires.query(statement, []))).toEqual(expected);
      },
    );
  });
});

describe("a wire connection that closes", () => {
  const whole = Buffer.concat([description, given]);
  test.each(["ends", "breaks"])("after any byte fails its statements once and is replaced: it %s", async (how) => {
    let place = 0;
    const first: Script = (socket, count) => {
      const bytes =
        count === 0
          ? whole.subarray(0, Math.min(place, description.length))
          : whole.subarray(description.length, place);
      const isLast = count === 1 || place < description.length;
      socket.write(bytes, () => isLast && (how === "ends" ? socket.end() : socket.resetAndDestroy()));
    };
    const script: Script = (socket, count, connection, runs) =>
      connection % 2 === 0 ? first(socket, count, connection, runs) : socket.write(count === 0 ? description : given);
    for (place = 0; place < whole.length; place++) {
      await against(script, async (wires) => {
        const failures = await Promise.all([1, 2, 3].map(() => failureOf(wires.query(statement, []))));
        for (const failure of failures) expect(failure).toBeInstanceOf(Error);
        expect(objectsOf(await wires.query(statement, []))).toEqual(expected);
      });
    }
  });
});

test("statements of one event-loop turn are sent in one write", async () => {
  const reads: number[] = [];
  const script: Script = (socket, count, _, runs) => {
    if (count === 0) socket.on("data", () => reads.push(reads.length));
    const results = Array.from({ length: runs }, () => result(...rows));
    socket.write(count === 0 ? description : Buffer.concat([...results, ready]));
  };
  await against(script, async (wires) => {
    await wires.query(statement, []);
    const before = reads.length;
    await Promise.all(Array.from({ length: 20 }, () => wires.query(statement, [])));
    expect(reads.length - before).toBe(1);
  });
});
