// Rights on API tokens: everybody has all rights on their own, admins on those of their organization, and no one on
// those of others.
import { actionsOn } from "#src/domain/change.ts";
import { type InOrganization, organizationGuard } from "#src/features/organizations/access.ts";

interface OwnedToken {
  readonly userId: string;
  readonly organizationId: string | null;
  readonly isService: boolean;
}

const onToken = actionsOn((viewer, { userId, organizationId, isService }: OwnedToken) => {
  const own = viewer.userId === userId;
  const isAdmin = organizationId !== null && viewer.adminOf.includes(organizationId);
  // A token of an organization may not create tokens, which would outlast it.
  const make = !viewer.isService;
  return { create: own && make, rotate: (isService ? isAdmin : own) && make, revoke: own || (isService && isAdmin) };
});

export const mayCreateApiToken = onToken("create", "apiToken.create", "You may only create API tokens for yourself.");
export const mayRotateApiToken = onToken("rotate", "apiToken.rotate", "You may only rotate your own API tokens.");
export const mayRevokeApiToken = onToken("revoke", "apiToken.revoke", "You may only revoke your own API tokens.");

export const mayCreateServiceToken = actionsOn((viewer, { organizationId }: InOrganization) => ({
  make: viewer.adminOf.includes(organizationId) && !viewer.isService,
}))(
  "make",
  "serviceToken.create",
  "Only an admin of the organization may create tokens for it; tokens of the organization may not.",
);

export const mayListServiceTokens = organizationGuard("admin", "Only an admin of the organization may see its tokens.");
