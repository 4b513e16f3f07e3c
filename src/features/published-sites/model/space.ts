// A space as its own published site: one site space at the root, without a site around it.
import { type Shown, shownOf, type ShownSpace } from "#src/features/published-sites/model/shown.ts";

export interface ReadSpace {
  readonly id: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly revisionId: string;
  readonly contentTreeHash: string | null;
}

/** The only site space of `site`, which must not have others. Its pages have their paths in the space. */
export function onlySpaceOf<Site extends { shown: Shown<Site> }>(site: Site, space: ReadSpace): ShownSpace<Site> {
  const { id, title, emoji, revisionId, contentTreeHash } = space;
  const values = [id, null, title, "", null, true, id, emoji, revisionId, contentTreeHash] as const;
  site.shown = shownOf(site, { groups: [], sections: [], siteSpaces: [values] }, () => true);
  const [only] = site.shown.siteSpaces;
  if (!only) throw new Error("A site space without a condition is always visible.");
  return { ...only, segments: [] };
}
