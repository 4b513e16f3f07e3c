// Turns what people say in the demo into comments, replies and reactions.
import { newId } from "#src/base/ids.ts";
import { type Block, type RichNode, textOfNode } from "#src/base/rich-document/document.ts";
import { documentOf } from "#src/base/rich-document/document-of.ts";
import { at } from "#src/demo/calendar.ts";
import { type CommentPlan, comments, type Said } from "#src/demo/comments.ts";
import type { Contents } from "#src/demo/contents.ts";
import { activeRevision } from "#src/demo/histories.ts";
import type { People } from "#src/demo/people.ts";
import type { DemoRows } from "#src/demo/rows.ts";
import type { SpaceName, Spaces } from "#src/demo/spaces.ts";
import type { StoryNames } from "#src/demo/story-edits.ts";

interface Known {
  readonly people: People;
  readonly spaces: Spaces;
  readonly contents: Contents;
  /** What the pages of each space are called. */
  readonly pages: ReadonlyMap<SpaceName, StoryNames>;
}

/** Adds the comments with their replies and reactions. The spaces must have their revisions and change requests, and these their reviews. */
export function addComments(rows: DemoRows, known: Known): void {
  const { people, spaces } = known;
  for (const plan of comments) {
    const space = spaces[plan.in];
    const change = rows.changeRequests.find(({ spaceId, number }) => spaceId === space.id && number === plan.on);
    if (plan.on && !change) throw new Error(`The demo's space ${plan.in} has no change request ${plan.on}`);
    const { resolved } = plan;
    const id = newId("Comment");
    const place = { spaceId: space.id, changeRequestId: change?.id ?? null };
    rows.comments.push({
      id,
      ...place,
      ...saidBy(plan, people),
      status: resolved ? "resolved" : "open",
      resolvedAt: resolved ? at(...resolved.at) : null,
      resolvedById: resolved ? people[resolved.by] : null,
      reviewId: plan.inReview ? reviewBy(rows, place.changeRequestId, people[plan.by]) : null,
      ...targetOf(plan, activeRevision(rows, place, at(...plan.at)), known),
    });
    addReactions(rows, people, plan, { commentId: id });
    for (const reply of plan.replies ?? []) {
      const replyId = newId("CommentReply");
      rows.replies.push({ id: replyId, commentId: id, ...saidBy(reply, people) });
      addReactions(rows, people, reply, { replyId });
    }
  }
}

function reviewBy(rows: DemoRows, changeRequestId: string | null, reviewerId: string): string {
  const review = rows.reviews.find((row) => row.changeRequestId === changeRequestId && row.reviewerId === reviewerId);
  if (!review) throw new Error("The demo comments in a review that is not there");
  return review.id;
}

/** What a comment is about, in the revision that was active when it was posted. */
function targetOf(
  { in: space, about }: CommentPlan,
  revision: DemoRows["revisions"][number],
  { contents, pages }: Known,
) {
  const revisionId = revision.id;
  if (!about) return { revisionId };
  const pageId = pages.get(space)?.page(about.page) ?? "";
  const page = contents.tree(revision.treeHash ?? null).byId.get(pageId);
  if (!page) throw new Error(`The demo's space ${space} has no page ${about.page}`);
  return { revisionId, pageId, documentHash: page.documentHash, ...partOf(about, contents.text(page.documentHash)) };
}

/** The keys of the part of a text that is meant. */
function partOf({ node, cell }: NonNullable<CommentPlan["about"]>, text: string) {
  const blocks = blocksIn(documentOf(text).nodes);
  const isRow = ({ type }: Block) => type === "table-row";
  const found = (block: Block | undefined): Block => {
    if (!block) throw new Error(`The demo comments on what is not there: ${JSON.stringify({ node, cell })}`);
    return block;
  };
  if (cell) {
    const [row, column] = cell;
    const head = found(blocks.find((block) => block.type === "table-cell" && textOfNode(block) === column));
    const record = found(blocks.find((block) => isRow(block) && textOfNode(block).startsWith(row)));
    return { tableCellRecord: record.key, tableCellDefinition: String(head.data["definition"]) };
  }
  if (node === undefined) return {};
  const innermost = found(blocks.findLast((block) => !isRow(block) && textOfNode(block).startsWith(node)));
  return { nodeId: innermost.key, nodePreview: textOfNode(innermost) };
}

/** All blocks, each before what is in it. */
function blocksIn(nodes: readonly RichNode[]): Block[] {
  return nodes.flatMap((node) => (node.object === "block" ? [node, ...blocksIn(node.nodes)] : []));
}

function saidBy({ by, at: moment, edited, text }: Said, people: People) {
  return { postedById: people[by], postedAt: at(...moment), editedAt: edited ? at(...edited) : null, markdown: text };
}

function addReactions(
  rows: DemoRows,
  people: People,
  said: Said,
  subject: { commentId: string } | { replyId: string },
): void {
  const [day, time] = said.at;
  for (const [emoji, names] of Object.entries(said.reactions ?? {})) {
    for (const name of names) {
      const reactedAt = at(day + 1, time);
      rows.reactions.push({ id: newId("Reaction"), ...subject, userId: people[name], emoji, reactedAt });
    }
  }
}
