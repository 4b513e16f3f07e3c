// Processing of specifications: texts, files and archives become versions; errors have their position and
// keep the last valid version.
import { expect, test, vi } from "vitest";
import { ThreadPool } from "#src/runtime/threads.ts";
import { longWorkEnds } from "#src/jobs/long-work.ts";
import { done } from "#test/live/kinds.ts";
import { specLimits } from "#src/features/openapi/model/limits.ts";
import { processSpecs, openDesk, text } from "#test/features/openapi/processing.ts";
import { addOpenApiSpec, smallDocument } from "#test/features/openapi/factory.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { useApp } from "#test/support/app.ts";

// Has its own database: the job processes everything that is due in the whole database.
const { app, world } = await useApp({ own: true });

async function desk() {
  const { organization, creator, ...rest } = await world.organization();
  const organizationId = organization.id;
  return { ...rest, organizationId, creator, ...(await openDesk(app, { organizationId, person: creator })) };
}

const bytesAt = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());
const jsonAt = async (url: string): Promise<unknown> => (await fetch(url)).json();

const swagger = `swagger: "2.0" # kept as it is
info: {title: Old harbour, version: "7"}
host: harbour.example.com
schemes: [https]
paths:
  /ships:
    post:
      parameters:
        - {name: ship, in: body, required: true, schema: {$ref: '#/definitions/Ship'}}
      responses: {"201": {description: Made., schema: {$ref: '#/definitions/Ship'}}}
definitions:
  Ship: {type: object, properties: {name: {type: string}, mate: {$ref: '#/definitions/Ship'}}}
`;

test("a specification's text becomes a version: the original byte by byte, and the document in OpenAPI 3.1", async () => {
  const { put } = await desk();
  const spec = await put("harbour", text(swagger));
  const version = spec.lastVersion;
  if (!version) throw new Error(JSON.stringify(spec));
  expect(spec).toMatchObject({ title: "Old harbour", processingState: "COMPLETE", lastProcessErrorCode: null });
  expect(version).toMatchObject({
    number: 1,
    openapi: "2.0",
    title: "Old harbour",
    apiVersion: "7",
    pathCount: 1,
    operationCount: 1,
    modelCount: 1,
    files: [{ path: "openapi.yaml", size: Buffer.byteLength(swagger) }],
  });
  expect(Buffer.from(await bytesAt(version.files[0]?.url ?? "")).toString()).toBe(swagger);
  expect(version.content.filesystem).toMatchObject({ "openapi.yaml": { swagger: "2.0", definitions: {} } });
  const ship = { $ref: "#/components/schemas/Ship" };
  const content = { "application/json": { schema: ship } };
  expect(version.content.url).toBe(version.url);
  expect(await jsonAt(version.url)).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    servers: [{ url: "https://harbour.example.com" }],
    paths: { "/ships": { post: { requestBody: { content }, responses: { "201": { content } } } } },
    components: { schemas: { Ship: { properties: { mate: ship } } } },
  });
});

test("numbers of a specification keep their digits in its document and its parsed files", async () => {
  const { put, organizationId, creator } = await desk();
  const schema = "{type: integer, maximum: 9223372036854775807, default: 0x10, example: 1.0}";
  const source = `openapi: 3.1.0\ninfo: {title: A, version: "1"}\ncomponents: {schemas: {A: ${schema}}}\n`;
  const { lastVersion } = await put("harbour", text(source));
  const exact = '{"A":{"type":"integer","maximum":9223372036854775807,"default":16,"example":1.0}}';
  expect(await (await fetch(lastVersion?.url ?? "")).text()).toContain(exact);
  const query = `{ openApiSpec(organizationId: "${organizationId}", slug: "harbour") { lastVersion { content { filesystem } } } }`;
  const headers = { "content-type": "application/json", authorization: `Bearer ${creator.token}` };
  const answer = await fetch(`${app.url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  expect(await answer.text()).toContain(exact);
  const path = `${app.url}/v1/orgs/${organizationId}/openapi/harbour/versions/latest/content`;
  expect(await (await fetch(path, { headers })).text()).toContain(exact);
});

test("a version of a specification is added if the content differs, and not if it is the same", async () => {
  const { put, refresh } = await desk();
  const numbers = (spec: { versions: { nodes: readonly { number: number }[] } }) =>
    spec.versions.nodes.map(({ number }) => number);
  const first = await put("harbour", text(smallDocument));
  expect(numbers(first)).toEqual([1]);
  expect(numbers(await put("harbour", text(smallDocument)))).toEqual([1]);
  expect(numbers(await refresh("harbour"))).toEqual([1]);
  const other = { ...smallDocument, info: { title: "Port", version: "2" } };
  const second = await put("harbour", text(other));
  expect([numbers(second), second.title]).toEqual([[2, 1], "Port"]);
  expect(numbers(await put("harbour", text(smallDocument)))).toEqual([3, 2, 1]); // it was different in between
  const types = (await app.eventsOf(first.id)).map(({ type }) => type);
  expect(types.filter((type) => type === "openApiSpec.versionAdded")).toHaveLength(3);
});

test("an archive becomes one document: referenced files become components", async () => {
  const { put } = await desk();
  const files = {
    "api/openapi.yaml": `openapi: 3.0.3
info: {title: Harbour, version: "1"}
paths:
  /ships: {$ref: paths/ships.yaml}
components:
  schemas:
    Ship: {$ref: models/ship.json}
    Cargo: {type: string}
`,
    "api/paths/ships.yaml": `get:
  parameters: [{$ref: '../common.yaml#/limit'}]
  responses:
    "200": {description: Ships., content: {application/json: {schema: {$ref: ../models/ship.json}}}}
    default: {$ref: '../common.yaml#/problem'}
`,
    "api/models/ship.json": JSON.stringify({
      type: "object",
      properties: { cargo: { $ref: "../common.yaml#/Cargo" }, mate: { $ref: "#" } },
      example: { $ref: "nothing.yaml" },
    }),
    "api/common.yaml": `limit: {name: limit, in: query, schema: {type: integer, exclusiveMinimum: true, minimum: 0}}
problem: {description: It failed.}
Cargo: {type: object, nullable: true}
`,
    "README.md": "Not a part of it.",
  };
  const { lastVersion, lastProcessError } = await put("harbour", { source: { file: zipFile(files) } });
  expect(lastProcessError).toBeNull();
  const { "README.md": _readme, ...parts } = files;
  expect(lastVersion?.files.map(({ path }) => path).toSorted()).toEqual(Object.keys(parts).toSorted());
  expect(await jsonAt(lastVersion?.url ?? "")).toEqual({
    openapi: expect.stringMatching(/^3\.1\./),
    info: { title: "Harbour", version: "1" },
    paths: {
      "/ships": {
        get: {
          parameters: [{ $ref: "#/components/parameters/limit" }],
          responses: {
            "200": {
              description: "Ships.",
              content: { "application/json": { schema: { $ref: "#/components/schemas/Ship" } } },
            },
            default: { $ref: "#/components/responses/problem" },
          },
        },
      },
    },
    components: {
      schemas: {
        Ship: {
          type: "object",
          properties: {
            cargo: { $ref: "#/components/schemas/Cargo2" },
            mate: { $ref: "#/components/schemas/Ship" },
          },
          examples: [{ $ref: "nothing.yaml" }],
        },
        Cargo: { type: "string" },
        Cargo2: { type: ["object", "null"] },
      },
      parameters: { limit: { name: "limit", in: "query", schema: { type: "integer", exclusiveMinimum: 0 } } },
      responses: { problem: { description: "It failed." } },
    },
  });
});

test.each([
  ["openapi: 3.1.0\ninfo: {title: A\n", "openapi.yaml, line 3, column 1: "],
  ["openapi: 3.1.0\ninfo:\n  title: A\n version: 2\n", "openapi.yaml, line 4, column 1: "],
  ["swagger: 1.2\n", "openapi.yaml, line 1, column 1 (#/swagger): The file must be an OpenAPI document"],
  ["- a\n", "openapi.yaml, line 1, column 1 (#/openapi): The file must be an OpenAPI document"],
])("an unreadable specification %j is refused with the position of the error", async (source, start) => {
  const { put } = await desk();
  const good = await put("harbour", text(smallDocument));
  const bad = await put("harbour", text(source));
  expect(bad).toMatchObject({ processingState: "COMPLETE", lastProcessErrorCode: "PARSE_ERROR" });
  expect(bad.lastProcessError).toContain(start);
  expect(bad.lastVersion).toEqual(good.lastVersion);
});

const info = 'info: {title: A, version: "1"}';
const operation = (fields: string) => `openapi: 3.0.3\n${info}\npaths: {/a: {get: {${fields}}}}\n`;
const ok = 'responses: {"200": {description: OK.}}';

/** What generators write that is not valid, with the position and message of each warning. */
const readable: readonly [source: string, ...warnings: string[]][] = [
  // specmatic/specmatic#2183, aress31/openapi-parser#70
  [operation(`description: null, ${ok}`), "3:20 #/paths/~1a/get/description type must be string."],
  [
    `openapi: 3.0.3\n${info}\nsecurity:\npaths: {/a: {get: {description: , ${ok}}}}\n`,
    "3:1 #/security type must be array.",
    "4:20 #/paths/~1a/get/description type must be string.",
  ],
  [
    operation('responses: {"200": {}}'),
    "3:32 #/paths/~1a/get/responses/200 must have required property 'description'.",
  ],
  [
    'openapi: 3.0.3\ninfo: {title: A, version: "1", summary: B}\npaths: {}\n',
    "2:1 #/info Property summary is not expected to be here.",
  ],
  [operation(`foo: bar, ${ok}`), "3:14 #/paths/~1a/get Property foo is not expected to be here."],
  ["openapi: 3.1.0\ninfo: {title: A, version: 1.10}\npaths: {}\n", "2:18 #/info/version type must be string."],
  ["swagger: 2.0\ninfo: {title: A}\npaths: {}\n", "2:1 #/info must have required property 'version'."],
  [
    `openapi: 3.1.0\n${info}\ncomponents: {schemas: {A: {$ref: "https://example.com/a.json"}}}\n`,
    "3:24 #/components/schemas/A https://example.com/a.json is an external address: such references are followed only in specifications that are fetched from an address.",
  ],
  [
    `openapi: 3.1.0\n${info}\ncomponents: {schemas: {A: {$ref: "../../etc/passwd"}}}\n`,
    "3:24 #/components/schemas/A The file etc/passwd does not exist.",
  ],
  [
    `openapi: 3.1.0\n${info}\npaths: {/a: {get: {responses: {"200": {$ref: "#/components/responses/None"}}}}}\n`,
    '3:32 #/paths/~1a/get/responses/200 "#/components/responses/None" does not exist in openapi.yaml.',
  ],
  [`openapi: 3.1.0\n${info}\npaths: {}\npaths: {}\n`, "4:1 null The name occurs twice: the last value is used."],
  [`openapi: 3.1.0\n${info}\npaths: {}\n---\na: 1\n`, "4:1 null Only the first YAML document of the file is read."],
  ['{"openapi": "3.1.0",\n "info": {"title": "A", "version": "1"},\n "paths": []}', "3:2 #/paths type must be object."],
  [
    '{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"\\u0000\\ud800": 1}}',
    "1:62 #/paths Property \ufffd is not expected to be here.",
  ],
];

test("a specification that is not valid is read, and what was found is listed at its version and in its changes", async () => {
  const { put, creator } = await desk();
  await put("harbour", text(smallDocument));
  for (const [source, ...expected] of readable) {
    const { lastVersion, lastProcessError } = await put("harbour", text(source));
    expect(lastProcessError).toBeNull();
    const found = lastVersion?.warnings.map(
      ({ line, column, pointer, message }) => `${line}:${column} ${pointer === null ? null : `#${pointer}`} ${message}`,
    );
    expect([source, found, lastVersion?.warningCount]).toEqual([source, expected, expected.length]);
  }
  const { id } = await put("harbour", text(operation(`foo: bar, ${ok}`)));
  const query = `query ($id: ID!) { node(id: $id) { ... on OpenApiSpec { lastVersion {
    title operationCount changes { after { warningCount warnings { path message } } } } } } }`;
  expect(await app.as(creator.token).query(query, { id })).toMatchObject({
    node: {
      lastVersion: {
        title: "A",
        operationCount: 1,
        changes: {
          after: {
            warningCount: 1,
            warnings: [{ path: "openapi.yaml", message: "Property foo is not expected to be here." }],
          },
        },
      },
    },
  });
});

test("an invalid source of a specification is refused at once, and so is a taken slug", async () => {
  const { organizationId, creator, put } = await desk();
  const as = app.as(creator.token);
  await put("harbour", text(smallDocument));
  const create = `mutation ($input: CreateOpenApiSpecInput!) { createOpenApiSpec(input: $input) { openApiSpec { id } } }`;
  const refusal = (input: object) => as.refusal(create, { input: { organizationId, slug: "other", ...input } });
  expect(await refusal({ ...text(smallDocument), slug: "harbour" })).toBe("CONFLICT");
  expect(await refusal({ ...text(smallDocument), slug: "Harbour" })).toBe("INVALID_INPUT");
  expect(await refusal({})).toBe("INVALID_INPUT");
  expect(await refusal({ source: { text: " \n" } })).toBe("INVALID_INPUT");
  expect(await refusal({ source: { url: "file:///etc/passwd" } })).toBe("INVALID_INPUT");
  expect(await refusal({ source: { ...text(smallDocument).source, file: zipFile() } })).toBe("INVALID_INPUT");
  const large = new File(["x".repeat(10_000_001)], "openapi.yaml");
  expect(await refusal({ source: { file: large } })).toBe("TOO_LARGE");
  expect(await app.database.prisma.openApiSpec.count({ where: { organizationId } })).toBe(1);
});

test("an organization has a limited number of specifications; existing ones can still get other sources", async () => {
  const { organizationId, creator, put } = await desk();
  await put("harbour", text(smallDocument));
  await world.insert((rows) => {
    for (let count = 1; count < specLimits.ofOrganization; count++) addOpenApiSpec(rows, { organizationId });
  });
  const as = app.as(creator.token);
  for (const name of ["create", "put"]) {
    const mutation = `mutation ($input: ${name === "put" ? "Put" : "Create"}OpenApiSpecInput!) { ${name}OpenApiSpec(input: $input) { __typename } }`;
    const { errors } = await as.graphql(mutation, { input: { organizationId, slug: "other", ...text(smallDocument) } });
    expect(errors?.[0]?.extensions.code).toBe("CONFLICT");
    expect(errors?.[0]?.message).toContain("has 500 OpenAPI specifications, which is the limit: delete one first");
  }
  expect(await put("harbour", text(swagger))).toMatchObject({ lastVersion: { number: 2 } });
});

test("an archive without a root document, and a broken one, are reported as errors", async () => {
  const { put } = await desk();
  const nowhere = await put("harbour", { source: { file: zipFile({ "page.md": "# Page\n" }) } });
  expect(nowhere.lastProcessError).toBe("The archive has no openapi.yaml, openapi.yml, openapi.json or swagger.json.");
  const broken = await put("harbour", { source: { file: new File(["PK broken"], "docs.zip") } });
  expect(broken).toMatchObject({ lastProcessErrorCode: "PARSE_ERROR", lastVersion: null });
  expect(await processSpecs(app, { now: () => new Date("2100-01-01") })).toBe(0); // given sources are not fetched again
});

test("a specification that a busy machine reads too slowly is processed once more, and then reported as an error", async () => {
  const { put, read, runJob, creator, organizationId } = await desk();
  const late = vi.spyOn(ThreadPool.prototype, "run").mockResolvedValue({ answers: [], ended: "out of time" });
  const input = { organizationId, slug: "harbour", ...text(smallDocument) };
  const began = Date.now();
  await done(app, creator.token, "putOpenApiSpec", input);
  const next = async () => Date.parse((await read("harbour")).nextProcessAt ?? "");
  await expect.poll(next).toBeGreaterThanOrEqual(began + 60_000);
  expect(await read("harbour")).toMatchObject({ processingState: "PENDING", lastProcessErrorCode: null });
  const inAMinute = new Date(await next());
  const again = await runJob("harbour", { now: () => inAMinute });
  expect(again).toMatchObject({
    processingState: "COMPLETE",
    lastProcessErrorCode: "PARSE_ERROR",
    nextProcessAt: null,
  });
  expect(again.lastProcessError).toContain("Reading it takes too long.");
  late.mockRestore();
  expect(await put("harbour", text(smallDocument))).toMatchObject({ lastProcessErrorCode: null });
});

test("a specification that fails unexpectedly has the reason, counts as failed, and is processed again later", async () => {
  const { put, read } = await desk();
  const failures = () =>
    longWorkEnds().find(([{ work, outcome }]) => work === "specification" && outcome === "failed")?.[1] ?? 0;
  const before = failures();
  const storing = vi.spyOn(ThreadPool.prototype, "run").mockRejectedValueOnce(new Error("A bug."));
  const broken = await put("harbour", text(JSON.stringify(smallDocument)));
  storing.mockRestore();
  expect(broken).toMatchObject({
    processingState: "COMPLETE",
    lastProcessErrorCode: "PARSE_ERROR",
    lastProcessError: `Processing failed unexpectedly; the log has the error for ${broken.id}. It will be retried later.`,
    nextProcessAt: expect.any(String),
  });
  await put("other", text("no: specification"));
  expect(failures() - before).toBe(2);
  expect(await processSpecs(app, { now: () => new Date(Date.parse(broken.nextProcessAt ?? "")) })).toBe(1);
  expect(await read("harbour")).toMatchObject({
    lastProcessErrorCode: null,
    nextProcessAt: null,
    lastVersion: { number: 1 },
  });
});
