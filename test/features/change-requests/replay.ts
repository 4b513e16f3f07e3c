// Replays a recorded history through the API: every edit, and every change request, opened, edited and
// merged at its point in time.
import { newId } from "#src/base/ids.ts";
import type { History, HistoryChange } from "#src/history/history-file.ts";
import {
  mergeDocument,
  openChangeRequest,
  readConflicts,
  remove,
  resolveDocument,
  type Shown,
  update,
} from "#test/features/change-requests/scene.ts";
import { type Edit, editAs } from "#test/features/content/edits.ts";
import type { HttpClient } from "#test/support/client.ts";

/** Blob names by page path; null for a deleted page. */
type Blobs = Readonly<Record<string, string | null>>;

/** The outcome of a merge. */
export interface MergeOutcome {
  readonly change: HistoryChange;
  /**
   * `merged` or the error code: CONFLICT where people had to resolve it, after which it is merged again.
   */
  readonly outcome: string;
  readonly milliseconds: number;
}

/** A history in the main content of an initially empty space, with all pages at the top; slugs are file paths. */
export class Replay {
  readonly #as: HttpClient;
  readonly #history: History;
  readonly #spaceId: string;
  /** Page ids by path. */
  readonly #pageIds = new Map<string, string>();
  /** Expected blobs of the main content. */
  readonly #due = new Map<string, string>();
  readonly #opened = new Map<HistoryChange, string>();
  /** The first merge of each change request. */
  readonly merges: MergeOutcome[] = [];
  /** The merges after people resolved the conflicts. */
  readonly mergesAfterwards: MergeOutcome[] = [];
  /** The conflicts that people resolved. */
  readonly clashes: string[] = [];

  constructor(as: HttpClient, history: History, spaceId: string) {
    this.#as = as;
    this.#history = history;
    this.#spaceId = spaceId;
  }

  /** The expected blobs of the main content so far, by path. */
  get due(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#due);
  }

  /** The texts of {@link due}. */
  get texts(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#due].map(([path, blob]) => [path, this.#textOf(blob)]));
  }

  /** Replays the first `count` steps; calls `afterStep` with the number of each step, from 0. */
  async run(afterStep?: (step: number) => Promise<void>, count?: number): Promise<void> {
    const { start, steps } = this.#history;
    await this.#editIn({ spaceId: this.#spaceId }, start);
    for (const [path, blob] of Object.entries(start)) this.#due.set(path, blob);
    for (const [done, step] of steps.slice(0, count).entries()) {
      await this.#openAll(done);
      if (step.kind === "edit") await this.#editIn({ spaceId: this.#spaceId }, step.after);
      else await this.#mergeChange(step);
      for (const [path, blob] of Object.entries(step.after)) {
        if (blob === null) {
          this.#due.delete(path);
          this.#pageIds.delete(path);
        } else this.#due.set(path, blob);
      }
      await afterStep?.(done);
    }
  }

  #textOf(blob: string): string {
    return this.#history.blobs[blob] ?? "";
  }

  /** Edits that set pages to these blobs. */
  #editsTo(blobs: Blobs): Edit[] {
    return Object.entries(blobs).map(([path, blob]) => {
      const pageId = this.#pageIds.get(path) ?? newId("Page");
      if (blob === null) return remove(pageId);
      const markdown = this.#textOf(blob);
      if (this.#pageIds.has(path)) return update(pageId, { markdown });
      this.#pageIds.set(path, pageId);
      return { createPage: { pageId, title: path, slug: path, markdown } };
    });
  }

  /** Splits edits into parts that fit into one request. */
  async #editIn(target: Readonly<Record<string, string>>, blobs: Blobs): Promise<void> {
    let part: Record<string, string | null> = {};
    let size = 0;
    for (const [path, blob] of Object.entries(blobs)) {
      const length = blob === null ? 0 : this.#textOf(blob).length;
      if (size + length > 400_000) {
        await editAs(this.#as, target, ...this.#editsTo(part));
        [part, size] = [{}, 0];
      }
      part[path] = blob;
      size += length;
    }
    await editAs(this.#as, target, ...this.#editsTo(part));
  }

  async #openAll(done: number): Promise<void> {
    for (const step of this.#history.steps) {
      if (step.kind !== "changeRequest" || step.startedAfter !== done) continue;
      const changeRequestId = await openChangeRequest(this.#as, this.#spaceId);
      this.#opened.set(step, changeRequestId);
      await this.#editIn({ changeRequestId }, step.edits);
    }
  }

  async #mergeChange(change: HistoryChange): Promise<void> {
    const changeRequestId = this.#opened.get(change) ?? "";
    const first = await this.#merge(change, changeRequestId);
    this.merges.push(first);
    if (first.outcome === "merged") return;
    await this.#settle(change, changeRequestId);
    this.mergesAfterwards.push(await this.#merge(change, changeRequestId));
  }

  async #merge(change: HistoryChange, changeRequestId: string): Promise<MergeOutcome> {
    const start = performance.now();
    const { errors } = await this.#as.graphql(mergeDocument, { input: { changeRequestId } });
    const milliseconds = performance.now() - start;
    return { change, outcome: errors?.[0]?.extensions.code ?? "merged", milliseconds };
  }

  /** Takes the change request's lines, then writes people's resolution there. */
  async #settle(change: HistoryChange, changeRequestId: string): Promise<void> {
    const conflicts = await readConflicts(this.#as, changeRequestId);
    this.clashes.push(...new Set(conflicts.map((conflict) => `${conflict.__typename} in ${pathOf(conflict)}`)));
    const resolutions = conflicts.map(({ conflictId }) => ({ conflictId, settlement: { choice: "OURS" } }));
    await this.#as.query(resolveDocument, { input: { changeRequestId, resolutions } });
    const written = conflicts
      .map(pathOf)
      .map((path) => [path, path in change.after ? change.after[path] : (this.#due.get(path) ?? null)]);
    await this.#editIn({ changeRequestId }, { ...change.after, ...Object.fromEntries(written) });
  }
}

// If only texts changed, every path conflict is between pages.
const pathOf = ({ page }: Shown): string => (page as { slug: string }).slug;

/** The first `count` steps of a history that change files that are kept, with these files only; its end stays whole. */
export function partOf(history: History, isKept: (path: string) => boolean, count: number): History {
  const kept = <Files extends Blobs>(files: Files): Files =>
    Object.fromEntries(Object.entries(files).filter(([path]) => isKept(path))) as Files; // fewer of the same
  const changes = history.steps.map((step) => Object.keys(step.kind === "edit" ? step.after : step.edits).some(isKept));
  const stepsBefore = (index: number) => changes.slice(0, index).filter(Boolean).length;
  const steps = history.steps
    .filter((_step, index) => changes[index])
    .map((step) =>
      step.kind === "edit"
        ? { ...step, after: kept(step.after) }
        : { ...step, after: kept(step.after), edits: kept(step.edits), startedAfter: stepsBefore(step.startedAfter) },
    );
  return { ...history, start: kept(history.start), steps: steps.slice(0, count) };
}
