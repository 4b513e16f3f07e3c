// Messages of subscriptions: what all have, those that begin and end a stream, and how features define a type for each
// kind of event.
import type { FieldMap, ObjectRef } from "@pothos/core";
import type { EventType } from "#src/events/declared.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { encodeEventCursor, type OutboxPosition } from "#src/events/outbox-position.ts";
import { builder, type Types, type ObjectFields } from "#src/graph/builder.ts";
import { defineEnum } from "#src/graph/scalars.ts";

/** Why a stream cannot go on without the client reading everything again. */
export type ResyncCause = "expired" | "slow";

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
  "The position of the stream after this message: give it as `after` to go on from here, at any gateway.";

const StreamMessage = builder.interfaceRef<Message>("StreamMessage").implement({
  description: "Any message of a subscription.",
  resolveType: ({ type }) => type,
  fields: (t) => ({ cursor: t.exposeString("cursor", { description: cursorDescription }) }),
});

export const Event = builder.interfaceRef<EventMessage>("Event").implement({
  description: "Something that happened, sent after it was committed.",
  interfaces: [StreamMessage],
  resolveType: ({ type }) => type,
  fields: (t) => ({
    occurredAt: t.value("DateTime", "When it happened.", ({ event }) => event.occurredAt),
  }),
});

export const Ready = builder.objectRef<Message>("Ready").implement({
  description: "The first message of a stream: everything that is committed after it will be sent.",
  interfaces: [StreamMessage],
});

export const Checkpoint = builder.objectRef<Message>("Checkpoint").implement({
  description: "Sent now and then while nothing happens, so that a client that comes back late has a fresh cursor.",
  interfaces: [StreamMessage],
});

const ResyncReason = defineEnum("ResyncReason", "Why a stream cannot go on.", {
  expired: "The cursor is older than the events that are kept: a day.",
  slow: "The client has read too slowly.",
});

export const Resync = builder.objectRef<ResyncMessage>("Resync").implement({
  description: "The last message of a stream that lost events: read again what you show, then subscribe after `to`.",
  interfaces: [StreamMessage],
  fields: (t) => ({
    reason: t.expose("reason", { type: ResyncReason, description: "Why." }),
    from: t.exposeString("from", { description: "Cursor up to which every event was sent." }),
    to: t.exposeString("to", { description: "Cursor after the events that were not sent." }),
  }),
});

/** What builds the fields of the type of an event. */
export type EventFields = ObjectFields<EventMessage>;

/** A GraphQL type with the outbox events that it stands for. */
export interface EventKind {
  readonly ref: ObjectRef<Types, EventMessage>;
  /** Types of outbox events. */
  readonly of: readonly EventType[];
  /** Which of those; all by default. */
  readonly when?: (event: StoredEvent) => boolean;
}

/**
 * Defines the type of one kind of event, which stands for these events of the outbox. Its fields read rows again, under
 * the rights of the subscriber.
 */
export function defineEvent(
  name: string,
  description: string,
  of: readonly EventType[],
  fields: (t: EventFields) => FieldMap,
): EventKind {
  const ref = builder.objectRef<EventMessage>(name);
  return { ref: ref.implement({ description, interfaces: [Event, StreamMessage], fields }), of };
}

/** The message of an event among these kinds, or null when it is none of them. */
export function messageOf(kinds: readonly EventKind[], event: StoredEvent): EventMessage | null {
  const kind = kinds.find(({ of, when }) => of.includes(event.type) && (when?.(event) ?? true));
  return kind ? { type: kind.ref.name, cursor: encodeEventCursor(event.position), event } : null;
}

/** A text of an event's payload; null when there is none. */
export function textIn({ payload }: StoredEvent, name: string): string | null {
  const value = payload[name];
  return typeof value === "string" ? value : null;
}
