// The shape of an event: what a committed change says to subscriptions and jobs.
import type { Instant } from "#src/base/time.ts";
import type { Position } from "#src/events/position.ts";

/** Something that happened. `type` is the noun and the verb in the past, such as `changeRequest.merged`. */
export interface DomainEvent {
  readonly type: `${string}.${string}`;
  /** Id of the row that it happened to. */
  readonly subjectId: string;
  readonly organizationId?: string | null;
  readonly spaceId?: string | null;
  /** Further ids that a reader needs when the row is gone. Never secrets, never text of users. */
  readonly payload?: Readonly<Record<string, string | number | boolean | null>>;
}

/** An event as it is read back from the outbox. */
export interface StoredEvent extends Required<DomainEvent> {
  readonly position: Position;
  /** Id of the user who did it; null for nobody in particular. */
  readonly actorId: string | null;
  readonly occurredAt: Instant;
}
