// Multipart requests over HTTP: a malformed one is refused with a reason, leaves nothing, and the gateway keeps
// serving.
import { deepEqual } from "node:assert/strict";
import { type ClientRequest, request } from "node:http";
import { connect } from "node:net";
import { getDefaultHighWaterMark, Readable } from "node:stream";
import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { partsOf, readText } from "#src/http/multipart.ts";
import { storedIn, uploadDocument } from "#test/features/content/uploads.ts";
import { useApp } from "#test/support/app.ts";

const maxFileSize = 200_000;

const { app, world } = await useApp({ maxFileSize });
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  token = editor.token;
  spaceId = space.id;
});

let stored: string[];
beforeEach(async () => {
  stored = await storedIn(app);
});
/** After each test no file was kept, and the gateway still responds. */
afterEach(async () => {
  deepEqual(await storedIn(app), stored);
  await app.as(token).query("{ viewer { __typename } }");
});

const boundary = "----boundary";
const multipart = { "content-type": `multipart/form-data; boundary=${boundary}` };

interface Field {
  readonly name: string;
  readonly text: string | Buffer;
  readonly filename?: string;
  /** Replaces the usual header. */
  readonly header?: string;
}

/** The body of the parts, without the end when `isOpen`. */
function bodyOf(fields: readonly Field[], isOpen = false): Buffer {
  const parts = fields.flatMap(({ name, text, filename, header }) => {
    const named = filename === undefined ? "" : `; filename="${filename}"`;
    const disposition = header ?? `Content-Disposition: form-data; name="${name}"${named}`;
    return [Buffer.from(`--${boundary}\r\n${disposition}\r\n\r\n`), Buffer.from(text), Buffer.from("\r\n")];
  });
  return Buffer.concat([...parts, Buffer.from(isOpen ? "" : `--${boundary}--\r\n`)]);
}

const operation = (variables: object = { input: { contentOf: { spaceId }, file: null } }) =>
  JSON.stringify({ query: uploadDocument, variables });
const operations = (text = operation()): Field => ({ name: "operations", text });
const map = (text = '{"0":["variables.input.file"]}'): Field => ({ name: "map", text });
const file = (name = "0", text = "some text"): Field => ({ name, text, filename: "some.txt" });

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
}

/** Begins a request; the test writes its body. */
function begin(headers: Record<string, string | number> = {}): { sent: ClientRequest; answer: Promise<Answer> } {
  const sent = request(`${app.url}/graphql`, {
    method: "POST",
    headers: { ...multipart, authorization: `Bearer ${token}`, ...headers },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        const { errors = [] } = JSON.parse(text) as { errors?: { message: string; extensions: { code: string } }[] };
        const status = response.statusCode ?? 0;
        resolve({ status, code: errors[0]?.extensions.code, message: errors[0]?.message ?? "" });
      });
    });
  });
  return { sent, answer };
}

function post(fields: readonly Field[] | Buffer, headers?: Record<string, string | number>): Promise<Answer> {
  const { sent, answer } = begin(headers);
  sent.end(Array.isArray(fields) ? bodyOf(fields as Field[]) : fields); // Array.isArray loses the readonly
  return answer;
}

const refused = { status: 400, code: "INVALID_INPUT" };

describe("an invalid GraphQL multipart request", () => {
  test.each<[string, () => readonly Field[]]>([
    ["nothing at all", () => []],
    ["no operations", () => [map(), file()]],
    ["no map", () => [operations(), file()]],
    ["the map first", () => [map(), operations(), file()]],
    ["files first", () => [file(), operations(), map()]],
    ["operations that are a file", () => [{ ...operations(), filename: "operations.json" }, map(), file()]],
    ["operations that are not JSON", () => [operations("{"), map(), file()]],
    ["a batch of operations", () => [operations(`[${operation()}]`), map('{"0":["0.variables.input.file"]}'), file()]],
    ["a map that is not JSON", () => [operations(), map("file"), file()]],
    ["a map that is a list", () => [operations(), map("[]"), file()]],
    ["a map of single paths", () => [operations(), map('{"0":"variables.input.file"}'), file()]],
    ["a map to elsewhere", () => [operations(), map('{"0":["variables.input.other"]}'), file()]],
    ["a map to the document", () => [operations(), map('{"0":["query"]}'), file()]],
    ["a map to a value that is not null", () => [operations(), map('{"0":["variables.input.spaceId"]}'), file()]],
    ["a map to what all objects have", () => [operations(), map('{"0":["variables.__proto__.polluted"]}'), file()]],
    [
      "a map to a place twice",
      () => [operations(), map('{"0":["variables.input.file","variables.input.file"]}'), file()],
    ],
    ["a file that is not there", () => [operations(), map()]],
    ["a file that the map does not name", () => [operations(), map(), file(), file("1")]],
    ["a file twice", () => [operations(), map(), file(), file()]],
    ["a field in place of a file", () => [operations(), map(), { name: "0", text: "text" }]],
    ["a part without a name", () => [operations(), map(), { ...file(), header: "Content-Type: text/plain" }]],
    ["a part with other headers only", () => [operations(), map(), { ...file(), header: "X: form-data; name=0" }]],
  ])("is refused: %s", async (_what, fields) => {
    expect(await post(fields())).toMatchObject(refused);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("is refused: more than 10 files", async () => {
    const names = Array.from({ length: 11 }, (_, index) => `f${index}`);
    const variables = { files: names.map(() => null) };
    const paths = Object.fromEntries(names.map((name, index) => [name, [`variables.files.${index}`]]));
    const fields = [operations(operation(variables)), map(JSON.stringify(paths)), ...names.map((name) => file(name))];
    expect(await post(fields)).toMatchObject(refused);
  });

  test.each([
    ["no boundary", "multipart/form-data"],
    ["an empty boundary", 'multipart/form-data; boundary=""'],
    ["a boundary that is too long", `multipart/form-data; boundary=${"x".repeat(71)}`],
    ["another boundary", "multipart/form-data; boundary=other"],
  ])("is refused: %s", async (_what, contentType) => {
    const answer = await post([operations(), map(), file()], { "content-type": contentType });
    expect(answer).toMatchObject(refused);
  });

  test.each([3, 60, 200, 500, 700])("is refused: a body that ends %i bytes early", async (missing) => {
    const whole = bodyOf([operations(), map(), file()]);
    expect(await post(whole.subarray(0, whole.length - missing))).toMatchObject(refused);
  });

  test("is refused: more operations, map or headers than a request may have", async () => {
    const long = "x".repeat(1_000_001);
    const tooLarge = { status: 413, code: "TOO_LARGE" };
    expect(await post([operations(long), map(), file()])).toMatchObject(tooLarge);
    expect(await post([operations(), map(long), file()])).toMatchObject(tooLarge);
    expect(await post([operations(), map(), { ...file(), header: `X: ${long}` }])).toMatchObject(tooLarge);
  });

  test("gets the same response as JSON if its operation cannot run", async () => {
    const of = (body: object) => post([operations(JSON.stringify(body)), map('{"0":["variables.f"]}'), file()]);
    const variables = { f: null };
    expect((await of({ query: "{ nothing }", variables })).code).toBe("GRAPHQL_VALIDATION_FAILED");
    expect((await of({ query: "{", variables })).code).toBe("GRAPHQL_PARSE_FAILED");
    expect((await of({ query: "query A { viewer { id } } query B { viewer { id } }", variables })).code).toBe(
      "OPERATION_RESOLUTION_FAILURE",
    );
  });
});

describe("an incomplete upload", () => {
  test("aborted by the client leaves nothing", async () => {
    const { sent, answer } = begin();
    answer.catch(() => {}); // it has none
    sent.write(bodyOf([operations(), map(), file("0", "x".repeat(100_000))], true));
    await waitFor(async () => (await storedIn(app)).length > stored.length);
    sent.destroy();
    await waitFor(async () => (await storedIn(app)).length === stored.length);
  });

  test("with a Content-Length larger than its body leaves nothing", async () => {
    const body = bodyOf([operations(), map(), file("0", "x".repeat(100_000))]);
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
    const head = [
      "POST /graphql HTTP/1.1",
      "host: localhost",
      `authorization: Bearer ${token}`,
      `content-type: ${multipart["content-type"]}`,
      `content-length: ${body.length + 10_000}`,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    socket.write(body.subarray(0, 50_000));
    await waitFor(async () => (await storedIn(app)).length > stored.length);
    socket.destroy();
    await waitFor(async () => (await storedIn(app)).length === stored.length);
  });
});

describe("an upload over the limit", () => {
  test("is refused while it arrives, and the connection stays usable", async () => {
    const fields = [operations(), map(), file("0", "x".repeat(50 * maxFileSize))];
    for (const _ of [1, 2]) expect(await post(fields)).toMatchObject({ status: 413, code: "TOO_LARGE" });
  });

  test("is refused by its Content-Length before anything is read", async () => {
    const { sent, answer } = begin({ "content-length": 10 * maxFileSize + 3_000_001 });
    sent.flushHeaders();
    expect(await answer).toMatchObject({ status: 413, code: "TOO_LARGE" });
    sent.destroy();
  });
});

test.each(["", "Bearer dg_nobody"])(
  "does not read the body of an unauthenticated request: %s",
  async (authorization) => {
    const { sent, answer } = begin({ authorization, "content-length": 1000 });
    sent.flushHeaders(); // and no body: an answer comes all the same
    expect(await answer).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    sent.destroy();
  },
);

test("returns a GraphQL error for a JSON body over the limit", async () => {
  const answer = await post(Buffer.from(`{"query":"#${"x".repeat(1_000_001)}"}`), {
    "content-type": "application/json",
  });
  expect(answer).toMatchObject({ status: 413, code: "TOO_LARGE" });
});

describe("the parts of a multipart body", () => {
  const part = fc.record({
    name: fc.stringMatching(/^[a-z]{1,5}$/),
    filename: fc.option(fc.stringMatching(/^[a-z ;=]{0,8}$/), { nil: undefined }),
    // Such parsers fail at split boundaries.
    text: fc
      .array(fc.oneof(fc.constantFrom("\r\n", "\r", "--", `\r\n--${boundary.slice(0, -1)}`, boundary), fc.string()))
      .map((pieces) => pieces.join(""))
      // The line break before a boundary is part of it (RFC 2046, 5.1.1), even that of the empty line before the text.
      .filter((text) => !`\r\n${text}`.includes(`\r\n--${boundary}`)),
  });

  test("are parsed equally for any split into chunks", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part), fc.array(fc.integer({ min: 1, max: 40 })), async (fields, sizes) => {
        const clean = fields.map(({ filename, ...field }) => (filename === undefined ? field : { ...field, filename }));
        const found: Field[] = [];
        for await (const { name, filename, bytes } of partsOf(inPieces(bodyOf(clean), sizes), boundary)) {
          const text = await readText(bytes, 1_000_000, "a part");
          found.push(filename === undefined ? { name, text } : { name, text, filename });
        }
        expect(found).toEqual(clean);
      }),
      { numRuns: 300 },
    );
  });

  test("are read completely when the buffer ends with the start of a boundary", async () => {
    const text = Buffer.concat([Buffer.alloc(getDefaultHighWaterMark(false) - 1, "x"), Buffer.from("\r\n")]);
    const body = bodyOf([
      { name: "a", text },
      { name: "b", text: "y" },
    ]);
    const end = body.indexOf(text) + text.length;
    const sizes = [end, `\r\n--${boundary}`.length, 20, body.length];
    const found: number[] = [];
    for await (const { bytes } of partsOf(inPieces(body, sizes), boundary)) {
      await new Promise((resolve) => setTimeout(resolve, 10)); // all that may be read ahead is read
      found.push((await readText(bytes, 100_000, "a part")).length);
    }
    expect(found).toEqual([text.length, 1]);
  });

  test("of random bytes end or fail, and never hang", async () => {
    const bytes = fc.array(fc.oneof(fc.constantFrom("\r\n", "--", `--${boundary}`, 'name="a"'), fc.string()));
    await fc.assert(
      fc.asyncProperty(bytes, fc.array(fc.integer({ min: 1, max: 40 })), async (pieces, sizes) => {
        const read = async () => {
          for await (const { bytes: of } of partsOf(inPieces(Buffer.from(pieces.join("")), sizes), boundary))
            await readText(of, 1000, "a part");
        };
        await read().catch((error: unknown) => expect(error).toMatchObject({ code: "INVALID_INPUT" }));
      }),
      { numRuns: 300 },
    );
  });
});

/** A body in pieces of these sizes, over and over. */
function inPieces(body: Buffer, sizes: readonly number[]): Readable {
  function* pieces() {
    for (let at = 0, turn = 0; at < body.length; turn++) {
      const size = sizes[turn % Math.max(1, sizes.length)] ?? body.length;
      yield body.subarray(at, at + size);
      at += size;
    }
  }
  return Readable.from(pieces());
}

/**
 * Polls until it is true: how the other side handles a lost connection causes nothing that a test could
 * wait for.
 */
async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
