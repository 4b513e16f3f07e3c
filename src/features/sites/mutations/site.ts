// Mutations on sites.
import { organizations } from "#src/features/organizations/reads.ts";
import { setSiteAdaptiveSchema } from "#src/features/sites/commands/adaptive.ts";
import {
  createSite,
  deleteSite,
  proxyPattern,
  sortSiteStructure,
  updateSite,
} from "#src/features/sites/commands/site.ts";
import {
  publishSite,
  rotateSiteShareKey,
  rotateSiteSigningKey,
  setSiteJwksUrl,
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
    "Creates a site, which is not published yet. Its `basename` is made of the title, with a number where another site of the organization has it. Needs the role `create` in the organization, and `review` on the spaces that it shows.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    type: t.field({
      extensions: limited({ default: "basic" }),
      type: SiteType,
      description: "The product that it is on; BASIC when left out.",
    }),
    title: t.string({
      extensions: ofLength({ min: 2, max: 128 }),
      description: "Title, 2 to 128 characters; `Untitled site` when left out.",
    }),
    visibility: t.field({
      extensions: limited({ default: "public" }),
      type: SiteVisibility,
      description: "Its audience once it is published; PUBLIC when left out.",
    }),
    spaces: t.field({ type: NewSiteSpacesInput, description: "The spaces that it shows; none when left out." }),
  }),
  run: ({ spaces, ...fields }, context) => createSite(context, { ...fields, ...spaces }),
  payload: createdPayload("site", sitesOfOrganization, { description: "The new site.", in: "Organization.sites" }),
});

defineMutation({
  name: "updateSite",
  description: `Changes a site: the fields that are given. A site that becomes SHARE_LINK gets a new key, and keeps none when it becomes anything else. CONFLICT for a basename, proxy or hostname that another site has. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    title: t.string({ extensions: ofLength({ min: 2, max: 128 }), description: "Title, 2 to 128 characters." }),
    visibility: t.field({ type: SiteVisibility, description: "Its audience once it is published." }),
    basename: t.string({
      extensions: ofLength({ min: 1, max: 100 }),
      description: "Its name in addresses, unique in its organization: letters and digits, with -, _ and . between.",
    }),
    icon: t.field({ type: SiteIconInput, description: "Its icon; null takes it away." }),
    hostname: t.string({
      extensions: limited({ maxLength: hostnameLimit, pattern: hostnamePattern }),
      description:
        "Custom hostname of three parts or more, such as `docs.example.com`. It leads to the site once the DNS has the record that `Site.hostnameClaim` names; until then other sites may ask for it, too. Another one, or null, gives the former up at once.",
    }),
    adaptiveContent: t.field({ type: SiteAdaptiveContentInput, description: "Content that depends on the visitor." }),
    agentsContext: t.field({ type: AgentsContext, description: "Whether agents may access it." }),
    defaultSiteSpaceId: t.id({
      description:
        "Id of the site space that visitors see first: in its default section, or at the root of a site without sections.",
    }),
    defaultSiteSectionId: t.id({ description: "Id of its default section." }),
    proxy: t.string({
      extensions: limited({ maxLength: 512, pattern: proxyPattern }),
      description:
        "Host and path of another server under which it is served, such as `example.com/docs`; null takes it away.",
    }),
  }),
  run: (input, context) => updateSite(context, input),
  payload,
});

defineMutation({
  name: "setSiteAdaptiveSchema",
  description: `Says which claims of visitors the conditions of sections and site spaces may ask for. The first schema turns adaptive content on. CONFLICT, with a detail for each, when there are conditions that ask for claims which the site would not have any more. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    jsonSchema: t.field({
      extensions: limited(adaptiveSchemaForm),
      type: "JSON",
      required: true,
      description:
        'A JSON schema (draft 07) of an object of truth values: `type` is `object`, `properties` has a property `{ type: "boolean" }` for each claim, ' +
        "`additionalProperties` is false. The property `unsigned` is another such object, of the claims that visitors make of themselves. Each may have a `title` and a `description`. At most 200 claims.",
    }),
  }),
  run: (input, context) => setSiteAdaptiveSchema(context, input),
  payload,
});

defineMutation({
  name: "deleteSite",
  description: `Deletes a site with its sections and groups. The spaces that it shows stay as they are. ${rights}`,
  input: onSite,
  run: (input, context) => deleteSite(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.rowOrNull(
      organizations,
      "organizationId",
      "The organization that it was in; null when it was not there, and for those outside it.",
    ),
  }),
});

defineMutation({
  name: "publishSite",
  description: `Publishes a site: its audience can reach it from now on. Where it is published already, nothing changes. ${rights}`,
  input: onSite,
  run: (input, context) => publishSite(context, input),
  payload,
});

defineMutation({
  name: "unpublishSite",
  description: `Takes a site off the net: its audience cannot reach it any more. Where it is not published, nothing changes. ${rights}`,
  input: onSite,
  run: (input, context) => unpublishSite(context, input),
  payload,
});

defineMutation({
  name: "sortSiteStructure",
  description: `Gives everything on a site the order that is given, in groups and sections. It names everything on the site once: CONFLICT, with a detail for each thing that is missing or that is not on the site, when something was added or removed meanwhile. A site space that comes into another section gets a number where its path is taken there. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    structure: t.field({
      type: [SiteStructureEntryInput],
      required: true,
      description: "Groups and sections in their order; or the site spaces of a site without sections.",
    }),
    expectedVersion: t.int({
      description: "The `structureVersion` for which the order was made: CONFLICT when it is another one by now.",
    }),
  }),
  run: (input, context) => sortSiteStructure(context, input),
  payload,
});

defineMutation({
  name: "rotateSiteShareKey",
  description: `Gives a share-link site another secret key: links with the one before stop working at once. CONFLICT for a site of another visibility. ${rights}`,
  input: onSite,
  run: (input, context) => rotateSiteShareKey(context, input),
  payload: rowPayload("site", sites, "The site; its admins read the new link as its `shareLink`."),
});

const sitePayload = rowPayload("site", sites, "The site, without the key.");

defineMutation({
  name: "rotateSiteSigningKey",
  description: `Makes a key with which tokens of visitors of the site are signed (JWT, HS256), and shows it in this answer only. The keys before stay good for the overlap. A token needs \`aud\`, the id of the site, and \`exp\`, at most 24 hours ahead; its other claims are what is said of the visitor. CONFLICT where 5 keys are good still, and where docgraph has no \`SECRETS_KEY\` to keep secrets with. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    overlapSeconds: t.int({
      description:
        "How long tokens signed with the keys before are taken, in seconds: a day when left out, which is as long as a token can live; 0 ends them at once.",
    }),
  }),
  run: (input, context) => rotateSiteSigningKey(context, input),
  payload: (t) => ({
    signingKey: t.exposeString("signingKey", { description: "The key: its characters, as they are, sign (HS256)." }),
    signingKeyId: t.exposeID("signingKeyId", { description: "Id of the key." }),
    ...sitePayload(t),
  }),
});

defineMutation({
  name: "setSiteJwksUrl",
  description: `Sets the address of the public keys (JSON Web Key Set) of those who sign tokens of visitors of the site by RS256 or ES256. It is read when the first token comes, kept for ten minutes, and read again, every 30 seconds at most, for a key that is not there. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    url: t.string({
      description: "An address that starts with https:// or http://, of a public server; null takes it away.",
    }),
  }),
  run: (input, context) => setSiteJwksUrl(context, input),
  payload: rowPayload("site", sites, "The site."),
});
