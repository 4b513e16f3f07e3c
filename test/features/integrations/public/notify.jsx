// Posts comments to a chat: an OAuth handler, a router of public requests, and events.
import { createIntegration, createOAuthHandler } from "@gitbook/runtime";
import { Router } from "itty-router";

const handleFetch = async (request, context) => {
  const { environment } = context;
  const router = Router({ base: new URL(environment.installation.urls.publicEndpoint).pathname });
  router.get(
    "/oauth",
    createOAuthHandler({
      clientId: environment.secrets.CLIENT_ID,
      clientSecret: environment.secrets.CLIENT_SECRET,
      authorizeURL: "https://chat.example.com/oauth/authorize",
      accessTokenURL: "https://chat.example.com/oauth/token",
      scopes: ["chat:write", "channels:read"],
      extractCredentials: ({ team, access_token }) => ({
        externalIds: [team.id],
        configuration: { oauth_credentials: { access_token, team } },
      }),
    }),
  );
  router.get("/channels/:name", ({ params }) => Response.json({ channel: params.name }));
  router.all("*", () => new Response("No such path", { status: 404 }));
  return router.fetch(request, context);
};

export default createIntegration({
  fetch: handleFetch,
  events: {
    comment_created: async ({ spaceId }, { api, environment }) => {
      const { data: space } = await api.spaces.getSpaceById(spaceId);
      const { oauth_credentials: credentials, channel } = environment.installation.configuration;
      await fetch("https://chat.example.com/api/post", {
        method: "POST",
        headers: { authorization: `Bearer ${credentials?.access_token}`, "content-type": "application/json" },
        body: JSON.stringify({ channel, text: `New comment in ${space.title}` }),
      });
    },
  },
});
