// Turns the conversations of the demo into reviews, comments, replies and reactions.
import { newId } from "#src/base/ids.ts";
import { type Block, type RichNode, textOfNode } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import type { Diary } from "#src/demo/diary.ts";
import type { Rows } from "#src/demo/rows.ts";
import { activeAt, type Change, type State } from "#src/demo/play.ts";
import { type CommentPlan, dayLength, type People, type ReviewPlan, type Said } from "#src/demo/story.ts";
import type { StoryPages } from "#src/demo/story-pages.ts";
import { commentEvent, commentEvents, mentionEvents, replyEvents } from "#src/features/comments/events.ts";
import { reviewEvent, reviewEvents } from "#src/features/reviews/events.ts";
import type { ReviewStatus } from "#src/generated/prisma/enums.ts";
import type { Contents } from "#src/history/contents.ts";

interface Known {
  readonly people: People;
  readonly diary: Diary;
  readonly space: Place["space"];
  readonly contents: Contents;
  readonly pages: StoryPages;
}

/** The commented object: the main content of a space or a change request. */
interface Place {
  readonly space: { readonly id: string; readonly organizationId: string };
  readonly changeRequestId: string | null;
}

/** The change request, its revisions, and its reviews by reviewer. */
interface Commented extends Omit<Place, "space"> {
  readonly states: readonly State[];
  readonly reviewIds: ReadonlyMap<string, string>;
}

/** Adds comments with their replies and reactions. */
export function addComments(rows: Rows, known: Known, commented: Commented, plans: readonly CommentPlan[]): void {
  const { people, diary, space } = known;
  const { changeRequestId, states, reviewIds } = commented;
  const place = { space, changeRequestId };
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
    addAround(rows, known, { id, plan, events: commentEvents, place });
    if (resolved)
      diary.tell(resolved.at, people(resolved.by), commentEvent({ type: commentEvents.resolved }, { id }, place));
    for (const reply of plan.replies) {
      const replyId = newId("CommentReply");
      rows.add("CommentReply", { id: replyId, commentId: id, ...saidBy(reply, people) });
      addAround(rows, known, { id: replyId, commentId: id, plan: reply, events: replyEvents, place });
    }
  }
}

function found<Value>(value: Value | undefined, what: string, { text }: Said): Value {
  if (value === undefined) throw new Error(`The demo does not have ${what} for the comment "${text}"`);
  return value;
}

/** The target of a comment, in the revision that was active when it was posted. */
function targetOf(plan: CommentPlan, { id: revisionId, content }: State, { contents, pages }: Known) {
  const { about } = plan;
  if (!about) return { revisionId };
  const page = contents.tree(content.treeHash).byId.get(pages.pageId(about.page));
  const { pageId, documentHash } = found(page, "page", plan);
  return { revisionId, pageId, documentHash, ...partOf(plan, contents.text(documentHash)) };
}

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

/** All blocks, each before its children. */
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

/** Adds the mentions in a text and its reactions, with their events. */
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
    const of = commentId !== undefined && { replyId: id };
    const said = { type: mentionEvents.created, userId: mention.userId, ...of };
    diary.tell(mentionedAt, people(by), commentEvent(said, { id: mention.id, commentId: where.commentId }, place));
  }
}

/** Reactions are posted a day later. */
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

type Reviewing = Pick<Known, "people" | "diary" | "space">;

/** Adds the reviews of a change request; returns their ids by reviewer. */
export function addReviews(rows: Rows, known: Reviewing, { plan, row, states }: Change): ReadonlyMap<string, string> {
  const { people } = known;
  const ids = new Map<string, string>();
  for (const review of plan.reviews) {
    const { by, asked, given, dismissed } = review;
    const id = newId("Review");
    const revisionId = given ? activeAt(states, given.at).id : null;
    rows.add("Review", {
      id,
      changeRequestId: row.id,
      reviewerId: people(by),
      status: dismissed ? "dismissed" : (given?.status ?? "requested"),
      message: given?.message ?? null,
      requestedById: asked ? people(asked.by) : null,
      requestedAt: asked?.at ?? null,
      reviewedAt: given?.at ?? null,
      dismissedById: dismissed ? people(dismissed.by) : null,
      dismissedAt: dismissed?.at ?? null,
      revisionId,
    });
    tellReview(known, review, { id, revisionId, changeRequestId: row.id });
    ids.set(by, id);
  }
  return ids;
}

function tellReview(
  { people, diary, space }: Reviewing,
  { by, asked, given, dismissed }: ReviewPlan,
  { id, revisionId, changeRequestId }: { id: string; revisionId: string | null; changeRequestId: string },
): void {
  const place = { space, changeRequestId };
  type Said = { readonly status: ReviewStatus; readonly revisionId?: string };
  const tell = (time: Date, name: string, verb: keyof typeof reviewEvents, said: Said) =>
    diary.tell(time, people(name), reviewEvent(reviewEvents[verb], { id, reviewerId: people(by), ...said }, place));
  const revision = revisionId !== null && { revisionId };
  if (asked) tell(asked.at, asked.by, "requested", { status: "requested" });
  if (given) tell(given.at, by, "submitted", { status: given.status, ...revision });
  if (dismissed) tell(dismissed.at, dismissed.by, "dismissed", { status: "dismissed" });
}
