// The OpenID provider of the whole gateway, and the addresses that start sign-ins by OpenID Connect.

/** The OpenID provider of the whole gateway. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** Its name on the sign-in page. */
  readonly label: string;
}

/** The start of the paths of single sign-on by OpenID Connect: the id of a provider follows. */
export const oidcPathStart = "/oidc/";

/** The id of the provider of the whole gateway in addresses. */
export const gatewayProviderId = "gateway";

/** The address that starts a sign-in by an OpenID provider. */
export const oidcStart = (publicUrl: string, id: string): string => `${publicUrl}${oidcPathStart}${id}/start`;
