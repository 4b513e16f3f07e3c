// The commands that change the appearance of a site.
import { notFound } from "#src/base/errors.ts";
import { changeIfAny } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import type { Optional } from "#src/domain/input.ts";
import { mayUpdateSiteCustomization } from "#src/features/sites/access.ts";
import { loadSite, type Within } from "#src/features/sites/commands/load.ts";
import { siteEvent } from "#src/features/sites/commands/rearrange.ts";
import { siteEvents } from "#src/features/sites/events.ts";
import {
  type CustomizationPaths,
  customized,
  factsOf,
  type GivenCustomization,
  type StoredCustomization,
} from "#src/features/sites/model/customization.ts";
import { Prisma } from "#src/generated/prisma/client.ts";

type OnSite = Within & { readonly siteId: string };

const plainPaths = {
  title: "title",
  primaryColor: "primaryColor",
  logo: "logo",
  headerLinks: "headerLinks",
  footer: "footer",
};

/** Changes the given fields; null restores the default. Needs `admin`. INVALID_INPUT for malformed values. */
export const updateSiteCustomization = (
  context: Context,
  { siteId, organizationId, ...given }: OnSite & GivenCustomization,
): Promise<{ id: string }> => writeCustomization(context, { siteId, organizationId }, given, plainPaths);

/** The whole appearance of a site, in the groups of its parts. */
export type WholeCustomization = Optional<{
  title: string;
  styling: Pick<GivenCustomization, "primaryColor" | "font">;
  header: Optional<{ logo: GivenCustomization["logo"]; links: GivenCustomization["headerLinks"] }>;
  footer: Optional<{ text: string }>;
}>;

const groupedPaths = {
  title: "title",
  primaryColor: "styling/primaryColor",
  logo: "header/logo",
  headerLinks: "header/links",
  footer: "footer/text",
};

/** Sets all fields: omitted ones and null restore the default. Needs and throws the same. */
export function setSiteCustomization(
  context: Context,
  { siteId, organizationId, title, styling, header, footer }: OnSite & WholeCustomization,
): Promise<{ id: string }> {
  const given = {
    title: title ?? null,
    primaryColor: styling?.primaryColor ?? null,
    font: styling?.font ?? null,
    logo: header?.logo ?? null,
    headerLinks: header?.links ?? null,
    footer: footer?.text ?? null,
  };
  return writeCustomization(context, { siteId, organizationId }, given, groupedPaths);
}

async function writeCustomization(
  context: Context,
  { siteId, organizationId }: OnSite,
  given: GivenCustomization,
  paths: CustomizationPaths,
): Promise<{ id: string }> {
  customized({}, given, paths); // before the site is looked up
  const site = await loadSite(context, siteId, { organizationId });
  const { id } = site;
  return changeIfAny(context, mayUpdateSiteCustomization, site, async (transaction) => {
    const [row] = await transaction.$queryRaw<{ customization: StoredCustomization | null }[]>`
      select "customization" from "Site" where id = ${id} for no key update`;
    if (!row) throw notFound("site");
    const before = row.customization ?? {};
    const after = customized(before, given, paths);
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
