// The SQL statements of the most frequent content queries: on the first read after an edit, and with the page tree in
// memory.
import { withContentFixture, proseOf, type ContentFixture } from "#test/bench/content/fixture.ts";
import { siblings } from "#test/bench/content/merges.ts";
import { openChangeRequest } from "#test/features/change-requests/scene.ts";
import { addComment, addReaction, addReply } from "#test/features/comments/factory.ts";
import { editAs } from "#test/features/content/edits.ts";
import { giveLevels } from "#test/features/content/factory.ts";
import { times } from "#test/support/world.ts";

export interface StatementCount {
  readonly name: string;
  /** Statements of the first read after a change. */
  readonly first: number;
  readonly again: number;
}

const pages = 105;
const comments = 50;
const post = `id postedAt body { markdown } postedBy { id displayName } reactions { emoji count }`;

const documents = {
  "a page by its path, with its Markdown": `query ($space: ID!) {
    space(id: $space) { content { page(by: { path: "page-0/page-20" }) { pageId title path markdown updatedAt } } }
  }`,
  [`the tree of all ${pages} pages`]: `query ($space: ID!) {
    space(id: $space) { content { allPages { pageId title path type parentId emoji } } }
  }`,
  "a change request with its diff": `query ($changeRequest: ID!) {
    changeRequest(id: $changeRequest) {
      number subject status createdBy { displayName }
      changes { pages(first: 50) { nodes {
        kinds fields { field before after } after { title path }
        text { linesAdded linesRemoved hunks { beforeStart afterStart lines { kind text } } }
      } } }
    }
  }`,
  [`${comments} comments with their replies, reactions and pages`]: `query ($changeRequest: ID!) {
    changeRequest(id: $changeRequest) {
      comments(first: ${comments}) { nodes { ${post}
        target { page { pageId title path outdated } } replies(first: 10) { nodes { ${post} } }
      } }
    }
  }`,
} as const;

/** Counts the statements of each query, the fewest of some rounds: background work only adds. */
export async function countStatements(serverUrl: string): Promise<StatementCount[]> {
  return withContentFixture(serverUrl, async (fixture) => {
    const { as, made, database } = fixture;
    const of = { count: pages, siblings, textOf: proseOf };
    const pageIds = await giveLevels(database, made.space.revisionId, of);
    const changeRequest = await openChangeRequest(as, made.space.id);
    await discuss(fixture, changeRequest, pageIds);
    const counts: StatementCount[] = [];
    for (const [name, document] of Object.entries(documents)) {
      const count = () => fixture.statementsOf(() => as.query(document, variables));
      const variables = document.includes("$space:") ? { space: made.space.id } : { changeRequest };
      const rounds: { first: number; again: number }[] = [];
      for (let round = 0; round < 4; round++) {
        const edits = times(10, (page) => ({
          updatePage: { pageId: pageIds[page], markdown: `${proseOf(page)}And ${name}, round ${round}.\n` },
        }));
        await editAs(as, { changeRequestId: changeRequest }, ...edits);
        await editAs(as, { spaceId: made.space.id }, ...edits.slice(0, 1));
        rounds.push({ first: await count(), again: await count() });
      }
      const fewest = (of: "first" | "again") => Math.min(...rounds.map((round) => round[of]));
      counts.push({ name, first: fewest("first"), again: fewest("again") });
    }
    return counts;
  });
}

/** Comments on pages of a change request, each with two replies and with reactions to all of them. */
async function discuss(
  { world, made }: ContentFixture,
  changeRequestId: string,
  pageIds: readonly string[],
): Promise<void> {
  const { space, commenter, editor } = made;
  await world.insert((rows) =>
    times(comments, (index) => {
      const where = { spaceId: space.id, changeRequestId, pageId: pageIds[index] ?? null };
      const { id: commentId } = addComment(rows, { ...where, postedById: commenter.id });
      addReaction(rows, { commentId, userId: editor.id });
      for (const reply of times(2, () => addReply(rows, { commentId, postedById: editor.id })))
        addReaction(rows, { replyId: reply.id, userId: commenter.id });
    }),
  );
}
