// The GraphQL type Session, and the query `sessions`.
import { organizations } from "#src/features/organizations/reads.ts";
import { sessions, sessionsOfViewer } from "#src/features/sessions/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const SignInWay = defineEnum("SignInWay", "How somebody signed in.", {
  saml: "By the identity provider of an organization.",
  email: "By a link that was sent by e-mail.",
});

defineNode("Session", sessions, {
  description: "A sign-in of the viewer's by a browser. It ends when it is not used for 12 hours, and after 30 days.",
  fields: (t) => ({
    way: t.expose("way", { type: SignInWay, description: "How the viewer signed in." }),
    organization: t.rowOrNull(
      organizations,
      "organizationId",
      "The organization by whose provider it was; null where it was by none.",
    ),
    isCurrent: t.value("Boolean", "Whether this request came with it.", ({ id }, { viewer }) => id === viewer.tokenId),
    address: t.exposeString("address", { nullable: true, description: "The IP address that signed in." }),
    agent: t.exposeString("agent", { nullable: true, description: "What the browser called itself." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the viewer signed in." }),
    lastUsedAt: t.expose("lastUsedAt", { type: "DateTime", description: "When it was last used, to some minutes." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When it ends unless it is used." }),
    endedAt: t.expose("endedAt", { type: "DateTime", nullable: true, description: "When it was ended." }),
  }),
});

builder.queryField("sessions", (t) =>
  t.list(sessionsOfViewer, "Where the viewer is signed in by a browser, newest first."),
);
