// The shape of an event: what a committed change says to subscriptions and jobs.
import type { Instant } from "#src/base/time.ts";
import type { EventType } from "#src/events/declared.ts";
import type { OutboxPosition } from "#src/events/outbox-position.ts";

/** A value as an event tells it: of a setting, or a list of ids. */
export type Fact = string | number | boolean | null | readonly string[];

/** One setting that was changed: its name in the interface, and its values. */
export interface SettingChange {
  readonly field: string;
  readonly before: Fact;
  readonly after: Fact;
}

/** How an installation of an integration was: only what its integration hears of itself tells that. */
export interface SetupState {
  readonly status: "active" | "pending" | "paused";
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** Something that happened. */
export interface DomainEvent {
  readonly type: EventType;
  /** Id of the row that it happened to. */
  readonly subjectId: string;
  readonly organizationId?: string | null;
  readonly spaceId?: string | null;
  /**
   * What is known of it at that moment: ids that a reader needs when the row is gone, and what changed from what to
   * what. Never secrets, and never what people wrote, which is deleted with its row; titles and settings may be told.
   */
  readonly payload?: Readonly<Record<string, Fact | readonly SettingChange[] | SetupState>>;
  /** True where nobody is told who did it. Such events are not audited. */
  readonly isByNobody?: true;
}

/** An event as it is read back from the outbox. */
export interface StoredEvent extends Required<Omit<DomainEvent, "isByNobody">> {
  readonly position: OutboxPosition;
  /** The segment of the outbox that it is in. */
  readonly segment: number;
  /** Id of the user who did it; null when it was no user. */
  readonly actorId: string | null;
  readonly occurredAt: Instant;
}
