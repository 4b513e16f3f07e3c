// The GraphQL type AuditEntry, and the field that lists the audit log of an organization.
import { auditEntries, auditLog } from "#src/features/audit/reads.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { builder } from "#src/graph/schema/builder.ts";

defineNode("AuditEntry", auditEntries, {
  description: "Something that was done to the safety of an organization, and is never changed afterwards.",
  fields: (t) => ({
    type: t.exposeString("type", { description: "What was done, such as `member.updated` or `session.opened`." }),
    actor: t.rowOrNull(namedUsers, "actorId", "Who did it; null where nobody is known, or the user is gone."),
    subjectId: t.exposeID("subjectId", { nullable: true, description: "Id of what it was done to, if anything." }),
    address: t.exposeString("address", {
      nullable: true,
      description: "The IP address that it was done from; null for what no request did.",
    }),
    agent: t.exposeString("agent", { nullable: true, description: "What the program called itself that did it." }),
    facts: t.expose("payload", { type: "JSON", description: "What is known of it, by name." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When." }),
  }),
});

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
