// Writing operations of /v1, independent of the resource: statuses, reusable connections, and the description.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { makeEndpoint } from "#src/rest/endpoint.ts";
import { describeEndpoints } from "#src/rest/description/openapi.ts";
import { defineRoutes, type RouteRow } from "#src/rest/route.ts";
import {
  nameThing,
  type Sent,
  serveThings,
  thingExecutor,
  thingRoutes,
  type ThingServer,
  thingTag,
} from "#test/support/thing-server.ts";

let things: ThingServer;

beforeAll(async () => {
  things = await serveThings();
});
afterAll(() => things.close());

const name = { method: "PUT", path: "/v1/things/1/name" };

describe("a successful write", () => {
  it("returns 201 with a body, 204 and 205 without", async () => {
    const created = await things.sendJson({ title: "a" }, name);
    expect([created.status, created.seen]).toEqual([201, { thingId: "1", title: "a" }]);
    const touched = await things.sendJson({}, { method: "PATCH", path: "/v1/things/1/touch" });
    expect([touched.status, touched.text, touched.headers["content-length"]]).toEqual([204, "", undefined]);
    const deleted = await things.send([], { method: "DELETE", path: "/v1/things/there" });
    expect([deleted.status, deleted.text, deleted.headers["content-length"]]).toEqual([205, "", "0"]);
    expect((await things.send([], { method: "DELETE", path: "/v1/things/gone" })).status).toBe(204);
  });

  it("ignores a body that the operation does not accept", async () => {
    for (const body of ["{", "x".repeat(2_000_000)]) {
      const headers = { "content-type": "text/plain", "content-length": String(body.length) };
      expect((await things.send([body], { method: "DELETE", path: "/v1/things/there", headers })).status).toBe(205);
    }
  });
});

describe("the connection of a write", () => {
  const big = Buffer.alloc(1_500_000, " ");
  const refused: [number, readonly (string | Buffer)[], Sent][] = [
    [400, ["{"], {}],
    [401, ['{"title":"a"}'], { headers: { authorization: "none" } }],
    [401, [big], { headers: { authorization: "none" } }],
    [404, [big], { path: "/v1/nothing" }],
    [405, [big], { method: "PUT" }],
    [413, [big], {}],
    [413, [big.subarray(0, 900_000), big], { headers: { "transfer-encoding": "chunked" } }],
    [415, [big], { headers: { "content-type": "text/plain" } }],
    [200, [Buffer.concat([big.subarray(0, 999_998), Buffer.from("{}")])], {}],
    [413, [Buffer.concat([big.subarray(0, 999_999), Buffer.from("{}")])], {}],
  ];

  it("stays usable after every response", async () => {
    await things.sendJson({});
    const before = things.connections();
    for (const [status, chunks, options] of refused) {
      const answer = await things.send(chunks, options);
      expect([answer.status, options]).toEqual([status, options]);
      expect((await things.sendJson({ title: "after" })).seen).toMatchObject({ title: "after" });
    }
    expect(things.connections()).toBe(before);
  });

  it("may be lost in the middle of a body without affecting others", async () => {
    const { port } = new URL(things.url);
    const socket = connect(Number(port), "127.0.0.1");
    const head =
      "POST /v1/things/1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
    await new Promise<void>((resolve) => socket.write(head, () => resolve()));
    socket.destroy();
    await once(socket, "close");
    expect((await things.sendJson({ title: "after" })).seen).toMatchObject({ title: "after" });
  });

  it("returns 405 with the allowed methods of the path", async () => {
    expect((await things.sendJson({}, { method: "PUT" })).headers["allow"]).toBe("DELETE, POST");
  });
});

describe("a route that does not match its operation fails the start", () => {
  const { success: _, ...withoutSuccess } = nameThing;
  test.for<[string, RouteRow, RegExp]>([
    [
      "a property without variable",
      { ...nameThing, body: { title: "", x: "" } },
      /nameThing: .*does not have the variable \$x/,
    ],
    ["a variable that nothing fills", { ...nameThing, body: {} }, /nameThing: No input fills the variables title/],
    [
      "a map over no list",
      { ...nameThing, body: { title: { description: "", key: "who" } } },
      /nameThing: .*\$title must be a list/,
    ],
    [
      "a deletion that answers nothing",
      { ...withoutSuccess, request: "DELETE /v1/things/{thingId}/name" },
      /nameThing: .*must be the id of the deleted object/,
    ],
  ])("%s", ([, row, message]) => {
    const routes = defineRoutes(() => thingTag, { nameThing: row });
    expect(() => routes.map((route) => makeEndpoint(thingExecutor, route))).toThrow(message);
  });
});

test("the description has bodies and statuses", () => {
  const description = describeEndpoints(thingRoutes.map((route) => makeEndpoint(thingExecutor, route)));
  const place = { type: "object", required: ["name"], additionalProperties: false };
  expect(description).toMatchObject({
    paths: {
      "/v1/things/{thingId}": {
        post: {
          requestBody: {
            required: false,
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  additionalProperties: false,
                  properties: {
                    title: { type: "string", description: "Its title." },
                    mood: { anyOf: [{ type: "string", enum: ["very-glad", "sad"] }, { type: "null" }] },
                    names: { type: "array", items: { type: "string" } },
                    position: { properties: { before: place }, minProperties: 1, maxProperties: 1 },
                    shares: {
                      type: "object",
                      additionalProperties: { required: ["mood"], properties: { mood: { type: "string" } } },
                    },
                  },
                },
              },
            },
          },
          responses: { 200: {}, 409: { description: "Somebody else has saved it." }, 413: {}, 415: {} },
        },
      },
      "/v1/things/{thingId}/name": { put: { requestBody: { required: true }, responses: { 201: {} } } },
      "/v1/things/{thingId}/touch": { patch: { requestBody: { required: true }, responses: { 204: {} } } },
      "/v1/things/{id}": { delete: { responses: { 204: {}, 205: {} } } },
    },
  });
});
