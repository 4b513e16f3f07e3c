// The operation on invitations in /v1, which is an addition.
import { roles } from "#src/access/roles.ts";
import { isRecord } from "#src/base/json.ts";
import { inviteeLimit } from "#src/features/invitations/commands.ts";
import { type JsonForm, readString } from "#src/rest/request/property-forms.ts";
import { enumReader, type JsonReader, readFields } from "#src/rest/request/values.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineAdditions } from "#src/rest/route.ts";

defineRestFields("CreateInvitationsPayload", {
  users: {
    description: "Ids of users who were added at once; always empty, since users join on acceptance.",
    schema: { type: "array", maxItems: 0, items: { type: "string" } },
    value: [],
  },
});

const readRoleName = enumReader(new Map(roles.map((role) => [role.toUpperCase(), role])));

const readRole: JsonReader = (value, pointer, refused) => {
  if (value === null) return null;
  const reading = readRoleName(value);
  return "value" in reading ? reading.value : void refused.push({ path: pointer, message: reading.refusal });
};

const fields = [
  { name: "email", required: true, read: readString },
  { name: "role", required: false, read: readRole },
];

const readPerson: JsonReader = (value, pointer, refused) => {
  if (isRecord(value)) return readFields(fields, value, { pointer, refused });
  return { email: readString(value, pointer, refused) };
};

const email = { type: "string", description: "The e-mail address." };

/** A list of addresses, some of which may be objects with a role. */
const people: JsonForm = {
  read: (value, pointer, refused) =>
    Array.isArray(value)
      ? value.map((one, index) => readPerson(one, `${pointer}/${index}`, refused) as unknown)
      : void refused.push({ path: pointer, message: "must be an array." }),
  schema: {
    type: "array",
    minItems: 1,
    maxItems: inviteeLimit,
    items: {
      oneOf: [
        email,
        {
          type: "object",
          additionalProperties: false,
          required: ["email"],
          properties: {
            email,
            role: { enum: [...roles, null], description: "Role in the organization; null for a guest." },
          },
        },
      ],
    },
  },
};

const tag = { name: "organizations", description: "Organizations and search across them." };

export const invitationRoutes = defineAdditions(() => tag, {
  inviteUsersToOrganization: {
    request: "POST /v1/orgs/{organizationId}/invites",
    summary: "Invite several e-mail addresses to an organization, or none if one is refused",
    conflict: "A user already belongs to the organization, or has an open invitation with another role.",
    body: {
      emails: { description: `Addresses to invite: 1 to ${inviteeLimit}.`, form: people },
      role: "Role of the addresses without one; null makes them guests. By default that of the organization.",
    },
    named: { people: "emails" },
    answer: ["createInvitations"],
    fields: "users: __typename invited: invitedCount",
  },
});
