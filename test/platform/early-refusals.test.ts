// Requests with files are refused before their files arrive, where that is possible. Here files never arrive
// completely, so a response shows that the gateway did not wait.
import { getNamedType, type GraphQLInputType, isInputObjectType } from "graphql";
import { type ClientRequest, type IncomingHttpHeaders, request } from "node:http";
import { describe, expect, test } from "vitest";
import { schema } from "#src/schema.ts";
import { storedIn } from "#test/features/content/uploads.ts";
import { type TestApp, testApp, useApp } from "#test/support/app.ts";

const fileBytes = 50_000;
const maxFileSize = 200_000;

const given = { maxFileSize, quotas: { fileBytes } };
const { app, world } = await useApp(given);

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly code: string | undefined;
  readonly message: string;
  readonly data: unknown;
}

interface Asked {
  readonly token: string;
  readonly query: string;
  readonly variables: object;
  /** The path of the file in the variables. */
  readonly path?: string;
  readonly fileLength?: number;
  readonly headers?: Record<string, string>;
  readonly at?: Pick<TestApp, "url" | "filesFolder">;
}

/** Begins an upload with the operation and the first bytes of the file. */
function begin(asked: Asked): { sent: ClientRequest; finish: () => void; answer: Promise<Answer> } {
  const { token, query, variables, path = "variables.input.file", fileLength = 100_000, headers = {} } = asked;
  const { url } = asked.at ?? app;
  const part = (disposition: string, text: string) =>
    `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}`;
  const start = [
    part('name="operations"', `${JSON.stringify({ query, variables })}\r\n`),
    part('name="map"', `${JSON.stringify({ 0: [path] })}\r\n`),
    part('name="0"; filename="a.txt"', "begun"),
  ].join("");
  const rest = `${"x".repeat(fileLength - "begun".length)}\r\n--x--\r\n`;
  const sent = request(`${url}/graphql`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "multipart/form-data; boundary=x",
      "content-length": start.length + rest.length,
      ...headers,
    },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        const { data, errors = [] } = JSON.parse(text) as {
          data?: unknown;
          errors?: { message: string; extensions: { code: string } }[];
        };
        const [first] = errors;
        const { statusCode: status = 0, headers: given } = response;
        resolve({ status, headers: given, data, code: first?.extensions.code, message: first?.message ?? "" });
      });
    });
  });
  sent.write(start);
  return { sent, finish: () => sent.end(rest), answer };
}

/** The response to an upload that never ends. */
async function answerWithoutFile(asked: Asked): Promise<Answer> {
  const stored = () => storedIn(asked.at ?? app);
  const before = await stored();
  const { sent, answer } = begin(asked);
  const answered = await answer;
  expect(await stored()).toEqual(before);
  sent.destroy();
  return answered;
}

const upload = "mutation ($input: UploadFileInput!) { uploadFile(input: $input) { file { fileId } revision { id } } }";
const mutations: Record<string, { query: string; path?: string; input: (ids: Record<string, string>) => object }> = {
  uploadFile: { query: upload, input: ({ spaceId }) => ({ contentOf: { spaceId }, file: null }) },
  importContent: {
    query: "mutation ($input: ImportContentInput!) { importContent(input: $input) { pageCount } }",
    path: "variables.input.from.archive",
    input: ({ spaceId }) => ({ contentOf: { spaceId }, from: { archive: null } }),
  },
  replaceFile: {
    query: "mutation ($input: ReplaceFileInput!) { replaceFile(input: $input) { revision { id } } }",
    input: ({ spaceId }) => ({ contentOf: { spaceId }, fileId: "fil_00000000000000000000000000", file: null }),
  },
  startArchiveImport: {
    query: "mutation ($input: StartArchiveImportInput!) { startArchiveImport(input: $input) { import { id } } }",
    path: "variables.input.archive",
    input: ({ spaceId }) => ({ contentOf: { spaceId }, archive: null }),
  },
  createOpenApiSpec: {
    query: "mutation ($input: CreateOpenApiSpecInput!) { createOpenApiSpec(input: $input) { openApiSpec { id } } }",
    path: "variables.input.source.file",
    input: ({ organizationId }) => ({ organizationId, slug: "api", source: { file: null } }),
  },
  putOpenApiSpec: {
    query: "mutation ($input: PutOpenApiSpecInput!) { putOpenApiSpec(input: $input) { openApiSpec { id } } }",
    path: "variables.input.source.file",
    input: ({ organizationId }) => ({ organizationId, slug: "api", source: { file: null } }),
  },
};

/** Whether a value of this type may contain a file. */
function takesFiles(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (named.name === "Upload") return true;
  return isInputObjectType(named) && Object.values(named.getFields()).some((field) => takesFiles(field.type));
}

test("every mutation that takes files is in the table", () => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  const taking = fields.filter(({ args }) => args.some(({ type }) => takesFiles(type))).map(({ name }) => name);
  expect(taking.toSorted()).toEqual(Object.keys(mutations).toSorted());
});

describe.each(Object.entries(mutations))("%s", (_name, { query, path, input }) => {
  const ask = (token: string, variables: object) =>
    answerWithoutFile({ token, query, variables, ...(path && { path }) });

  test("without permission is refused before the file arrives", async () => {
    const { space, organization, reader } = await world.space();
    const ids = { spaceId: space.id, organizationId: organization.id };
    expect(await ask(reader.token, { input: input(ids) })).toMatchObject({ status: 200, code: "FORBIDDEN" });
  });

  test("of an object the viewer cannot see is refused before the file arrives", async () => {
    const { space, organization } = await world.space();
    const { admin: stranger } = await world.organization();
    const ids = { spaceId: space.id, organizationId: organization.id };
    expect(await ask(stranger.token, { input: input(ids) })).toMatchObject({ status: 200, code: "NOT_FOUND" });
  });
});

describe("before the file arrives, refuses", () => {
  const inSpace = async () => {
    const { space, editor } = await world.space();
    return { token: editor.token, spaceId: space.id };
  };
  const variablesOf = (spaceId: string, more: object = {}) => ({
    input: { contentOf: { spaceId }, file: null, ...more },
  });

  test("an upload beyond the storage quota, by Content-Length", async () => {
    const { token, spaceId } = await inSpace();
    const answer = await answerWithoutFile({ token, query: upload, variables: variablesOf(spaceId) });
    expect(answer).toMatchObject({ status: 200, code: "STORAGE_FULL" });
    expect(answer.message).toMatch(/^The files of a space may have 50,000 bytes in total. They have 0/);
  });

  test("a file that is too large, by Content-Length", async () => {
    const { token, spaceId } = await inSpace();
    const asked = { token, query: upload, variables: variablesOf(spaceId), fileLength: maxFileSize + 20_000 };
    expect(await answerWithoutFile(asked)).toMatchObject({ status: 413, code: "TOO_LARGE" });
  });

  test("an outdated expectedRevisionId", async () => {
    const { token, spaceId } = await inSpace();
    const variables = variablesOf(spaceId, { expectedRevisionId: "rev_00000000000000000000000000" });
    expect(await answerWithoutFile({ token, query: upload, variables })).toMatchObject({ code: "CONFLICT" });
  });

  test("a file without an argument, and invalid variables", async () => {
    const { token } = await inSpace();
    const query = "mutation { updateViewer(input: {}) { __typename } }";
    const given = { token, query, variables: { file: null }, path: "variables.file" };
    expect(await answerWithoutFile(given)).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    const variables = { input: { file: null, other: 1 } };
    expect(await answerWithoutFile({ token, query: upload, variables })).toMatchObject({ code: "INVALID_INPUT" });
  });

  test("a user with no quota left, with the time to wait", async () => {
    await using poor = await testApp({ beside: app, ...given, trafficLimits: { pointsPerMinute: 3_000 } });
    const { token, spaceId } = await inSpace();
    const asked = { token, query: upload, variables: variablesOf(spaceId), at: poor };
    let answer = await answerWithoutFile(asked);
    // Refusals count against the quota, too: each has read the space.
    for (let tries = 0; answer.status === 200 && tries < 1_000; tries++) answer = await answerWithoutFile(asked);
    expect(answer).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    const response = await fetch(`${poor.url}/v1/spaces/${spaceId}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "no JSON",
    });
    expect(response.status).toBe(429); // the body is not read
  });
});

test("a dry run returns its estimate before the file arrives", async () => {
  const { space, editor } = await world.space();
  const variables = { input: { contentOf: { spaceId: space.id }, file: null } };
  const headers = { cost: "dry-run" };
  const answer = await answerWithoutFile({ token: editor.token, query: upload, variables, headers });
  expect(answer).toMatchObject({ status: 200, data: null, code: undefined });
  expect(answer.headers["cost"]).toMatch(/^estimated=\d+$/);
});

test("replays a completed mutation by its key even if it would be refused now", async () => {
  const { space, editor } = await world.space();
  const expectedRevisionId = (
    await app
      .as(editor.token)
      .query<{ space: { content: { id: string } } }>(`{ space(id: "${space.id}") { content { id } } }`)
  ).space.content.id;
  const asked = {
    token: editor.token,
    query: upload,
    variables: { input: { contentOf: { spaceId: space.id }, file: null, expectedRevisionId } },
    fileLength: 30_000,
    headers: { "idempotency-key": crypto.randomUUID() },
  };
  const send = async (): Promise<Answer> => {
    const { finish, answer } = begin(asked);
    finish();
    return answer;
  };
  const first = await send();
  expect(first).toMatchObject({ status: 200, code: undefined });
  expect(await send()).toMatchObject({ status: 200, data: first.data });
});
