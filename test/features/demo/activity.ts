// Checks of the activity of the demo's organizations: the events of its stories, and nothing else.
import { expect } from "vitest";
import { Diary } from "#src/demo/diary.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import type { TestApp } from "#test/support/app.ts";

type Place = Pick<TestApp, "as" | "database">;

async function rows({ database }: Place, text: string): Promise<object[]> {
  return (await database.pool.query<object>(text)).rows;
}

async function values(place: Place, text: string): Promise<unknown[]> {
  return (await rows(place, text)).flatMap((row) => Object.values(row));
}

/** The activity lists the events of the stories like those of user actions. */
export async function checkEvents(app: Place, token: string): Promise<void> {
  type WithActivity = { activity: { totalCount: number; nodes: { __typename: string; occurredAt: string }[] } };
  const nodes = "nodes { __typename occurredAt actor { displayName } }";
  const { organizations } = await app
    .as(token)
    .query<{ organizations: { nodes: WithActivity[] } }>(
      `{ organizations { nodes { activity(first: 100) { totalCount ${nodes} } } } }`,
    );
  expect(organizations.nodes.map(({ activity }) => activity.totalCount)).toEqual(
    await values(
      app,
      `select count(*)::int from "OutboxEvent" e join "Organization" o on o.id = e."organizationId"
      join "Space" s on s.id = e."spaceId" where s."deletedAt" is null group by o.id order by o."createdAt"`,
    ),
  );
  const all = organizations.nodes.flatMap(({ activity }) => activity.nodes);
  expect(all.map(({ __typename }) => __typename)).toEqual(
    expect.arrayContaining(["CommentPosted", "ReviewSubmitted", "ChangeRequestMerged", "SpaceContentEdited"]),
  );
  expect(await values(app, `select distinct type from "OutboxEvent" order by 1`)).toEqual([
    "changeRequest.contentUpdated",
    "changeRequest.created",
    "changeRequest.merged",
    "changeRequest.opened",
    "changeRequest.statusChanged",
    "changeRequest.updatesPulled",
    "comment.created",
    "comment.reactionAdded",
    "comment.resolved",
    "comment.updated",
    "commentReply.created",
    "commentReply.reactionAdded",
    "commentReply.updated",
    "mention.created",
    "review.dismissed",
    "review.requested",
    "review.submitted",
    "space.contentUpdated",
  ]);
}

/** There is one event for each object, by its author, in chronological order. */
export async function checkOrder(app: Place): Promise<void> {
  const wrong = await rows(
    app,
    `select e.id from (select *, lag("createdAt") over (order by id) as before from "OutboxEvent") e
    left join "Comment" c on c.id = e."subjectId" left join "ChangeRequest" r on r.id = e."subjectId"
    left join "Revision" v on v.id = e.payload ->> 'revisionId' and e.type like '%.contentUpdated'
    where e."createdAt" < e.before or e."createdAt" <> case e.type when 'comment.created' then c."postedAt"
      when 'comment.resolved' then c."resolvedAt" when 'changeRequest.created' then r."createdAt" else coalesce(v."createdAt", e."createdAt") end
    or e."actorId" <> case e.type when 'comment.created' then c."postedById" when 'comment.resolved' then c."resolvedById"
      when 'changeRequest.created' then r."createdById" else coalesce(v."authorId", e."actorId") end`,
  );
  expect(wrong).toEqual([]);
  const eventCount = (type: string) => `(select count(*)::int from "OutboxEvent" where type = '${type}')`;
  const [counts] = await rows(
    app,
    `select ${eventCount("comment.created")} - (select count(*)::int from "Comment") as comments,
    ${eventCount("commentReply.created")} - (select count(*)::int from "CommentReply") as replies,
    ${eventCount("changeRequest.created")} - (select count(*)::int from "ChangeRequest") as changes,
    ${eventCount("changeRequest.merged")} - (select count("revisionMergedId")::int from "ChangeRequest") as merges,
    ${eventCount("review.submitted")} - (select count("reviewedAt")::int from "Review") as reviews,
    ${eventCount("mention.created")} - (select count(*)::int from "Mention") as mentions,
    ${eventCount("space.contentUpdated")} - (select count(*)::int from "Revision" where "changeRequestId" is null and type <> 'initial') as revisions
  `,
  );
  expect(new Set(Object.values(counts ?? {}))).toEqual(new Set([0]));
}

/** Events are written for the retention period of activity. */
export async function checkRetention(app: Place): Promise<void> {
  const diary = new Diary();
  const event = { type: changeRequestEvents.opened, subjectId: "diary" };
  diary.tell(new Date(3000), "late", event);
  diary.tell(new Date(2000), "early", event);
  diary.tell(new Date(1000), "too early", event);
  await diary.write(app.database.prisma, new Date(2000));
  expect(await values(app, `delete from "OutboxEvent" where "subjectId" = 'diary' returning "actorId"`)).toEqual([
    "early",
    "late",
  ]);
}
