// From a history to rows: contributors, the revisions of the main content, and change requests with their comments. Knows no database.
import { newId } from "#src/base/ids.ts";
import type { History, HistoryChange, HistoryEdit } from "#src/demo/history-file.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";

/** Somebody who appears in a history, and when they first did. */
export interface Contributor {
  readonly name: string;
  readonly email: string;
  readonly since: Date;
}

/** Everybody in the history, by the name there. Addresses are made from the names, at example.com, the same at every load. */
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
  const local =
    plain
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "")
      .slice(0, 60) || "contributor";
  for (let copy = 1; ; copy++) {
    const email = `${local}${copy === 1 ? "" : `-${copy}`}@example.com`;
    if (!taken.has(email)) return email;
  }
}

const subjectLimit = 100;
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

function countCodePoints(text: string): number {
  return Array.from(text).length;
}

/** A subject on one line of at most 100 characters (code points, as the database counts), cut between whole characters, with `…`. */
export function cutSubject(subject: string): string {
  const line = subject.trim().replaceAll(/\s+/g, " ");
  if (countCodePoints(line) <= subjectLimit) return line;
  let cut = "";
  let length = 0;
  for (const { segment } of characters.segment(line)) {
    length += countCodePoints(segment);
    if (length >= subjectLimit) break; // one is kept for the ellipsis
    cut += segment;
  }
  return `${cut.trimEnd()}…`;
}

/** The number of each change request: its own or, without one, the next after the highest in the history. */
export function numbersOf({ steps }: History): Map<HistoryChange, number> {
  const changes = steps.filter((step) => step.kind === "changeRequest");
  let last = changes.reduce((highest, { number = 0 }) => Math.max(highest, number), 0);
  return new Map(changes.map((change) => [change, change.number ?? ++last]));
}

export interface HistoryRows {
  readonly revisions: Prisma.RevisionCreateManyInput[];
  readonly changeRequests: Prisma.ChangeRequestCreateManyInput[];
  readonly comments: Prisma.CommentCreateManyInput[];
  /** Id of the revision of the main content after n steps, for n from 0. */
  readonly main: readonly string[];
}

/**
 * The rows of a history for a space whose active revision is `revisionId`. `userIds` has the user of every author.
 * The dates of steps may go back (an edit can be older than the day on which it came in); those of the main revisions never do.
 */
export function historyRows(
  history: History,
  space: { readonly id: string; readonly revisionId: string },
  userIds: ReadonlyMap<string, string>,
): HistoryRows {
  const numbers = numbersOf(history);
  const rows = new RowsOfSpace(space.id, userIds);
  const first = history.steps[0]?.date ?? new Date(0); // the format asks for a step
  rows.addMain({ type: "import", parents: [space.revisionId], message: "Start of the loaded history", date: first });
  for (const [index, step] of history.steps.entries()) {
    if (step.kind === "edit") {
      rows.addMain({ type: "edits", parents: [], author: step.author, message: step.subject, date: step.date });
      continue;
    }
    const between = history.steps.slice(step.startedAfter, index).filter((earlier) => earlier.kind === "edit");
    rows.addChange(step, numbers.get(step) ?? 0, between);
  }
  return rows;
}

class RowsOfSpace implements HistoryRows {
  readonly revisions: Prisma.RevisionCreateManyInput[] = [];
  readonly changeRequests: Prisma.ChangeRequestCreateManyInput[] = [];
  readonly comments: Prisma.CommentCreateManyInput[] = [];
  readonly main: string[] = [];
  readonly #times: Date[] = [];
  readonly #spaceId: string;
  readonly #userIds: ReadonlyMap<string, string>;

  constructor(spaceId: string, userIds: ReadonlyMap<string, string>) {
    this.#spaceId = spaceId;
    this.#userIds = userIds;
  }

  /** The next revision of the main content. It stands on the one before, on which `parents` are added. */
  addMain(of: {
    type: "import" | "edits" | "merge";
    parents: string[];
    author?: string;
    message: string;
    date: Date;
  }): string {
    const before = this.main.at(-1);
    const earliest = this.#times.at(-1) ?? of.date;
    const time = of.date < earliest ? earliest : of.date;
    const id = this.#revision({
      ...of,
      parents: before === undefined ? of.parents : [before, ...of.parents],
      date: time,
    });
    this.main.push(id);
    this.#times.push(time);
    return id;
  }

  /** A merged change request: opened on the main content of its time, commented by the edits that came between, merged now. */
  addChange(change: HistoryChange, number: number, between: readonly HistoryEdit[]): void {
    const { author, date } = change;
    const initial = this.main[change.startedAfter];
    const opened = this.#times[change.startedAfter];
    if (initial === undefined || opened === undefined)
      throw new RangeError("A change request starts before its own step");
    const id = newId("ChangeRequest");
    const createdAt = opened < date ? opened : date;
    const subject = cutSubject(change.subject);
    const revisionId = this.#revision({
      type: "edits",
      parents: [initial],
      author,
      message: subject,
      date: createdAt,
      changeRequestId: id,
    });
    this.changeRequests.push({
      id,
      spaceId: this.#spaceId,
      number,
      status: "merged",
      subject,
      createdById: this.#userId(author),
      createdAt,
      updatedAt: date,
      revisionId,
      revisionInitialId: initial,
      revisionMergedId: this.addMain({ type: "merge", parents: [revisionId], author, message: subject, date }),
    });
    for (const edit of between) this.#comment(id, edit);
  }

  #comment(changeRequestId: string, edit: HistoryEdit): void {
    this.comments.push({
      id: newId("Comment"),
      spaceId: this.#spaceId,
      changeRequestId,
      postedById: this.#userId(edit.author),
      postedAt: edit.date,
      markdown: edit.subject,
    });
  }

  #revision(of: {
    type: "import" | "edits" | "merge";
    parents: string[];
    author?: string;
    message: string;
    date: Date;
    changeRequestId?: string;
  }) {
    const { type, parents, author, message, date: createdAt, changeRequestId = null } = of;
    const id = newId("Revision");
    const authorId = author === undefined ? null : this.#userId(author);
    this.revisions.push({ id, spaceId: this.#spaceId, type, parents, authorId, message, createdAt, changeRequestId });
    return id;
  }

  #userId(author: string): string {
    const id = this.#userIds.get(author);
    if (id === undefined) throw new Error(`There is no user for ${author}`);
    return id;
  }
}
