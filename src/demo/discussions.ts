// Turns what people say in the demo into comments, replies and reactions.
import { newId } from "#src/base/ids.ts";
import { type Block, type RichNode, textOfNode } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import type { Diary } from "#src/demo/diary.ts";
import type { Rows } from "#src/demo/rows.ts";
import { activeAt, type State } from "#src/demo/play.ts";
import type { CommentPlan, People, Said } from "#src/demo/story.ts";
import type { StoryPages } from "#src/demo/story-pages.ts";
import { commentEvent, commentEvents, mentionEvents, replyEvents } from "#src/features/comments/events.ts";
import type { Contents } from "#src/history/contents.ts";

interface Known {
  readonly people: People;
  readonly diary: Diary;
  readonly contents: Contents;
  readonly pages: StoryPages;
}

/** What is commented: the main content of a space or a change request. */
interface Place {
  readonly space: { readonly id: string; readonly organizationId: string };
  readonly changeRequestId: string | null;
}

/** The same with its revisions, and its reviews by reviewer. */
interface Commented extends Place {
  readonly states: readonly State[];
  readonly reviewIds: ReadonlyMap<string, string>;
}

/** Adds comments with their replies and reactions. */
export function addComments(rows: Rows, known: Known, commented: Commented, plans: readonly CommentPlan[]): void {
  const { people, diary } = known;
  const { space, changeRequestId, states, reviewIds } = commented;
  for (const plan of plans) {
    const { resolved } = plan;
    const id = newId("Comment");
    rows.add("Comment", {
      id,
      spaceId: space.id,
      changeRequestId,
      ...saidBy(plan, people),
      status: resolved ? "resolved" : "open",
      resolvedAt: resolved?.at ?? null,
      resolvedById: resolved ? people(resolved.by) : null,
      reviewId: plan.inReview ? found(reviewIds.get(plan.by), "review", plan) : null,
      ...targetOf(plan, activeAt(states, plan.at), known),
    });
    const post = { id, plan, events: commentEvents, place: commented };
    addAround(rows, known, post);
    if (resolved)
      diary.tell(resolved.at, people(resolved.by), commentEvent({ type: commentEvents.resolved }, { id }, commented));
    for (const reply of plan.replies) {
      const replyId = newId("CommentReply");
      rows.add("CommentReply", { id: replyId, commentId: id, ...saidBy(reply, people) });
      addAround(rows, known, { id: replyId, commentId: id, plan: reply, events: replyEvents, place: commented });
    }
  }
}

function found<Value>(value: Value | undefined, what: string, { text }: Said): Value {
  if (value === undefined) throw new Error(`The demo has no ${what} for the comment "${text}"`);
  return value;
}

/** What a comment is about, in the revision that was active when it was posted. */
function targetOf(plan: CommentPlan, { id: revisionId, content }: State, { contents, pages }: Known) {
  const { about } = plan;
  if (!about) return { revisionId };
  const { pageId, documentHash } = found(
    contents.tree(content.treeHash).byId.get(pages.pageId(about.page)),
    "page",
    plan,
  );
  return { revisionId, pageId, documentHash, ...partOf(plan, contents.text(documentHash)) };
}

/** The keys of the part of a text that a comment is about. */
function partOf(plan: CommentPlan, text: string) {
  const { node, cell } = plan.about ?? {};
  const blocks = blocksIn(fromMarkdown(text).nodes);
  const isRow = ({ type }: Block) => type === "table-row";
  if (cell) {
    const [row, column] = cell;
    const head = blocks.find((block) => block.type === "table-cell" && textOfNode(block) === column);
    const record = blocks.find((block) => isRow(block) && textOfNode(block).startsWith(row));
    return {
      tableCellRecord: found(record, "row", plan).key,
      tableCellDefinition: String(found(head, "column", plan).data["definition"]),
    };
  }
  if (node === undefined) return {};
  const innermost = blocks.findLast((block) => !isRow(block) && textOfNode(block).startsWith(node));
  const { key: nodeId } = found(innermost, "node", plan);
  return { nodeId, nodePreview: innermost ? textOfNode(innermost) : "" };
}

/** All blocks, each before those in it. */
function blocksIn(nodes: readonly RichNode[]): Block[] {
  return nodes.flatMap((node) => (node.object === "block" ? [node, ...blocksIn(node.nodes)] : []));
}

/** People are named by links to `user:<name>`. */
const naming = /(?<=\(user:)\w+(?=\))/g;

function saidBy({ by, at, edited, text }: Said, people: People) {
  const markdown = text.replaceAll(naming, people);
  return { postedById: people(by), postedAt: at, editedAt: edited ?? null, markdown };
}

/** A comment, or a reply to one. */
interface Post {
  readonly id: string;
  /** Of a reply: the comment. */
  readonly commentId?: string;
  readonly plan: Said;
  readonly events: typeof commentEvents | typeof replyEvents;
  readonly place: Place;
}

/** Adds the mentions in a text and the reactions to it, and tells of all that. */
function addAround(rows: Rows, known: Known, post: Post): void {
  const { id, commentId, plan, events, place } = post;
  const ids = { id, ...(commentId !== undefined && { commentId }) };
  const by = known.people(plan.by);
  known.diary.tell(plan.at, by, commentEvent({ type: events.created }, ids, place));
  if (plan.edited) known.diary.tell(plan.edited, by, commentEvent({ type: events.updated }, ids, place));
  addMentions(rows, known, post);
  addReactions(rows, known, post, ids);
}

function addMentions(rows: Rows, { people, diary }: Known, { id, commentId, plan, place }: Post): void {
  const { text, at: mentionedAt, by } = plan;
  const where = commentId === undefined ? { commentId: id, replyId: null } : { commentId, replyId: id };
  for (const [name] of text.matchAll(naming)) {
    const mention = { id: newId("Mention"), userId: people(name) };
    rows.add("Mention", { ...mention, spaceId: place.space.id, ...where, mentionedAt });
    const said = {
      type: mentionEvents.created,
      userId: mention.userId,
      ...(commentId !== undefined && { replyId: id }),
    };
    diary.tell(mentionedAt, people(by), commentEvent(said, { id: mention.id, commentId: where.commentId }, place));
  }
}

const dayLength = 24 * 60 * 60 * 1000;

/** Reactions come a day later. */
function addReactions(
  rows: Rows,
  { people, diary }: Known,
  { plan, events, place }: Post,
  ids: { readonly id: string; readonly commentId?: string },
): void {
  const reactedAt = new Date(plan.at.getTime() + dayLength);
  const subject = ids.commentId === undefined ? { commentId: ids.id } : { replyId: ids.id };
  for (const [emoji, names] of Object.entries(plan.reactions))
    for (const name of names) {
      rows.add("Reaction", { id: newId("Reaction"), ...subject, userId: people(name), emoji, reactedAt });
      diary.tell(reactedAt, people(name), commentEvent({ type: events.reactionAdded, emoji }, ids, place));
    }
}
