// The GraphQL types of single sign-on by SAML.
import { type Certificate, certificateWarnings, storedCertificates } from "#src/features/saml/model/certificates.ts";
import { samlAddresses } from "#src/features/saml/model/addresses.ts";
import type { IdpMetadata } from "#src/features/saml/model/idp-metadata.ts";
import { samlLimits } from "#src/features/saml/model/limits.ts";
import {
  findNameWarnings,
  samlProviders,
  type ClosedMembership as ClosedMembershipOf,
  type SsoLogin as SsoLoginOf,
} from "#src/features/saml/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { oidcStart } from "#src/base/open-id.ts";
import { isIdOf } from "#src/base/ids.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { limited, ofLength } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const SamlProviderStatus = defineEnum("SamlProviderStatus", "The status of a SAML provider.", {
  pending: "Nobody has signed in with it yet.",
  active: "At least one user has signed in with it.",
});

const SamlCertificate = builder.objectRef<Certificate>("SamlCertificate").implement({
  description: "A certificate of an identity provider.",
  fields: (t) => ({
    subject: t.exposeString("subject", { description: "Subject." }),
    fingerprint: t.exposeString("fingerprint", { description: "SHA-256 fingerprint for comparison." }),
    startsAt: t.expose("startsAt", { type: "DateTime", description: "Start of its validity." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "End of its validity." }),
  }),
});

const uri = limited({ format: "uri" });

const SamlService = builder.objectRef<ReturnType<typeof samlAddresses>>("SamlService").implement({
  description:
    "The service provider settings to enter at an identity provider, which may also read them as metadata at `entityID`.",
  fields: (t) => ({
    acsURL: t.exposeString("acsURL", {
      extensions: uri,
      description: "Address for responses (assertion consumer service, HTTP-POST).",
    }),
    startURL: t.exposeString("startURL", {
      extensions: uri,
      description: "Address to start a sign-in; the query parameter `returnTo` sets the address to go to afterwards.",
    }),
    logoutURL: t.exposeString("logoutURL", {
      extensions: uri,
      description: "Address for notifications of sign-outs (single logout, HTTP-Redirect or HTTP-POST).",
    }),
    entityID: t.exposeString("entityID", {
      description: "Entity id of docgraph, and the address of its metadata.",
    }),
  }),
});

const SamlProviderUrls = defineLinks("SamlProviderUrls", "Links of a SAML provider.", {
  location: "The provider in the REST interface.",
});

const logoutDescription = "Single logout address (HTTP-Redirect); null if not supported.";

export const SamlProvider = defineNode("SamlProvider", samlProviders, {
  description: "A SAML identity provider for sign-in to an organization. Visible only to its admins.",
  resource: "saml-provider",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    label: t.exposeString("label", { extensions: ofLength(samlLimits.label), description: "Name on login pages." }),
    entityID: t.exposeString("entityID", {
      nullable: true,
      extensions: ofLength({ max: samlLimits.entityID.max }),
      description: "Entity id; required for sign-ins.",
    }),
    ssoURL: t.exposeString("ssoURL", {
      nullable: true,
      extensions: limited({ format: "uri", maxLength: 2048 }),
      description: "Sign-in address (HTTP-Redirect); required for sign-ins.",
    }),
    logoutURL: t.exposeString("logoutURL", {
      nullable: true,
      extensions: limited({ format: "uri", maxLength: 2048 }),
      description: logoutDescription,
    }),
    certificate: t.exposeString("certificate", {
      nullable: true,
      extensions: ofLength({ max: samlLimits.certificate.max }),
      description: "Its certificates as concatenated PEM; required for sign-ins.",
    }),
    certificates: t.value(
      [SamlCertificate],
      "The same certificates with their contents.",
      ["certificate"],
      ({ certificate }) => storedCertificates(certificate),
    ),
    defaultTeamId: t.exposeID("defaultTeamId", {
      nullable: true,
      description: "Id of the team that new users join at their first sign-in; null without one.",
    }),
    defaultRole: t.expose("defaultRole", {
      type: Role,
      nullable: true,
      description: "The role of new users at their first sign-in; null makes them guests.",
    }),
    status: t.expose("status", { type: SamlProviderStatus, description: "Status." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was added." }),
    service: t.value(SamlService, "The settings to enter at the identity provider.", ({ id }, { publicUrl }) =>
      samlAddresses(publicUrl, id),
    ),
    urls: t.value(SamlProviderUrls, "Links.", ["organizationId"], ({ id, organizationId }, { publicUrl }) => ({
      location: `${publicUrl}/v1/orgs/${organizationId}/saml/${id}`,
    })),
  }),
});

builder.prismaObjectField(SamlProvider, "warnings", (t) =>
  t.field({
    type: ["String"],
    description:
      "Warnings for its admins: missing settings, certificates that expire, and names that are not the same at every sign-in.",
    select: { id: true, organizationId: true, entityID: true, ssoURL: true, certificate: true },
    resolve: async ({ id, organizationId, entityID, ssoURL, certificate }, _args, context) => {
      const missing = Object.entries({ entityID, ssoURL, certificate }).filter(([, value]) => value === null);
      return [
        ...missing.map(([name]) => `It has no ${name}: nobody can sign in with it.`),
        ...certificateWarnings(storedCertificates(certificate), context.clock.now()),
        ...(await findNameWarnings(context, { id, organizationId })),
      ];
    },
  }),
);

export const SamlMetadata = builder.objectRef<IdpMetadata>("SamlMetadata").implement({
  description: "The metadata of an identity provider, from which the settings of a provider can be copied.",
  fields: (t) => ({
    entityID: t.exposeString("entityID", { description: "Entity id." }),
    ssoURL: t.exposeString("ssoURL", { description: "Sign-in address (HTTP-Redirect)." }),
    logoutURL: t.exposeString("logoutURL", { nullable: true, description: logoutDescription }),
    certificate: t.exposeString("certificate", { description: "Its certificates as concatenated PEM." }),
    certificates: t.expose("certificates", {
      type: [SamlCertificate],
      description: "The same certificates with their contents.",
    }),
    isSigned: t.exposeBoolean("isSigned", {
      description:
        "Whether it is signed with a certificate that it contains. This proves its integrity, not its origin: compare the fingerprint with the one that the provider shows.",
    }),
    validUntil: t.expose("validUntil", {
      type: "DateTime",
      nullable: true,
      description: "End of its validity; null if unspecified.",
    }),
    warnings: t.field({
      type: ["String"],
      description: "Warnings: certificates that expire, and expired metadata.",
      resolve: ({ certificates, validUntil }, _args, { clock }) => {
        const now = clock.now();
        const isOver = validUntil !== null && validUntil <= now.toISOString();
        return [
          ...(isOver ? ["The metadata has expired (validUntil): request new metadata."] : []),
          ...certificateWarnings(certificates, now),
        ];
      },
    }),
  }),
});

export const SsoLogin = builder.objectRef<SsoLoginOf>("SsoLogin").implement({
  description: "A single sign-on option for a login page.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Id of the provider." }),
    label: t.exposeString("label", { description: "Name." }),
    startURL: t.field({
      type: "String",
      extensions: uri,
      description: "Address to start a sign-in.",
      resolve: ({ id }, _args, { publicUrl }) =>
        isIdOf("SamlProvider", id) ? samlAddresses(publicUrl, id).startURL : oidcStart(publicUrl, id),
    }),
  }),
});

export const ClosedMembership = builder.objectRef<ClosedMembershipOf>("ClosedMembership").implement({
  description: "An organization of the viewer that requires a sign-in by single sign-on.",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    title: t.exposeString("title", { description: "Name." }),
    logins: t.expose("logins", { type: [SsoLogin], description: "The ways to sign in to it, oldest first." }),
  }),
});
