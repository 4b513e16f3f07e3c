// The shape of an event: what a committed change says to subscriptions and jobs.
import type { Instant } from "#src/base/time.ts";
import type { EventType } from "#src/events/declared.ts";
import type { OutboxPosition } from "#src/events/outbox-position.ts";

/** Something that happened. */
export interface DomainEvent {
  readonly type: EventType;
  /** Id of the row that it happened to. */
  readonly subjectId: string;
  readonly organizationId?: string | null;
  readonly spaceId?: string | null;
  /** Further ids that a reader needs when the row is gone. Never secrets, never text of users. */
  readonly payload?: Readonly<Record<string, string | number | boolean | null>>;
}

/** An event as it is read back from the outbox. */
export interface StoredEvent extends Required<DomainEvent> {
  readonly position: OutboxPosition;
  /** Id of the user who did it; null when it was no user. */
  readonly actorId: string | null;
  readonly occurredAt: Instant;
}
