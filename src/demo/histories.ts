// Plays the histories of the demo's spaces, event after event, so that every revision stands on the one that was there at its time.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import { type ChangePlan, type EditPlan, histories, type Moment } from "#src/demo/change-requests.ts";
import type { People } from "#src/demo/people.ts";
import type { DemoRows } from "#src/demo/rows.ts";
import type { SpaceName, Spaces } from "#src/demo/spaces.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { RevisionType } from "#src/generated/prisma/enums.ts";

type ChangeRequestRow = Prisma.ChangeRequestCreateManyInput;
type SpaceRow = Spaces[SpaceName];

/** Gives every space its revisions and its change requests. */
export function addHistories(rows: DemoRows, people: People, spaces: Spaces): void {
  for (const [name, space] of Object.entries(spaces)) {
    const history = new History(rows, people, space);
    const events = (histories[name as SpaceName] ?? []).flatMap((plan) => history.events(plan)); // Object.entries widens the key
    for (const event of events.toSorted((one, other) => one.time.getTime() - other.time.getTime())) event.happen();
    space.lastChangeRequestNumber = history.lastNumber;
  }
}

interface Event {
  readonly time: Date;
  happen(): void;
}

/** The state of one space while its story is told. */
class History {
  lastNumber = 0;
  readonly #rows: DemoRows;
  readonly #people: People;
  readonly #space: SpaceRow;

  constructor(rows: DemoRows, people: People, space: SpaceRow) {
    this.#rows = rows;
    this.#people = people;
    this.#space = space;
    const time = new Date(space.createdAt ?? at(0));
    space.revisionId = this.#revision("initial", { by: null, time, parents: [] });
  }

  events(plan: EditPlan | ChangePlan): Event[] {
    if ("edit" in plan) return [{ time: at(...plan.at), happen: () => this.#edit(plan) }];
    return this.#changeEvents(plan);
  }

  #edit({ by, at: moment, edit: message }: EditPlan): void {
    const time = at(...moment);
    this.#setMain(
      this.#revision("edits", { by: this.#people[by], time, parents: [this.#space.revisionId], message }),
      time,
    );
  }

  #setMain(revisionId: string, time: Date): void {
    this.#space.revisionId = revisionId;
    this.#space.updatedAt = time;
  }

  #changeEvents(plan: ChangePlan): Event[] {
    let change: ChangeRequestRow;
    const by = this.#people[plan.by];
    const events: Event[] = [];
    const then = (moment: Moment, act: (time: Date) => void) => {
      const time = at(...moment);
      events.push({ time, happen: () => act(time) });
    };
    then(plan.at, (time) => {
      change = this.#open(plan, by, time);
    });
    /** The change request gets a new revision of its own. */
    const revise = (type: RevisionType, time: Date, others: string[] = []) => {
      const parents = [change.revisionId, ...others];
      change.revisionId = this.#revision(type, { by, time, parents, changeRequestId: change.id });
      change.updatedAt = time;
    };
    if (plan.edited) then(plan.edited, (time) => revise("edits", time));
    if (plan.updated)
      then(plan.updated, (time) => {
        change.revisionMergedAncestorId = this.#space.revisionId;
        revise("update", time, [this.#space.revisionId]);
      });
    const { now } = plan;
    if (typeof now === "object") then(now.merged, (time) => this.#merge(change, this.#people[now.by], time));
    return events;
  }

  #open({ change: subject, now }: ChangePlan, by: string, time: Date): ChangeRequestRow {
    const main = this.#space.revisionId;
    const id = newId("ChangeRequest");
    const change: ChangeRequestRow = {
      id,
      spaceId: this.#space.id,
      number: ++this.lastNumber,
      status: typeof now === "string" ? now : "open",
      subject,
      createdById: by,
      createdAt: time,
      updatedAt: time,
      revisionId: this.#revision("edits", { by, time, parents: [main], message: subject, changeRequestId: id }),
      revisionInitialId: main,
      revisionMergedAncestorId: null,
      revisionMergedId: null,
    };
    this.#rows.changeRequests.push(change);
    return change;
  }

  #merge(change: ChangeRequestRow, by: string, time: Date): void {
    const parents = [this.#space.revisionId, change.revisionId];
    const merged = this.#revision("merge", { by, time, parents, message: change.subject });
    Object.assign(change, {
      status: "merged",
      revisionMergedId: merged,
      updatedAt: time,
    } satisfies Partial<ChangeRequestRow>);
    this.#setMain(merged, time);
  }

  #revision(
    type: RevisionType,
    of: { by: string | null; time: Date; parents: string[]; message?: string; changeRequestId?: string },
  ): string {
    const id = newId("Revision");
    this.#rows.revisions.push({
      id,
      spaceId: this.#space.id,
      type,
      parents: of.parents,
      authorId: of.by,
      message: of.message ?? null,
      createdAt: of.time,
      changeRequestId: of.changeRequestId ?? null,
    });
    return id;
  }
}
