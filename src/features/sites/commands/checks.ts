// What the commands on sections, groups and site spaces read alike, and answer alike.
import { checkText, oneOf } from "#src/domain/input.ts";
import type { Deleted } from "#src/domain/change.ts";
import type { SettingChange } from "#src/events/event.ts";
import type { Within } from "#src/features/sites/commands/in-hand.ts";
import { conditionLimit } from "#src/features/sites/model/condition.ts";
import type { Beside } from "#src/features/sites/model/structure.ts";

/** A place beside something, as clients give it: one of these, `before...` or `after...`. */
export type Place = Readonly<Record<string, string | null | undefined>>;

/** The neighbour that a place names. INVALID_INPUT unless it is exactly one. */
export function readPlace(place: Place): Beside {
  const [name, id] = oneOf("place", place);
  return { side: name.startsWith("before") ? "before" : "after", id };
}

/** What was deleted of a site, if it was there, and the site if it is known. */
export interface DeletedOnSite extends Deleted {
  readonly siteId: string | null;
  readonly organizationId: string | null;
}

/** The answer where there was nothing to delete. */
export const nothingDeleted = ({ siteId = null, organizationId = null }: Within): DeletedOnSite => ({
  deletedId: null,
  siteId,
  organizationId,
});

/** A default that was chosen, as an event tells it; nothing where it is the same as before. */
export function defaultChange(
  field: string,
  before: { id: string } | undefined,
  after: { id: string } | undefined,
): SettingChange[] {
  return before?.id === after?.id ? [] : [{ field, before: before?.id ?? null, after: after?.id ?? null }];
}

/** The entries of `data` that are not what `row` has. */
export function differing<Row extends object>(row: Row, data: Partial<Row>): Partial<Row> {
  const now = Object.entries(row);
  const changed = Object.entries(data).filter(([name, value]) =>
    now.some((one) => one[0] === name && one[1] !== value),
  );
  return Object.fromEntries(changed) as Partial<Row>; // some of its entries
}

/** The name of an icon as it is stored; null for none. INVALID_INPUT for more than 50 characters. */
export function checkIcon(icon: string | null | undefined): string | null | undefined {
  return icon == null ? icon : checkText("icon", icon, { max: 50 }) || null;
}

/** A condition as it is stored; null for none. INVALID_INPUT outside 1 to 1024 characters. */
export function checkCondition(condition: string | null | undefined): string | null | undefined {
  return condition == null ? condition : checkText("condition", condition, { min: 1, max: conditionLimit });
}
