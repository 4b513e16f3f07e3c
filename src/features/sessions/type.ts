// The GraphQL type Session, and the query `sessions`.
import { organizations } from "#src/features/organizations/reads.ts";
import { sessions, sessionsOfViewer } from "#src/features/sessions/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const SignInWay = defineEnum("SignInWay", "The way of signing in.", {
  saml: "By the identity provider of an organization, by SAML.",
  oidc: "By an OpenID provider, of an organization or of the whole gateway.",
  email: "By a link sent by e-mail.",
});

defineNode("Session", sessions, {
  description: "A sign-in of the viewer with a browser. It ends after 12 hours without use, and after 30 days.",
  fields: (t) => ({
    way: t.expose("way", { type: SignInWay, description: "How the viewer signed in." }),
    organization: t.rowOrNull(
      organizations,
      "organizationId",
      "The organization whose identity provider was used; null for other sign-ins.",
    ),
    isCurrent: t.value(
      "Boolean",
      "Whether it is the session of this request.",
      ({ id }, { viewer }) => id === viewer.tokenId,
    ),
    address: t.exposeString("address", { nullable: true, description: "The IP address that signed in." }),
    agent: t.exposeString("agent", { nullable: true, description: "The User-Agent header of the browser." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the viewer signed in." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      description: "When it was last used, accurate to some minutes.",
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When it ends unless it is used." }),
    endedAt: t.expose("endedAt", { type: "DateTime", nullable: true, description: "When it was ended." }),
  }),
});

builder.queryField("sessions", (t) =>
  t.list(sessionsOfViewer, "The sessions of the viewer that have not ended, newest first."),
);
