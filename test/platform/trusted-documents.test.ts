// Trusted documents: the command that lists them, the supported formats, and gateways that accept no others.
import { hash } from "node:crypto";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "#src/config/config.ts";
import { collectDocuments } from "#src/cli/printed/collect-documents.ts";
import { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import { loadDocuments } from "#src/server/process/load-documents.ts";
import { explain } from "#src/server/process/start-errors.ts";
import { openEventStream } from "#test/live/event-stream.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { runInTurn } from "#test/support/commands.ts";
import { startDocgraph, stopStarted } from "#test/support/docgraph-process.ts";

const { app, world } = await useApp();
let folder: string;
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
  folder = await mkdtemp(join(tmpdir(), "docgraph-documents-"));
});
afterAll(async () => {
  await stopStarted();
  await rm(folder, { recursive: true });
});

/** Writes files of a frontend; returns the folder. */
async function write(name: string, files: Readonly<Record<string, unknown>>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return join(folder, name);
}

const sha256 = (text: string) => hash("sha256", text);
const title = "query Title($id: ID!) { space(id: $id) { title } }";
const apollo = (id: string, body: string) => ({
  format: "apollo-persisted-query-manifest",
  version: 1,
  operations: [{ id, body, name: "Title", type: "query" }],
});

describe("npm run documents", () => {
  let [listed, unnamed, unknown, help, ...wrong]: Awaited<ReturnType<typeof runInTurn>> = [];
  let place: string;
  let wrongPlace: string;
  let out: string;
  beforeAll(async () => {
    place = await write("app", {
      "src/pages/space.graphql": "query Space($id: ID!) { space(id: $id) { ...Named } }\nmutation Out { __typename }",
      "src/named.graphql": "fragment Named on Space { id title organization { id } }\nfragment Other on Space { id }",
      "relay.json": { d41d8: title },
    });
    wrongPlace = await write("wrong", {
      "a.graphql": "query A {\n  viewer { id }\n  nothing\n}",
      "b.graphql": "\n\n{ viewer { id } }",
    });
    out = join(place, "out.json");
    const nowhere = ["--out", join(wrongPlace, "out.json")];
    [listed, unnamed, unknown, help, ...wrong] = await runInTurn([
      ["documents", join(place, "src/**/*.graphql"), join(place, "relay.json"), "--out", out, "--typenames"],
      ["documents", join(wrongPlace, "[ab].graphql"), ...nowhere],
      ["documents", join(wrongPlace, "a.graphql"), ...nowhere],
      ["documents", "--help"],
      ["documents"],
      ["documents", "no/such/*.graphql"],
      ["documents", "x.graphql", "--nothing"],
    ]);
  });

  test("lists each operation with its fragments from any file, and includes manifests unchanged", async () => {
    expect(listed).toEqual({ code: 0, output: `3 operations of 3 files: ${out}\n`, errors: "" });
    const { operations } = JSON.parse(await readFile(out, "utf8")) as { operations: Record<string, string>[] };
    expect(operations.map(({ name, type }) => `${type} ${name}`)).toEqual([
      "query Space",
      "mutation Out",
      "query Title",
    ]);
    const [space, , relay] = operations;
    expect(space?.["id"]).toBe(sha256(space?.["body"] ?? ""));
    expect(space?.["body"]?.replaceAll(/\s+/g, " ")).toBe(
      "fragment Named on Space { id title organization { id __typename } __typename } " +
        "query Space($id: ID!) { space(id: $id) { ...Named __typename } }",
    );
    expect(relay).toMatchObject({ id: "d41d8", body: title });
    const documents = new SentDocuments({ trusted: await loadDocuments([out]), trustedOnly: true });
    expect(await documents.find({ documentId: `sha256:${space?.["id"]}` })).toMatchObject({ text: space?.["body"] });
  });

  test("reports errors with file and line, and writes nothing", async () => {
    expect(unnamed).toEqual({
      code: 1,
      output: "",
      errors: `${wrongPlace}/b.graphql:3: an operation must have a name\n`,
    });
    const wanted = expect.stringContaining(`${wrongPlace}/a.graphql:3: Cannot query`) as string;
    expect(unknown).toEqual({ code: 1, output: "", errors: wanted });
    const [path, content] = [`${wrongPlace}/c.graphql`, "query C { viewer {"];
    expect(() => collectDocuments([{ path, content }], false)).toThrow(`${path}:1: Syntax Error`);
    const program = { path: `${wrongPlace}/app.tsx`, content: 'import { gql } from "graphql-tag";' };
    expect(() => collectDocuments([program], false)).toThrow(`${program.path}: is a program`);
    await expect(readFile(join(wrongPlace, "out.json"))).rejects.toThrow("ENOENT");
  });

  test("prints its usage and exits with 2 for wrong arguments", async () => {
    expect(help).toMatchObject({ code: 0, output: expect.stringContaining("--typenames") as string });
    const wanted = { code: 2, output: "", errors: expect.stringMatching(/./) as string };
    expect(wrong).toEqual([wanted, wanted, wanted]);
  });
});

describe("a manifest of trusted documents", () => {
  const load = async (name: string, files: Readonly<Record<string, unknown>>) =>
    loadDocuments([await write(name, files)]);

  test.each([
    ["Relay's", { d41d8cd98f00b204e9800998ecf8427e: title }, "d41d8cd98f00b204e9800998ecf8427e"],
    ["graphql-codegen's", { [hash("sha1", title)]: title }, hash("sha1", title)],
    ["by the SHA-256", { [`sha256:${sha256(title)}`]: title }, `sha256:${sha256(title)}`],
    ["by ids of one's own", { "x-app:title.1": title }, "x-app:title.1"],
    ["Apollo's", apollo(sha256(title), title), sha256(title)],
  ])("%s is read without changes", async (name, manifest, id) => {
    const trusted = await load(name, { "manifest.json": manifest });
    expect([trusted.get(id), trusted.get(`sha256:${sha256(title)}`), trusted.get("other")]).toEqual([
      title,
      title,
      undefined,
    ]);
    const documents = new SentDocuments({ trusted, trustedOnly: true });
    expect(await documents.find({ query: title })).toMatchObject({ text: title });
    expect(await documents.find({ query: "{ __typename }" })).not.toHaveProperty("text");
  });

  test.each([
    ["no JSON", "{", "JSON"],
    ["a list", [], "object"],
    ["another format", { format: "other", operations: [] }, "apollo-persisted-query-manifest"],
    ["a value that is not a string", { a: 7 }, "operation 1"],
    ["an invalid document", { a: "query {" }, ":2: Syntax Error"],
    [
      "a field that was removed",
      { b: "{ __typename }", a: "query Old { gone }" },
      ':3: operation Old: Cannot query field "gone"',
    ],
    ["fragments alone", { a: "fragment A on Space { id }" }, "must contain an operation"],
    ["a hash of something else", { [`sha256:${"0".repeat(64)}`]: title }, "not the SHA-256"],
    ["an unknown kind of id", { "md5:1": title }, "x-"],
    ["no id", { "": title }, "must have an id"],
  ])("is refused with the name of its file: %s", async (name, manifest, message) => {
    await expect(load(name, { "manifest.json": manifest })).rejects.toThrow(message);
    await expect(load(name, { "manifest.json": manifest })).rejects.toThrow("manifest.json");
  });

  test("can be one of several, which are merged; an id of two documents is reported with both places", async () => {
    const releases = { "1.json": { a: title }, "2.json": { a: title, b: "{ __typename }" } };
    expect((await load("releases", releases)).get("b")).toBe("{ __typename }");
    const other = load("clash", { "1.json": { a: title }, "2.json": { a: "{ __typename }" } });
    await expect(other).rejects.toThrow(/2\.json:2: the id "a" is already used by another document in .*1\.json:2/);
    await expect(load("none", { "README.md": "" })).rejects.toThrow("does not contain a manifest");
  });

  test("fails the start with a remedy if it is invalid", async () => {
    const place = await write("start", { "old.json": { a: "{ gone }" } });
    const docgraph = startDocgraph({ env: { TRUSTED_DOCUMENTS_FILES: place, DATA_DIR: place, PORT: "0" } });
    expect(await docgraph.ended).toBe(1);
    expect(docgraph.output()).toContain(`${place}/old.json:2: Cannot query field "gone"`);
    expect(docgraph.output()).not.toContain("    at ");
    const nowhere: unknown = await loadDocuments([join(place, "no")]).catch((error: unknown) => error);
    expect(explain(nowhere)).toContain(`the file or folder ${place}/no`);
    expect(() => readConfig({ TRUSTED_DOCUMENTS: "only" })).toThrow("TRUSTED_DOCUMENTS_FILES");
  });
});

describe("a gateway with trusted documents", async () => {
  const events = "subscription Events($id: ID!) { commentEvents(of: { spaceId: $id }) { __typename } }";
  const write_ = "mutation Write($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }";
  const trustedOf = async () =>
    loadDocuments([await write("taken", { "m.json": { title, events, write: write_, "x-a:1": "{ viewer { id } }" } })]);
  let only: Awaited<ReturnType<typeof testApp>>;
  let also: Awaited<ReturnType<typeof testApp>>;
  beforeAll(async () => {
    const trusted = await trustedOf();
    only = await testApp({ beside: app, documents: new SentDocuments({ trusted, trustedOnly: true }) });
    also = await testApp({ beside: app, documents: new SentDocuments({ trusted }) });
  });
  afterAll(async () => {
    await only.close();
    await also.close();
  });

  const headers = () => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });
  const post = async (at: { url: string }, body: object): Promise<unknown> =>
    (await fetch(`${at.url}/graphql`, { method: "POST", headers: headers(), body: JSON.stringify(body) })).json();
  const get = async (at: { url: string }, parameters: Record<string, string>): Promise<unknown> =>
    (await fetch(`${at.url}/graphql?${new URLSearchParams(parameters)}`, { headers: headers() })).json();
  async function ask(at: { url: string }, payload: object) {
    const { send, receive, socket } = await openKnown(at.url, token);
    send({ id: "1", type: "subscribe", payload });
    const { payload: answer } = await receive();
    socket.terminate();
    return answer;
  }
  const variables = () => ({ id: spaceId });
  const titled = { data: { space: { title: expect.any(String) as string } } };
  const refusal = { extensions: { code: "DOCUMENT_NOT_TRUSTED" } };

  test("finds them by id on every transport", async () => {
    for (const at of [only, also])
      for (const named of [
        { documentId: "title" },
        { documentId: `sha256:${sha256(title)}` },
        { extensions: { persistedQuery: { version: 1, sha256Hash: "title" } } },
        { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(title) } } },
      ]) {
        expect(await post(at, { ...named, variables: variables() })).toEqual(titled);
        expect(await ask(at, { ...named, variables: variables() })).toEqual(titled);
        const texts = Object.entries({ ...named, variables: variables() }).map(([name, value]) => [
          name,
          typeof value === "string" ? value : JSON.stringify(value),
        ]);
        expect(await get(at, Object.fromEntries(texts) as Record<string, string>)).toEqual(titled);
      }
  });

  test("starts subscriptions by id, and mutations only by POST", async () => {
    const body = JSON.stringify({ documentId: "events", variables: variables() });
    const stream = await openEventStream(`${only.url}/graphql`, { method: "POST", headers: headers(), body });
    expect((await stream.next())?.data).toContain("Ready");
    await stream.close();
    expect(await ask(only, { documentId: "events", variables: variables() })).toMatchObject({
      data: { commentEvents: { __typename: "Ready" } },
    });
    const input = { input: { contentOf: { spaceId }, text: { markdown: "Trusted" } } };
    expect(await post(only, { documentId: "write", variables: input })).toMatchObject({ data: { createComment: {} } });
    const byUrl = await get(only, { documentId: "write", variables: JSON.stringify(input) });
    expect(byUrl).toMatchObject({ errors: [{ message: expect.stringContaining("POST") as string }] });
  });

  test("in exclusive mode refuses all other documents, introspection included, but not /v1", async () => {
    const text = "{ viewer { email } }";
    const persisted = { persistedQuery: { version: 1, sha256Hash: sha256(text) } };
    for (const sent of [
      { query: text },
      { query: "{ __schema { queryType { name } } }" },
      { query: text, extensions: persisted },
      { extensions: persisted },
      { documentId: "other" },
      { documentId: "title", query: text },
      { query: `${title} ` },
      { query: text, surprise: 1 },
      { query: text, operationName: 7 },
      {},
    ])
      expect(await post(only, sent), JSON.stringify(sent)).not.toHaveProperty("data");
    for (const sent of [{ query: text }, { query: text, extensions: persisted }, { documentId: "other" }]) {
      expect(await post(only, sent)).toMatchObject({ errors: [refusal] });
      expect(await ask(only, sent)).toMatchObject([refusal]);
    }
    expect(await get(only, { query: text })).toMatchObject({ errors: [refusal] });
    expect(await get(only, { query: text, variables: "[" })).not.toHaveProperty("data");
    expect((await only.as(token).rest("GET", `/v1/spaces/${spaceId}`)).status).toBe(200);
  });

  test("in exclusive mode accepts the text of a trusted document", async () => {
    expect(await post(only, { query: title, variables: variables() })).toEqual(titled);
    expect(await ask(only, { query: title, variables: variables() })).toEqual(titled);
  });

  test("in open mode runs other documents, and stores persisted queries", async () => {
    const [text, data] = ["{ viewer { __typename } }", { viewer: { __typename: "User" } }];
    const persisted = { persistedQuery: { version: 1, sha256Hash: sha256(text) } };
    expect(await post(also, { query: text })).toEqual({ data });
    expect(await post(also, { query: text, extensions: persisted })).toEqual({ data });
    expect(await post(also, { extensions: persisted })).toEqual({ data });
    const unknown = { errors: [{ extensions: { code: "PERSISTED_DOCUMENT_NOT_FOUND" } }] };
    expect(await post(also, { documentId: "other" })).toMatchObject(unknown);
  });

  test("gives an id without a token the rights of its document without a token", async () => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ documentId: "x-a:1" });
    expect((await fetch(`${only.url}/graphql`, { method: "POST", headers, body })).status).toBe(401);
  });
});
