// The ids used by the cases, read from the generated data.
import { query } from "#test/bench/server.ts";

export interface World {
  /** Main organization. */
  readonly organization: string;
  /** A collection with 60 spaces. */
  readonly collection: string;
  /** A space in it. */
  readonly space: string;
  /** The organizations whose change requests have 10 and 10,000 comments each. */
  readonly growth: { readonly small: string; readonly large: string };
  /** A change request with 10,000 comments. */
  readonly longChangeRequest: string;
  /** A published site of 5 groups x 10 sections x 4 site spaces. */
  readonly site: string;
}

/** Reads the ids; titles and order are those of generate.sql. */
export async function readWorld(url: string): Promise<World> {
  const one = async (text: string, values: string[] = []): Promise<string> => {
    const [row] = await query<{ id: string }>(url, text, values);
    if (!row) throw new Error(`The generated data lacks: ${text}`);
    return row.id;
  };
  const organizationNamed = (title: string) => one(`select id from "Organization" where title = $1`, [title]);
  const collection = await one(`select id from "Collection" order by id limit 1`);
  const large = await organizationNamed("Growth, 10,000 comments");
  return {
    organization: await organizationNamed("Organization 1"),
    collection,
    space: await one(`select id from "Space" where "parentId" = $1 order by position limit 1 offset 4`, [collection]),
    growth: { small: await organizationNamed("Growth, 10 comments"), large },
    longChangeRequest: await one(
      `select c.id from "ChangeRequest" c join "Space" s on s.id = c."spaceId" where s."organizationId" = $1 order by c.id limit 1`,
      [large],
    ),
    site: await one(`select id from "Site" where title = 'Large docs'`),
  };
}
