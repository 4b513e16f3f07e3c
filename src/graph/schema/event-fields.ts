// Fields of the payload of events: facts at the time of the event, beside the current state of the rows.
import type { TypeParam } from "@pothos/core";
import type { SettingChange as SettingChangeValue } from "#src/events/event.ts";
import { builder, type Types } from "#src/graph/schema/builder.ts";
import { type EventFields, type EventMessage, textIn } from "#src/graph/schema/events.ts";

const whenMissing = "Null for an event that an earlier version stored without it.";

/** A field of the event's payload, as it was then; null if the event does not have it. */
export const eventField = (t: EventFields, type: TypeParam<Types>, name: string, description: string) =>
  t.valueOrNull(type, `${description} ${whenMissing}`, ({ event }) => (event.payload[name] ?? null) as never);

/** The same for an id; also for those that all events have. */
export const eventIdField = (t: EventFields, name: string, description: string) =>
  t.valueOrNull("ID", description, ({ event }) => textIn(event, name));

/** The row that an event refers to, its subject unless `id` is given, in its current state. */
export const rowNow = (
  t: EventFields,
  entity: Parameters<EventFields["rowOrNull"]>[0] & { readonly noun: string },
  id: (message: EventMessage) => string | null = ({ event }) => event.subjectId,
) => t.rowOrNull(entity, id, `The ${entity.noun} in its current state; null if it was deleted.`);

const SettingChange = builder.objectRef<SettingChangeValue>("SettingChange").implement({
  description: "A changed setting, with its values before and after.",
  fields: (t) => ({
    field: t.exposeString("field", { description: "Name of the setting: that of its field." }),
    before: t.expose("before", {
      type: "JSON",
      nullable: true,
      description: "Its previous value: a string, a boolean, a list of strings, or null; enumerations by their names.",
    }),
    after: t.expose("after", { type: "JSON", nullable: true, description: "Its new value." }),
  }),
});

export const changesOfEvent = (t: EventFields) => ({
  changes: eventField(
    t,
    [SettingChange],
    "changes",
    "The changed settings, with their values before and after; never secrets.",
  ),
});
