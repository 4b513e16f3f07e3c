// Messages of subscriptions: the common ones, the first and last of a stream, and how features define theirs.
import type { EnumRef, FieldMap, ObjectRef } from "@pothos/core";
import { eventId } from "#src/base/ids.ts";
import type { EventType } from "#src/events/declared.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { encodeEventCursor, type OutboxPosition } from "#src/events/outbox-position.ts";
import { builder, type Types, type ObjectFields } from "#src/graph/schema/builder.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { rowsWith } from "#src/graph/run/selection.ts";

/** Why a stream cannot continue until the client has read everything again. */
export type ResyncCause = "expired" | "slow" | "reset";

/** One message of a subscription: `type` is its GraphQL type. */
export interface Message {
  readonly type: string;
  readonly cursor: string;
}

export interface ResyncMessage extends Message {
  readonly reason: ResyncCause;
  readonly from: string;
  readonly to: string;
}

export interface EventMessage extends Message {
  readonly event: StoredEvent;
}

/** Sent when the users at a subject have changed; without an event. */
export interface PresenceMessage extends Message {
  readonly userIds: readonly string[];
}

/** The first message: every event after this position will be sent. */
export const readyMessage = (at: OutboxPosition): Message => ({ type: "Ready", cursor: encodeEventCursor(at) });

/** Gives a stream without events a newer cursor. */
export const checkpointMessage = (at: OutboxPosition): Message => ({
  type: "Checkpoint",
  cursor: encodeEventCursor(at),
});

/** The last message: events between the two positions were not sent. */
export function resyncMessage(reason: ResyncCause, from: OutboxPosition, to: OutboxPosition): ResyncMessage {
  const [start, end] = [encodeEventCursor(from), encodeEventCursor(to)];
  return { type: "Resync", cursor: end, reason, from: start, to: end };
}

const cursorDescription =
  "The position of the stream after this message: set `after` to it to continue from here, on any gateway.";

export const StreamMessage = builder.interfaceRef<Message>("StreamMessage").implement({
  description: "Any message of a subscription.",
  resolveType: ({ type }) => type,
  fields: (t) => ({ cursor: t.exposeString("cursor", { description: cursorDescription }) }),
});

/** Every kind of event, by the names of their types: {@link defineEventKinds} defines it from all features. */
export const EventKindEnum = "EventKind" as unknown as EnumRef<Types, string>; // resolved by its name

export const Event = builder.interfaceRef<EventMessage>("Event").implement({
  description: "A change, sent or listed after it was committed.",
  interfaces: [StreamMessage],
  resolveType: ({ event }) => kindOf(event)?.ref.name,
  ...rowsWith("event", "cursor"),
  fields: (t) => ({
    id: t.value("ID", "Id of the event.", ({ event }) => eventId(event.position.id)),
    kind: t.value(
      EventKindEnum,
      "The kind of event: the name of its type.",
      ({ event }) => kindOf(event)?.ref.name ?? "",
    ),
    occurredAt: t.value("DateTime", "When it happened.", ({ event }) => event.occurredAt),
    organizationId: t.valueOrNull(
      "ID",
      "Id of the organization in which it happened.",
      ({ event }) => event.organizationId,
    ),
    spaceId: t.valueOrNull(
      "ID",
      "Id of the space in which it happened; null for events of an organization or a collection.",
      ({ event }) => event.spaceId,
    ),
  }),
});

export const Ready = builder.objectRef<Message>("Ready").implement({
  description: "The first message of a stream: everything that is committed after it will be sent.",
  interfaces: [StreamMessage],
});

export const Checkpoint = builder.objectRef<Message>("Checkpoint").implement({
  description: "Sent periodically while nothing happens, so that a client that reconnects late has a recent cursor.",
  interfaces: [StreamMessage],
});

const ResyncReason = defineEnum("ResyncReason", "Why a stream cannot continue.", {
  expired: "The cursor is too old: a stream can be continued for a day.",
  slow: "The client read too slowly.",
  reset:
    "The database went back to an older state, or was moved to another cluster: events and data that you received may no longer exist.",
});

export const Resync = builder.objectRef<ResyncMessage>("Resync").implement({
  description: "The last message of a stream that lost events: read your data again, then subscribe after `to`.",
  interfaces: [StreamMessage],
  fields: (t) => ({
    reason: t.expose("reason", { type: ResyncReason, description: "Why." }),
    from: t.exposeString("from", {
      description: "Cursor of the last event before the gap: every event up to it was sent.",
    }),
    to: t.exposeString("to", { description: "Cursor after the lost events." }),
  }),
});

export type EventFields = ObjectFields<EventMessage>;

/** A GraphQL type with the outbox events that it represents. */
export interface EventKind {
  readonly ref: ObjectRef<Types, EventMessage>;
  readonly description: string;
  /** Types of outbox events. Each is represented by one kind only, in all subscriptions. */
  readonly of: readonly EventType[];
}

const kinds = new Map<EventType, EventKind>();

/** The kind that represents an event; undefined for an event that is not sent. */
const kindOf = ({ type }: Pick<StoredEvent, "type">): EventKind | undefined => kinds.get(type);

export const allEventTypes = (): EventType[] => [...kinds.keys()];

export const eventTypesOf = (names: readonly string[]): EventType[] =>
  [...kinds].flatMap(([type, { ref }]) => (names.includes(ref.name) ? [type] : []));

/** Defines a message type for these outbox events: it shows the payload, and rows under the subscriber's rights. */
export function defineEvent(
  name: string,
  description: string,
  of: readonly EventType[],
  fields: (t: EventFields) => FieldMap,
): EventKind {
  const ref = builder.objectRef<EventMessage>(name);
  const kind = {
    ref: ref.implement({ description, interfaces: [Event, StreamMessage], fields, ...rowsWith("event", "cursor") }),
    description,
    of,
  };
  for (const type of of) {
    if (kinds.has(type)) throw new Error(`The event ${type} is already represented by ${kinds.get(type)?.ref.name}`);
    kinds.set(type, kind);
  }
  return kind;
}

/** Defines the enumeration of all kinds; call it when all features are loaded. */
export function defineEventKinds(): void {
  const descriptions = [...new Set(kinds.values())].map(({ ref, description }) => [ref.name, description] as const);
  defineEnum(
    "EventKind",
    "The kinds of events: each is the name of a type of `Event`, in capitals.",
    Object.fromEntries(descriptions.toSorted(([one], [other]) => (one < other ? -1 : 1))),
  );
}

/** The message of an event, or null if it is of another kind. */
export function messageOf(among: ReadonlySet<EventKind>, event: StoredEvent): EventMessage | null {
  const kind = kindOf(event);
  return kind && among.has(kind) ? { type: kind.ref.name, cursor: encodeEventCursor(event.position), event } : null;
}

/** A text of an event's payload; null if missing. */
export function textIn({ payload }: Pick<StoredEvent, "payload">, name: string): string | null {
  const value = payload[name];
  return typeof value === "string" ? value : null;
}
