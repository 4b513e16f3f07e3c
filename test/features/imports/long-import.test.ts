// Imports from URLs as background work: live progress, cancellation, imports longer than the request waits, takeover
// after their process ends; also in REST.
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pino } from "pino";
import { expect, test } from "vitest";
import { sql } from "#src/db/connection/database.ts";
import { importContent } from "#src/features/imports/commands/import-content.ts";
import { resumeImports } from "#src/features/imports/commands/run-import.ts";
import { openZip } from "#src/features/imports/commands/zip.ts";
import { systemClock } from "#src/base/time.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { zip, zipFile } from "#test/features/imports/files.ts";
import { contentOf, importDocument } from "#test/features/imports/importing.ts";
import { listen } from "#test/live/kinds.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";
import { contextsOf } from "#test/support/query-executions.ts";

/** Responses of the server that wait until they are released. */
let released: Promise<void> = Promise.resolve();
let asked = () => {};

/** Delays the next responses; `asked` resolves with the first request. */
function delayResponses(): { letGo: () => void; asked: Promise<void> } {
  const gate = Promise.withResolvers<void>();
  const knock = Promise.withResolvers<void>();
  released = gate.promise;
  asked = knock.resolve;
  return { letGo: gate.resolve, asked: knock.promise };
}

const archive = zip({ "SUMMARY.md": "- [A](a.md)\n- [B](b.md)\n", "a.md": "[b](b.md)\n", "b.md": "B\n" });
const port = await serveOnLoopback((request, response) => {
  asked();
  void released.then(() => answer(request, response));
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === "/book.zip") response.end(archive);
  else if (request.url === "/a.md") response.end("# Alone\n\nText\n");
  else response.writeHead(404).end();
}
const at = (path: string) => `http://127.0.0.1:${port}${path}`;

const safeFetch = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
// Its own database: it counts the imports that are resumed.
const { app, world } = await useApp({ own: true, fetch: safeFetch });

const start = /* GraphQL */ `
  mutation ($input: StartImportInput!) {
    startImport(input: $input) {
      import {
        id
        state
        createdBy {
          id
        }
        space {
          id
        }
        changeRequest {
          id
        }
      }
    }
  }
`;

const state = /* GraphQL */ `
  query ($id: ID!) {
    node(id: $id) {
      ... on ContentImport {
        url
        source
        state
        found
        read
        written
        error
        fileCount
        linkCount
        warningCount
        warnings {
          message
        }
        revision {
          id
        }
      }
    }
  }
`;

interface Started {
  readonly startImport: { readonly import: { readonly id: string } };
}
interface State {
  readonly node: {
    readonly state: string;
    readonly error: string | null;
    readonly revision: { readonly id: string } | null;
  };
}

async function ofEditor() {
  const { editor, space, ...rest } = await world.space();
  return { ...rest, editor, space, as: app.as(editor.token) };
}

test("an import from a URL reports its progress and ends with one revision", async () => {
  const { as, editor, space, reader, outsider, disabled } = await ofEditor();
  const gate = delayResponses();
  const events = await listen(app, editor, `importEvents(of: { spaceId: "${space.id}" })`);
  const input = { contentOf: { spaceId: space.id }, url: at("/book.zip"), source: "MARKDOWN", message: "The book" };
  const { startImport } = await events.delivers(
    as.query<Started>(start, { input }),
    { __typename: "ImportStarted", facts: { state: "PENDING" } },
    { __typename: "ImportProgressed", facts: { state: "RUNNING", found: 0, read: 0 } },
  );
  const { id } = startImport.import;
  expect(startImport.import).toEqual({
    id,
    state: expect.stringMatching(/^(?:PENDING|RUNNING)$/), // it continues in the background
    createdBy: { id: editor.id },
    space: { id: space.id },
    changeRequest: null,
  });
  await gate.asked;
  const own = await listen(app, editor, `importEvents(of: { importId: "${id}" }, kinds: [IMPORT_ENDED])`);
  await own.delivers(Promise.resolve(gate.letGo()), {
    __typename: "ImportEnded",
    facts: { state: "DONE", importId: id },
  });
  const { node } = await as.query<State>(state, { id });
  expect(node).toEqual({
    url: at("/book.zip"),
    source: "MARKDOWN",
    state: "DONE",
    found: 2,
    read: 2,
    written: 2,
    error: null,
    fileCount: 0,
    linkCount: 1,
    warningCount: 0,
    warnings: [],
    revision: { id: expect.any(String) },
  });
  expect((await contentOf(as, node.revision?.id ?? "")).texts).toEqual({ a: "[b](page:b)\n", b: "B\n" });
  const types = (await app.eventsIn(space.id)).map(({ type }) => type);
  expect(types.filter((type) => type !== "import.progressed").slice(-4)).toEqual([
    "import.started",
    "space.contentUpdated",
    "content.imported",
    "import.ended",
  ]);
  const { space: listed } = await as.query<{ space: object }>(
    `{ space(id: "${space.id}") { imports { totalCount nodes { id } } } }`,
  );
  expect(listed).toEqual({ imports: { totalCount: 1, nodes: [{ id }] } });
  const seen = async ({ token }: { token: string }) => (await app.as(token).query<State>(state, { id })).node?.state;
  expect([await seen(reader), await seen(outsider), await seen(disabled)]).toEqual(["DONE", undefined, undefined]);
});

test("a cancelled import writes nothing and cannot be cancelled again", async () => {
  const { as, space } = await ofEditor();
  const gate = delayResponses();
  const from = { address: { url: at("/a.md"), source: "MARKDOWN" } };
  const importing = as.graphql(importDocument, { input: { contentOf: { spaceId: space.id }, from } });
  await gate.asked;
  const { id } = await app.database.prisma.contentImport.findFirstOrThrow({ where: { spaceId: space.id } });
  const cancel = `mutation { cancelImport(input: { importId: "${id}" }) { import { state written } } }`;
  expect(await as.query(cancel)).toEqual({ cancelImport: { import: { state: "CANCELLED", written: 0 } } });
  gate.letGo();
  expect((await importing).errors?.[0]?.extensions.code).toBe("CONFLICT");
  expect(await as.refusal(cancel)).toBe("CONFLICT");
  const after = await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } });
  expect(after.revisionId).toBe(space.revisionId);
});

test("POST of an import in /v1 returns its result, for a space and for a change request", async () => {
  released = Promise.resolve();
  const { editor, space, changeRequest } = await world.changeRequest();
  const as = app.as(editor.token);
  const body = { url: at("/book.zip"), source: "markdown" };
  const own = `/v1/spaces/${space.id}/change-requests`;
  for (const path of [`/v1/spaces/${space.id}`, `${own}/${changeRequest.id}`]) {
    const answer = await as.rest<{ revision: string }>("POST", `${path}/content/import`, { body });
    expect([answer.status, answer.body]).toEqual([
      201,
      { revision: expect.stringMatching(/^rev_/), importedResources: 2, totalResources: 2 },
    ]);
    expect((await contentOf(as, answer.body.revision)).outline).toEqual(["a", "b"]);
  }
  const refused = await as.rest("POST", `/v1/spaces/${space.id}/content/import`, {
    body: { url: at("/none"), source: "markdown" },
  });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { message: "/url: is not available: the server returned 404." } },
  });
  const locked = await world.space({ space: { editMode: "locked" } });
  const answer = await app
    .as(locked.editor.token)
    .rest("POST", `/v1/spaces/${locked.space.id}/content/import`, { body });
  expect(answer.status).toBe(409);
});

test("an import that takes longer than a request waits continues, and the response has its id", async () => {
  await using hasty = await testApp({ beside: app, fetch: safeFetch, patienceMs: 1 });
  const { editor, space } = await world.space();
  const gate = delayResponses();
  const as = hasty.as(editor.token);
  const events = await listen(hasty, editor, `importEvents(of: { spaceId: "${space.id}" }, kinds: [IMPORT_ENDED])`);
  const answer = await as.rest<{ error: { details: { path: string; message: string }[] } }>(
    "POST",
    `/v1/spaces/${space.id}/content/import`,
    { body: { url: at("/a.md"), source: "markdown" } },
  );
  expect(answer.status).toBe(409);
  const [{ path, message: id } = { path: "", message: "" }] = answer.body.error.details;
  expect([path, id]).toEqual(["import", expect.stringMatching(/^imp_/)]);
  await events.delivers(Promise.resolve(gate.letGo()), { __typename: "ImportEnded" });
  expect((await as.query<State>(state, { id })).node.state).toBe("DONE");
});

test("an import whose process has ended is taken over by another, once, with the present rights", async () => {
  const { editor, space } = await world.space();
  const job = {
    ...app,
    clock: { now: () => new Date(Date.now() + 120_000) },
    log: pino({ level: "silent" }),
    readTxtRecords: () => Promise.resolve([]),
  };
  const begin = async (): Promise<string> => {
    const gate = delayResponses();
    const first = await testApp({ beside: app, fetch: safeFetch });
    const input = { contentOf: { spaceId: space.id }, url: at("/a.md"), source: "MARKDOWN", replace: true };
    const { startImport } = await first.as(editor.token).query<Started>(start, { input });
    const { id } = startImport.import;
    await gate.asked;
    await first.close();
    released = Promise.resolve();
    return id;
  };
  const killed = await begin();
  const dead = { lease: "dead", state: "running", leaseUntil: new Date(0) } as const;
  await app.database.prisma.contentImport.update({ where: { id: killed }, data: dead });
  expect(await resumeImports({ ...job })).toBe(1);
  expect(await resumeImports({ ...job })).toBe(0);
  expect((await app.as(editor.token).query<State>(state, { id: killed })).node).toMatchObject({
    state: "DONE",
    written: 1,
  });

  const left = await begin();
  await app.database.prisma.organizationMember.updateMany({ where: { userId: editor.id }, data: { disabled: true } });
  await app.database.prisma.grant.deleteMany({ where: { userId: editor.id } });
  const soon = { now: () => new Date() }; // a clean stop has left it
  expect(await resumeImports({ ...job, clock: soon })).toBe(1);
  const row = await app.database.prisma.contentImport.findUniqueOrThrow({ where: { id: left } });
  expect([row.state, row.error]).toEqual(["failed", "The space does not exist or is not visible to you."]);
});

test("background work of an import is not stored under the idempotency key of its request", async () => {
  const { editor, space } = await ofEditor();
  const query = `mutation ($input: StartImportInput!) {
    startImport(input: $input) { import { id space { comments(first: 1) { totalCount } } } }
  }`;
  const body = JSON.stringify({
    query,
    variables: { input: { contentOf: { spaceId: space.id }, url: at("/a.md"), source: "MARKDOWN" } },
  });
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${editor.token}`,
    "idempotency-key": randomUUID(),
  };
  const send = async () => (await fetch(`${app.url}/graphql`, { method: "POST", headers, body })).json();
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold('lock table "Comment" in access exclusive mode');
  const gate = delayResponses();
  const answering = send();
  await Promise.all([gate.asked, locks.waiters(1, '%"Comment"%')]); // it is running, and its response waits
  await locks.release();
  const answer = await answering;
  expect(answer).toMatchObject({ data: { startImport: { import: { id: expect.stringMatching(/^imp_/) } } } });
  await app.database.query(sql`update "IdempotencyKey" set answer = null`); // as a gateway leaves it that ends before
  expect(await send()).toEqual({ ...answer, extensions: { idempotency: { replayed: true } } });
  gate.letGo();
});

test("the idempotency key of a request that waits for an import stays claimed while it waits", async () => {
  await using hasty = await testApp({ beside: app, fetch: safeFetch, requestTimeoutMs: 2_000 });
  const { editor, space } = await ofEditor();
  const [headers, body] = [{ "idempotency-key": randomUUID() }, { url: at("/a.md"), source: "markdown" }];
  const send = () => hasty.as(editor.token).rest("POST", `/v1/spaces/${space.id}/content/import`, { body, headers });
  const gate = delayResponses();
  const sending = send();
  await gate.asked;
  const until = `select max("leaseUntil") as until from "IdempotencyKey" where answer is null`;
  const read = async () => (await app.database.pool.query<{ until: Date }>(until)).rows[0]?.until;
  const first = await read();
  await expect.poll(read).not.toEqual(first);
  gate.letGo();
  const answer = await sending;
  expect(answer.status).toBe(201);
  expect((await send()).body).toEqual(answer.body);
});

test("a cancellation after the import was written has no effect", async () => {
  const { editor, space } = await ofEditor();
  const context = (await contextsOf(app, editor.token))();
  const ending = new AbortController();
  const { pageCount, revisionId } = await importContent(context, {
    spaceId: space.id,
    open: () => openZip(archive),
    signal: ending.signal,
    also: () => {
      ending.abort(); // like the notification of a counter right after the end, when the lease has ended
      return Promise.resolve([]);
    },
  });
  expect(pageCount).toBe(2);
  expect(Object.keys((await contentOf(app.as(editor.token), revisionId)).texts)).toEqual(["a", "b"]);
});

test("an uploaded archive is imported with its progress, and again by another process that takes it over", async () => {
  const { editor, space } = await world.space();
  const as = app.as(editor.token);
  const events = await listen(app, editor, `importEvents(of: { spaceId: "${space.id}" }, kinds: [IMPORT_ENDED])`);
  const document = `mutation ($input: StartArchiveImportInput!) { startArchiveImport(input: $input) { import { id url } } }`;
  const archive = zipFile({ "a.md": "# A", "b.md": "# B" });
  const input = { contentOf: { spaceId: space.id }, archive, replace: true };
  const { startArchiveImport } = await events.delivers(
    as.query<{ startArchiveImport: { import: { id: string; url: string } } }>(document, { input }),
    { __typename: "ImportEnded" },
  );
  const { id, url } = startArchiveImport.import;
  const done = { state: "DONE", written: 2 };
  expect([url, (await as.query<State>(state, { id })).node]).toMatchObject([archive.name, done]);
  const dead = { lease: "dead", state: "running", written: 0, leaseUntil: new Date(0) } as const;
  await app.database.prisma.contentImport.update({ where: { id }, data: dead });
  const job = { ...app, clock: systemClock, log: pino({ level: "silent" }), readTxtRecords: () => Promise.resolve([]) };
  expect(await resumeImports(job)).toBe(1);
  expect((await as.query<State>(state, { id })).node).toMatchObject(done);
});
