// Fixtures of merge tests: a space with pages and a change request, both editable, and the result of merging them.
import { newId } from "#src/base/ids.ts";
import { type Edit, editAs, newPage, readPages, type Tree } from "#test/features/content/edits.ts";
import type { TestApp } from "#test/support/app.ts";
import type { GraphqlAnswer, HttpClient } from "#test/support/client.ts";
import type { World } from "#test/support/world.ts";

const createDocument = `mutation ($input: CreateChangeRequestInput!) {
  createChangeRequest(input: $input) { changeRequest { id number revisionId } }
}`;

export const mergeDocument = `mutation ($input: MergeChangeRequestInput!) {
  mergeChangeRequest(input: $input) {
    revision { id type parents: parentRevisionIds message author { id } changeRequestId }
    changeRequest { id status outdated revisionId revisionMergedId }
  }
}`;

export const updateDocument = `mutation ($input: PullChangeRequestUpdatesInput!) {
  pullChangeRequestUpdates(input: $input) {
    result
    revision { id type parents: parentRevisionIds message changeRequestId }
    changeRequest { outdated revisionId revisionMergedAncestorId conflicts { conflictId } }
  }
}`;

export const resolveDocument = `mutation ($input: ResolveConflictsInput!) {
  resolveConflicts(input: $input) {
    revision { id type parents: parentRevisionIds }
    changeRequest { outdated revisionMergedAncestorId conflicts { conflictId } }
  }
}`;

const conflictsDocument = `query ($id: ID!) {
  changeRequest(id: $id) {
    conflicts {
      __typename conflictId message takesText
      ... on PageFieldConflict { page { slug } field baseValue oursValue theirsValue }
      ... on PageTextConflict { page { slug } baseText oursText theirsText baseLine oursLine theirsLine }
      ... on PageDeletionConflict { page { slug } deletedBy }
      ... on PageMoveConflict { page { slug } baseParent { slug } oursParent { slug } theirsParent { slug } }
      ... on PageParentConflict { page { slug } deletedParent { slug } deletedBy }
      ... on PageCycleConflict { pages { slug } }
      ... on PageSlugConflict { slug parent { slug } oursPage { title } theirsPage { title } }
      ... on PageOrderConflict { parent { slug } basePages { slug } oursPages { slug } theirsPages { slug } }
      ... on VariableConflict { name base ours theirs }
      ... on ReusableContentTitleConflict { reusableContentId base ours theirs }
      ... on ReusableContentTextConflict { reusableContentId baseText oursText theirsText baseLine oursLine theirsLine }
      ... on ReusableContentDeletionConflict { reusableContentId deletedBy }
    }
  }
}`;

/** A conflict with the fields of its type. */
export interface Shown extends Record<string, unknown> {
  readonly __typename: string;
  readonly conflictId: string;
  readonly message: string;
}

/** The conflicts of a change request. */
export async function readConflicts(as: HttpClient, id: string): Promise<Shown[]> {
  const { changeRequest } = await as.query<{ changeRequest: { conflicts: Shown[] } }>(conflictsDocument, { id });
  return changeRequest.conflicts;
}

/** A resolution of a conflict: a side or a text. */
export type Chosen = "OURS" | "THEIRS" | { readonly text: string };

export interface Merged {
  readonly mergeChangeRequest: {
    readonly revision: { id: string; type: string; parents: string[]; changeRequestId: string | null };
    readonly changeRequest: { id: string; status: string; revisionId: string; revisionMergedId: string };
  };
}

interface Updated {
  readonly revision: { id: string; type: string; parents: string[] };
  readonly changeRequest: { outdated: boolean; revisionMergedAncestorId: string | null; conflicts: object[] };
}

export interface Pulled {
  readonly pullChangeRequestUpdates: Updated & { readonly result: string };
}

export interface Resolved {
  readonly resolveConflicts: Updated;
}

/** Creates a change request and returns its id. */
export async function openChangeRequest(as: HttpClient, spaceId: string): Promise<string> {
  const { createChangeRequest } = await as.query<{ createChangeRequest: { changeRequest: { id: string } } }>(
    createDocument,
    { input: { spaceId } },
  );
  return createChangeRequest.changeRequest.id;
}

/** A page as lines of slug, title and text (if any), with its child pages indented. */
export function linesOf(pages: readonly Tree[], indent = ""): string[] {
  return pages.flatMap(({ slug, title, markdown, pages: below }) => [
    [`${indent}${slug}`, title, JSON.stringify(markdown ?? "")].filter((word) => word !== '""').join(" "),
    ...linesOf(below ?? [], `${indent}  `),
  ]);
}

/**
 * A space with the pages `guide` ("one" to "nine" on separate lines), below it `start` and `setup`, and `faq`; and a
 * change request based on them. All users of the world are included.
 */
export async function setScene(app: TestApp, world: World, given: Parameters<World["space"]>[0] = {}) {
  const people = await world.space(given);
  const { space, editor, reviewer } = people;
  const [as, reviewing] = [app.as(editor.token), app.as(reviewer.token)];
  const guide = newPage("Guide", { markdown: nine.join("\n") });
  const [start, setup] = [newPage("Start", { parentId: guide.pageId }), newPage("Setup", { parentId: guide.pageId })];
  const faq = newPage("FAQ");
  const main = (...edits: Edit[]) => editAs(as, { spaceId: space.id }, ...edits);
  const began = await main(guide.edit, start.edit, setup.edit, faq.edit);
  const changeRequestId = await openChangeRequest(as, space.id);
  const input = { changeRequestId };
  const merge = (more: object = {}): Promise<GraphqlAnswer<Merged>> =>
    reviewing.graphql<Merged>(mergeDocument, { input: { ...input, ...more } });
  return {
    ...people,
    as,
    reviewing,
    input,
    began,
    changeRequestId,
    ids: { guide: guide.pageId, start: start.pageId, setup: setup.pageId, faq: faq.pageId },
    /** Edits the main content. */
    main,
    /** Edits the change request. */
    mine: (...edits: Edit[]) => editAs(as, { changeRequestId }, ...edits),
    merge,
    /** Merges, which must succeed, and returns the pages. */
    merged: async (): Promise<string[]> => {
      const { data, errors } = await merge();
      if (!data || errors) throw new Error(JSON.stringify(errors));
      return linesOf(await readPages(as, data.mergeChangeRequest.revision.id));
    },
    pull: (more: object = {}) => as.graphql<Pulled>(updateDocument, { input: { ...input, ...more } }),
    conflicts: () => readConflicts(as, changeRequestId),
    /** Resolves conflicts by their ids. */
    resolve: (chosen: ReadonlyMap<string, Chosen>, more: object = {}) => {
      const resolutions = [...chosen].map(([conflictId, choice]) => ({
        conflictId,
        settlement: typeof choice === "string" ? { choice } : choice,
      }));
      return as.graphql<Resolved>(resolveDocument, { input: { ...input, resolutions, ...more } });
    },
    /** The pages of the change request. */
    mineNow: async () => {
      const { revisionId } = await app.database.prisma.changeRequest.findUniqueOrThrow({
        where: { id: changeRequestId },
      });
      return linesOf(await readPages(as, revisionId));
    },
    /** The active revision of the main content. */
    current: async () => (await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } })).revisionId,
    stored: () => app.database.prisma.changeRequest.findUniqueOrThrow({ where: { id: changeRequestId } }),
  };
}

export type Scene = Awaited<ReturnType<typeof setScene>>;

/** The lines of the guide. */
export const nine = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"] as const;

/** The guide with some of its lines replaced, by their numbers. */
export function guideWith(lines: Readonly<Record<number, string>>): string {
  return nine.map((line, index) => lines[index + 1] ?? line).join("\n");
}

export const update = (pageId: string, fields: Record<string, unknown>): Edit => ({
  updatePage: { pageId, ...fields },
});
export const move = (pageId: string, parentId: string | null, place?: object): Edit => ({
  movePage: { pageId, parentId, ...(place && { place }) },
});
export const remove = (pageId: string): Edit => ({ deletePage: { pageId } });
export const newPageAt = (parentId: string | null, fields: Record<string, unknown>): Edit => ({
  createPage: { pageId: newId("Page"), ...fields, ...(parentId !== null && { parentId }) },
});
