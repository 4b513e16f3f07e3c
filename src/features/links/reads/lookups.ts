// Batched lookups for links: the links and anchors of texts, and the targets of links. Each lookup loads the keys of
// all contents and pages in one statement.
import DataLoader from "dataloader";
import { setImmediate as turn } from "node:timers/promises";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { type Entity, rowsStatement, project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { collections } from "#src/features/collections/reads.ts";
import type { Query } from "#src/features/content/reads/trees.ts";
import {
  anchorEntries,
  anchorsOf,
  distinctLinksIn,
  type KindOf,
  type LinkRelation,
  linksOf,
  TextAnchors,
  type TextLink,
} from "#src/features/links/model/text-links.ts";
import { canSeeSpec } from "#src/features/openapi/access.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { users } from "#src/features/users/reads.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Instant } from "#src/base/time.ts";
import type { OutsideLinkStatus } from "#src/generated/prisma/enums.ts";

interface PageElsewhere {
  readonly space: string;
  readonly page: string;
}

/** Creates lookups that use `query` and the visibility of the viewer. */
function makeLookups(query: Query, viewer: Viewer) {
  const rows = <Row extends { id: string }, Column extends keyof Row & string = "id">(
    of: Entity<Row, Viewer>,
    ...columns: readonly Column[]
  ) =>
    loaderOf<string, Pick<Row, Column | "id">>(async (ids) => {
      const found = await query<Row>(rowsStatement(of, ids, project(columns), viewer));
      return new Map(found.map((row) => [row.id, row]));
    });
  return {
    links: loaderOf((hashes: readonly string[]) => linksOfTexts(query, hashes)),
    anchors: loaderOf((hashes: readonly string[]) => anchorsOfTexts(query, hashes)),
    files: loaderOf((hashes: readonly string[]) => filesOfLists(query, hashes)),
    /** A page of the current content of a space, with the hash of its text. Does not check visibility. */
    pages: loaderOf((places: readonly PageElsewhere[]) => presentPages(query, places), keyOfPage),
    /** An OpenAPI specification that a content of a space references by slug or id. */
    specs: loaderOf((names: readonly NameInSpace[]) => specsOfNames(query, viewer, names), keyOfName),
    outside: loaderOf((places: readonly OutsidePlace[]) => readOutside(query, places), keyOfOutside),
    spaces: rows(spaces, "organizationId", "visibility", "isClosed", "inheritedLevel"),
    users: rows(users),
    collections: rows(collections),
  };
}

export type Lookups = ReturnType<typeof makeLookups>;

export function lookupsFor({ reader, database, viewer }: Context, query?: Query): Lookups {
  if (query) return makeLookups(query, viewer);
  return reader.once(makeLookups, "", () => makeLookups((statement) => database.query(statement), viewer));
}

export async function findAll<Value>(
  lookup: DataLoader<string, Value | null, unknown>,
  keys: readonly string[],
): Promise<(readonly [string, Value])[]> {
  const found = await Promise.all([...new Set(keys)].map(async (key) => [key, await lookup.load(key)] as const));
  return found.flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
}

function loaderOf<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<unknown, Value>>,
  cacheKeyFn: (key: Key) => unknown = (key) => key,
): DataLoader<Key, Value | null, unknown> {
  return new DataLoader(
    async (keys: readonly Key[]) => {
      const found = await read(keys);
      return keys.map((key) => found.get(cacheKeyFn(key)) ?? null);
    },
    { cacheKeyFn },
  );
}

interface Derived<Value> {
  readonly hash: string;
  readonly derived: Value | null;
  /** Only if the text is not indexed. */
  readonly markdown: string | null;
}

/** The index of texts, by hash; `value` is SQL on a text `u`. Texts without an index are derived here. */
async function derivedFrom<Value>(
  query: Query,
  hashes: readonly string[],
  of: { kind: KindOf; value: Sql; derive: (markdown: string) => Value | Promise<Value> },
): Promise<ReadonlyMap<string, Value>> {
  const { kind, value, derive } = of;
  const rows = await query<Derived<Value>>(
    sql`select u.hash, case when t.hash is not null then ${value} end as derived, case when t.hash is null then d.markdown end as markdown
      from unnest(${hashes}::text[]) u(hash) join "ContentDocument" d on d.hash = u.hash
      left join "DerivedText" t on t.hash = u.hash and t.kind = ${kind.name} and t.variant = '' and t.version = ${kind.version}::int`,
  );
  const found = new Map<string, Value>();
  for (const { hash, derived, markdown } of rows) {
    found.set(hash, derived ?? (await derive(markdown ?? "")));
    if (derived === null) await turn(); // yields to other work of the process
  }
  return found;
}

async function linksOfTexts(query: Query, hashes: readonly string[]): Promise<ReadonlyMap<string, TextLink[]>> {
  type Row = readonly [LinkRelation, string];
  const found = await derivedFrom<readonly Row[]>(query, hashes, {
    kind: linksOf,
    value: sql`coalesce((select jsonb_agg(jsonb_build_array(l.relation, l.address) order by l.place) from "TextLink" l where l.hash = u.hash), '[]')`,
    derive: (markdown) => distinctLinksIn(markdown).map(({ relation, address }) => [relation, address]),
  });
  const asLink = ([relation, address]: Row): TextLink => ({ relation, address });
  return new Map([...found].map(([hash, rows]) => [hash, rows.map(asLink)]));
}

async function anchorsOfTexts(query: Query, hashes: readonly string[]) {
  const found = await derivedFrom(query, hashes, {
    kind: anchorsOf,
    value: sql`coalesce((select a.anchors from "TextAnchors" a where a.hash = u.hash), '{}')`,
    derive: anchorEntries,
  });
  return new Map([...found].map(([hash, anchors]) => [hash, new TextAnchors(anchors)]));
}

async function filesOfLists(query: Query, hashes: readonly string[]) {
  const rows = await query<{ list: string; fileIds: string[] }>(
    sql`select l.hash as list, array_agg(f."fileId") as "fileIds" from "ContentFileList" l join "ContentFile" f on f.hash = any(l.files)
      where l.hash = any(${hashes}::text[]) group by l.hash`,
  );
  return new Map(rows.map(({ list, fileIds }) => [list, new Set(fileIds)]));
}

export const keyOfPage = ({ space, page }: PageElsewhere): string => `${space}/${page}`;

async function presentPages(query: Query, places: readonly PageElsewhere[]) {
  const rows = await query<PageElsewhere & { hash: string | null }>(
    sql`select p."spaceId" as space, p."pageId" as page, p.hash
      from unnest(${places.map(({ space }) => space)}::text[], ${places.map(({ page }) => page)}::text[]) u(space, page)
      join "PresentPage" p on p."spaceId" = u.space and p."pageId" = u.page`,
  );
  return new Map(rows.map((row) => [keyOfPage(row), row]));
}

export interface OutsideCheck {
  readonly status: OutsideLinkStatus;
  readonly reason: string | null;
  readonly checkedAt: Instant | null;
}

/** A URL, normalized by `outsideUrl`, in a content of a space. */
interface OutsidePlace {
  readonly space: string;
  readonly url: string;
}

const keyOfOutside = ({ space, url }: OutsidePlace): string => `${space} ${url}`;

/** The findings for these URLs; empty if the organization of the space has not turned the check on. */
async function readOutside(query: Query, places: readonly OutsidePlace[]): Promise<ReadonlyMap<string, OutsideCheck>> {
  const rows = await query<OutsidePlace & Omit<OutsideCheck, "checkedAt"> & { checkedAt: Instant | Date | null }>(
    sql`select u.space, a.url, a.status, a.reason, a."checkedAt"
      from unnest(${places.map(({ space }) => space)}::text[], ${places.map(({ url }) => url)}::text[]) u(space, url)
      join "Space" s on s.id = u.space join "Organization" o on o.id = s."organizationId" and o."checksOutsideLinks"
      join "OutsideAddress" a on a.url = u.url`,
  );
  return new Map(
    rows.map(({ status, reason, checkedAt, ...place }) => [
      keyOfOutside(place),
      { status, reason, checkedAt: checkedAt instanceof Date ? checkedAt.toISOString() : checkedAt },
    ]),
  );
}

interface NameInSpace {
  readonly space: string;
  readonly name: string;
}

const keyOfName = ({ space, name }: NameInSpace): string => `${space} ${name}`;

async function specsOfNames(query: Query, viewer: Viewer, names: readonly NameInSpace[]) {
  const rows = await query<NameInSpace>(
    sql`select distinct u.space, u.name
      from unnest(${names.map(({ space }) => space)}::text[], ${names.map(({ name }) => name)}::text[]) u(space, name)
      join "Space" s on s.id = u.space
      join "OpenApiSpec" t on t.id = u.name or (t."organizationId" = s."organizationId" and t.slug = u.name)
      where ${canSeeSpec(viewer)}`,
  );
  return new Map(rows.map((row) => [keyOfName(row), row]));
}
