// What every change of the structure of a site has in common: the right to it, the held structure, and writing it back.
import type { Viewer } from "#src/access/viewer.ts";
import type { Entity } from "#src/db/reading/entity.ts";
import { type Action, changeIfAny, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { lockTrees } from "#src/features/collections/commands/place.ts";
import type { SiteRoleParts } from "#src/features/sites/access.ts";
import { type Place, readPlace } from "#src/features/sites/commands/checks.ts";
import { partInHand, type SiteInHand, type Within } from "#src/features/sites/commands/in-hand.ts";
import { storeStructure } from "#src/features/sites/commands/store.ts";
import { type HeldSite, holdStructure } from "#src/features/sites/commands/structure.ts";
import type { Beside, Structure } from "#src/features/sites/model/structure.ts";

/** What a change of a structure answers, and the event that it leaves. */
interface Rearranged<Result> {
  readonly result: Result;
  readonly event: SiteEvent;
  /** What happened on the way to it. */
  readonly first?: SiteEvent | undefined;
  /** Whether `body` has written something itself. */
  readonly isWritten?: boolean;
}

/** An event, but for the ids of the site and of its organization. */
export type SiteEvent = Omit<DomainEvent, "organizationId">;

interface Rearranging<Subject> {
  readonly action: Action<Subject>;
  readonly subject: Subject;
  readonly site: SiteInHand;
  /** Whether a space is placed: none leaves the organization meanwhile. */
  readonly isPlacing?: boolean;
}

/**
 * Changes the structure of a site in memory by `body`, and other columns in the transaction. Leaves no event if nothing
 * changed. FORBIDDEN unless the viewer may do `action`, NOT_FOUND when the site was deleted.
 */
export function rearrange<Subject, Result>(
  context: Context,
  { action, subject, site, isPlacing = false }: Rearranging<Subject>,
  body: (held: HeldSite, transaction: Transaction) => Promise<Rearranged<Result>> | Rearranged<Result>,
): Promise<Result> {
  return changeIfAny(context, action, subject, async (transaction) => {
    if (isPlacing) await lockTrees(transaction, site.organizationId);
    const held = await holdStructure(transaction, site);
    const { result, event, first, isWritten = false } = await body(held, transaction);
    const isStored = await storeStructure(transaction, held);
    const happened = isStored || isWritten ? [first, event] : [];
    return { result, events: happened.flatMap((one) => (one ? siteEvent(site, one) : [])) };
  });
}

interface Moving<Row extends { id: string; siteId: string }> {
  readonly entity: Entity<Row, Viewer>;
  readonly action: Action<SiteRoleParts>;
  readonly input: Within & { readonly place: Place };
}

/**
 * Moves a section, group or site space beside the neighbour that its place names; `move` returns the event.
 * INVALID_INPUT for a place that does not name one neighbour.
 */
export async function moveOnSite<Row extends { id: string; siteId: string }>(
  context: Context,
  id: string,
  { entity, action, input }: Moving<Row>,
  move: (structure: Structure, beside: Beside) => Pick<SiteEvent, "type" | "payload">,
): Promise<{ id: string }> {
  const beside = readPlace(input.place);
  const site = await partInHand(context, entity, id, input);
  return rearrange(context, onSite(action, site), ({ structure }) => ({
    result: { id },
    event: { ...move(structure, beside), subjectId: id },
  }));
}

/** An event of a site: it names the site, and the organization of the site. */
export function siteEvent(site: SiteInHand, { payload, ...event }: SiteEvent): DomainEvent {
  return { ...event, organizationId: site.organizationId, payload: { siteId: site.id, ...payload } };
}

/** What changes of a site, and nothing else on it, are done by. */
export const onSite = (action: Action<SiteRoleParts>, site: SiteInHand) => ({ action, subject: site, site });
