// The subscription of readers: that something of a published site or space has changed, without saying what.
import { holds } from "#src/base/lookup.ts";
import { project } from "#src/db/reading/entity.ts";
import { found } from "#src/base/errors.ts";
import type { VisitorCredentials } from "#src/access/visitor.ts";
import type { Context } from "#src/domain/context.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { encodeEventCursor } from "#src/events/outbox-position.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { findPublishedSite } from "#src/features/published-sites/reads/sites.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { type EventMessage, StreamMessage, textIn } from "#src/graph/schema/events.ts";
import { defineSubscription, type Listening, type Named } from "#src/graph/schema/subscriptions.ts";

const Changed = builder.objectRef<EventMessage>("PublishedContentChanged").implement({
  description: "Something that readers see was changed: a page, or the settings or structure of a site. Read it again.",
  interfaces: [StreamMessage],
});

const changed = (event: StoredEvent): EventMessage => ({
  type: "PublishedContentChanged",
  cursor: encodeEventCursor(event.position),
  event,
});

const isOfContent = (event: StoredEvent): boolean => event.type === contentEvents.ofSpaceUpdated;

/** Subscribes to a site from the view of a visitor. */
async function listenToSite(context: Context, siteId: string, credentials: VisitorCredentials): Promise<Listening> {
  const find = (present: Context) => findPublishedSite(present, { by: { id: siteId } }, credentials);
  const spaceIdsIn = ({ shown }: Awaited<ReturnType<typeof find>>) =>
    new Set(shown.siteSpaces.map(({ spaceId }) => spaceId));
  const site = await find(context);
  let shown = spaceIdsIn(site); // each check reads it again
  return {
    scope: { by: "organizationId", ids: [site.row.organizationId] },
    check: async (present) => void (shown = spaceIdsIn(await find(present))),
    checksMessages: true,
    isProven: () => true,
    accepts: (event) =>
      isOfContent(event)
        ? holds(shown, event.spaceId)
        : event.subjectId === siteId || textIn(event, "siteId") === siteId,
    messageOf: changed,
  };
}

const openness = project(["title"]);

/** Subscribes to a space, for viewers who may see it. */
async function listenToSpace(context: Context, spaceId: string, shareKey: string | null): Promise<Listening> {
  const check = async ({ reader, viewer }: Context) =>
    void found(await reader.as({ ...viewer, shareKey }).row(spaces, spaceId, openness), "space");
  await check(context);
  return {
    scope: { by: "spaceId", ids: [spaceId] },
    check,
    checksMessages: true,
    isProven: () => true,
    accepts: isOfContent,
    messageOf: changed,
  };
}

defineSubscription({
  name: "publishedChanges",
  description:
    "Reports changes of a published site or space to its readers, who need no account: pages, settings and structure. NOT_FOUND for viewers who may not read it.",
  subjects: { siteId: "Id of the site.", spaceId: "Id of the space." },
  texts: {
    shareKey: "Secret key of the link, which opens a share-link site or space.",
    visitorToken: "The visitor's token, which decides what they see of a site; reports end with its validity.",
  },
  events: [],
  messages: [Changed],
  openToVisitors: true,
  open: ({ by, ids: [id = ""] }: Named<"siteId" | "spaceId">, context, { shareKey = null, visitorToken = null }) =>
    by === "siteId" ? listenToSite(context, id, { shareKey, visitorToken }) : listenToSpace(context, id, shareKey),
});
