// Publishing sites, and taking them off the net.
import { type Action, changeIfAny } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import type { EventType } from "#src/events/declared.ts";
import { mayPublishSite, mayUnpublishSite, type SiteRoleParts } from "#src/features/sites/access.ts";
import { siteInHand, type Within } from "#src/features/sites/commands/in-hand.ts";
import { siteEvent } from "#src/features/sites/commands/rearrange.ts";
import { siteEvents } from "#src/features/sites/events.ts";

type SitePlace = Within & { readonly siteId: string };

/** Publishes a site, and records when and by whom; no change if it is published already. Needs `admin`. */
export function publishSite(context: Context, input: SitePlace): Promise<{ id: string }> {
  return setPublished(context, input, { action: mayPublishSite, event: siteEvents.published, published: true });
}

/** Unpublishes a site; no change if it is not published. Needs `admin`. */
export function unpublishSite(context: Context, input: SitePlace): Promise<{ id: string }> {
  return setPublished(context, input, { action: mayUnpublishSite, event: siteEvents.unpublished, published: false });
}

async function setPublished(
  context: Context,
  input: SitePlace,
  { action, event, published }: { action: Action<SiteRoleParts>; event: EventType; published: boolean },
): Promise<{ id: string }> {
  const site = await siteInHand(context, input.siteId, input);
  const { id, organizationId } = site;
  return changeIfAny(context, action, site, async (transaction) => {
    const by = { publishedAt: context.clock.now(), publishedById: context.viewer.userId };
    const { count } = await transaction.site.updateMany({
      where: { id, organizationId, published: !published },
      data: { published, ...(published ? by : { publishedAt: null, publishedById: null }) },
    });
    return { result: { id }, events: count === 0 ? [] : [siteEvent(site, { type: event, subjectId: id })] };
  });
}
