// What events carry of their own, as fields: facts as of the event, beside the rows as they are now.
import type { TypeParam } from "@pothos/core";
import type { SettingChange as SettingChangeValue } from "#src/events/event.ts";
import { builder, type Types } from "#src/graph/schema/builder.ts";
import { type EventFields, type EventMessage, textIn } from "#src/graph/schema/events.ts";

const whenMissing = "Null for an event that an earlier version stored without it.";

/** A field of what the event carries under this name, as it was then; null where the event does not have it. */
export const eventField = (t: EventFields, type: TypeParam<Types>, name: string, description: string) =>
  t.valueOrNull(type, `${description} ${whenMissing}`, ({ event }) => (event.payload[name] ?? null) as never);

/** The same of an id; of those events too that were always stored with it. */
export const eventIdField = (t: EventFields, name: string, description: string) =>
  t.valueOrNull("ID", description, ({ event }) => textIn(event, name));

/** The row that an event names, its subject unless `id` says otherwise, as it is now. */
export const rowNow = (
  t: EventFields,
  entity: Parameters<EventFields["rowOrNull"]>[0] & { readonly noun: string },
  id: (message: EventMessage) => string | null = ({ event }) => event.subjectId,
) => t.rowOrNull(entity, id, `The ${entity.noun} as it is now; null when it has been deleted.`);

const SettingChange = builder.objectRef<SettingChangeValue>("SettingChange").implement({
  description: "A setting that was changed, from what to what.",
  fields: (t) => ({
    field: t.exposeString("field", { description: "Name of the setting, as that of the field." }),
    before: t.expose("before", {
      type: "JSON",
      nullable: true,
      description:
        "Its value until then: a text, a truth value, a list of texts, or null; enumerations by their names.",
    }),
    after: t.expose("after", { type: "JSON", nullable: true, description: "Its value from then on." }),
  }),
});

export const changesOfEvent = (t: EventFields) => ({
  changes: eventField(
    t,
    [SettingChange],
    "changes",
    "The settings that were changed, from what to what; never secrets.",
  ),
});
