// All groups of a process: the group of each stream, and the groups that subscribe to spaces and organizations.
import type { StoredEvent } from "#src/events/event.ts";
import { Group, type Workshop } from "#src/server/live/group/group.ts";
import type { Stream } from "#src/server/live/stream.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { startVariables, type Subscription } from "#src/graph/schema/subscriptions.ts";

export class Groups {
  readonly #workshop: Workshop;
  readonly #byKey = new Map<string, Group>();
  readonly #byScope = new Map<string, Set<Group>>();
  readonly #byStream = new Map<Stream, Group>();
  readonly #operationIds = new WeakMap<object, number>();
  #lastOperationId = 0;

  constructor(workshop: Workshop) {
    this.#workshop = workshop;
  }

  get all(): Iterable<Group> {
    return this.#byKey.values();
  }

  get size(): number {
    return this.#byStream.size;
  }

  /** The group of a stream; undefined after it has ended. */
  of(stream: Stream): Group | undefined {
    return this.#byStream.get(stream);
  }

  /** Adds a stream to the group of its viewer's rights: its subscription differs at most in where it started. */
  join(stream: Stream): void {
    const { subscription, viewer } = stream;
    const key = groupKey(subscription, viewer, (operation) => this.#idOf(operation));
    let group = this.#byKey.get(key);
    if (!group) {
      group = new Group(key, subscription, this.#workshop);
      this.#byKey.set(key, group);
      for (const scope of subscription.scope.ids) {
        const others = this.#byScope.get(scope);
        if (others) others.add(group);
        else this.#byScope.set(scope, new Set([group]));
      }
    }
    stream.subscription = group.subscription;
    group.streams.add(stream);
    this.#byStream.set(stream, group);
  }

  /** Removes a stream from its group; a group without streams is dropped. */
  leave(stream: Stream): void {
    const group = this.#byStream.get(stream);
    if (!group) return;
    this.#byStream.delete(stream);
    group.streams.delete(stream);
    if (group.streams.size > 0) return;
    this.#byKey.delete(group.key);
    for (const scope of group.subscription.scope.ids) {
      const others = this.#byScope.get(scope);
      others?.delete(group);
      if (others?.size === 0) this.#byScope.delete(scope);
    }
  }

  /** The groups that want any of these events, each with its events, in their order. */
  wanting(events: readonly StoredEvent[]): Map<Group, StoredEvent[]> {
    const wanted = new Map<Group, StoredEvent[]>();
    for (const event of events)
      for (const scope of [event.spaceId, event.organizationId ?? event.actorId])
        for (const group of (scope !== null && this.#byScope.get(scope)) || []) {
          if (!group.wants(event)) continue;
          const own = wanted.get(group);
          if (own) own.push(event);
          else wanted.set(group, [event]);
        }
    return wanted;
  }

  #idOf(operation: object): number {
    let id = this.#operationIds.get(operation);
    if (id === undefined) this.#operationIds.set(operation, (id = ++this.#lastOperationId));
    return id;
  }
}

/** Equal keys get equal messages. Operations count by identity, variables without those of the start position. */
function groupKey(
  { operation, variables, scope }: Pick<Subscription, "operation" | "variables" | "scope">,
  viewer: Viewer,
  idOf: (operation: object) => number,
): string {
  const starts = startVariables(operation);
  const relevant = Object.entries(variables).filter(([name]) => !starts.has(name));
  const account = scope.by === "actorId" ? scope.ids : []; // all other scopes are named by the operation
  return JSON.stringify([idOf(operation), relevant.toSorted(byName), rightsOf(viewer), account]);
}

/** All rights of a viewer that reads depend on, without their identity: equal texts mean equal rights. */
export function rightsOf({ memberships, grantedIds, grantedRoles, shareKey }: Viewer): string {
  const grants = grantedIds.map((id, index) => [id, grantedRoles[index]] as const);
  return JSON.stringify([[...memberships].toSorted(byName), grants.toSorted(byName), shareKey]);
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1);
