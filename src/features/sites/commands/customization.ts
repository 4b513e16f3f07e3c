// The command that changes the appearance of a site.
import { notFound } from "#src/base/errors.ts";
import { changeIfAny } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { mayUpdateSiteCustomization } from "#src/features/sites/access.ts";
import { loadSite, type Within } from "#src/features/sites/commands/load.ts";
import { siteEvent } from "#src/features/sites/commands/rearrange.ts";
import { siteEvents } from "#src/features/sites/events.ts";
import {
  customized,
  factsOf,
  type GivenCustomization,
  type StoredCustomization,
} from "#src/features/sites/model/customization.ts";
import { Prisma } from "#src/generated/prisma/client.ts";

/** Changes the given fields; null restores the default. Needs `admin`. INVALID_INPUT for malformed values. */
export async function updateSiteCustomization(
  context: Context,
  { siteId, organizationId, ...given }: Within & GivenCustomization & { readonly siteId: string },
): Promise<{ id: string }> {
  customized({}, given); // before the site is looked up
  const site = await loadSite(context, siteId, { organizationId });
  const { id } = site;
  return changeIfAny(context, mayUpdateSiteCustomization, site, async (transaction) => {
    const [row] = await transaction.$queryRaw<{ customization: StoredCustomization | null }[]>`
      select "customization" from "Site" where id = ${id} for no key update`;
    if (!row) throw notFound("site");
    const before = row.customization ?? {};
    const after = customized(before, given);
    const [old, present] = [Object.entries(factsOf(before)), new Map(Object.entries(factsOf(after)))];
    const changes = old.flatMap(([field, value]) => {
      const change = { field: `customization.${field}`, before: value, after: present.get(field) ?? null };
      return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
    });
    if (changes.length === 0) return { result: { id }, events: [] };
    const json: object = after; // as Prisma takes it
    const isDefault = Object.keys(after).length === 0;
    await transaction.site.update({ where: { id }, data: { customization: isDefault ? Prisma.DbNull : json } });
    const event = siteEvent(site, { type: siteEvents.customizationUpdated, subjectId: id, payload: { changes } });
    return { result: { id }, events: [event] };
  });
}
