// Merges that are interrupted: the gateway or PostgreSQL is killed with -9 at every step of a merge, and it is there
// wholly or not at all.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findHolder } from "#src/db/embedded/folder-lock.ts";
import { newId } from "#src/base/ids.ts";
import {
  ask,
  type DocgraphProcess,
  makeDataFolder,
  postgresPid,
  type Ready,
  startDocgraph,
  stopStarted,
} from "#test/support/docgraph-process.ts";
import { type LockHolder, lockHolder } from "#test/support/locks.ts";

type DataFolder = Awaited<ReturnType<typeof makeDataFolder>>;

let data: DataFolder;
let docgraph: DocgraphProcess;
let ready: Ready;
let spaceId: string;

const victims = ["docgraph", "PostgreSQL"] as const;
type Victim = (typeof victims)[number];

async function start(): Promise<void> {
  docgraph = startDocgraph({ env: data.env });
  ready = await docgraph.ready();
}

/** The answer of an operation, whose form the caller knows from its document. */
async function run<Answer>(document: string, variables: object = {}): Promise<Answer> {
  return (await ask(ready.url, ready.token, document, variables)) as Answer;
}

beforeAll(async () => {
  data = await makeDataFolder();
  await start();
  const { organizations } = await run<{ organizations: { nodes: { id: string }[] } }>(
    "{ organizations { nodes { id } } }",
  );
  const { createSpace } = await run<{ createSpace: { space: { id: string } } }>(
    "mutation ($organizationId: ID!) { createSpace(input: { organizationId: $organizationId }) { space { id } } }",
    { organizationId: organizations.nodes[0]?.id },
  );
  spaceId = createSpace.space.id;
}, 60_000);

afterAll(async () => {
  await stopStarted();
  await data.remove();
});

const lines = (first: string, last: string) => `${first}\n2\n3\n4\n${last}\n`;
const edit = `mutation ($input: EditContentInput!) { editContent(input: $input) { revision { id } } }`;

/** A page that the main content and a new change request have changed, at either end of its text. */
async function openChangeRequest(): Promise<{ changeRequestId: string; pageId: string; revisionId: string }> {
  const pageId = newId("Page");
  const createPage = { pageId, title: pageId, markdown: lines("1", "5") };
  await run(edit, { input: { spaceId, edits: [{ createPage }] } });
  const { createChangeRequest } = await run<{ createChangeRequest: { changeRequest: { id: string } } }>(
    "mutation ($spaceId: ID!) { createChangeRequest(input: { spaceId: $spaceId }) { changeRequest { id } } }",
    { spaceId },
  );
  const changeRequestId = createChangeRequest.changeRequest.id;
  const rewrite = (markdown: string) => [{ updatePage: { pageId, markdown } }];
  await run(edit, { input: { changeRequestId, edits: rewrite(lines("1", "five")) } });
  const { editContent } = await run<{ editContent: { revision: { id: string } } }>(edit, {
    input: { spaceId, edits: rewrite(lines("one", "5")) },
  });
  return { changeRequestId, pageId, revisionId: editContent.revision.id };
}

const merge = (changeRequestId: string) =>
  run<{ mergeChangeRequest: { revisionId: string } }>(
    `mutation ($input: MergeChangeRequestInput!) {
      mergeChangeRequest(input: $input) { revisionId changeRequest { comments(first: 1) { totalCount } } } }`,
    { input: { spaceId, changeRequestId } },
  );

/** What there is of a merge: the main content with its page, the state of the change request, and the events. */
async function stateOf({ changeRequestId, pageId }: { changeRequestId: string; pageId: string }) {
  const { changeRequest } = await run<{
    changeRequest: {
      status: string;
      revisionMergedId: string | null;
      space: { content: { id: string; type: string; page: { markdown: string } } };
    };
  }>(
    `query ($id: ID!, $pageId: ID!) { changeRequest(id: $id) {
      status revisionMergedId space { content { id type page(by: { id: $pageId }) { markdown } } }
    } }`,
    { id: changeRequestId, pageId },
  );
  const { status, revisionMergedId, space } = changeRequest;
  return { status, revisionMergedId, active: space.content.id, markdown: space.content.page.markdown };
}

async function openLocks(): Promise<LockHolder> {
  const holder = await findHolder(data.env.DATA_DIR);
  return lockHolder(holder?.url ?? "");
}

/** Kills, and starts docgraph again. */
async function kill(victim: Victim): Promise<void> {
  process.kill(victim === "docgraph" ? docgraph.pid : await postgresPid(ready.data), "SIGKILL");
  expect(await docgraph.ended).toBe(victim === "docgraph" ? "SIGKILL" : 1);
}

/** The tables that a merge writes, in this order; it waits at each while a test holds it. */
const steps = [
  ["ContentDocument", "insert"],
  ["ContentTree", "insert"],
  ["ContentPage", "insert"],
  ["Revision", "insert"],
  ["Space", "update"],
  ["ChangeRequest", "update"],
  ["OutboxEvent", "insert"],
] as const;

/**
 * A kill of PostgreSQL ends one transaction whatever it has written, and takes long to recover from: some steps stand
 * for all.
 */
const stepsOf = (victim: Victim) =>
  victim === "docgraph" ? steps : steps.filter(([table]) => ["ContentPage", "Space", "OutboxEvent"].includes(table));

describe.each(victims)("%s killed", (victim) => {
  let opened: Awaited<ReturnType<typeof openChangeRequest>>;
  beforeAll(async () => {
    opened = await openChangeRequest();
  });

  test.each(stepsOf(victim))(
    "before a merge writes %s (%s): nothing of it is there",
    async (table, verb) => {
      const before = await stateOf(opened);
      expect(before).toMatchObject({ status: "DRAFT", active: opened.revisionId });
      const locks = await openLocks();
      await locks.hold(`lock table "${table}" in share mode`);
      const answer = merge(opened.changeRequestId).then(
        () => "merged",
        () => "lost",
      );
      await locks.waiters(1, `${verb}%"${table}"%`);
      await kill(victim);
      expect(await answer).toBe("lost");
      await locks[Symbol.asyncDispose]();
      await start();
      expect(await stateOf(opened)).toEqual(before);
    },
    60_000,
  );

  test("once a merge is committed, before it is answered: all of it is there", async () => {
    const [locks, others] = [await openLocks(), await openLocks()];
    await locks.hold(`lock table "OutboxEvent" in share mode`);
    const answer = merge(opened.changeRequestId).then(
      () => "merged",
      () => "lost",
    );
    await locks.waiters(1, `insert%"OutboxEvent"%`);
    await others.hold(`lock table "Comment" in access exclusive mode`); // which only the answer reads
    await locks.release();
    await others.waiters(1, `%"Comment"%`);
    await kill(victim);
    expect(await answer).toBe("lost");
    await Promise.all([locks[Symbol.asyncDispose](), others[Symbol.asyncDispose]()]);
    await start();
    const after = await stateOf(opened);
    expect(after).toMatchObject({ status: "MERGED", markdown: lines("one", "five") });
    expect(after.active).toBe(after.revisionMergedId);
  }, 60_000);

  test("and merges go on", async () => {
    const next = await openChangeRequest();
    const { mergeChangeRequest } = await merge(next.changeRequestId);
    expect(await stateOf(next)).toEqual({
      status: "MERGED",
      revisionMergedId: mergeChangeRequest.revisionId,
      active: mergeChangeRequest.revisionId,
      markdown: lines("one", "five"),
    });
  });
});
