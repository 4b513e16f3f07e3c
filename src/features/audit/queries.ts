// Where the audit log is asked for: from the organization.
import { auditLog } from "#src/features/audit/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.prismaObjectField(Organization, "auditLog", (t) =>
  t.list(
    auditLog,
    "Sign-ins, refusals, and changes of tokens, roles, members, settings and of who sees what, newest first, of a year. FORBIDDEN for all but its admins.",
    {
      args: {
        type: t.arg.string({ description: "Only these, such as `member.updated`." }),
        actorId: t.arg.id({ description: "Only what this user did." }),
      },
    },
  ),
);
