// The contents whose links are read: revisions with all that they hold.
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { contentColumns, type ContentState } from "#src/features/content/model/content-state.ts";
import type { PagesRevision } from "#src/features/content/reads/pages.ts";
import { contentOf, moreOf } from "#src/features/content/reads/revisions.ts";

/** A revision with what it holds. */
export type LinkedContent = PagesRevision & ContentState;

const columns = project(["spaceId", "changeRequestId", ...contentColumns]);

/** The main content of a space, as it is now. */
export const mainContentOf = (context: Context, space: { readonly id: string }): Promise<LinkedContent> =>
  contentOf(context, space, columns);

/** The content that a revision holds, which the viewer sees. */
export const contentIn = (context: Context, revision: { readonly id: string }): Promise<LinkedContent> =>
  moreOf(context, revision, columns);
