// Permission cases of a SAML provider with their flags.
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, with the test that covers them for every role. */
export const nodes = { SamlProvider: "providers.test.ts: visible to admins of the organization" };

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "createSamlProvider",
    input: ({ organization }) => ({ organizationId: organization.id, label: "Staff", defaultRole: "READ" }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "updateSamlProvider",
    input: ({ organization, provider }) => ({
      organizationId: organization.id,
      samlProviderId: provider.id,
      label: "Everybody",
    }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "deleteSamlProvider",
    input: ({ organization, provider }) => ({ organizationId: organization.id, samlProviderId: provider.id }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
];
