// Reads the content behind an address of the application or of a published space or site, with the rights of the viewer
// on the content itself. Nothing is fetched.
import { found, notFound } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { collections } from "#src/features/collections/reads.ts";
import { findPageIn, type PageInRevision, pagesRevisionColumns } from "#src/features/content/reads/pages.ts";
import { contentOf, revisions } from "#src/features/content/reads/revisions.ts";
import { type AppPlace, idsInPath, readAddress } from "#src/features/published-sites/model/address.ts";
import { findPageInSpace, inRevision } from "#src/features/published-sites/reads/pages.ts";
import { findPlaceAt } from "#src/features/published-sites/reads/places.ts";
import { spaces } from "#src/features/spaces/reads.ts";

/** Ids of visible rows, and the page that was found in them. */
export interface ContentAt {
  readonly collectionId: string | null;
  readonly spaceId: string | null;
  readonly changeRequestId: string | null;
  readonly page: PageInRevision | null;
}

const nothing: ContentAt = { collectionId: null, spaceId: null, changeRequestId: null, page: null };

/** The content at an address. Throws NOT_FOUND if it is not visible, and for hosts of others. */
export async function findContentAt(context: Context, given: string): Promise<ContentAt> {
  const address = readAddress("url", given);
  const { links } = context;
  const inApp = links.readApp(address);
  const place = inApp && (inApp.path === null ? placeOfId(inApp.id) : idsInPath(inApp.path));
  if (place) return contentIn(context, place);
  const published = links.readPublished(address);
  if (published && isIdOf("Space", published.id ?? ""))
    return pageOfSpace(context, published.id ?? "", published.path ?? "");
  const { space, path } = await findPlaceAt(context, given, null);
  await context.reader.found(spaces, space.spaceId, project([]));
  const page = await findPageInSpace(context, space, path);
  return { ...nothing, spaceId: space.spaceId, page: page && inRevision(page) };
}

/** Of applications whose addresses have ids only. */
function placeOfId(id: string | null): AppPlace | null {
  if (id === null) return null;
  if (isIdOf("Collection", id)) return { collectionId: id };
  return isIdOf("Space", id) ? { spaceId: id } : null;
}

async function contentIn(context: Context, place: AppPlace): Promise<ContentAt> {
  const { reader } = context;
  if ("collectionId" in place) {
    const { id } = await reader.found(collections, place.collectionId, project([]));
    return { ...nothing, collectionId: id };
  }
  const { spaceId, changeRequestId, revisionId, pageId } = place;
  const space = await reader.found(spaces, spaceId, project([]));
  const changeRequest =
    changeRequestId === undefined ? null : await reader.found(changeRequests, changeRequestId, project(["spaceId"]));
  const columns = project(pagesRevisionColumns);
  const revision =
    revisionId === undefined
      ? await contentOf(context, changeRequest ?? space, columns)
      : await reader.found(revisions, revisionId, columns);
  if (revision.spaceId !== spaceId || (changeRequest && changeRequest.spaceId !== spaceId)) throw notFound("content");
  const page = pageId === undefined ? null : found(await findPageIn(context, revision, { id: pageId }), "page");
  return { ...nothing, spaceId, changeRequestId: changeRequest?.id ?? null, page };
}

/** The page at the address of a published space, whose path may begin with the key of its share link. */
async function pageOfSpace(context: Context, spaceId: string, encoded: string): Promise<ContentAt> {
  const space = await context.reader.found(spaces, spaceId, project([]));
  const segments = encoded.split("/").filter((segment) => segment !== "");
  const path = segments.map((segment) => percentDecoded(segment) ?? "").join("/");
  const revision = await contentOf(context, space, project(pagesRevisionColumns));
  const page = path === "" ? null : await findPageIn(context, revision, { path });
  return { ...nothing, spaceId, page };
}
