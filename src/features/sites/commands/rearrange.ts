// The transaction that all changes of a site's structure share: right, lock, checks and result.
import type { Viewer } from "#src/access/viewer.ts";
import type { Entity } from "#src/db/reading/entity.ts";
import { type Action, changeIfAny, type Deleted, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, oneOf } from "#src/domain/input.ts";
import type { DomainEvent, SettingChange } from "#src/events/event.ts";
import { lockTrees } from "#src/features/collections/commands/place.ts";
import type { SiteRoleParts } from "#src/features/sites/access.ts";
import { type LoadedSite, loadPart, type Within } from "#src/features/sites/commands/load.ts";
import { type HeldSite, holdStructure, storeStructure } from "#src/features/sites/commands/structure.ts";
import { conditionLimit } from "#src/features/sites/model/condition.ts";
import type { Beside, Structure } from "#src/features/sites/model/structure.ts";

/** The result of a change of a structure, and its event. */
interface Rearranged<Result> {
  readonly result: Result;
  readonly event: SiteEvent;
  /** Events that precede it. */
  readonly first?: SiteEvent | undefined;
  /** Whether `body` has written something itself. */
  readonly isWritten?: boolean;
}

/** An event without the ids of the site and of its organization. */
export type SiteEvent = Omit<DomainEvent, "organizationId">;

interface Rearranging<Subject> {
  readonly action: Action<Subject>;
  readonly subject: Subject;
  readonly site: LoadedSite;
  /** Whether a space is placed: then no space may leave the organization meanwhile. */
  readonly isPlacing?: boolean;
}

/** Changes the structure of a site by `body`; writes no event if nothing changed. NOT_FOUND if the site was deleted. */
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

/** Moves a part of a site next to the neighbour that `place` names; `move` returns the event. */
export async function moveOnSite<Row extends { id: string; siteId: string }>(
  context: Context,
  id: string,
  { entity, action, input }: Moving<Row>,
  move: (structure: Structure, beside: Beside) => Pick<SiteEvent, "type" | "payload">,
): Promise<{ id: string }> {
  const beside = readPlace(input.place);
  const site = await loadPart(context, entity, id, input);
  return rearrange(context, onSite(action, site), ({ structure }) => ({
    result: { id },
    event: { ...move(structure, beside), subjectId: id },
  }));
}

/** An event of a site: it names the site, and the organization of the site. */
export function siteEvent(site: LoadedSite, { payload, ...event }: SiteEvent): DomainEvent {
  return { ...event, organizationId: site.organizationId, payload: { siteId: site.id, ...payload } };
}

/** The functions that change the site itself, not its parts. */
export const onSite = (action: Action<SiteRoleParts>, site: LoadedSite) => ({ action, subject: site, site });

/** A position as clients give it: one of these, `before...` or `after...`. */
export type Place = Readonly<Record<string, string | null | undefined>>;

/** The neighbour that a position names. INVALID_INPUT unless exactly one is given. */
function readPlace(place: Place): Beside {
  const [name, id] = oneOf("place", place);
  return { side: name.startsWith("before") ? "before" : "after", id };
}

/** The deleted part of a site, if it existed, and the site if it is known. */
export interface DeletedOnSite extends Deleted {
  readonly siteId: string | null;
  readonly organizationId: string | null;
}

export const nothingDeleted = ({ siteId = null, organizationId = null }: Within): DeletedOnSite => ({
  deletedId: null,
  siteId,
  organizationId,
});

/** The change of a chosen default for an event; empty if it is unchanged. */
export function defaultChange(
  field: string,
  before: { id: string } | undefined,
  after: { id: string } | undefined,
): SettingChange[] {
  return before?.id === after?.id ? [] : [{ field, before: before?.id ?? null, after: after?.id ?? null }];
}

/** The entries of `data` that differ from `row`. */
export function differing<Row extends object>(row: Row, data: Partial<Row>): Partial<Row> {
  const now = Object.entries(row);
  const changed = Object.entries(data).filter(([name, value]) =>
    now.some((one) => one[0] === name && one[1] !== value),
  );
  return Object.fromEntries(changed) as Partial<Row>; // some of its entries
}

/** The name of an icon as stored; null without one. INVALID_INPUT if longer than 50 characters. */
export function checkIcon(icon: string | null | undefined): string | null | undefined {
  return icon == null ? icon : checkText("icon", icon, { max: 50 }) || null;
}

/** A condition as stored; null without one. INVALID_INPUT unless it has 1 to 1024 characters. */
export function checkCondition(condition: string | null | undefined): string | null | undefined {
  return condition == null ? condition : checkText("condition", condition, { min: 1, max: conditionLimit });
}
