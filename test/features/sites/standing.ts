// The structure of a site, as rows and in GraphQL, with checks of its consistency.
import { type AdaptiveSchema, declaredBy } from "#src/features/sites/model/adaptive-schema.ts";
import { problemOf } from "#src/features/sites/model/condition.ts";
import type { TestApp } from "#test/support/app.ts";

interface Row {
  readonly id: string;
  readonly kind: "group" | "section" | "siteSpace";
  readonly position: string;
  /** The group of a section, the section of a site space. */
  readonly parent: string | null;
  readonly path: string | null;
}

/** The structure of a site, sorted by positions: groups and sections, then site spaces. */
export async function rowsOn(app: TestApp, siteId: string): Promise<Row[]> {
  const { rows } = await app.database.pool.query<Row>(
    `select id, 'group' as kind, position, null as parent, null as path, 0 as turn from "SiteSectionGroup" where "siteId" = $1
    union all select id, 'section', position, "sectionGroupId", path, 0 from "SiteSection" where "siteId" = $1
    union all select id, 'siteSpace', position, "sectionId", path, 1 from "SiteSpace" where "siteId" = $1
    order by turn, position, id`,
    [siteId],
  );
  return rows;
}

const shown = /* GraphQL */ `
  query ($id: ID!) {
    site(id: $id) {
      structureVersion
      siteSpaceCount
      defaultSection {
        id
      }
      defaultSiteSpace {
        id
        sectionId: siteSectionId
      }
      sectionGroups(first: 1000) {
        nodes {
          id
          sections(first: 1000) {
            nodes {
              id
            }
          }
        }
      }
      sections(first: 1000) {
        nodes {
          id
          isDefault
          siteSpaces(first: 1000) {
            nodes {
              id
              isDefault
            }
          }
        }
      }
      siteSpaces(first: 1000) {
        nodes {
          id
          sectionId: siteSectionId
          isDefault
        }
      }
      first: siteSpaces(isSiteDefault: true) {
        nodes {
          id
        }
      }
    }
  }
`;

interface Placed {
  readonly id: string;
  readonly isDefault: boolean;
}
interface List<Of> {
  readonly nodes: readonly Of[];
}

export interface ShownSite {
  readonly structureVersion: number;
  readonly siteSpaceCount: number;
  readonly defaultSection: { readonly id: string } | null;
  readonly defaultSiteSpace: { readonly id: string; readonly sectionId: string | null } | null;
  readonly sectionGroups: List<{ readonly id: string; readonly sections: List<{ readonly id: string }> }>;
  readonly sections: List<Placed & { readonly siteSpaces: List<Placed> }>;
  readonly siteSpaces: List<Placed & { readonly sectionId: string | null }>;
  readonly first: List<{ readonly id: string }>;
}

/** A site as a user sees it. */
export async function shownSite(app: TestApp, token: string, id: string): Promise<ShownSite> {
  return (await app.as(token).query<{ site: ShownSite }>(shown, { id })).site;
}

/** The inconsistencies of a site's rows; none is expected after any change. */
export function faultsOf(rows: readonly Row[]): string[] {
  const entries = rows.filter(({ kind }) => kind !== "siteSpace");
  const siteSpaces = rows.filter(({ kind }) => kind === "siteSpace");
  const faults: string[] = [];
  for (const list of [entries, siteSpaces])
    list.forEach(({ id, position }, index) => {
      if (position === list[index - 1]?.position) faults.push(`${id} has the position of the one before it`);
    });
  let group: string | null = null;
  for (const { id, kind, parent } of entries) {
    if (kind === "group" || parent === null) group = kind === "group" ? id : null;
    else if (parent !== group) faults.push(`${id} is not behind its group ${parent}`);
  }
  const sections = entries.filter(({ kind }) => kind === "section").map(({ id }) => id);
  const places = siteSpaces.map(({ parent }) => (parent === null ? -1 : sections.indexOf(parent)));
  if (places.some((place, index) => place < (places[index - 1] ?? -1)))
    faults.push("site spaces are not in the order of their sections");
  if (sections.length > 0 && places.includes(-1)) faults.push("there are site spaces at the root beside sections");
  const paths = rows.flatMap(({ kind, parent, path }) =>
    path === null ? [] : `${kind === "siteSpace" ? parent : ""} ${path}`,
  );
  if (new Set(paths).size < paths.length) faults.push("a path occurs twice at one level");
  return faults;
}

/** The invalid conditions of a site by its declared claims; none is expected. */
export async function faultsOfConditions(app: TestApp, siteId: string): Promise<string[]> {
  const { rows } = await app.database.pool.query<{ schema: AdaptiveSchema | null; condition: string }>(
    `select s."adaptiveSchema" as schema, c.condition from "Site" s join (select "siteId", condition from "SiteSection"
       union all select "siteId", condition from "SiteSpace") c on c."siteId" = s.id
     where s.id = $1 and c.condition is not null`,
    [siteId],
  );
  return rows.flatMap(({ schema, condition }) => problemOf(condition, declaredBy(schema))?.message ?? []);
}

/** The inconsistent defaults; each section that is not empty must have exactly one. */
export function faultsOfDefaults(site: ShownSite): string[] {
  const faults: string[] = [];
  const root = site.siteSpaces.nodes.filter(({ sectionId }) => sectionId === null);
  const places = [root, site.sections.nodes, ...site.sections.nodes.map(({ siteSpaces }) => siteSpaces.nodes)];
  for (const place of places) {
    const defaults = place.filter(({ isDefault }) => isDefault).length;
    if (defaults !== Math.min(place.length, 1)) faults.push(`${defaults} defaults of ${place.length}`);
  }
  if (site.siteSpaceCount !== site.siteSpaces.nodes.length) faults.push("the count is another one");
  const chosen = site.sections.nodes.find(({ isDefault }) => isDefault);
  if (chosen?.id !== site.defaultSection?.id) faults.push("the default section is another one");
  const inChosen = chosen?.siteSpaces.nodes.find(({ isDefault }) => isDefault);
  if (inChosen && inChosen.id !== site.defaultSiteSpace?.id)
    faults.push("the default of the default section is not shown first");
  if ((site.defaultSiteSpace === null) !== (site.siteSpaceCount === 0)) faults.push("nothing is shown first");
  if (site.first.nodes.map(({ id }) => id).join() !== (site.defaultSiteSpace?.id ?? ""))
    faults.push("the list of what is first");
  return faults;
}
