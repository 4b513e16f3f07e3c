// Turns what people say in the demo into comments, replies and reactions.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import { comments, type Said } from "#src/demo/comments.ts";
import type { People } from "#src/demo/people.ts";
import type { DemoRows } from "#src/demo/rows.ts";
import type { SpaceName, Spaces } from "#src/demo/spaces.ts";

/** Adds the comments with their replies and reactions. The spaces must have their change requests. */
export function addComments(rows: DemoRows, people: People, spaces: Spaces): void {
  const pages = new PageIds();
  for (const plan of comments) {
    const space = spaces[plan.in];
    const change = rows.changeRequests.find(({ spaceId, number }) => spaceId === space.id && number === plan.on);
    if (plan.on && !change) throw new Error(`The demo's space ${plan.in} has no change request ${plan.on}`);
    const { about, resolved } = plan;
    const id = newId("Comment");
    rows.comments.push({
      id,
      spaceId: space.id,
      changeRequestId: change?.id ?? null,
      ...saidBy(plan, people),
      status: resolved ? "resolved" : "open",
      resolvedAt: resolved ? at(...resolved.at) : null,
      resolvedById: resolved ? people[resolved.by] : null,
      pageId: about ? pages.of(plan.in, about.page) : null,
      nodeId: about?.node?.[0] ?? null,
      nodePreview: about?.node?.[1] ?? null,
      tableCellRecord: about?.cell?.[0] ?? null,
      tableCellDefinition: about?.cell?.[1] ?? null,
      revisionId: about ? (change?.revisionId ?? space.revisionId) : null,
    });
    addReactions(rows, people, plan, { commentId: id });
    for (const reply of plan.replies ?? []) {
      const replyId = newId("CommentReply");
      rows.replies.push({ id: replyId, commentId: id, ...saidBy(reply, people) });
      addReactions(rows, people, reply, { replyId });
    }
  }
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

/** Ids of pages. The pages themselves are not stored yet, so their ids are made here, one for each name in a space. */
class PageIds {
  readonly #known = new Map<string, string>();

  of(space: SpaceName, page: string): string {
    const key = `${space}/${page}`;
    const id = this.#known.get(key) ?? newId("Revision").replace(/^rev/, "pag");
    this.#known.set(key, id);
    return id;
  }
}
