// Plays the stories of the demo's spaces, event after event, so that every revision stands on the one that was there at its time.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { Contents } from "#src/demo/contents.ts";
import type { People } from "#src/demo/people.ts";
import type { DemoRows } from "#src/demo/rows.ts";
import type { SpaceName, Spaces } from "#src/demo/spaces.ts";
import { stories } from "#src/demo/stories.ts";
import type { ChangePlan, EditPlan, Moment, PageChange } from "#src/demo/story.ts";
import { editsOf, StoryNames } from "#src/demo/story-edits.ts";
import type { ContentState } from "#src/features/content/reads/revisions.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { RevisionType } from "#src/generated/prisma/enums.ts";

type ChangeRequestRow = Prisma.ChangeRequestCreateManyInput;
type SpaceRow = Spaces[SpaceName];

/** Gives every space its revisions and its change requests; answers what the pages of each are called. */
export async function addHistories(
  rows: DemoRows,
  known: { readonly people: People; readonly spaces: Spaces; readonly contents: Contents },
): Promise<ReadonlyMap<SpaceName, StoryNames>> {
  const names = new Map<SpaceName, StoryNames>();
  for (const [key, space] of Object.entries(known.spaces)) {
    const name = key as SpaceName; // Object.entries widens the key
    const history = new History(rows, known, space);
    const events = stories[name].flatMap((plan) => history.events(plan));
    for (const event of events.toSorted((one, other) => one.time.getTime() - other.time.getTime()))
      await event.happen(event.time);
    space.lastChangeRequestNumber = history.lastNumber;
    names.set(name, history.names);
  }
  return names;
}

/** The revision that was the active one at a time. Revisions of one place stand in their order. */
export function activeRevision(rows: DemoRows, place: { spaceId: string; changeRequestId: string | null }, time: Date) {
  const revision = rows.revisions.findLast(
    ({ spaceId, changeRequestId, createdAt }) =>
      spaceId === place.spaceId &&
      changeRequestId === place.changeRequestId &&
      createdAt !== undefined &&
      createdAt <= time,
  );
  if (!revision) throw new Error("The demo tells of a content that is not there yet");
  return revision;
}

interface Event {
  readonly time: Date;
  happen(time: Date): void | Promise<void>;
}

/** A revision with what it holds. */
interface State {
  readonly id: string;
  readonly content: ContentState;
}

/** A change request while its story is told. */
interface Change {
  readonly row: ChangeRequestRow;
  /** The main content that it last took in. */
  base: State;
  /** Its own content. */
  state: State;
}

const noContent: ContentState = { treeHash: null, filesHash: null, variables: {}, reusableContents: {} };

/** The state of one space while its story is told. */
class History {
  lastNumber = 0;
  readonly names = new StoryNames();
  readonly #rows: DemoRows;
  readonly #people: People;
  readonly #contents: Contents;
  readonly #space: SpaceRow;
  #main: State;

  constructor(rows: DemoRows, { people, contents }: { people: People; contents: Contents }, space: SpaceRow) {
    this.#rows = rows;
    this.#people = people;
    this.#contents = contents;
    this.#space = space;
    const time = new Date(space.createdAt ?? at(0));
    this.#main = this.#revision("initial", { by: null, time, parents: [], content: noContent });
    space.revisionId = this.#main.id;
  }

  events(plan: EditPlan | ChangePlan): Event[] {
    if ("change" in plan) return this.#changeEvents(plan);
    const { by, edit: message, does } = plan;
    const happen = (time: Date) => {
      const parents = [this.#main];
      const content = this.#edited(this.#main, does, time);
      this.#setMain(this.#revision("edits", { by: this.#people[by], time, parents, message, content }), time);
    };
    return [{ time: at(...plan.at), happen }];
  }

  #setMain(state: State, time: Date): void {
    this.#main = state;
    this.#space.revisionId = state.id;
    this.#space.updatedAt = time;
  }

  #edited({ content }: State, does: readonly PageChange[], time: Date): ContentState {
    const pages = this.#contents.tree(content.treeHash).byId;
    const textOf = (pageId: string) => this.#contents.text(pages.get(pageId)?.documentHash ?? null);
    return this.#contents.edit(content, time, editsOf(does, this.names, textOf));
  }

  #changeEvents(plan: ChangePlan): Event[] {
    let change: Change;
    const events: Event[] = [];
    const then = (moment: Moment, happen: Event["happen"]) => events.push({ time: at(...moment), happen });
    then(plan.at, (time) => {
      change = this.#open(plan, time);
    });
    const { edited, updated, now } = plan;
    if (edited)
      then(edited.at, (time) => this.#revise(change, "edits", time, this.#edited(change.state, edited.does, time)));
    if (updated)
      then(updated, async (time) => {
        const content = await this.#merged(change, time);
        change.base = this.#main;
        change.row.revisionMergedAncestorId = this.#main.id;
        this.#revise(change, "update", time, content);
      });
    if (typeof now === "object") then(now.merged, (time) => this.#merge(change, this.#people[now.by], time));
    return events;
  }

  #open({ by: name, change: subject, does, now }: ChangePlan, time: Date): Change {
    const by = this.#people[name];
    const base = this.#main;
    const id = newId("ChangeRequest");
    const content = this.#edited(base, does, time);
    const state = this.#revision("edits", {
      by,
      time,
      parents: [base],
      message: subject,
      changeRequestId: id,
      content,
    });
    const row: ChangeRequestRow = {
      id,
      spaceId: this.#space.id,
      number: ++this.lastNumber,
      status: typeof now === "string" ? now : "open",
      subject,
      createdById: by,
      createdAt: time,
      updatedAt: time,
      revisionId: state.id,
      revisionInitialId: base.id,
      revisionMergedAncestorId: null,
      revisionMergedId: null,
    };
    this.#rows.changeRequests.push(row);
    return { row, base, state };
  }

  /** The change request gets a new revision of its own. */
  #revise(change: Change, type: "edits" | "update", time: Date, content: ContentState): void {
    const { row, state, base } = change;
    const parents = type === "update" ? [state, base] : [state];
    change.state = this.#revision(type, { by: row.createdById, time, parents, changeRequestId: row.id, content });
    Object.assign(row, { revisionId: change.state.id, updatedAt: time } satisfies Partial<ChangeRequestRow>);
  }

  /** The change request and the main content in one. */
  #merged({ base, state }: Change, time: Date): Promise<ContentState> {
    const sides = { base: base.content, ours: state.content, theirs: this.#main.content };
    return this.#contents.merge(sides, time);
  }

  async #merge(change: Change, by: string, time: Date): Promise<void> {
    const { row, state } = change;
    const content = await this.#merged(change, time);
    const merged = this.#revision("merge", { by, time, parents: [this.#main, state], message: row.subject, content });
    const done = { status: "merged", revisionMergedId: merged.id, updatedAt: time } as const;
    Object.assign(row, done satisfies Partial<ChangeRequestRow>);
    this.#setMain(merged, time);
  }

  #revision(
    type: RevisionType,
    of: {
      by: string | null;
      time: Date;
      parents: readonly State[];
      content: ContentState;
      message?: string;
      changeRequestId?: string;
    },
  ): State {
    const id = newId("Revision");
    const { treeHash, variables, reusableContents } = of.content;
    this.#rows.revisions.push({
      id,
      spaceId: this.#space.id,
      type,
      parents: of.parents.map((parent) => parent.id),
      authorId: of.by,
      message: of.message ?? null,
      createdAt: of.time,
      changeRequestId: of.changeRequestId ?? null,
      treeHash,
      variables,
      reusableContents: reusableContents as unknown as Prisma.InputJsonObject, // plain by its type; an interface is just no JSON to the compiler
    });
    return { id, content: of.content };
  }
}
