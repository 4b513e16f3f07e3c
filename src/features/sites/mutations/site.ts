// Mutations on sites.
import { organizations } from "#src/features/organizations/reads.ts";
import { setSiteAdaptiveSchema } from "#src/features/sites/commands/adaptive.ts";
import { checkSiteHostname } from "#src/features/sites/commands/hostname.ts";
import {
  createSite,
  deleteSite,
  proxyPattern,
  sortSiteStructure,
  updateSite,
} from "#src/features/sites/commands/site.ts";
import {
  endSiteSigningKey,
  publishSite,
  rotateSiteShareKey,
  rotateSiteSigningKey,
  setSiteJwksUrl,
  setSiteSignInUrl,
  unpublishSite,
} from "#src/features/sites/commands/visitors.ts";
import { adaptiveSchemaForm } from "#src/features/sites/model/adaptive-schema.ts";
import { hostnameLimit, hostnamePattern } from "#src/features/sites/model/hostname.ts";
import { onSite, rights } from "#src/features/sites/mutations/structure.ts";
import { sites, sitesOfOrganization } from "#src/features/sites/reads.ts";
import {
  NewSiteSpacesInput,
  SiteAdaptiveContentInput,
  SiteIconInput,
  SiteStructureEntryInput,
} from "#src/features/sites/type/inputs.ts";
import { AgentsContext, SiteType, SiteVisibility } from "#src/features/sites/type/parts.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";
import { limited, ofLength } from "#src/graph/schema/rest-forms.ts";

const payload = rowPayload("site", sites, "The site.");

defineMutation({
  name: "createSite",
  description:
    "Creates an unpublished site. Its `basename` is derived from the title, with a number if another site of the organization has it. Needs the role `create` in the organization, and `review` on the spaces it shows.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    type: t.field({
      extensions: limited({ default: "basic" }),
      type: SiteType,
      description: "Plan of the site; BASIC by default.",
    }),
    title: t.string({
      extensions: ofLength({ min: 2, max: 128 }),
      description: "Title, 2 to 128 characters; `Untitled site` by default.",
    }),
    visibility: t.field({
      extensions: limited({ default: "public" }),
      type: SiteVisibility,
      description: "Audience once the site is published; PUBLIC by default.",
    }),
    spaces: t.field({ type: NewSiteSpacesInput, description: "The spaces the site shows; no spaces by default." }),
  }),
  run: ({ spaces, ...fields }, context) => createSite(context, { ...fields, ...spaces }),
  payload: createdPayload("site", sitesOfOrganization, { description: "The new site.", in: "Organization.sites" }),
});

defineMutation({
  name: "updateSite",
  description: `Changes the given fields of a site. A site that becomes SHARE_LINK gets a new key; any other visibility removes the key. CONFLICT if another site has the basename, proxy or hostname. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    title: t.string({ extensions: ofLength({ min: 2, max: 128 }), description: "Title, 2 to 128 characters." }),
    visibility: t.field({ type: SiteVisibility, description: "Audience once the site is published." }),
    basename: t.string({
      extensions: ofLength({ min: 1, max: 100 }),
      description: "Name in addresses, unique in the organization: letters and digits, with -, _ and . between.",
    }),
    icon: t.field({ type: SiteIconInput, description: "The icon; null removes it." }),
    hostname: t.string({
      extensions: limited({ maxLength: hostnameLimit, pattern: hostnamePattern }),
      description:
        "Custom hostname of at least three parts, such as `docs.example.com`. It serves the site once the DNS has the record that `Site.hostnameClaim` names; until then other sites may claim it, too. Another hostname, or null, releases the former one at once.",
    }),
    adaptiveContent: t.field({
      type: SiteAdaptiveContentInput,
      description: "Settings of content that depends on the visitor.",
    }),
    agentsContext: t.field({ type: AgentsContext, description: "Whether agents may access the site." }),
    defaultSiteSpaceId: t.id({
      description:
        "Id of the site space that visitors see first: in the default section, or at the root of a site without sections.",
    }),
    defaultSiteSectionId: t.id({ description: "Id of the default section." }),
    proxy: t.string({
      extensions: limited({ maxLength: 512, pattern: proxyPattern }),
      description: "Host and path on another server that serves the site, such as `example.com/docs`; null removes it.",
    }),
  }),
  run: (input, context) => updateSite(context, input),
  payload,
});

defineMutation({
  name: "setSiteAdaptiveSchema",
  description: `Sets the claims of visitors that conditions of sections and site spaces may use. The first schema turns adaptive content on. CONFLICT, with a detail for each condition, if conditions use claims that the new schema no longer declares. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    jsonSchema: t.field({
      extensions: limited(adaptiveSchemaForm),
      type: "JSON",
      required: true,
      description:
        'A JSON schema (draft 07) of an object with boolean properties: `type` is `object`, `properties` has a property `{ type: "boolean" }` for each claim, ' +
        "`additionalProperties` is false. The property `unsigned` is another such object, with the claims that visitors make themselves. Each may have a `title` and a `description`. At most 200 claims.",
    }),
  }),
  run: (input, context) => setSiteAdaptiveSchema(context, input),
  payload,
});

defineMutation({
  name: "deleteSite",
  description: `Deletes a site with its sections and groups. The spaces it shows stay unchanged. ${rights}`,
  input: onSite,
  run: (input, context) => deleteSite(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.rowOrNull(
      organizations,
      "organizationId",
      "The organization that owned the site; null if the site did not exist, and for outsiders.",
    ),
  }),
});

defineMutation({
  name: "publishSite",
  description: `Publishes a site: its audience can reach it. Changes nothing if the site is already published. ${rights}`,
  input: onSite,
  run: (input, context) => publishSite(context, input),
  payload,
});

defineMutation({
  name: "unpublishSite",
  description: `Unpublishes a site: its audience can no longer reach it. Changes nothing if the site is not published. ${rights}`,
  input: onSite,
  run: (input, context) => unpublishSite(context, input),
  payload,
});

defineMutation({
  name: "sortSiteStructure",
  description: `Sorts the whole structure of a site. The order must name each group, section and site space of the site exactly once: CONFLICT, with a detail for each missing or unknown entry, if entries were added or removed meanwhile. A site space that moves into another section gets a number if its path is taken there. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    structure: t.field({
      type: [SiteStructureEntryInput],
      required: true,
      description: "Groups and sections in their order; or the site spaces of a site without sections.",
    }),
    expectedVersion: t.int({
      description: "The `structureVersion` that the order is based on: CONFLICT if the structure has another version.",
    }),
  }),
  run: (input, context) => sortSiteStructure(context, input),
  payload,
});

defineMutation({
  name: "rotateSiteShareKey",
  description: `Replaces the secret key of a share-link site: links with the former key stop working at once. CONFLICT if the site has another visibility. ${rights}`,
  input: onSite,
  run: (input, context) => rotateSiteShareKey(context, input),
  payload: rowPayload("site", sites, "The site; admins read the new link in `shareLink`."),
});

const sitePayload = rowPayload("site", sites, "The site, without the key.");

defineMutation({
  name: "rotateSiteSigningKey",
  description: `Creates a key that signs the tokens of visitors of the site (JWT, HS256), and returns it in this response only. The former keys stay valid for the overlap. A token needs \`aud\`, the id of the site, and \`exp\`, at most 24 hours ahead; its other claims describe the visitor. CONFLICT if 5 keys are still valid, or if the gateway has no \`SECRETS_KEY\` to encrypt secrets with. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    overlapSeconds: t.int({
      description:
        "How long tokens signed with the former keys stay valid, in seconds. The default is a day, the longest lifetime of a token; 0 ends them at once.",
    }),
  }),
  run: (input, context) => rotateSiteSigningKey(context, input),
  payload: (t) => ({
    signingKey: t.exposeString("signingKey", { description: "The key; sign with its characters as they are (HS256)." }),
    signingKeyId: t.exposeID("signingKeyId", { description: "Id of the key." }),
    ...sitePayload(t),
  }),
});

defineMutation({
  name: "endSiteSigningKey",
  description: `Ends one key of a site at once: tokens of visitors that were signed with it are no longer valid. NOT_FOUND for a key that is not one of its valid ones. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    signingKeyId: t.id({ required: true, description: "Id of one of `visitorAuth.signingKeys`." }),
  }),
  run: (input, context) => endSiteSigningKey(context, input),
  payload: rowPayload("site", sites, "The site."),
});

defineMutation({
  name: "checkSiteHostname",
  description: `Checks now whether the DNS has the record of the hostname that a site claims, which verifies it. Changes nothing without a claim. UNAVAILABLE if the DNS does not answer, CONFLICT if another site serves the hostname. ${rights}`,
  input: onSite,
  run: (input, context) => checkSiteHostname(context, input),
  payload: (t) => ({
    foundValues: t.exposeStringList("foundValues", {
      description: "The values of the TXT records at the name of the record: the right one verifies the hostname.",
    }),
    ...rowPayload("site", sites, "The site, with the state of its `hostnameClaim`.")(t),
  }),
});

defineMutation({
  name: "setSiteJwksUrl",
  description: `Sets the address of the public keys (JSON Web Key Set) that verify RS256 and ES256 tokens of visitors of the site. The gateway reads it when the first token arrives, caches it for ten minutes, and reads it again, at most every 30 seconds, for an unknown key. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    url: t.string({
      description: "An address of a public server that starts with https:// or http://; null removes it.",
    }),
  }),
  run: (input, context) => setSiteJwksUrl(context, input),
  payload: rowPayload("site", sites, "The site."),
});

defineMutation({
  name: "setSiteSignInUrl",
  description: `Sets the address where visitors of the site sign in. Pages lead visitors without a valid token there, with the path of the page as the parameter \`location\`. The application there sends them back to the address of the site and that path, with a token as the parameter \`jwt_token\`. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    url: t.string({ description: "An address that starts with https:// or http://; null removes it." }),
  }),
  run: (input, context) => setSiteSignInUrl(context, input),
  payload: rowPayload("site", sites, "The site."),
});
