// Where a SAML provider of an organization finds docgraph, and people find its sign-in.

/** What all of them start with. */
export const samlPathStart = "/saml/";

const pathOf = (id: string, part: "metadata" | "start" | "acs" | "logout") => `${samlPathStart}${id}/${part}`;

/** The addresses of a provider. `publicUrl` is that of the gateway. */
export function samlAddresses(publicUrl: string, id: string) {
  return {
    entityID: publicUrl + pathOf(id, "metadata"),
    startURL: publicUrl + pathOf(id, "start"),
    acsURL: publicUrl + pathOf(id, "acs"),
    logoutURL: publicUrl + pathOf(id, "logout"),
  };
}
