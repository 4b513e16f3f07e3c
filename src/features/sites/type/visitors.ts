// The GraphQL types of what tokens of a site's visitors are checked by: keys are named, and never shown.
import type { Instant } from "#src/base/time.ts";
import { builder } from "#src/graph/schema/builder.ts";

interface SigningKeyShape {
  readonly id: string;
  /** Times as JSON of the database has them. */
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

const instantOf = (time: string): Instant => new Date(time).toISOString();

const SiteSigningKey = builder.objectRef<SigningKeyShape>("SiteSigningKey").implement({
  description: "A key with which tokens of visitors of a site are signed by HS256. It is shown once, when it is made.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Id of the key." }),
    createdAt: t.value("DateTime", "When it was made.", ({ createdAt }) => instantOf(createdAt)),
    expiresAt: t.valueOrNull(
      "DateTime",
      "Until when tokens signed with it are taken; null for the present key.",
      ({ expiresAt }) => expiresAt && instantOf(expiresAt),
    ),
  }),
});

export const SiteVisitorAuth = builder
  .objectRef<{ jwksUrl: string | null; signingKeys: readonly SigningKeyShape[] }>("SiteVisitorAuth")
  .implement({
    description: "What tokens of visitors of a site are checked by.",
    fields: (t) => ({
      signingKeys: t.value(
        [SiteSigningKey],
        "Its own keys (HS256) that are good now, newest first; none before `rotateSiteSigningKey`.",
        ({ signingKeys }) => [...signingKeys],
      ),
      jwksUrl: t.exposeString("jwksUrl", {
        nullable: true,
        description: "The address of the public keys (JWKS) of those who sign by RS256 or ES256; null without one.",
      }),
    }),
  });
