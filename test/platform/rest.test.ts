// The /v1 adapter over HTTP, independent of the resource: routing, authentication, parameters, paging and errors.
import { beforeAll, describe, expect, it, test } from "vitest";
import { createExecutor, type Executor, isOperation } from "#src/graph/run/execute.ts";
import { publicError } from "#src/graph/run/errors.ts";
import { schema } from "#src/schema.ts";
import { addPerson } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { type Client, testApp, useApp } from "#test/support/app.ts";
import { createWorld, times } from "#test/support/world.ts";

const mustBeDecodable = "must be percent-encoded UTF-8; encode a percent sign as %25.";

interface Refusal {
  error: { code: number; message: string; details?: { path: string; message: string }[] };
}

interface List {
  items: { id: string }[];
  count: number;
  next?: { page: string };
}

const { app, world } = await useApp();
let admin: Client;
let spaces: string;
let space: string;
let comments: string;

beforeAll(async () => {
  const { organization, collection, ...made } = await world.comment();
  await world.insert((rows) => times(4, () => addSpace(rows, { organizationId: organization.id, parent: collection })));
  admin = app.as(made.admin.token);
  spaces = `/v1/collections/${collection.id}/spaces`;
  space = `/v1/spaces/${made.space.id}`;
  comments = `${space}/comments`;
});

async function refusal(path: string, method = "GET", client = admin): Promise<Refusal["error"]> {
  const { status, body, headers } = await client.rest<Refusal>(method, path);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(body.error.code).toBe(status);
  return body.error;
}

describe("routing of /v1", () => {
  it("returns 404 for unknown paths, with or without a token", async () => {
    for (const path of ["/v1/nothing", "/v1/nothing/", "/v1/spaces/", "/v1//", "/v1//orgs"]) {
      const { code, message } = await refusal(path);
      expect([code, message]).toEqual([
        404,
        expect.stringMatching(/^(No route matches|There is nothing at) this path/),
      ]);
    }
    expect((await refusal("/v1/nothing", "GET", app.as(null))).code).toBe(404);
  });

  it("returns 405 with the allowed methods of the path", async () => {
    for (const method of ["DELETE", "OPTIONS", "PROPFIND"]) {
      const { status, headers } = await admin.rest(method, "/v1/openapi.json");
      expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("handles HEAD like GET without a body", async () => {
    const got = await admin.rest("GET", space);
    const head = await admin.rest("HEAD", space);
    expect(head.body).toBeUndefined();
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe(String(new TextEncoder().encode(JSON.stringify(got.body)).length));
    expect((await admin.rest("HEAD", "/v1/spaces/none")).status).toBe(404);
  });

  it("decodes percent escapes in the path and refuses malformed ones", async () => {
    expect((await admin.rest("GET", space.replace("spc", "%73pc"))).status).toBe(200);
    expect((await refusal("/v1/spaces/a%2Fb")).code).toBe(404);
    for (const path of ["/v1/spaces/%", "/v1/spaces/%zz", "/v1/spaces/%ED%A0%80"]) {
      expect(await refusal(path)).toMatchObject({
        code: 400,
        message: `The path ${mustBeDecodable}`,
      });
    }
  });
});

describe("authentication of /v1", () => {
  it("is checked before resources and parameters", async () => {
    for (const token of [null, "wrong"]) {
      for (const path of [space, "/v1/spaces/none", `${spaces}?limit=0`]) {
        const { status, headers, body } = await app.as(token).rest<Refusal>("GET", path);
        expect([status, headers.get("www-authenticate"), body.error.code]).toEqual([401, "Bearer", 401]);
      }
    }
  });

  it("is not required for the description", async () => {
    const { status, body } = await app.as(null).rest<{ openapi: string }>("GET", "/v1/openapi.json");
    expect([status, body.openapi]).toEqual([200, "3.1.0"]);
  });
});

describe("query parameters of /v1", () => {
  test.for([
    ["limit=0", "limit", "must be a whole number from 1 to 1000."],
    ["limit=1001", "limit", "must be a whole number from 1 to 1000."],
    ["limit=abc", "limit", "must be a whole number from 1 to 1000."],
    ["limit=1.5", "limit", "must be a whole number from 1 to 1000."],
    ["limit=-1", "limit", "must be a whole number from 1 to 1000."],
    ["limit=", "limit", "must be a whole number from 1 to 1000."],
    ["limit=5&limit=5", "limit", "must be given only once."],
    ["page=nonsense", "page", "must be the `next.page` of a response of this list, in the same order."],
    ["page=", "page", "must be the `next.page` of a response of this list, in the same order."],
    ["status=closed", "status", "must be one of all, open, resolved."],
    ["status=OPEN", "status", "must be one of all, open, resolved."],
    ["order=", "order", "must be one of asc, desc."],
    ["order=asc&order=asc", "order", "must be given only once."],
    ["targetPage=a%00b", "targetPage", "must be well-formed Unicode without NUL characters."],
    ["authors=ok&authors=%00", "authors", "must be well-formed Unicode without NUL characters."],
    ["targetPage=%", "targetPage", mustBeDecodable],
    ["targetPage=%ED%A0%80", "targetPage", mustBeDecodable],
  ] as const)("%s is refused", async ([query, path, message]) => {
    expect(await refusal(`${comments}?${query}`)).toEqual({
      code: 400,
      type: "INVALID_INPUT",
      message: `${path}: ${message}`,
      details: [{ path, message }],
    });
  });

  it("returns 400 for a Boolean other than true and false", async () => {
    const { items } = (await admin.rest<List>("GET", "/v1/orgs")).body;
    const path = `/v1/orgs/${items[0]?.id}/collections`;
    expect(await refusal(`${path}?nested=yes`)).toMatchObject({ code: 400, message: "nested: must be true or false." });
    expect((await admin.rest("GET", `${path}?nested=false`)).status).toBe(200);
  });

  it("reports all errors at once", async () => {
    const { message, details } = await refusal(`${comments}?limit=0&order=up`);
    expect(message).toBe("Several inputs of the request are not valid; see details.");
    expect(details?.map(({ path }) => path)).toEqual(["limit", "order"]);
  });

  it("returns 400 for NUL in the path", async () => {
    expect(await refusal("/v1/spaces/a%00b")).toMatchObject({ code: 400, details: [{ path: "spaceId" }] });
  });

  it("ignores unknown parameters and names them in the response", async () => {
    const { status, headers } = await admin.rest("GET", `${comments}?utm=1&utm=2&first=0`);
    expect([status, headers.get("x-docgraph-unknown-parameters")]).toEqual([200, "utm, first"]);
  });

  it("accepts REST values of enums, and repeated parameters as a list", async () => {
    const all = (await admin.rest<List>("GET", `${comments}?status=all&order=asc`)).body;
    expect(all.count).toBe(1);
    const resolved = (await admin.rest<List>("GET", `${comments}?status=resolved`)).body;
    expect(resolved).toEqual({ items: [], count: 0 });
    const nobody = (await admin.rest<List>("GET", `${comments}?authors=one&authors=two`)).body;
    expect(nobody.count).toBe(0);
  });
});

describe("lists of /v1", () => {
  it("are paged by next.page, and count covers all pages", async () => {
    const whole = (await admin.rest<List>("GET", spaces)).body;
    expect(Object.keys(whole)).toEqual(["items", "count"]);
    expect(whole.count).toBe(5);
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const { body } = await admin.rest<List>("GET", `${spaces}?limit=2${page ? `&page=${page}` : ""}`);
      expect(body.count).toBe(5);
      seen.push(...body.items.map(({ id }) => id));
      page = body.next?.page;
    } while (page);
    expect(seen).toEqual(whole.items.map(({ id }) => id));
  });

  it("refuse a page of another list", async () => {
    const { next } = (await admin.rest<List>("GET", `${spaces}?limit=2`)).body;
    expect((await refusal(`${comments}?page=${next?.page}`)).details?.[0]?.path).toBe("page");
  });
});

test("an internal error returns 500 with only the request id", async () => {
  const executor = createExecutor(schema);
  const prepareOwn: Executor["prepareOwn"] = (document) => {
    const operation = executor.prepareOwn(document);
    if (!isOperation(operation)) return operation;
    return {
      ...operation,
      planFor: () => null,
      run: async (context) => ({ errors: [publicError(new Error("secret"), context)] }),
    };
  };
  await using broken = await testApp({ executor: { ...executor, prepareOwn } });
  const { token } = await createWorld(broken.database).insert((rows) => addPerson(rows));
  const { status, body } = await broken
    .as(token)
    .rest<Refusal>("GET", "/v1/orgs", { headers: { "x-request-id": "r-1" } });
  expect(status).toBe(500);
  const message = "An internal error occurred; it was logged under the request id r-1.";
  expect(body.error).toEqual({ code: 500, type: "INTERNAL", message });
});

describe("responses of /v1", () => {
  it("are 404 naming the missing or hidden object, at every step of the path", async () => {
    expect((await refusal("/v1/spaces/none")).message).toContain("space");
    expect((await refusal("/v1/spaces/none/comments")).message).toContain("space");
    expect((await refusal(`${comments}/none`)).message).toContain("comment");
  });

  it("have REST enum values, omit unset fields, and keep meaningful nulls", async () => {
    const { body } = await admin.rest<Record<string, unknown>>("GET", space);
    expect(body).toMatchObject({ object: "space", visibility: "in-collection", editMode: "live", defaultLevel: null });
    expect(body).not.toHaveProperty("deletedAt");
    expect(body).not.toHaveProperty("gitSync");
    expect(body["urls"]).not.toHaveProperty("published");
  });

  it("have the request id", async () => {
    const { headers } = await admin.rest("GET", space, { headers: { "x-request-id": "mine" } });
    expect(headers.get("x-request-id")).toBe("mine");
  });
});
