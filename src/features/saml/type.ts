// The GraphQL types of single sign-on by SAML.
import { type Certificate, certificateWarnings, storedCertificates } from "#src/features/saml/model/certificates.ts";
import { samlAddresses } from "#src/features/saml/model/addresses.ts";
import type { IdpMetadata } from "#src/features/saml/model/idp-metadata.ts";
import { samlLimits } from "#src/features/saml/model/limits.ts";
import {
  samlProviders,
  type ClosedMembership as ClosedMembershipOf,
  type SsoLogin as SsoLoginOf,
} from "#src/features/saml/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { limited, ofLength } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const SamlProviderStatus = defineEnum("SamlProviderStatus", "Whether a SAML provider is known to work.", {
  pending: "Nobody has signed in by it yet.",
  active: "Somebody has signed in by it.",
});

const SamlCertificate = builder.objectRef<Certificate>("SamlCertificate").implement({
  description: "A certificate of an identity provider.",
  fields: (t) => ({
    subject: t.exposeString("subject", { description: "Whose it is." }),
    fingerprint: t.exposeString("fingerprint", { description: "Its SHA-256, for comparing it." }),
    startsAt: t.expose("startsAt", { type: "DateTime", description: "From when on it counts." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Until when it counts." }),
  }),
});

const uri = limited({ format: "uri" });

const SamlService = builder.objectRef<ReturnType<typeof samlAddresses>>("SamlService").implement({
  description: "What to enter at an identity provider, which may also read it at `entityID`, as metadata.",
  fields: (t) => ({
    acsURL: t.exposeString("acsURL", { extensions: uri, description: "Where it sends its answers (HTTP-POST)." }),
    startURL: t.exposeString("startURL", {
      extensions: uri,
      description: "Where people start to sign in; `returnTo` in its query says where they go then.",
    }),
    logoutURL: t.exposeString("logoutURL", {
      extensions: uri,
      description: "Where it says that somebody has signed out (single logout, HTTP-Redirect or HTTP-POST).",
    }),
    entityID: t.exposeString("entityID", {
      description: "What docgraph is called there; the address of its metadata.",
    }),
  }),
});

const SamlProviderUrls = defineLinks("SamlProviderUrls", "Links of a SAML provider.", {
  location: "The provider in the REST interface.",
});

const logoutDescription = "Where people are sent to sign out there, too (HTTP-Redirect); null where it cannot do that.";

export const SamlProvider = defineNode("SamlProvider", samlProviders, {
  description: "An identity provider by which people sign in to an organization. Only admins of it see it.",
  resource: "saml-provider",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    label: t.exposeString("label", { extensions: ofLength(samlLimits.label), description: "Its name on login pages." }),
    entityID: t.exposeString("entityID", {
      nullable: true,
      extensions: ofLength({ max: samlLimits.entityID.max }),
      description: "Its name for itself; without it nobody can sign in.",
    }),
    ssoURL: t.exposeString("ssoURL", {
      nullable: true,
      extensions: limited({ format: "uri", maxLength: 2048 }),
      description: "Where people are sent to sign in (HTTP-Redirect); without it nobody can.",
    }),
    logoutURL: t.exposeString("logoutURL", {
      nullable: true,
      extensions: limited({ format: "uri", maxLength: 2048 }),
      description: logoutDescription,
    }),
    certificate: t.exposeString("certificate", {
      nullable: true,
      extensions: ofLength({ max: samlLimits.certificate.max }),
      description: "Its certificates as PEM, one after the other; without one nobody can sign in.",
    }),
    certificates: t.value([SamlCertificate], "The same, with what they say.", ["certificate"], ({ certificate }) =>
      storedCertificates(certificate),
    ),
    defaultTeamId: t.exposeID("defaultTeamId", {
      nullable: true,
      description: "Id of the team that those join who come by it for the first time; null for none.",
    }),
    defaultRole: t.expose("defaultRole", {
      type: Role,
      nullable: true,
      description: "The role of those who come by it for the first time; null makes guests.",
    }),
    status: t.expose("status", { type: SamlProviderStatus, description: "Whether it is known to work." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was added." }),
    service: t.value(SamlService, "What to enter at the identity provider.", ({ id }, { publicUrl }) =>
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
    description: "What its admins should look after: what is missing, and certificates that expire.",
    select: { entityID: true, ssoURL: true, certificate: true },
    resolve: ({ entityID, ssoURL, certificate }, _args, { clock }) => {
      const missing = Object.entries({ entityID, ssoURL, certificate }).filter(([, value]) => value === null);
      return [
        ...missing.map(([name]) => `It has no ${name}: nobody can sign in by it.`),
        ...certificateWarnings(storedCertificates(certificate), clock.now()),
      ];
    },
  }),
);

export const SamlMetadata = builder.objectRef<IdpMetadata>("SamlMetadata").implement({
  description: "What the metadata of an identity provider says: the settings of a provider are made of it.",
  fields: (t) => ({
    entityID: t.exposeString("entityID", { description: "Its name for itself." }),
    ssoURL: t.exposeString("ssoURL", { description: "Where people are sent to sign in (HTTP-Redirect)." }),
    logoutURL: t.exposeString("logoutURL", { nullable: true, description: logoutDescription }),
    certificate: t.exposeString("certificate", { description: "Its certificates as PEM, one after the other." }),
    certificates: t.expose("certificates", { type: [SamlCertificate], description: "The same, with what they say." }),
    isSigned: t.exposeBoolean("isSigned", {
      description:
        "Whether it is signed with a certificate that stands in it: that it is whole, not whose it is. Compare the fingerprint with what the provider shows.",
    }),
    validUntil: t.expose("validUntil", {
      type: "DateTime",
      nullable: true,
      description: "Until when it counts; null where it does not say.",
    }),
    warnings: t.field({
      type: ["String"],
      description: "What to look after: certificates that expire, and metadata that counts no more.",
      resolve: ({ certificates, validUntil }, _args, { clock }) => {
        const now = clock.now();
        const isOver = validUntil !== null && validUntil <= now.toISOString();
        return [
          ...(isOver ? ["The metadata counts no more (validUntil): ask for new metadata."] : []),
          ...certificateWarnings(certificates, now),
        ];
      },
    }),
  }),
});

export const SsoLogin = builder.objectRef<SsoLoginOf>("SsoLogin").implement({
  description: "What a login page needs to offer single sign-on.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Id of the provider." }),
    label: t.exposeString("label", { description: "Its name." }),
    startURL: t.field({
      type: "String",
      extensions: uri,
      description: "Where people start to sign in.",
      resolve: ({ id }, _args, { publicUrl }) => samlAddresses(publicUrl, id).startURL,
    }),
  }),
});

export const ClosedMembership = builder.objectRef<ClosedMembershipOf>("ClosedMembership").implement({
  description: "An organization that the viewer is in, and that only a sign-in by single sign-on opens to them.",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    title: t.exposeString("title", { description: "Its name." }),
    logins: t.expose("logins", { type: [SsoLogin], description: "How to sign in to it, oldest first." }),
  }),
});
