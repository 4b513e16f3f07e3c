// Reads a published site for one visitor: only this module decides which parts they see. Visitors who may read a site
// may read the content of its spaces there, whatever the audience of the spaces elsewhere. So placing a space on a site
// needs the right to publish the content of the space.
import { visit, visitedColumns, type VisitorCredentials } from "#src/access/visitor.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { notFound } from "#src/base/errors.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { type Entity, type Rows, project } from "#src/db/reading/entity.ts";
import { byId } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { type Shown, shownOf, type StoredStructure } from "#src/features/published-sites/model/shown.ts";
import {
  type HashedStructure,
  keepStructure,
  keptStructure,
  structure,
  structureHash,
} from "#src/features/published-sites/reads/structures.ts";
import { sites } from "#src/features/sites/reads.ts";
import { holds } from "#src/features/sites/model/condition.ts";

interface SiteWithStructure
  extends Omit<Rows["Site"], "siteSpaceCount" | "defaultSectionId" | "defaultSiteSpaceId">, HashedStructure {}

export interface PublishedSite {
  readonly id: string;
  readonly row: Omit<SiteWithStructure, keyof HashedStructure>;
  /** The share key of the request, which addresses of a share-link site contain. */
  readonly shareKey: string | null;
  readonly shown: Shown<PublishedSite>;
}

export type PublishedSiteKey =
  | { readonly id: string }
  | { readonly hostname: string }
  | { readonly proxyOrigin: string; readonly proxyTarget: string }
  | { readonly organizationHostname: string; readonly basename: string };

type Asked = { readonly by: PublishedSiteKey; readonly organizationId?: string | null | undefined };

/** Sites with their structure for every viewer: only {@link findPublishedSite} decides which parts are visible. */
const sitesWithStructure = {
  ...sites,
  derived: { structure: () => structure, structureHash: () => structureHash },
  visible: () => sql`true`,
} as unknown as Entity<SiteWithStructure, Viewer>; // with the columns derived here

type SiteList = PageList<SiteWithStructure, Viewer>;

const siteBy = (parent: Sql): SiteList => ({
  entity: sitesWithStructure,
  parent,
  visible: "with parent",
  order: byId(),
});

const siteOfId = siteBy(sql`t.id = p.id`);
const siteOfHostname = siteBy(sql`t."hostname" = p.id`);
const siteOfOrganization = siteBy(
  sql`t."organizationId" = (select o.id from "Organization" o where o."hostname" = p.id)`,
);

const siteOfProxy = siteBy(sql`t."proxyOrigin" = p.id`);

const columns = project([
  ...visitedColumns,
  ...(["type", "title", "icon", "hostname", "basename", "proxyOrigin", "proxyTarget", "createdAt"] as const),
  "agentsContext",
  "customization",
  "structureHash",
]);

const structureColumns = project(["structure", "structureHash"]);

function findSite({ reader }: Context, { by, organizationId }: Asked): Promise<SiteWithStructure | null> {
  const pick = (list: SiteList, id: string, key = {}) =>
    reader.pick(list, { id }, { key: organizationId == null ? key : { ...key, organizationId }, projection: columns });
  if ("id" in by) return pick(siteOfId, by.id);
  if ("hostname" in by) return pick(siteOfHostname, by.hostname.toLowerCase());
  if ("proxyOrigin" in by) return pick(siteOfProxy, by.proxyOrigin, { proxyTarget: by.proxyTarget });
  return pick(siteOfOrganization, by.organizationHostname.toLowerCase(), { basename: by.basename });
}

async function readStructure({ reader }: Context, id: string): Promise<StoredStructure> {
  const found = await reader.pick(siteOfId, { id }, { key: {}, projection: structureColumns });
  if (!found) throw notFound("published site"); // deleted just now
  return keepStructure(id, found);
}

/**
 * A site from the view of a visitor with these credentials, in one statement, or two if its structure is not kept.
 * Members of its organization may read it before it is published, with the view of the visitor whose token they send.
 * NOT_FOUND without the right to read it.
 */
export async function findPublishedSite(
  context: Context,
  asked: Asked,
  credentials: VisitorCredentials,
): Promise<PublishedSite> {
  const found = await findSite(context, asked);
  if (!found) throw notFound("published site");
  const { structureHash: hash, ...row } = found;
  const { mayRead, claims } = await visit(context, row, credentials);
  if (!mayRead) throw notFound("published site");
  const all = keptStructure(row.id, hash) ?? (await readStructure(context, row.id));
  context.reader.takeRows(all.groups.length + all.sections.length + all.siteSpaces.length);
  const site = { id: row.id, row, shareKey: credentials.shareKey };
  const made: PublishedSite = Object.assign(site, { shown: {} as Shown<PublishedSite> }); // set in the next line
  return Object.assign(made, { shown: shownOf(made, all, (condition) => holds(condition, claims)) });
}
