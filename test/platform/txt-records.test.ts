// Reading TXT records: split and unsplit records, missing records, and failed lookups.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { txtRecordReader } from "#src/net/txt-records.ts";

const socket = createSocket("udp4");
let read: ReturnType<typeof txtRecordReader>;

/** Codes of answers of the DNS (RFC 1035, section 4.1.1). */
const codes = { ok: 0, serverFailure: 2, noSuchName: 3 };

const part = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);

/** A TXT record of the requested name (RFC 1035, section 3.3.14). */
function record(...texts: string[]): Buffer {
  const data = Buffer.concat(texts.map(part));
  const length = Buffer.from([data.length >> 8, data.length & 255]);
  return Buffer.concat([Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60]), length, data]);
}

const zone: Record<string, { readonly code?: number; readonly records?: readonly Buffer[] }> = {
  docs: { records: [record("v=spf1 -all"), record("docgraph-", "site=1")] },
  empty: {},
  broken: { code: codes.serverFailure },
};

beforeAll(async () => {
  socket.on("message", (question, { port, address }) => {
    const name = question.subarray(13, 13 + (question[12] ?? 0)).toString();
    const { code = codes.ok, records = [] } = zone[name] ?? { code: codes.noSuchName };
    const end = question.indexOf(0, 12) + 5;
    const header = Buffer.from([0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0]);
    const answer = Buffer.concat([question.subarray(0, 2), header, question.subarray(12, end), ...records]);
    socket.send(answer, port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  read = txtRecordReader([`127.0.0.1:${socket.address().port}`]);
});
afterAll(() => void socket.close());

test("joins the strings of a TXT record", async () => {
  expect(await read("docs.example.com")).toEqual(["v=spf1 -all", "docgraph-site=1"]);
});

test.each(["empty.example.com", "unknown.example.com", `${"a".repeat(64)}.example.com`])(
  "finds no record of %s",
  async (name) => {
    expect(await read(name)).toEqual([]);
  },
);

test("distinguishes a failed lookup from a missing record", async () => {
  await expect(read("broken.example.com")).rejects.toThrow("ESERVFAIL");
});
