// Permission cases of an OpenID provider with their flags.
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, with the test that covers them for every role. */
export const nodes = { OidcProvider: "settings.test.ts: visible to admins of the organization" };

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "createOidcProvider",
    input: ({ organization }) => ({
      organizationId: organization.id,
      label: "Staff",
      issuer: "https://login.example.com",
      clientId: "docgraph",
    }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "updateOidcProvider",
    input: ({ organization, openIdProvider }) => ({
      organizationId: organization.id,
      oidcProviderId: openIdProvider.id,
      label: "Everybody",
    }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "deleteOidcProvider",
    input: ({ organization, openIdProvider }) => ({
      organizationId: organization.id,
      oidcProviderId: openIdProvider.id,
    }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
];
