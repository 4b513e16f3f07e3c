// Bodies of /v1, independent of the resource: parsing, validation, and property names in errors.
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { DomainError } from "#src/base/errors.ts";
import { failing, serveThings, type ThingServer } from "#test/support/thing-server.ts";

let things: ThingServer;

beforeAll(async () => {
  things = await serveThings();
});
afterEach(() => {
  failing.by = null;
});
afterAll(() => things.close());

const name = { method: "PUT", path: "/v1/things/1/name" };

describe("a valid body", () => {
  it("keeps absent and null properties apart", async () => {
    expect((await things.sendJson({})).seen).toEqual({ thingId: "1", size: {} });
    expect((await things.send([])).seen).toEqual({ thingId: "1", size: {} });
    expect((await things.sendJson({ title: null, names: null, shares: null, mood: null })).seen).toEqual({
      thingId: "1",
      title: null,
      names: null,
      shares: null,
      mood: null,
      size: {},
    });
  });

  it("may have every kind of value, together with path and query", async () => {
    const body = {
      title: "née 🙂",
      owner_: "o",
      mood: "very-glad",
      count: -3,
      weight: 0.5,
      names: ["a", "b"],
      position: { before: { name: "x", floor: 1, beside: { name: "y" } } },
      shares: { "a/b": { mood: "sad" }, c: { mood: "very-glad" } },
      since: "now",
      width: 7,
    };
    const { status, seen } = await things.sendJson(body, { path: "/v1/things/1?ready=true" });
    expect(status).toBe(200);
    expect(seen).toEqual({
      thingId: "1",
      ready: true,
      title: "née 🙂",
      owner: "o",
      mood: "VERY_GLAD",
      count: -3,
      weight: 0.5,
      names: ["a", "b"],
      position: { before: { name: "x", floor: 1, beside: { name: "y" } } },
      shares: [
        { who: "a/b", mood: "SAD" },
        { who: "c", mood: "VERY_GLAD" },
      ],
      since: "now",
      size: { width: 7 },
    });
  });

  it("may arrive in chunks, with a charset and a byte order mark", async () => {
    const bytes = Buffer.from('\uFEFF{"title":"née"}');
    const headers = { "content-type": "Application/JSON; charset=utf-8", "transfer-encoding": "chunked" };
    expect((await things.send([bytes.subarray(0, 14), bytes.subarray(14)], { headers })).seen).toMatchObject({
      title: "née",
    });
  });
});

describe("an invalid body", () => {
  test.for<[unknown, string, string]>([
    [{ title: 1 }, "/title", "must be a string."],
    [{ title: ["a"] }, "/title", "must be a string."],
    [{ title: "a\0" }, "/title", "must be well-formed Unicode without NUL characters."],
    [{ title: "\ud800" }, "/title", "must be well-formed Unicode without NUL characters."],
    [{ owner_: 1 }, "/owner_", "must be a string."],
    [{ mood: "VERY_GLAD" }, "/mood", "must be one of very-glad, sad."],
    [{ mood: 1 }, "/mood", "must be one of very-glad, sad."],
    [{ count: "1" }, "/count", "must be a whole number."],
    [{ count: null }, "/count", "must not be null."],
    [{ count: 1.5 }, "/count", "must be a whole number."],
    [{ count: 2 ** 31 }, "/count", "must be a whole number."],
    [{ weight: "1" }, "/weight", "must be a number."],
    [{ names: "a" }, "/names", "must be an array."],
    [{ names: ["a", 1] }, "/names/1", "must be a string."],
    [{ names: [null] }, "/names/0", "must not be null."],
    [{ position: "first" }, "/position", "must be an object."],
    [{ position: {} }, "/position", "must set exactly one of before, after."],
    [
      { position: { before: { name: "a" }, after: { name: "a" } } },
      "/position",
      "must set exactly one of before, after.",
    ],
    [{ position: { before: null } }, "/position", "must set exactly one of before, after."],
    [{ position: { before: {} } }, "/position/before/name", "must be given."],
    [{ position: { before: { name: null } } }, "/position/before/name", "must not be null."],
    [{ position: { before: { name: "a", x: 1 } } }, "/position/before/x", "is not a known property."],
    [{ shares: [] }, "/shares", "must be an object."],
    [{ shares: { "a/b~": {} } }, "/shares/a~1b~0/mood", "must be given."],
    [{ shares: { a: { mood: "sad", who: "b" } } }, "/shares/a/who", "is not a known property."],
    [{ shares: { "a\0": { mood: "sad" } } }, "/shares/a\0", "must be well-formed Unicode without NUL characters."],
    [{ shares: { a: null } }, "/shares/a", "must be an object."],
    [{ since: "then" }, "/since", "must be now."],
    [
      { since: { deep: [{ "\0": 1 }] } },
      "/since",
      "every text in it must be well-formed Unicode without NUL characters.",
    ],
    [{ thingId: "2" }, "/thingId", "is not a known property."],
    [{ ready: true }, "/ready", "is not a known property."],
    [{ "a/b": 1 }, "/a~1b", "is not a known property."],
    [JSON.parse('{"__proto__": {"title": "a"}}'), "/__proto__", "is not a known property."],
  ])("is refused: %j", async ([body, path, message]) => {
    const { status, error } = await things.sendJson(body);
    expect(status).toBe(400);
    expect(error).toEqual({
      code: 400,
      type: "INVALID_INPUT",
      message: `${path}: ${message}`,
      details: [{ path, message }],
    });
  });

  it("is reported with all its errors and those of the query at once", async () => {
    const { error } = await things.sendJson({ title: 1, x: 1 }, { path: "/v1/things/1?ready=maybe" });
    expect(error.details?.map(({ path }) => path)).toEqual(["ready", "/title", "/x"]);
    expect(error.message).toBe("Several inputs of the request are not valid; see details.");
  });

  it("is reported with at most 100 errors", async () => {
    const { error } = await things.sendJson(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [index, 1])));
    expect(error.details).toHaveLength(100);
  });

  it("is refused for a missing property, with or without a body", async () => {
    for (const sent of [things.send([], name), things.sendJson({}, name)]) {
      expect((await sent).error.details).toEqual([{ path: "/title", message: "must be given." }]);
    }
  });

  it("is refused for a PATCH without a body", async () => {
    const { status, error } = await things.send([], { method: "PATCH", path: "/v1/things/1/touch" });
    expect([status, error.message]).toEqual([400, "This operation requires a JSON object as its body."]);
  });

  test.for<[string, string | Buffer, string]>([
    ["a cut text", '{"title"', "The body must be valid JSON in UTF-8."],
    ["two values", "{} {}", "The body must be valid JSON in UTF-8."],
    ["blanks", " ", "The body must be valid JSON in UTF-8."],
    ["other bytes", Buffer.from([0x22, 0xff, 0x22]), "The body must be valid JSON in UTF-8."],
    ["an array", "[]", "The body must be a JSON object."],
    ["null", "null", "The body must be a JSON object."],
    ["depth", `${"[".repeat(400_000)}${"]".repeat(400_000)}`, "The body must be a JSON object."],
  ])("is refused: %s as body", async ([, body, message]) => {
    const { status, error } = await things.send([body]);
    expect([status, error]).toEqual([400, { code: 400, type: "INVALID_INPUT", message }]);
  });

  test.for([
    { "content-type": "text/plain" },
    { "content-type": "application/jsonx" },
    { "content-type": "" },
    { "content-encoding": "gzip" },
  ] as Record<string, string>[])("is refused: %j", async (headers) => {
    const { status, error } = await things.send(['{"title":"a"}'], { headers });
    expect([status, error.code]).toEqual([415, 415]);
  });
});

describe("errors of the GraphQL operation", () => {
  test.for([
    ["title", "/title"],
    ["owner", "/owner_"],
    ["owner_", "/owner_"],
    ["size.width", "/width"],
    ["position.before.name", "/position/before/name"],
    ["shares/a.b", "/shares/a.b"],
    ["names.1", "/names/1"],
    ["/names/1", "/names/1"],
    ["thingId", "thingId"],
    ["ready", "ready"],
    ["elsewhere", "elsewhere"],
  ] as const)("name %s as %s", async ([given, path]) => {
    failing.by = new DomainError("INVALID_INPUT", `${given}: is wrong.`, [{ path: given, message: "is wrong." }]);
    const { error } = await things.sendJson({});
    expect(error).toEqual({
      code: 400,
      type: "INVALID_INPUT",
      message: `${path}: is wrong.`,
      details: [{ path, message: "is wrong." }],
    });
  });
});
