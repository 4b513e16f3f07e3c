// What mutations on sites, and on what stands on them, take and answer alike.
import type { FieldMap } from "@pothos/core";
import type { DeletedOnSite } from "#src/features/sites/commands/checks.ts";
import { conditionLimit } from "#src/features/sites/model/condition.ts";
import { sites } from "#src/features/sites/reads.ts";
import type { InputFields, ObjectFields } from "#src/graph/schema/builder.ts";
import { deletedPayload } from "#src/graph/schema/mutations.ts";
import { ofLength } from "#src/graph/schema/rest-forms.ts";

/** Who may do all of this, for people. */
export const rights = "For admins of the organization, and for who created the site.";

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

/** The condition of a section or site space. */
export const condition = (t: InputFields) =>
  t.string({
    extensions: ofLength({ min: 1, max: conditionLimit }),
    description:
      "Expression that decides whether a visitor is shown it, 1 to 1024 characters, such as `visitor.claims.customer && !visitor.claims.unsigned.trial`: " +
      "a part of CEL with the claims of the adaptive schema of the site, `has()`, `true`, `false`, `!`, `&&`, `||`, `==`, `!=` and `?:`. Null shows it to all.",
  });

/** The payload of a mutation that deletes something on a site. */
export const deletedOnSite = (t: ObjectFields<DeletedOnSite>): FieldMap => ({
  ...deletedPayload(t),
  site: t.rowOrNull(sites, "siteId", "The site that it was on; null when it was not there."),
});
