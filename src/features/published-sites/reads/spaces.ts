// Reads a space as its own published site: one site space at the root, without a site around it.
import { project } from "#src/db/reading/entity.ts";
import { found } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { pagesRevisionColumns } from "#src/features/content/reads/pages.ts";
import { contentOf } from "#src/features/content/reads/revisions.ts";
import { type Shown, shownOf } from "#src/features/published-sites/model/shown.ts";
import type { PublishedSpace } from "#src/features/published-sites/reads/pages.ts";
import type { PublishedSite } from "#src/features/published-sites/reads/sites.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";
import { itemRoleColumns } from "#src/access/content.ts";
import { spaces } from "#src/features/spaces/reads.ts";

const columns = project(["title", "emoji", "visibility", "givenKey", "organizationId"]);

/** A space from the view of its readers, for viewers who may see it. Its pages have their paths in the space. */
export async function publishedSpaceOf(context: Context, of: { readonly id: string }): Promise<PublishedSpace> {
  const space = found(await context.reader.row(spaces, of.id, columns), "space");
  const { id, spaceId, treeHash } = await contentOf(context, of, project(pagesRevisionColumns));
  const { visibility, givenKey } = space;
  const isOpen = visibility === "public" || visibility === "unlisted" || givenKey !== null;
  const row = { id: of.id, hostname: null, visibility, published: isOpen, shareKey: givenKey };
  const site = { id: of.id, row, shareKey: givenKey, shown: {} } as unknown as PublishedSite; // with what pages read
  const place = [of.id, null, space.title, "", null, true, spaceId, space.emoji, id, treeHash] as const;
  const shown: Shown<PublishedSite> = shownOf(site, { groups: [], sections: [], siteSpaces: [place] }, () => true);
  const [only] = Object.assign(site, { shown }).shown.siteSpaces;
  return { ...found(only ?? null, "space"), segments: [] };
}

const rights = project(itemRoleColumns);

/** Whether the viewer may edit the content of a published space. */
export async function mayEditSpace({ viewer, reader }: Context, spaceId: string): Promise<boolean> {
  if (viewer.userId === "") return false; // a visitor without an account
  const space = await reader.row(spaces, spaceId, rights);
  return space !== null && spacePermissions(viewer, space).edit;
}
