// Events are declared by features; code with undeclared events does not compile.
import { expect, test } from "vitest";
import { changesRights } from "#src/access/audience.ts";
import { defineEvents, type EventType, unstreamedEvents } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { commentEvents } from "#src/features/comments/events.ts";
import { features } from "#src/features/index.ts";
import type { EventKind } from "#src/graph/schema/events.ts";
import { deliveriesOf } from "#src/graph/schema/subscriptions.ts";

test("the registry contains every declared event exactly once", async () => {
  const declared = await Promise.all(
    features.map(async ({ name, events = [] }) => {
      if (events.length === 0) return [];
      const module: object = // sessions begin and end in layers below the features
        name === "sessions"
          ? await import("#src/access/sessions.ts")
          : await import(`../../src/features/${name}/events.ts`);
      return Object.entries(module).filter(([constant]) => constant.endsWith("Events"));
    }),
  );
  expect(declared.flat().map(([, events]) => events)).toEqual(features.flatMap(({ events = [] }) => events));
  expect(() => defineEvents({ created: "comment.created" })).toThrow("The event comment.created is declared twice");
});

test("each event is sent by a subscription or declares why it is not", () => {
  const all = features.flatMap(({ events = [] }) => events.flatMap((of) => Object.values<EventType>(of)));
  const isSent = (type: EventType) => deliveriesOf(type).length > 0;
  expect(all.filter((type) => isSent(type) === unstreamedEvents.has(type))).toEqual([]);
});

test("writing or subscribing to an undeclared event does not compile", () => {
  const event: DomainEvent = { type: commentEvents.created, subjectId: "" };
  // @ts-expect-error: written, but not declared
  const undeclared: DomainEvent = { type: "comment.creatd", subjectId: "" };
  // @ts-expect-error: not even the name of a declared one, without its declaration
  const named: DomainEvent = { type: "comment.created", subjectId: "" };
  // @ts-expect-error: a type that was put together
  const composed: DomainEvent = { type: `comment.${["created"].join("")}` as const, subjectId: "" };
  const of: EventKind["of"] = [commentEvents.created];
  // @ts-expect-error: a subscription to an undeclared event
  const ofUndeclared: EventKind["of"] = ["comment.creatd"];
  // @ts-expect-error: a misspelled name
  const misspelled: EventType = commentEvents.creatd;
  expect([event, undeclared, named, composed, of, ofUndeclared, misspelled]).toHaveLength(7);
});

test("an event changes rights unless its declaration says otherwise", () => {
  const { safe } = defineEvents({ safe: "test.safe" });
  const { quiet } = defineEvents({ quiet: "test.quiet" }, { changesRights: false });
  expect([safe, quiet].map((type) => changesRights({ type }))).toEqual([true, false]);
});
