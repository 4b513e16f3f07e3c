// The shape of an event: the description of a committed change for subscriptions and jobs, and changed settings in it.
import type { Instant } from "#src/base/time.ts";
import type { EventType } from "#src/events/declared.ts";
import type { OutboxPosition } from "#src/events/outbox-position.ts";

/** A value in an event: of a setting, or a list of ids. */
type Fact = string | number | boolean | null | readonly string[];

export interface SettingChange {
  readonly field: string;
  readonly before: Fact;
  readonly after: Fact;
}

/** The state of an installation of an integration: only in the events that are sent to its integration. */
export interface SetupState {
  readonly status: "active" | "pending" | "paused";
  readonly configuration: Readonly<Record<string, unknown>>;
}

export interface DomainEvent {
  readonly type: EventType;
  readonly subjectId: string;
  readonly organizationId?: string | null;
  readonly spaceId?: string | null;
  /** Ids that a reader needs when the row is deleted, and changed settings. Never secrets or texts of people. */
  readonly payload?: Readonly<Record<string, Fact | readonly SettingChange[] | SetupState>>;
  /** True if the actor is not disclosed. Such events are not audited. */
  readonly isByNobody?: true;
}

/** An event as it is read from the outbox. */
export interface StoredEvent extends Required<Omit<DomainEvent, "isByNobody">> {
  readonly position: OutboxPosition;
  readonly segment: number;
  /** Id of the user who caused it; null if it was not a user. */
  readonly actorId: string | null;
  readonly occurredAt: Instant;
}

/** The name of a setting in events: that of the interface; with its values there if the column has others. */
export type AuditedAs = string | readonly [field: string, show: (value: never) => Fact];

/** The interface's name of a stored value of an enumeration. */
export const enumValue = (value: string | null): string | null =>
  value?.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toUpperCase() ?? null;

/** The settings, among `columns`, in which `after` differs from `before`; columns missing in `after` are unchanged. */
export function settingChanges<Row extends object>(
  before: Row,
  after: Partial<Row>,
  columns: { readonly [Column in keyof Row]?: AuditedAs },
): SettingChange[] {
  return Object.entries(columns).flatMap(([column, as]) => {
    const name = column as keyof Row; // the keys of `columns` are columns of the row
    const value = after[name];
    if (value === undefined || as === undefined) return [];
    const [field, show] =
      typeof as === "string" ? [as, (fact: Fact) => fact] : (as as [string, (fact: unknown) => Fact]);
    const change = { field, before: show(before[name] as never), after: show(value as never) };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}
