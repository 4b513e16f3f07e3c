// Signs in the visitors of a site at an identity provider.
import { createIntegration } from "@gitbook/runtime";
import { Router } from "itty-router";

export default createIntegration({
  fetch: async (request, context) => {
    const { siteInstallation } = context.environment;
    const router = Router({ base: new URL(siteInstallation.urls.publicEndpoint).pathname });
    router.get("/visitor-auth/response", () => Response.json(Object.keys(context.environment.signingSecrets)));
    return router.fetch(request, context);
  },
  fetch_visitor_authentication: async ({ siteId, location }, { environment }) => {
    const url = new URL(
      environment.siteInstallation.configuration.authorize_url ?? "https://idp.example.com/authorize",
    );
    url.searchParams.set("state", `state-${siteId}${location}`);
    url.searchParams.set("redirect_uri", `${environment.siteInstallation.urls.publicEndpoint}/visitor-auth/response`);
    return Response.redirect(url.toString());
  },
});
