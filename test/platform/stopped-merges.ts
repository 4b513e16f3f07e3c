// Merges that wait at every table that they write, or after their commit, so that a test can end a process there.
import { expect } from "vitest";
import { newId } from "#src/base/ids.ts";
import { ask, type Ready } from "#test/support/docgraph-process.ts";
import { lockHolder } from "#test/support/locks.ts";

/** A gateway whose database has {@link stops}, and an organization of the user of its token. */
export interface MergingGateway {
  readonly ready: Ready;
  readonly databaseUrl: string;
  readonly organizationId: string;
}

/** The tables that a merge writes, in this order, each with the beginning of the statement: some write several. */
export const steps = [
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
  return new;
end $$`;

/** Other mutations write events, too. */
const ofMerges = `for each row when (new.type = 'changeRequest.merged')`;
const stopAt = ([table, verb]: (typeof steps)[number]) =>
  `create trigger stop_here before ${verb} on "${table}" ${table === "OutboxEvent" ? ofMerges : ""}
    execute function stop_here('stop at ${table}')`;
const closeAt = (table: string) => `select pg_advisory_xact_lock(hashtextextended('stop at ${table}', 0))`;

/** The statements that let merges be stopped in a database. */
export const stops: readonly string[] = [stopHere, ...steps.map(stopAt)];

/** The data of an operation, typed by the caller. */
async function run<Answer>({ ready }: MergingGateway, document: string, variables: object = {}): Promise<Answer> {
  return (await ask(ready.url, ready.token, document, variables)) as Answer;
}

const edit = `mutation ($input: EditContentInput!) { editContent(input: $input) { revision { id } } }`;

/** A text unique to its page, so that merges in other spaces do not wait for the same row. */
const lines = (pageId: string, first: string, last: string) => `${first}\n2\n${pageId}\n4\n${last}\n`;

/** A page of a new space changed by the main content and a change request, at either end of its text. */
async function openChangeRequest(at: MergingGateway) {
  const { createSpace } = await run<{ createSpace: { space: { id: string } } }>(
    at,
    "mutation ($organizationId: ID!) { createSpace(input: { organizationId: $organizationId }) { space { id } } }",
    { organizationId: at.organizationId },
  );
  const spaceId = createSpace.space.id;
  const pageId = newId("Page");
  const createPage = { pageId, title: pageId, markdown: lines(pageId, "1", "5") };
  await run(at, edit, { input: { contentOf: { spaceId }, edits: [{ createPage }] } });
  const { createChangeRequest } = await run<{ createChangeRequest: { changeRequest: { id: string } } }>(
    at,
    "mutation ($spaceId: ID!) { createChangeRequest(input: { spaceId: $spaceId }) { changeRequest { id } } }",
    { spaceId },
  );
  const changeRequestId = createChangeRequest.changeRequest.id;
  const rewrite = (markdown: string) => [{ updatePage: { pageId, markdown } }];
  await run(at, edit, { input: { contentOf: { changeRequestId }, edits: rewrite(lines(pageId, "1", "five")) } });
  const { editContent } = await run<{ editContent: { revision: { id: string } } }>(at, edit, {
    input: { contentOf: { spaceId }, edits: rewrite(lines(pageId, "one", "5")) },
  });
  return { changeRequestId, pageId, revisionId: editContent.revision.id };
}

type Opened = Awaited<ReturnType<typeof openChangeRequest>>;

const merge = (at: MergingGateway, { changeRequestId }: Opened) =>
  run<{ mergeChangeRequest: { revisionId: string } }>(
    at,
    `mutation ($input: MergeChangeRequestInput!) {
      mergeChangeRequest(input: $input) { revisionId changeRequest { comments(first: 1) { totalCount } } } }`,
    { input: { changeRequestId } },
  );

/** The same, and whether there was a response. */
const attempt = (at: MergingGateway, opened: Opened) =>
  merge(at, opened).then(
    () => "merged",
    () => "lost",
  );

/** The state of a merge: the main content with its page, the change request, and the events. */
async function stateOf(at: MergingGateway, { changeRequestId, pageId }: Opened) {
  const { changeRequest } = await run<{
    changeRequest: {
      status: string;
      revisionMergedId: string | null;
      space: { content: { id: string; type: string; page: { markdown: string } } };
    };
  }>(
    at,
    `query ($id: ID!, $pageId: ID!) { changeRequest(id: $id) {
      status revisionMergedId space { content { id type page(by: { id: $pageId }) { markdown } } }
    } }`,
    { id: changeRequestId, pageId },
  );
  const { status, revisionMergedId, space } = changeRequest;
  return { status, revisionMergedId, active: space.content.id, markdown: space.content.page.markdown };
}

/** A merge that is committed, and stopped before its response. */
async function commitUnanswered(at: MergingGateway) {
  const opened = await openChangeRequest(at);
  const [locks, others] = [await lockHolder(at.databaseUrl), await lockHolder(at.databaseUrl)];
  await locks.hold(closeAt("OutboxEvent"));
  const answer = attempt(at, opened);
  await locks.waiters(1, `insert%"OutboxEvent"%`);
  await others.hold(`lock table "Comment" in access exclusive mode`); // which only the payload reads
  await locks.release();
  await others.waiters(1, `%"Comment"%`);
  return { opened, answer, locks: [locks, others] };
}

/** Begins a merge for each index in {@link steps}, which waits there, and one that is committed but not answered. */
export async function stopMerges(at: MergingGateway, places: readonly number[]) {
  const merges = new Map<number, { readonly opened: Opened; readonly before: unknown }>();
  for (const place of places) {
    const opened = await openChangeRequest(at);
    const before = await stateOf(at, opened);
    expect(before).toMatchObject({ status: "DRAFT", active: opened.revisionId });
    merges.set(place, { opened, before });
  }
  const done = await commitUnanswered(at);
  const locks = await lockHolder(at.databaseUrl);
  const answers: Promise<string>[] = [done.answer];
  // The last step is locked first, so that each merge reaches its own.
  for (const [index, [table, , statement]] of [...steps.entries()].toReversed()) {
    await locks.hold(closeAt(table));
    const opened = merges.get(index)?.opened;
    if (opened) answers.push(attempt(at, opened));
    const isStopped = (place: number) => place >= index && steps[place]?.[2] === statement;
    await locks.waiters([...merges.keys()].filter(isStopped).length, `${statement}%`);
  }
  return {
    /** Once the gateway or its database was killed: no merge was answered. */
    async requireLost() {
      expect(await Promise.all(answers)).toEqual(Array.from({ length: merges.size + 1 }, () => "lost"));
      await Promise.all([locks, ...done.locks].map((each) => each[Symbol.asyncDispose]()));
    },
    /** At the gateway after that: no merge but the committed one has had an effect. */
    async requireAllOrNothing(next: MergingGateway) {
      for (const [place, { opened, before }] of merges)
        expect(await stateOf(next, opened), steps[place]?.[0]).toEqual(before);
      const after = await stateOf(next, done.opened);
      expect(after).toMatchObject({ status: "MERGED", markdown: lines(done.opened.pageId, "one", "five") });
      expect(after.active).toBe(after.revisionMergedId);
    },
  };
}

/** A merge that nothing stops. */
export async function requireMerge(at: MergingGateway): Promise<void> {
  const next = await openChangeRequest(at);
  const { mergeChangeRequest } = await merge(at, next);
  expect(await stateOf(at, next)).toEqual({
    status: "MERGED",
    revisionMergedId: mergeChangeRequest.revisionId,
    active: mergeChangeRequest.revisionId,
    markdown: lines(next.pageId, "one", "five"),
  });
}
