// The GraphQL type AuditEntry, and the field `auditLog` of an organization.
import { auditEntries, auditLog } from "#src/features/audit/reads.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { builder } from "#src/graph/schema/builder.ts";

defineNode("AuditEntry", auditEntries, {
  description: "A security-relevant action in an organization. Entries are never changed.",
  fields: (t) => ({
    type: t.exposeString("type", {
      description: "Type of the action, for example `member.updated` or `session.opened`.",
    }),
    actor: t.rowOrNull(namedUsers, "actorId", "User who performed the action; null if unknown or deleted."),
    subjectId: t.exposeID("subjectId", {
      nullable: true,
      description: "Id of the object that was changed; null if the action has no object.",
    }),
    address: t.exposeString("address", {
      nullable: true,
      description: "IP address of the client; null if no request caused the action.",
    }),
    agent: t.exposeString("agent", { nullable: true, description: "User agent of the client." }),
    facts: t.expose("payload", { type: "JSON", description: "Details of the action, by name." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Time of the action." }),
  }),
});

builder.prismaObjectFields(Organization, (t) => ({
  auditEntry: t.pick(
    auditLog,
    "An entry of the audit log by its id. NOT_FOUND if it does not exist. FORBIDDEN unless you are an admin of the organization.",
  ),
  auditLog: t.list(
    auditLog,
    "Sign-ins, refused requests, and changes of tokens, roles, members, settings and visibility, newest first. Entries are kept for one year. FORBIDDEN unless you are an admin of the organization.",
    {
      args: {
        type: t.arg.string({ description: "Only actions of this type, for example `member.updated`." }),
        actorId: t.arg.id({ description: "Only actions of this user." }),
        subjectId: t.arg.id({ description: "Only actions on the object with this id." }),
        createdSince: t.arg({ type: "DateTime", description: "Only actions at or after this time." }),
        createdUntil: t.arg({ type: "DateTime", description: "Only actions at or before this time." }),
      },
    },
  ),
}));
