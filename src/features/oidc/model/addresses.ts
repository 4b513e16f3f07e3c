// The addresses of docgraph for an OpenID provider, to be registered there.
import { oidcPathStart, oidcStart } from "#src/base/open-id.ts";

const pathOf = (id: string, part: "callback" | "logout" | "backchannel-logout"): string =>
  `${oidcPathStart}${id}/${part}`;

/** `publicUrl` is that of the gateway. */
export const oidcAddresses = (publicUrl: string, id: string) => ({
  startURL: oidcStart(publicUrl, id),
  redirectURL: publicUrl + pathOf(id, "callback"),
  logoutURL: publicUrl + pathOf(id, "logout"),
  backchannelLogoutURL: publicUrl + pathOf(id, "backchannel-logout"),
});
