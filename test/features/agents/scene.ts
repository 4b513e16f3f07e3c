// A published site that includes agents, and the headers of its visitors: one without a token, and one of the staff,
// who also sees what a condition hides.
import { jwt } from "#test/features/sites/tokens.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { TestApp } from "#test/support/app.ts";
import type { World } from "#test/support/world.ts";

type Headers = Readonly<Record<string, string>>;

export const nobody: Headers = {};

export async function makeSiteForAgents(app: TestApp, world: World, site: Partial<Prisma.SiteCreateManyInput> = {}) {
  const made = await makePublished(app, world, { agentsContext: "included", ...site });
  const { rotateSiteSigningKey } = await app
    .as(made.admin.token)
    .query<{ rotateSiteSigningKey: { signingKey: string } }>(
      `mutation { rotateSiteSigningKey(input: { siteId: "${made.siteId}" }) { signingKey } }`,
    );
  const exp = Math.floor(Date.now() / 1000) + 600;
  const claims = { aud: made.siteId, exp, staff: true };
  const token = jwt({ alg: "HS256", typ: "JWT" }, claims, rotateSiteSigningKey.signingKey);
  const staff: Headers = { "x-visitor-token": token };
  return { ...made, root: `${app.url}/published/${made.siteId}`, staff };
}

/** The text that a visitor sees of a page, by GraphQL. */
export async function markdownFor(
  app: TestApp,
  { siteId, visitor, path }: { siteId: string; visitor: Headers; path: string },
): Promise<string> {
  const { publishedSite } = await app.as(null).query<{ publishedSite: { page: { markdown: string } } }>(
    `query ($id: ID!, $visitorToken: String, $path: String!) {
      publishedSite(by: { id: $id }, visitorToken: $visitorToken) { page(path: $path) { markdown } }
    }`,
    { id: siteId, visitorToken: visitor["x-visitor-token"], path },
  );
  return publishedSite.page.markdown;
}
