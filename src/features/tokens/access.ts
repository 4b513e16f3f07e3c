// Who may do what with API tokens: everybody with their own, admins with those of their organization, nobody with those
// of others.
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
  // A token that acts for an organization makes no tokens: those would outlast it.
  const make = !viewer.isService;
  return { create: own && make, rotate: (isService ? isAdmin : own) && make, revoke: own || (isService && isAdmin) };
});

export const mayCreateApiToken = onToken("create", "apiToken.create", "You may create API tokens for yourself only.");
export const mayRotateApiToken = onToken("rotate", "apiToken.rotate", "You may rotate your own API tokens only.");
export const mayRevokeApiToken = onToken("revoke", "apiToken.revoke", "You may revoke your own API tokens only.");

export const mayCreateServiceToken = actionsOn((viewer, { organizationId }: InOrganization) => ({
  make: viewer.adminOf.includes(organizationId) && !viewer.isService,
}))("make", "serviceToken.create", "Only an admin of the organization, and no token of it, may create tokens for it.");

export const mayListServiceTokens = organizationGuard("admin", "Only an admin of the organization may see its tokens.");
