// The GraphQL type of OpenID providers.
import { oidcAddresses } from "#src/features/oidc/model/addresses.ts";
import { oidcLimits } from "#src/features/oidc/model/limits.ts";
import { oidcProviders } from "#src/features/oidc/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { teams } from "#src/features/teams/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { limited, ofLength } from "#src/graph/schema/rest-forms.ts";

const uri = limited({ format: "uri" });

const OidcService = builder.objectRef<ReturnType<typeof oidcAddresses>>("OidcService").implement({
  description: "The addresses of docgraph to register at an OpenID provider.",
  fields: (t) => ({
    redirectURL: t.exposeString("redirectURL", { extensions: uri, description: "Redirect address (redirect URI)." }),
    startURL: t.exposeString("startURL", {
      extensions: uri,
      description: "Address to start a sign-in; the query parameter `returnTo` sets the address to go to afterwards.",
    }),
    logoutURL: t.exposeString("logoutURL", {
      extensions: uri,
      description: "Address to which a page of docgraph posts, to sign out here and at the provider.",
    }),
    backchannelLogoutURL: t.exposeString("backchannelLogoutURL", {
      extensions: uri,
      description: "Address for logout tokens of the provider (back-channel logout).",
    }),
  }),
});

defineNode("OidcProvider", oidcProviders, {
  description: "An OpenID provider for sign-in to an organization. Visible only to its admins.",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    organization: t.row(organizations, "organizationId", "The organization."),
    label: t.exposeString("label", { extensions: ofLength(oidcLimits.label), description: "Name on login pages." }),
    issuer: t.exposeString("issuer", {
      extensions: limited({ format: "uri", maxLength: 2048 }),
      description: "Its issuer: the address below which its configuration is found.",
    }),
    clientId: t.exposeString("clientId", {
      extensions: ofLength(oidcLimits.clientId),
      description: "The id of docgraph at the provider.",
    }),
    hasClientSecret: t.value(
      "Boolean",
      "Whether a client secret is set; it is never shown.",
      ["clientSecret"],
      ({ clientSecret }) => clientSecret !== null,
    ),
    defaultTeamId: t.exposeID("defaultTeamId", {
      nullable: true,
      description: "Id of the team that new users join at their first sign-in; null without one.",
    }),
    defaultTeam: t.rowOrNull(
      teams,
      "defaultTeamId",
      "The team that new users join at their first sign-in; null without one.",
    ),
    defaultRole: t.expose("defaultRole", {
      type: Role,
      nullable: true,
      description: "The role of new users at their first sign-in; null makes them guests.",
    }),
    activatedAt: t.expose("activatedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the first user signed in with it; null before.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was added." }),
    service: t.value(OidcService, "The addresses to register at the provider.", ({ id }, { publicUrl }) =>
      oidcAddresses(publicUrl, id),
    ),
  }),
});
