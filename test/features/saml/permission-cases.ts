// What everybody tries with a SAML provider, and the flags that stand for it.
import type { PermissionCase } from "#test/support/access/fixture.ts";

/** Nodes that the access table leaves out, and where they are tested for everybody. */
export const nodes = { SamlProvider: "providers.test.ts: only admins of the organization see its providers" };

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
