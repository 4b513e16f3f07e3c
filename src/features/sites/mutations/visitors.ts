// Mutations on who may read a published site: its link, and the keys for tokens of its visitors.
import { rotateSiteShareKey, rotateSiteSigningKey, setSiteJwksUrl } from "#src/features/sites/commands/visitors.ts";
import { onSite, rights } from "#src/features/sites/mutations/parts.ts";
import { sites } from "#src/features/sites/reads.ts";
import { defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";

defineMutation({
  name: "rotateSiteShareKey",
  description:
    "Gives a share-link site another secret key: links with the one before stop working at once. CONFLICT for a site of another visibility. " +
    rights,
  input: onSite,
  run: (input, context) => rotateSiteShareKey(context, input),
  payload: rowPayload("site", sites, "The site; its admins read the new link as its `shareLink`."),
});

const sitePayload = rowPayload("site", sites, "The site, without the key.");

defineMutation({
  name: "rotateSiteSigningKey",
  description:
    "Makes a key with which tokens of visitors of the site are signed (JWT, HS256), and shows it in this answer only. The keys before stay good for the " +
    "overlap. A token needs `aud`, the id of the site, and `exp`, at most 24 hours ahead; its other claims are what is said of the visitor. CONFLICT where " +
    `5 keys are good still, and where docgraph has no \`SECRETS_KEY\` to keep secrets with. ${rights}`,
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
  description:
    "Sets the address of the public keys (JSON Web Key Set) of those who sign tokens of visitors of the site by RS256 or ES256. It is read when the first " +
    `token comes, kept for ten minutes, and read again, every 30 seconds at most, for a key that is not there. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    url: t.string({
      description: "An address that starts with https:// or http://, of a public server; null takes it away.",
    }),
  }),
  run: (input, context) => setSiteJwksUrl(context, input),
  payload: rowPayload("site", sites, "The site."),
});
