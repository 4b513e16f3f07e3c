// Turns a history into rows: contributors, revisions with pages, change requests, comments. Does not use the database.
import { newId } from "#src/base/ids.ts";
import type { Contents } from "#src/history/contents.ts";
import type { Files, History, HistoryChange, HistoryEdit } from "#src/history/history-file.ts";
import { cutLine } from "#src/base/text/cut.ts";
import { HistoryPages } from "#src/history/history-pages.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";

/** An author in a history, and when they first appear. */
export interface Contributor {
  readonly name: string;
  readonly email: string;
  readonly since: Date;
}

/** All authors of the history by name. Their addresses at example.com are derived from the names. */
export function contributorsOf({ steps }: History): Map<string, Contributor> {
  const contributors = new Map<string, Contributor>();
  const emails = new Set<string>();
  for (const { author: name, date } of steps) {
    const known = contributors.get(name);
    if (known && known.since <= date) continue;
    const email = known?.email ?? freeEmail(name, emails);
    emails.add(email);
    contributors.set(name, { name, email, since: date });
  }
  return contributors;
}

function freeEmail(name: string, taken: ReadonlySet<string>): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const dashed = plain.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
  const local = dashed.slice(0, 60) || "contributor";
  for (let copy = 1; ; copy++) {
    const email = `${local}${copy === 1 ? "" : `-${copy}`}@example.com`;
    if (!taken.has(email)) return email;
  }
}

/** The number of each change request: its own or, without one, the next after the highest in the history. */
export function numbersOf({ steps }: History): Map<HistoryChange, number> {
  const changes = steps.filter((step) => step.kind === "changeRequest");
  let last = changes.reduce((highest, { number = 0 }) => Math.max(highest, number), 0);
  return new Map(changes.map((change) => [change, change.number ?? ++last]));
}

interface MainState {
  readonly revisionId: string;
  readonly treeHash: string | null;
  readonly time: Date;
}

/** The rows of a history for a space. Steps may have earlier dates than those before them; main revisions never do. */
export function historyRows(
  history: History,
  space: { readonly id: string; readonly revisionId: string },
  userIds: ReadonlyMap<string, string>,
): HistoryRows {
  const numbers = numbersOf(history);
  const rows = new HistoryRows(history, space.id, userIds);
  const date = history.steps[0]?.date ?? new Date(0); // the format requires a step
  const message = "Start of the loaded history";
  rows.addMain({ type: "import", parents: [space.revisionId], message, date, files: history.start });
  for (const [index, step] of history.steps.entries()) {
    if (step.kind === "edit") {
      const { author, subject, date: edited, after: files } = step;
      rows.addMain({ type: "edits", parents: [], author, message: subject, date: edited, files });
      continue;
    }
    const between = history.steps.slice(step.startedAfter, index).filter((earlier) => earlier.kind === "edit");
    rows.addChange(step, numbers.get(step) ?? 0, between);
  }
  return rows;
}

interface NewRevision {
  readonly type: "import" | "edits" | "merge";
  readonly parents: string[];
  readonly author?: string;
  readonly message: string;
  readonly date: Date;
}

/** The rows of a space, while they are collected. */
export class HistoryRows {
  readonly revisions: Prisma.RevisionCreateManyInput[] = [];
  readonly changeRequests: Prisma.ChangeRequestCreateManyInput[] = [];
  readonly comments: Prisma.CommentCreateManyInput[] = [];
  /** The main content after n steps, for n from 0. */
  readonly main: MainState[] = [];
  readonly #pages: HistoryPages;
  readonly #spaceId: string;
  readonly #userIds: ReadonlyMap<string, string>;

  constructor(history: History, spaceId: string, userIds: ReadonlyMap<string, string>) {
    this.#pages = new HistoryPages(history);
    this.#spaceId = spaceId;
    this.#userIds = userIds;
  }

  get contents(): Contents {
    return this.#pages.contents;
  }

  /** Adds a revision of the main content with some files changed. Its parents are the last one, and `parents`. */
  addMain({ files, ...of }: NewRevision & { readonly files: Files }): string {
    const before = this.main.at(-1);
    const time = before && of.date < before.time ? before.time : of.date;
    const treeHash = this.#pages.change(before?.treeHash ?? null, files, time);
    const parents = before ? [before.revisionId, ...of.parents] : of.parents;
    const revisionId = this.#revision({ ...of, parents, date: time, treeHash });
    this.main.push({ revisionId, treeHash, time });
    return revisionId;
  }

  /** Adds a change request that is merged now. The plain edits made while it was open become comments on it. */
  addChange(change: HistoryChange, number: number, between: readonly HistoryEdit[]): void {
    const { author, date } = change;
    const initial = this.main[change.startedAfter];
    if (!initial) throw new RangeError("A change request starts before its own step");
    const id = newId("ChangeRequest");
    const createdAt = initial.time < date ? initial.time : date;
    const message = cutLine(change.subject, 100);
    const revisionId = this.#revision({
      type: "edits",
      parents: [initial.revisionId],
      author,
      message,
      date: createdAt,
      changeRequestId: id,
      treeHash: this.#pages.change(initial.treeHash, change.edits, createdAt),
    });
    const files = change.after;
    this.changeRequests.push({
      id,
      spaceId: this.#spaceId,
      number,
      status: "merged",
      subject: message,
      createdById: this.#userId(author),
      createdAt,
      updatedAt: date,
      revisionId,
      revisionInitialId: initial.revisionId,
      revisionMergedId: this.addMain({ type: "merge", parents: [revisionId], author, message, date, files }),
    });
    for (const edit of between) this.#comment(id, edit);
  }

  #comment(changeRequestId: string, { author, date: postedAt, subject: markdown }: HistoryEdit): void {
    const [id, spaceId, postedById] = [newId("Comment"), this.#spaceId, this.#userId(author)];
    this.comments.push({ id, spaceId, changeRequestId, postedById, postedAt, markdown });
  }

  #revision(of: NewRevision & { readonly treeHash: string | null; readonly changeRequestId?: string }): string {
    const { type, parents, author, message, date: createdAt, treeHash, changeRequestId = null } = of;
    const id = newId("Revision");
    const authorId = author === undefined ? null : this.#userId(author);
    const spaceId = this.#spaceId;
    this.revisions.push({ id, spaceId, type, parents, authorId, message, createdAt, changeRequestId, treeHash });
    return id;
  }

  #userId(author: string): string {
    const id = this.#userIds.get(author);
    if (id === undefined) throw new Error(`No user exists for ${author}`);
    return id;
  }
}
