// Plays the story of a space, event after event, so that every revision has the then active one as its parent.
import { newId } from "#src/base/ids.ts";
import type { Diary } from "#src/demo/diary.ts";
import type { RowOf, Rows } from "#src/demo/rows.ts";
import type { ChangePlan, EditPlan, Files, People, Story } from "#src/demo/story.ts";
import { StoryPages } from "#src/demo/story-pages.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { contentEvents } from "#src/features/content/events.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { RevisionType } from "#src/generated/prisma/enums.ts";
import type { Contents } from "#src/history/contents.ts";

/** A revision, its content, and the files that make this content. */
export interface State {
  readonly id: string;
  readonly time: Date;
  readonly content: ContentState;
  readonly files: Files;
}

/** The one of these revisions that was active at a time. */
export function activeAt(states: readonly State[], time: Date): State {
  const state = states.findLast((one) => one.time <= time);
  if (!state) throw new Error(`The demo does not have content on ${time.toISOString()}`);
  return state;
}

/** The last one. */
export function last(states: readonly State[]): State {
  const state = states.at(-1);
  if (!state) throw new Error("No revision exists yet");
  return state;
}

/** Files with some of them replaced by others. */
const layered = (below: Files, above: Files): Files => new Map([...below, ...above]);

/** A change request while its story is played. */
export interface Change {
  readonly plan: ChangePlan;
  readonly row: RowOf<"ChangeRequest">;
  /** The main content that it last merged. */
  base: State;
  own: Files;
  readonly states: State[];
}

interface Event {
  readonly time: Date;
  happen(): void | Promise<void>;
}

interface NewState {
  readonly by: string | null;
  readonly time: Date;
  readonly parents: readonly State[];
  readonly content: ContentState;
  readonly files: Files;
  readonly message?: string;
  readonly changeRequestId?: string;
}

interface Known {
  readonly people: People;
  readonly diary: Diary;
  readonly contents: Contents;
  readonly space: RowOf<"Space">;
  readonly story: Story;
}

/** The content of one space, while its story is played and afterwards. */
export class Play {
  /** Revisions of the main content, the oldest first. */
  readonly main: State[] = [];
  readonly changes: Change[] = [];
  readonly pages: StoryPages;
  readonly #rows: Rows;
  readonly #known: Known;

  constructor(rows: Rows, known: Known) {
    this.#rows = rows;
    this.#known = known;
    this.pages = new StoryPages(known.story);
  }

  /** Adds the revisions and change requests of the space, and makes the last main revision its active one. */
  async run(): Promise<void> {
    const { space, story } = this.#known;
    const content = { treeHash: null, filesHash: null, variables: {}, reusableContents: {} };
    const time = new Date(space.createdAt ?? 0);
    this.#setMain("initial", { by: null, time, parents: [], content, files: new Map() });
    const events = story.steps.flatMap((step) => ("change" in step ? this.#changeEvents(step) : this.#editEvent(step)));
    for (const event of events.toSorted((one, other) => one.time.getTime() - other.time.getTime()))
      await event.happen();
  }

  #editEvent({ by, at: time, edit: message, files: folder }: EditPlan): Event {
    const happen = async () => {
      const before = last(this.main);
      const files = layered(before.files, this.#folder(folder));
      const content = await this.#edited(before.content, files, time);
      this.#setMain("edits", { by: this.#known.people(by), time, parents: [before], message, content, files });
    };
    return { time, happen };
  }

  #changeEvents(plan: ChangePlan): Event[] {
    const { edited, updated, merged } = plan;
    let change: Change;
    const open = async () => {
      change = await this.#open(plan);
    };
    const events: Event[] = [{ time: plan.at, happen: open }];
    if (edited) events.push({ time: edited.at, happen: () => this.#editChange(change, edited) });
    if (updated) events.push({ time: updated, happen: () => this.#update(change, updated) });
    if (merged) events.push({ time: merged.at, happen: () => this.#merge(change, merged) });
    return events;
  }

  async #open(plan: ChangePlan): Promise<Change> {
    const { at: time, change: subject, status } = plan;
    const by = this.#known.people(plan.by);
    const base = last(this.main);
    const id = newId("ChangeRequest");
    const own = this.#folder(plan.files);
    const files = layered(base.files, own);
    const content = await this.#edited(base.content, files, time);
    const of = { by, time, parents: [base], message: subject, changeRequestId: id, content, files };
    const state = this.#revision("edits", of);
    const row: RowOf<"ChangeRequest"> = {
      id,
      spaceId: this.#known.space.id,
      number: this.changes.length + 1,
      status,
      subject,
      createdById: by,
      createdAt: time,
      updatedAt: time,
      revisionId: state.id,
      revisionInitialId: base.id,
      revisionMergedAncestorId: null,
      revisionMergedId: null,
    };
    const change = { plan, row: this.#rows.add("ChangeRequest", row), base, own, states: [state] };
    this.changes.push(change);
    this.#tellOpened(change, state);
    return change;
  }

  async #editChange(change: Change, { files: folder, at: time }: NonNullable<ChangePlan["edited"]>): Promise<void> {
    const before = last(change.states);
    change.own = layered(change.own, this.#folder(folder));
    const files = layered(change.base.files, change.own);
    const content = await this.#edited(before.content, files, time);
    this.#revise(change, "edits", { time, parents: [before], content, files });
  }

  async #update(change: Change, time: Date): Promise<void> {
    const before = last(change.states);
    const merged = await this.#merged(change, time);
    change.base = last(this.main);
    change.row.revisionMergedAncestorId = change.base.id;
    const state = this.#revise(change, "update", { time, parents: [before, change.base], ...merged });
    this.#tellOf(change, time, { type: changeRequestEvents.updatesPulled, payload: { revisionId: state.id } });
  }

  async #merge(change: Change, { by, at: time }: NonNullable<ChangePlan["merged"]>): Promise<void> {
    const { row } = change;
    const parents = [last(this.main), last(change.states)];
    const merged = await this.#merged(change, time);
    const of = { by: this.#known.people(by), time, parents, message: row.subject, ...merged };
    const revisionMergedId = this.#setMain("merge", of).id;
    Object.assign(row, { status: "merged", revisionMergedId, updatedAt: time } satisfies Partial<typeof row>);
    const payload = { revisionId: revisionMergedId, mergedRevisionId: last(change.states).id };
    this.#tell(time, of.by, { type: changeRequestEvents.merged, subjectId: row.id, payload });
  }

  /** The change request and the main content, merged as users merge them. The files must have the same result. */
  async #merged({ plan, base, own, states }: Change, time: Date): Promise<Pick<State, "content" | "files">> {
    const main = last(this.main);
    const sides = { base: base.content, ours: last(states).content, theirs: main.content };
    const content = await this.#known.contents.merge(sides, time);
    const files = layered(main.files, own);
    const said = await this.#edited(content, files, time);
    if (said.treeHash !== content.treeHash) throw new Error(`The demo's files differ from the merge of ${plan.change}`);
    return { content, files };
  }

  /** The content with the pages of these files instead. The first edit adds variables and reusable contents. */
  async #edited(content: ContentState, files: Files, time: Date): Promise<ContentState> {
    const { contents, story } = this.#known;
    const made = await this.pages.of(files);
    return contents.edit(content, time, ({ pages, includes }) => {
      pages.replaceAll(made);
      if (content.treeHash !== null) return;
      const variables = Object.entries(story.variables).map(([name, value]) => ({ name, value }));
      includes.setVariables("story", { variables });
      for (const [name, { title, text: markdown }] of Object.entries(story.reusable))
        includes.createContent("story", { reusableContentId: this.pages.reusableId(name), title, markdown });
    });
  }

  #folder(name: string): Files {
    const files = this.#known.story.folders.get(name);
    if (!files) throw new Error(`The demo does not have the folder ${name}`);
    return files;
  }

  #setMain(type: RevisionType, of: NewState): State {
    const state = this.#revision(type, of);
    const before = this.main.at(-1);
    const payload = { revisionId: state.id, revisionBeforeId: before?.id ?? null, changeRequestId: null };
    const event = { type: contentEvents.ofSpaceUpdated, subjectId: String(this.#known.space.id), payload };
    if (before && of.by !== null) this.#tell(of.time, of.by, event);
    this.main.push(state);
    Object.assign(this.#known.space, { revisionId: state.id, updatedAt: of.time } satisfies Partial<RowOf<"Space">>);
    return state;
  }

  #revise(change: Change, type: RevisionType, of: Omit<NewState, "by">): State {
    const { row, states } = change;
    const state = this.#revision(type, { ...of, by: row.createdById, changeRequestId: row.id });
    this.#tellContent(change, last(states), state);
    states.push(state);
    Object.assign(row, { revisionId: state.id, updatedAt: of.time } satisfies Partial<typeof row>);
    return state;
  }

  #tellOpened(change: Change, state: State): void {
    const { row, base, plan } = change;
    const { number, subject, status } = row;
    const statusBefore = "draft";
    const { created, statusChanged, opened } = changeRequestEvents;
    this.#tellOf(change, plan.at, { type: created, payload: { number, subject, agentTaskId: null } });
    this.#tellContent(change, base, state);
    if (status === statusBefore) return;
    this.#tellOf(change, plan.at, { type: statusChanged, payload: { statusBefore, status: "open" } });
    this.#tellOf(change, plan.at, { type: opened, payload: { number, subject, statusBefore } });
  }

  #tellContent(change: Change, before: State, { id: revisionId, time }: State): void {
    const payload = { revisionId, revisionBeforeId: before.id, changeRequestId: change.row.id };
    this.#tellOf(change, time, { type: contentEvents.ofChangeRequestUpdated, payload });
  }

  /** Events of the author of a change request on it. */
  #tellOf({ row }: Change, time: Date, event: Pick<DomainEvent, "type" | "payload">): void {
    this.#tell(time, row.createdById, { ...event, subjectId: row.id });
  }

  #tell(time: Date, by: string, event: DomainEvent): void {
    const { id: spaceId, organizationId } = this.#known.space;
    this.#known.diary.tell(time, by, { ...event, organizationId, spaceId });
  }

  #revision(type: RevisionType, of: NewState): State {
    const id = newId("Revision");
    const { time, content, files } = of;
    const { treeHash, variables, reusableContents } = content;
    this.#rows.add("Revision", {
      id,
      spaceId: this.#known.space.id,
      type,
      parents: of.parents.map((parent) => parent.id),
      authorId: of.by,
      message: of.message ?? null,
      createdAt: time,
      changeRequestId: of.changeRequestId ?? null,
      treeHash,
      variables,
      reusableContents: reusableContents as unknown as Prisma.InputJsonObject, // plain JSON
    });
    return { id, time, content, files };
  }
}
