// Messages of subscriptions: what every event has, the first and the last word of a stream, and the making of a type for each kind of event.
import type { FieldMap, ObjectRef } from "@pothos/core";
import type { StoredEvent } from "#src/events/event.ts";
import { encodePosition, type Position } from "#src/events/position.ts";
import { builder, type GraphTypes } from "#src/graph/builder.ts";
import { defineEnum } from "#src/graph/scalars.ts";

type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;

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

/** The first message: from this place on nothing is missed. */
export const readyMessage = (at: Position): Message => ({ type: "Ready", cursor: encodePosition(at) });

/** Says how far a quiet stream has come. */
export const checkpointMessage = (at: Position): Message => ({ type: "Checkpoint", cursor: encodePosition(at) });

/** The last message: events between the two places were not told. */
export function resyncMessage(reason: ResyncCause, from: Position, to: Position): ResyncMessage {
  const [start, end] = [encodePosition(from), encodePosition(to)];
  return { type: "Resync", cursor: end, reason, from: start, to: end };
}

const cursorDescription =
  "Where the stream stands after this message: give it as `after` to go on from here, at any gateway.";

export const StreamMessage = builder.interfaceRef<Message>("StreamMessage").implement({
  description: "Any message of a subscription.",
  resolveType: ({ type }) => type,
  fields: (t) => ({ cursor: t.exposeString("cursor", { description: cursorDescription }) }),
});

export const Event = builder.interfaceRef<EventMessage>("Event").implement({
  description: "Something that happened, told after it was committed.",
  interfaces: [StreamMessage],
  resolveType: ({ type }) => type,
  fields: (t) => ({
    occurredAt: t.field({
      type: "DateTime",
      description: "When it happened.",
      resolve: ({ event }) => event.occurredAt,
    }),
  }),
});

export const Ready = builder.objectRef<Message>("Ready").implement({
  description: "The first message of a stream: whatever is acknowledged after it will be told.",
  interfaces: [StreamMessage],
});

export const Checkpoint = builder.objectRef<Message>("Checkpoint").implement({
  description: "Sent now and then while nothing happens, so that a client that comes back late has a fresh cursor.",
  interfaces: [StreamMessage],
});

const ResyncReason = defineEnum<ResyncCause>("ResyncReason", "Why a stream cannot go on.", {
  expired: "The cursor is older than the events that are kept: a day.",
  slow: "The client has read too slowly.",
});

export const Resync = builder.objectRef<ResyncMessage>("Resync").implement({
  description: "The last message of a stream that lost events: read again what you show, then subscribe after `to`.",
  interfaces: [StreamMessage],
  fields: (t) => ({
    reason: t.expose("reason", { type: ResyncReason, description: "Why." }),
    from: t.exposeString("from", { description: "Cursor up to which everything was told." }),
    to: t.exposeString("to", { description: "Cursor behind what was not told." }),
  }),
});

/** A GraphQL type with the outbox events that it stands for. */
export interface EventKind {
  readonly ref: ObjectRef<Types, EventMessage>;
  /** Types of outbox events. */
  readonly of: readonly StoredEvent["type"][];
  /** Which of those; without it all. */
  readonly when?: (event: StoredEvent) => boolean;
}

/** Defines the type of one kind of event. Its fields read rows again, under the rights of the subscriber. */
export function defineEvent(of: {
  readonly name: string;
  readonly description: string;
  readonly of: readonly StoredEvent["type"][];
  readonly when?: (event: StoredEvent) => boolean;
  readonly fields: (t: PothosSchemaTypes.ObjectFieldBuilder<Types, EventMessage>) => FieldMap;
}): EventKind {
  const { name, description, fields, ...kind } = of;
  const ref = builder
    .objectRef<EventMessage>(name)
    .implement({ description, interfaces: [Event, StreamMessage], fields });
  return { ref, ...kind };
}

/** The message of an event among these kinds, or null when it is none of them. */
export function messageOf(kinds: readonly EventKind[], event: StoredEvent): EventMessage | null {
  const kind = kinds.find(({ of, when }) => of.includes(event.type) && (when?.(event) ?? true));
  return kind ? { type: kind.ref.name, cursor: encodePosition(event.position), event } : null;
}

/** A text of an event's payload; null when there is none. */
export function textIn({ payload }: StoredEvent, name: string): string | null {
  const value = payload[name];
  return typeof value === "string" ? value : null;
}
