// The operations on the audit log in /v1, which are additions.
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineAdditions } from "#src/rest/route.ts";

defineRestFields("AuditEntry", {
  object: {
    description: "The kind of object.",
    schema: { type: "string", const: "audit-event" },
    value: "audit-event",
  },
});

const entryFields = `
  fragment AuditEventFields on AuditEntry {
    object: __typename
    id occurredAt: createdAt action: type
    actor { id label: displayName }
    target: subjectId
    address agent
    payload: facts
  }
`;

const tag = { name: "audit", description: "The audit log of an organization." };

export const auditRoutes = defineAdditions(() => tag, {
  listOrganizationAuditEvents: {
    request: "GET /v1/orgs/{organizationId}/audit-events",
    summary: "List the audit log of an organization, newest first",
    list: true,
    query: {
      action: "Only actions of this type, for example `member.updated`.",
      actor: "Only actions of the user with this id.",
      target: "Only actions on the object with this id.",
      from: "Only actions at or after this time.",
      to: "Only actions at or before this time.",
    },
    named: { type: "action", actorId: "actor", subjectId: "target", createdSince: "from", createdUntil: "to" },
    answer: ["organization", "auditLog"],
    fields: entryFields,
  },
  getOrganizationAuditEvent: {
    request: "GET /v1/orgs/{organizationId}/audit-events/{auditEventId}",
    summary: "Get an entry of the audit log",
    answer: ["organization", "auditEntry"],
    named: { auditEntryId: "auditEventId" },
    fields: entryFields,
  },
});
