// Background work counts against the quota of the user who started it or subscribes: imports and translations, also
// when another process resumes them, PDFs and stream messages.
import { pino } from "pino";
import { expect, test } from "vitest";
import { systemClock } from "#src/base/time.ts";
import { resumeImports } from "#src/features/imports/commands/run-import.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { testEngine } from "#test/features/translations/engine.ts";
import { openDesk, runTranslations } from "#test/features/translations/running.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { useApp } from "#test/support/app.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";
import { times } from "#test/support/world.ts";

const port = await serveOnLoopback((_request, response) => {
  response.writeHead(200, { "content-type": "text/markdown" }).end(`# Page\n\n${"Text. ".repeat(2_000)}`);
});
// Its own database: it counts the imports that are resumed.
const { app, world } = await useApp({ own: true, fetch: createSafeFetch({ allowedHosts: ["127.0.0.1"] }) });

interface Told {
  readonly ofToken: number;
  /** The remaining cost quota of the user. */
  readonly remaining: number;
  readonly actual: number;
}

/** Runs an operation that must succeed; returns its data, its cost, and the cost counted for its token. */
async function ask<Data>(token: string, query: string): Promise<{ data: Data } & Told> {
  const response = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, cost: "report" },
    body: JSON.stringify({ query }),
  });
  const { data, errors, extensions } = (await response.json()) as {
    data: Data;
    errors?: unknown;
    extensions: { cost: Told };
  };
  expect(errors).toBeUndefined();
  return { data, ...extensions.cost };
}

const look = (token: string) => ask(token, "{ __typename }");

/** The cost counted for a token and its user between two reads, without the cost of the second read. */
const spentBetween = (before: Told, { ofToken, remaining, actual }: Told) => ({
  ofToken: ofToken - actual - before.ofToken,
  ofUser: before.remaining - remaining - actual,
});

test("an import counts against the quota of the user who started it, during and after the run", async () => {
  const { space, editor } = await world.space();
  const { data, actual } = await ask<{ startImport: { import: { id: string } } }>(
    editor.token,
    `mutation { startImport(input: { contentOf: { spaceId: "${space.id}" }, url: "http://127.0.0.1:${port}/a.md", source: MARKDOWN }) {
      import { id } } }`,
  );
  let state = "pending";
  let asked = actual;
  while (state === "pending" || state === "running") {
    const polled = await ask<{ node: { state: string } }>(
      editor.token,
      `{ node(id: "${data.startImport.import.id}") { ... on ContentImport { state } } }`,
    );
    state = polled.data.node.state.toLowerCase();
    asked += polled.actual;
  }
  expect(state).toBe("done");
  const last = await look(editor.token);
  expect(last.ofToken - last.actual - asked).toBeGreaterThan(100);
});

test("an import that another process resumes counts against the quota of the user who started it", async () => {
  const { space, editor } = await world.space();
  const row = await app.database.prisma.apiToken.findFirstOrThrow({ where: { userId: editor.id } });
  const by = { createdById: editor.id, tokenId: row.id, createdAt: new Date(Date.now() - 120_000) };
  const settings = { parentId: null, replace: false, message: null, expectedRevisionId: null };
  const from = { url: `http://127.0.0.1:${port}/a.md`, source: "markdown", settings } as const;
  await app.database.prisma.contentImport.create({ data: { id: "imp_left", spaceId: space.id, ...by, ...from } });
  const before = await look(editor.token);
  const outside = { clock: systemClock, log: pino({ level: "silent" }), readTxtRecords: async () => [] };
  expect(await resumeImports({ ...app, ...outside })).toBe(1);
  expect(await app.database.prisma.contentImport.findUnique({ where: { id: "imp_left" } })).toMatchObject({
    state: "done",
  });
  expect(spentBetween(before, await look(editor.token)).ofToken).toBeGreaterThan(100);
});

test("translation runs count against the quota of the translation's creator, even if others changed the source", async () => {
  const { organization, space, admin, editor } = await world.space();
  const desk = await openDesk(app, { organizationId: organization.id, spaceId: space.id, person: admin });
  await editAs(app.as(editor.token), { spaceId: space.id }, newPage("Guide", { markdown: "Words. ".repeat(100) }).edit);
  const [before, ofEditor] = [await look(admin.token), await look(editor.token)];
  await runTranslations(app, testEngine().translator);
  const spent = spentBetween(before, await look(admin.token));
  const ofOther = spentBetween(ofEditor, await look(editor.token));
  expect(spent.ofUser - ofOther.ofUser).toBeGreaterThan(150);
  expect((await desk.see()).status).toBe("COMPLETED");
});

test("stream messages count against the quota of the subscriber, shared ones in turn", async () => {
  const { space, editor, reader } = await world.space();
  const { reader: other } = await world.space();
  const socket = await openKnown(app.url, reader.token);
  const query = `subscription { commentEvents(of: { spaceId: "${space.id}" }) { __typename
    ... on CommentPosted { comment { body { markdown } } } } }`;
  socket.send({ id: "1", type: "subscribe", payload: { query } });
  expect(await socket.receive()).toMatchObject({
    type: "next",
    payload: { data: { commentEvents: { __typename: "Ready" } } },
  });
  const [before, idle] = [await look(reader.token), await look(other.token)];
  for (const text of times(5, (index) => `Comment ${index}`)) {
    await ask(
      editor.token,
      `mutation { createComment(input: { contentOf: { spaceId: "${space.id}" }, text: { markdown: "${text}" } }) { comment { id } } }`,
    );
    expect(await socket.receive()).toMatchObject({
      payload: { data: { commentEvents: { comment: { body: { markdown: text } } } } },
    });
  }
  const spent = spentBetween(before, await look(reader.token));
  expect(spent.ofToken).toBeGreaterThan(5 * 10); // five times a statement at least
  expect(spentBetween(idle, await look(other.token)).ofToken).toBeLessThan(5 * 10);
  socket.socket.terminate();
});
