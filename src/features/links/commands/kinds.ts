// The index kinds of links: the links of a text, and its anchors.
import { sql } from "#src/db/connection/database.ts";
import { defineIndex } from "#src/features/content/commands/index-kinds.ts";
import {
  anchorEntries,
  anchorsOf,
  distinctLinksIn,
  linksOf,
  type TextLink,
} from "#src/features/links/model/text-links.ts";

/** The distinct links of a text, in order. */
export const linkKind = defineIndex<TextLink & { readonly place: number }>({
  ...linksOf,
  table: "TextLink",
  derive: (markdown) => distinctLinksIn(markdown).map((link, place) => ({ ...link, place })),
  columns: sql`place int, relation text, address text`,
  write: (parts) => sql`links as (insert into "TextLink" (hash, place, relation, address)
    select p.hash, p.place, p.relation::"LinkRelation", p.address from ${parts} p)`,
});

/** The names of the headings and other places of a text. */
export const anchorKind = defineIndex<{ readonly anchors: readonly string[] }>({
  ...anchorsOf,
  table: "TextAnchors",
  derive: async (markdown) => {
    const anchors = await anchorEntries(markdown);
    return anchors.length > 0 ? [{ anchors }] : [];
  },
  columns: sql`anchors text[]`,
  write: (parts) =>
    sql`anchors as (insert into "TextAnchors" (hash, anchors) select p.hash, p.anchors from ${parts} p)`,
});
