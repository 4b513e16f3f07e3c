// Where the glossary is asked for: from the organization.
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { glossaryOfOrganization } from "#src/features/translations/reads.ts";
import { GlossaryTerm } from "#src/features/translations/type/glossary.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.prismaObjectField(Organization, "glossary", (t) =>
  t.list(
    glossaryOfOrganization,
    "The terms that its translations keep or always translate in one way, oldest first. Empty for guests.",
  ),
);

builder.prismaObjectField(GlossaryTerm, "organization", (t) =>
  t.row(organizations, "organizationId", "The organization."),
);
