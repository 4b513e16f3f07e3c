// The reference of events: every type that features write to the outbox, and where it is delivered.
import { changesRights } from "#src/access/audience.ts";
import { audienceOf, auditedEvents, type EventType, unstreamedEvents } from "#src/events/declared.ts";
import { features } from "#src/features/index.ts";
import { deliveriesOf } from "#src/graph/schema/subscriptions.ts";
import { codes, type Reference } from "#src/reference/reference.ts";

/** An event type as a person reads about it. */
export interface EventFacts {
  readonly type: EventType;
  readonly feature: string;
  readonly changesRights: boolean;
  readonly isAudited: boolean;
  /** Subscriptions with the object type that they deliver, such as `commentEvents.CommentPosted`. */
  readonly deliveries: readonly string[];
  /** Why no subscription delivers it. */
  readonly unstreamed: string | undefined;
}

/** All event types, by name. The schema has to be built before. */
export function eventFacts(): EventFacts[] {
  const facts = features.flatMap(({ name: feature, events = [] }) =>
    events.flatMap(Object.values<EventType>).map((type) => ({
      type,
      feature,
      changesRights: changesRights({ type }),
      isAudited: auditedEvents.has(type),
      deliveries: deliveriesOf(type),
      unstreamed: unstreamedEvents.get(type),
    })),
  );
  return facts.toSorted((one, other) => (one.type < other.type ? -1 : 1));
}

const audiences: Readonly<Record<string, string>> = {
  space: "Users with a role on the space",
  "the space": "Users who may see the space",
  "the collection": "Users who may see the collection",
  "who had it": "Users who could see it before",
  everybody: "The organization, with guests",
  members: "Members of the organization",
  admins: "Admins of the organization",
  themselves: "The actor",
};

export const eventsReference: Reference = {
  path: "/reference/events",
  title: "Events",
  about: "Every event type, its audience, and the subscription that delivers it.",
  introduction:
    "Every change writes an event in its transaction. Subscriptions deliver it to the users of its audience, by their rights at that time; integrations receive it under its type. [Live events](/docs/live) explains subscriptions.",
  tables: () => [
    {
      id: "events",
      columns: ["Event", "Feature", "Audience", "Audit log", "Delivered as"],
      rows: eventFacts().map(({ type, feature, isAudited, deliveries, unstreamed }) => ({
        id: type,
        cells: [
          `\`${type}\``,
          feature,
          audiences[audienceOf(type)] ?? audienceOf(type),
          isAudited ? "yes" : "",
          unstreamed === undefined ? codes(deliveries) : `Not delivered: ${unstreamed}`,
        ],
      })),
    },
  ],
};
