// Interrupted merges: the gateway or PostgreSQL is killed with -9 at every step of a merge, which is then either
// complete or without effect.
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
import { fillFolder } from "#test/support/filled-folder.ts";
import { sized } from "#test/support/runs.ts";

type DataFolder = Awaited<ReturnType<typeof makeDataFolder>>;

let data: DataFolder;
let docgraph: DocgraphProcess;
let ready: Ready;
let organizationId: string;

const victims = ["docgraph", "PostgreSQL"] as const;
type Victim = (typeof victims)[number];

async function start(): Promise<void> {
  // One user has a merge stopped at each step, all at once.
  docgraph = startDocgraph({ env: { ...data.env, OPERATIONS_PER_USER: String(2 * steps.length) } });
  ready = await docgraph.ready();
}

/** The data of an operation, typed by the caller. */
async function run<Answer>(document: string, variables: object = {}): Promise<Answer> {
  return (await ask(ready.url, ready.token, document, variables)) as Answer;
}

beforeAll(async () => {
  data = await makeDataFolder();
  const { organization } = await fillFolder(data.env.DATA_DIR, async ({ pool }) => {
    for (const statement of [stopHere, ...steps.map(stopAt)]) await pool.query(statement);
  });
  organizationId = organization.id;
  await start();
}, 60_000);

afterAll(async () => {
  await stopStarted();
  await data.remove();
});

const edit = `mutation ($input: EditContentInput!) { editContent(input: $input) { revision { id } } }`;

/** A text unique to its page, so that merges in other spaces do not wait for the same row. */
const lines = (pageId: string, first: string, last: string) => `${first}\n2\n${pageId}\n4\n${last}\n`;

/** A page of a new space changed by the main content and a change request, at either end of its text. */
async function openChangeRequest() {
  const { createSpace } = await run<{ createSpace: { space: { id: string } } }>(
    "mutation ($organizationId: ID!) { createSpace(input: { organizationId: $organizationId }) { space { id } } }",
    { organizationId },
  );
  const spaceId = createSpace.space.id;
  const pageId = newId("Page");
  const createPage = { pageId, title: pageId, markdown: lines(pageId, "1", "5") };
  await run(edit, { input: { contentOf: { spaceId }, edits: [{ createPage }] } });
  const { createChangeRequest } = await run<{ createChangeRequest: { changeRequest: { id: string } } }>(
    "mutation ($spaceId: ID!) { createChangeRequest(input: { spaceId: $spaceId }) { changeRequest { id } } }",
    { spaceId },
  );
  const changeRequestId = createChangeRequest.changeRequest.id;
  const rewrite = (markdown: string) => [{ updatePage: { pageId, markdown } }];
  await run(edit, { input: { contentOf: { changeRequestId }, edits: rewrite(lines(pageId, "1", "five")) } });
  const { editContent } = await run<{ editContent: { revision: { id: string } } }>(edit, {
    input: { contentOf: { spaceId }, edits: rewrite(lines(pageId, "one", "5")) },
  });
  return { changeRequestId, pageId, revisionId: editContent.revision.id };
}

type Opened = Awaited<ReturnType<typeof openChangeRequest>>;

const merge = ({ changeRequestId }: Opened) =>
  run<{ mergeChangeRequest: { revisionId: string } }>(
    `mutation ($input: MergeChangeRequestInput!) {
      mergeChangeRequest(input: $input) { revisionId changeRequest { comments(first: 1) { totalCount } } } }`,
    { input: { changeRequestId } },
  );

/** The same, and whether there was a response. */
const attempt = (opened: Opened) =>
  merge(opened).then(
    () => "merged",
    () => "lost",
  );

/** The state of a merge: the main content with its page, the change request, and the events. */
async function stateOf({ changeRequestId, pageId }: Opened) {
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
  expect(docgraph.output().includes("PostgreSQL ended unexpectedly")).toBe(victim === "PostgreSQL");
}

/** The tables that a merge writes, in this order, each with the beginning of the statement: some write several. */
const steps = [
  ["ContentPage", "insert", "with documents as"],
  ["ContentTree", "insert", "with documents as"],
  ["ContentDocument", "insert", "with documents as"],
  ["Space", "update", "with revision as"],
  ["Revision", "insert", "with revision as"],
  ["ChangeRequest", "update", "update"],
  ["OutboxEvent", "insert", "insert"],
] as const;

/** A trigger that waits while the test holds the lock of this name. */
const stopHere = `create function stop_here() returns trigger language plpgsql as $$ begin
  perform pg_advisory_lock_shared(hashtextextended(tg_argv[0], 0));
  perform pg_advisory_unlock_shared(hashtextextended(tg_argv[0], 0));
  return null;
end $$`;
const stopAt = ([table, verb]: (typeof steps)[number]) =>
  `create trigger stop_here before ${verb} on "${table}" execute function stop_here('stop at ${table}')`;
const closeAt = (table: string) => `select pg_advisory_xact_lock(hashtextextended('stop at ${table}', 0))`;

/** A merge that is committed, and stopped before its response. */
async function commitUnanswered() {
  const opened = await openChangeRequest();
  const [locks, others] = [await openLocks(), await openLocks()];
  await locks.hold(closeAt("OutboxEvent"));
  const answer = attempt(opened);
  await locks.waiters(1, `insert%"OutboxEvent"%`);
  await others.hold(`lock table "Comment" in access exclusive mode`); // which only the payload reads
  await locks.release();
  await others.waiters(1, `%"Comment"%`);
  return { opened, answer, locks: [locks, others] };
}

/** The indexes in `steps` at which merges are stopped: for PostgreSQL a few suffice. */
const placesFor = (victim: Victim): readonly number[] => {
  const all = [...steps.keys()];
  return victim === "PostgreSQL" ? sized([0, 3, all.length - 1], all) : all;
};

describe.each(victims)("a merge with %s killed", (victim) => {
  test("leaves nothing before its commit, at whichever table it stops, and everything after it", async () => {
    const merges = new Map<number, { readonly opened: Opened; readonly before: unknown }>();
    for (const place of placesFor(victim)) {
      const opened = await openChangeRequest();
      const before = await stateOf(opened);
      expect(before).toMatchObject({ status: "DRAFT", active: opened.revisionId });
      merges.set(place, { opened, before });
    }
    const done = await commitUnanswered();
    const locks = await openLocks();
    const answers: Promise<string>[] = [done.answer];
    // The last step is locked first, so that each merge reaches its own.
    for (const [index, [table, , statement]] of [...steps.entries()].toReversed()) {
      await locks.hold(closeAt(table));
      const opened = merges.get(index)?.opened;
      if (opened) answers.push(attempt(opened));
      const isStopped = (place: number) => place >= index && steps[place]?.[2] === statement;
      await locks.waiters([...merges.keys()].filter(isStopped).length, `${statement}%`);
    }
    await kill(victim);
    expect(await Promise.all(answers)).toEqual(Array.from({ length: merges.size + 1 }, () => "lost"));
    await Promise.all([locks, ...done.locks].map((each) => each[Symbol.asyncDispose]()));
    await start();
    for (const [place, { opened, before }] of merges) expect(await stateOf(opened), steps[place]?.[0]).toEqual(before);
    const after = await stateOf(done.opened);
    expect(after).toMatchObject({ status: "MERGED", markdown: lines(done.opened.pageId, "one", "five") });
    expect(after.active).toBe(after.revisionMergedId);
  }, 120_000);

  test("does not block later merges", async () => {
    const next = await openChangeRequest();
    const { mergeChangeRequest } = await merge(next);
    expect(await stateOf(next)).toEqual({
      status: "MERGED",
      revisionMergedId: mergeChangeRequest.revisionId,
      active: mergeChangeRequest.revisionId,
      markdown: lines(next.pageId, "one", "five"),
    });
  });
});
