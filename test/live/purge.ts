// The proof of purging a large space: a million comments and a hundred thousand change requests are deleted while a
// subscriber receives other events.
import { inspect } from "node:util";
import { openDatabase } from "#src/db/connection/database.ts";
import { purgeDeletedSpaces } from "#src/features/spaces/jobs.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { startGateways } from "#test/live/gateways.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { Subscriber } from "#test/live/subscriber.ts";
import { ask } from "#test/support/docgraph-process.ts";
import { createWorld } from "#test/support/world.ts";

export interface PurgeReport {
  readonly changeRequests: number;
  readonly comments: number;
  /** The figures of the purge. */
  readonly seconds: number;
  /** Comments that were posted elsewhere meanwhile and delivered. */
  readonly heard: number;
  /** The longest time from the response to a comment until its event, in milliseconds. */
  readonly longestGap: number;
}

/** The longest allowed delay of an event, in milliseconds. */
export const longestGapAllowed = 1_000;

/** Runs the proof on a gateway with its own PostgreSQL. `say` is called with the progress. */
export async function provePurge(
  size: { readonly changeRequests: number; readonly comments: number },
  say: (line: string) => void = () => {},
): Promise<PurgeReport> {
  await using postgres = await startOwnPostgres();
  await using gateways = await startGateways(1, postgres.url);
  const liveWorld = await makeLiveWorld(postgres.pool);
  const [spaceId = ""] = liveWorld.spaces;
  const gone = await fill(postgres.pool, liveWorld.organizationId, size);
  say("the space is filled");
  const gateway = gateways.urlOf(0);
  const field = `commentEvents(of: { spaceId: "${spaceId}" })`;
  const subscriber = await new Subscriber({
    gateway: () => gateway,
    token: liveWorld.token,
    field,
    over: "socket",
  }).start();
  const database = openDatabase({ url: postgres.url });
  let [isOver, heard, longestGap] = [false, 0, 0];
  const document = `mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }`;
  const posting = (async () => {
    while (!isOver) {
      await ask(gateway, liveWorld.token, document, {
        input: { contentOf: { spaceId }, text: { markdown: `Comment ${heard}` } },
      });
      const answered = performance.now();
      heard += 1;
      await subscriber.until(
        () => subscriber.received.filter((one) => one.__typename === "CommentPosted").length >= heard,
      );
      longestGap = Math.max(longestGap, performance.now() - answered);
    }
  })();
  try {
    const begun = performance.now();
    const log = {
      info: (fields: object) => say(JSON.stringify(fields)),
      error: (fields: object) => say(inspect(fields)),
    };
    const removed = await purgeDeletedSpaces(database, { now: () => new Date() }, { log });
    const seconds = (performance.now() - begun) / 1000;
    isOver = true;
    await posting;
    const { rows } = await postgres.pool.query(`select from "Comment" where "spaceId" = $1 limit 1`, [gone]);
    if (removed !== 1 || rows.length > 0) throw new Error("The space was not removed");
    return { ...size, seconds, heard, longestGap };
  } finally {
    isOver = true;
    await subscriber.stop();
    await database.close();
  }
}

/** Makes a space deleted eight days ago, with ten comments on each change request; returns its id. */
async function fill(
  pool: Parameters<typeof createWorld>[0]["pool"],
  organizationId: string,
  { changeRequests, comments }: { readonly changeRequests: number; readonly comments: number },
): Promise<string> {
  const deletedAt = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  const {
    rows: [user],
  } = await pool.query<{ id: string }>(`select id from "User" limit 1`);
  const userId = user?.id ?? "";
  const world = createWorld({ pool });
  const { space, changeRequest, comment } = await world.insert((rows) => {
    const made = addSpace(rows, { organizationId, deletedAt });
    const proposed = addChangeRequest(rows, { space: made, createdById: userId });
    const on = { spaceId: made.id, changeRequestId: proposed.id, postedById: userId };
    return { space: made, changeRequest: proposed, comment: addComment(rows, on) };
  });
  const copies = (table: string, columns: Record<string, string>, id: string, count: string) =>
    pool.query(
      `insert into "${table}" select t.* from generate_series(1, ${count}) n cross join lateral
        jsonb_populate_record(null::"${table}", (select to_jsonb(o) from "${table}" o where id = '${id}')
          || jsonb_build_object(${Object.entries(columns)
            .map(([name, value]) => `'${name}', ${value}`)
            .join(", ")})) t`,
    );
  const numbered = (prefix: string, number: string) => `'${prefix}_purge' || lpad((${number})::text, 20, '0')`;
  const revision = numbered("rev", "n");
  await copies("Revision", { id: revision, changeRequestId: "null" }, changeRequest.revisionId, `${changeRequests}`);
  await copies(
    "ChangeRequest",
    { id: numbered("chr", "n"), number: "n + 1", revisionId: revision },
    changeRequest.id,
    `${changeRequests}`,
  );
  await pool.query(
    `update "Revision" r set "changeRequestId" = c.id from "ChangeRequest" c where c."revisionId" = r.id`,
  );
  const each = Math.ceil(comments / changeRequests);
  await copies(
    "Comment",
    { id: numbered("cmt", "n"), changeRequestId: numbered("chr", `1 + n / ${each} % ${changeRequests}`) },
    comment.id,
    `${comments}`,
  );
  await pool.query("vacuum analyze");
  return space.id;
}
