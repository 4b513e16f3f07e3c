// What mutations on sites, and on what stands on them, take and answer alike.
import type { FieldMap } from "@pothos/core";
import { sites } from "#src/features/sites/reads.ts";
import type { InputFields, ObjectFields } from "#src/graph/builder.ts";

/** What was deleted, and what it was in. */
interface Deleted {
  readonly deletedId: string | null;
  readonly siteId: string | null;
  readonly organizationId: string | null;
}

/** The payload of a mutation that deletes: what was deleted, and with `more` what it was in, to be read again. */
export const deletedPayload =
  (more: (t: ObjectFields<Deleted>) => FieldMap) =>
  (t: ObjectFields<Deleted>): FieldMap => ({
    deletedId: t.valueOrNull("ID", "Id of what was deleted; null when it was not there.", ({ deletedId }) => deletedId),
    deleted: t.value("Boolean", "Whether it existed.", ({ deletedId }) => deletedId !== null),
    ...more(t),
  });

/** The site that something has to be on, and its organization: for those who address it by a path that names them. */
export const within = (t: InputFields) => ({
  organizationId: t.id({ description: "Id of its organization: NOT_FOUND where it is in another one." }),
  siteId: t.id({ description: "Id of its site: NOT_FOUND where it is on another one." }),
});

/** The site that something is made or changed on, and its organization. */
export const onSite = (t: InputFields) => ({
  organizationId: t.id({ description: "Id of its organization: NOT_FOUND where it is in another one." }),
  siteId: t.id({ required: true, description: "Id of the site." }),
});

/** The payload of a mutation that deletes something on a site. */
export const deletedOnSite = deletedPayload((t) => ({
  site: t.rowOrNull(sites, "siteId", "The site that it was on; null when it was not there."),
}));
