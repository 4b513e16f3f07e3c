// Reads the active installations at a visible place, which draw blocks. Loads of an operation are batched.
import DataLoader from "dataloader";
import { DomainError, notFound } from "#src/base/errors.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import type { BlockPlace } from "#src/features/integrations/model/runs/block-request.ts";
import type { Block } from "#src/features/integrations/model/manifest/manifest.ts";
import { blocksThatRun, joinAgreed } from "#src/features/integrations/reads/terms.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { sites } from "#src/features/sites/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";

export type SeenPlace = BlockPlace & { readonly organizationId: string };

/** Blocks of an organization are only for its members. Throws NOT_FOUND for the place, FORBIDDEN for guests. */
export async function seenPlace({ reader, viewer }: Context, { kind, id }: BlockPlace): Promise<SeenPlace> {
  if (kind === "organization") {
    await reader.found(organizations, id, project([]));
    if (!viewer.memberOf.includes(id))
      throw new DomainError("FORBIDDEN", "Guests may not draw the blocks of an organization itself.");
    return { kind, id, organizationId: id };
  }
  const projection = project(["organizationId"]);
  const place =
    kind === "space" ? await reader.found(spaces, id, projection) : await reader.found(sites, id, projection);
  return { kind, id, organizationId: place.organizationId };
}

type InstallationKey = BlockPlace & { readonly name: string };

/** Whether installation `i` is active at a place. */
const isActiveAt = (kind: Sql, id: Sql): Sql => sql`i.status = 'active' and case ${kind}
    when 'space' then exists (select from "IntegrationSpace" r
      where r."installationId" = i.id and r."spaceId" = ${id} and r.status = 'active')
    when 'site' then exists (select from "IntegrationSite" r
      where r."installationId" = i.id and r."siteId" = ${id} and r.status = 'active')
    else i."organizationId" = ${id} end`;

/** The id of the active installation of an integration at a visible place. Throws NOT_FOUND if it does not exist. */
export async function installationAt(context: Context, place: SeenPlace, name: string): Promise<string> {
  const { database, reader } = context;
  const loader = reader.once(installationAt, "", () => {
    const load = async (asked: readonly InstallationKey[]) => {
      const rows = await database.query<{ ord: number; id: string }>(sql`
        select k.ord::int, i.id
        from unnest(${asked.map(({ kind }) => kind)}::text[], ${asked.map(({ id }) => id)}::text[],
          ${asked.map((one) => one.name)}::text[]) with ordinality k(kind, id, name, ord)
        join "Integration" n on n.name = k.name
        join "IntegrationInstallation" i on i."integrationId" = n.id and ${isActiveAt(sql`k.kind`, sql`k.id`)}`);
      const found = new Map(rows.map(({ ord, id }) => [ord, id]));
      return asked.map((_, index) => found.get(index + 1) ?? null);
    };
    return new DataLoader(load, { cacheKeyFn: (of: InstallationKey) => `${of.kind} ${of.id} ${of.name}` });
  });
  const id = await loader.load({ kind: place.kind, id: place.id, name });
  if (id === null) throw notFound("active installation of this integration here");
  return id;
}

/** A block in the form of fenced code in a language. */
export interface WrittenBlock {
  readonly language: string;
  readonly name: string;
  readonly componentId: string;
  /** The property for its text; null for the default one. */
  readonly body: string | null;
}

/** The agreed blocks of active installations on a space by these languages: the first by name of the integration. */
export async function blocksWrittenIn(
  { database, reader }: Context,
  spaceId: string,
  languages: readonly string[],
): Promise<ReadonlyMap<string, WrittenBlock>> {
  if (languages.length === 0) return new Map();
  const loader = reader.once(blocksWrittenIn, "", () => {
    const load = async (asked: readonly (readonly [string, string])[]) => {
      const rows = await database.query<{ ord: number } & Omit<WrittenBlock, "language">>(sql`
        select distinct on (k.ord) k.ord::int, n.name, b->>'id' as "componentId", b->'markdown'->>'body' as body
        from unnest(${asked.map(([id]) => id)}::text[], ${asked.map(([, one]) => one)}::text[])
          with ordinality k(id, language, ord)
        join "IntegrationSpace" r on r."spaceId" = k.id and r.status = 'active'
        join "IntegrationInstallation" i on i.id = r."installationId" and i.status = 'active'
        join "Integration" n on n.id = i."integrationId" and (n."hasBlocks" or i."pinnedVersion" is not null)
        ${joinAgreed}
        cross join lateral json_array_elements(${blocksThatRun}) with ordinality e(b, place)
        where b->'markdown'->>'codeblock' = k.language and exists (
          select from json_array_elements(a.manifest->'blocks') agreed
          where agreed->'markdown'->>'codeblock' = k.language)
        order by k.ord, n.name, e.place`);
      const found = new Map(rows.map(({ ord, ...block }) => [ord, block]));
      return asked.map((_, index) => found.get(index + 1) ?? null);
    };
    return new DataLoader(load, { cacheKeyFn: (of: readonly [string, string]) => of.join(" ") });
  });
  const blocks = await Promise.all(
    languages.map(async (language) => {
      const block = await loader.load([spaceId, language]);
      return block ? [[language, { ...block, language }] as const] : [];
    }),
  );
  return new Map(blocks.flat());
}

type UnfurlingBlocks = readonly Required<Pick<Block, "id" | "urlUnfurl">>[];

interface Unfurling {
  readonly id: string;
  readonly name: string;
  readonly blocks: UnfurlingBlocks;
  /** The blocks of the agreed version, which limit the addresses. */
  readonly agreed: UnfurlingBlocks;
}

const unfurlingIn = (blocks: Sql): Sql => sql`(select coalesce(json_agg(b order by place), '[]')
  from json_array_elements(${blocks}) with ordinality e(b, place) where b->'urlUnfurl' is not null)`;

/** The active installations on a space with a block for addresses of one of these hosts, by name. */
export function unfurlingOn({ database }: Context, spaceId: string, hosts: readonly string[]): Promise<Unfurling[]> {
  return database.query<Unfurling>(sql`
    select i.id, n.name, ${unfurlingIn(blocksThatRun)} as blocks, ${unfurlingIn(sql`a.manifest->'blocks'`)} as agreed
    from "IntegrationSpace" r
    join "IntegrationInstallation" i on i.id = r."installationId" and i.status = 'active'
    join "Integration" n on n.id = i."integrationId"
      and (n."blockDomains" && ${hosts}::text[] or i."pinnedVersion" is not null)
    ${joinAgreed}
    where r."spaceId" = ${spaceId} and r.status = 'active' order by n.name`);
}
