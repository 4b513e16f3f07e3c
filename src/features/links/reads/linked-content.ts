// The contents whose links are read: revisions with all parts of their content.
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { contentColumns, type ContentState } from "#src/features/content/model/content-state.ts";
import type { PagesRevision } from "#src/features/content/reads/pages.ts";
import { contentOf, moreOf } from "#src/features/content/reads/revisions.ts";

export type LinkedContent = PagesRevision & ContentState;

const columns = project(["spaceId", "changeRequestId", ...contentColumns]);

export const mainContentOf = (context: Context, space: { readonly id: string }): Promise<LinkedContent> =>
  contentOf(context, space, columns);

export const contentIn = (context: Context, revision: { readonly id: string }): Promise<LinkedContent> =>
  moreOf(context, revision, columns);
