// A published site for tests of its visitors' view: with conditions on some of it, and pages.
import { giveContent } from "#test/features/content/factory.ts";
import { addSection, addSectionGroup, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { TestApp } from "#test/support/app.ts";
import type { World } from "#test/support/world.ts";

/** A condition that is true for visitors whose token claims that they are staff. */
const forStaff = "visitor.claims.staff";

/**
 * A public site: group "Start" with sections "docs" (guide, and for staff "inside", which is its default) and
 * "team" (for staff: "notes"), and section "api" outside of it, whose only space "internal" is for staff. The spaces
 * are private: only the site publishes them.
 */
export async function makePublished(app: TestApp, world: World, site: Partial<Prisma.SiteCreateManyInput> = {}) {
  const scene = await world.organization();
  const organizationId = scene.organization.id;
  const made = await world.insert((rows) => {
    const siteId = addSite(rows, {
      organizationId,
      title: "Docs",
      createdById: scene.creator.id,
      adaptiveContentEnabled: true,
      ...site,
    }).id;
    const space = (title: string) => addSpace(rows, { organizationId, title, visibility: "private" });
    const spaces = {
      guide: space("Guide"),
      inside: space("Inside"),
      notes: space("Notes"),
      internal: space("Internal"),
    };
    const sectionGroupId = addSectionGroup(rows, { siteId, title: "Start" }).id;
    const docs = addSection(rows, { siteId, sectionGroupId, path: "docs", title: "Docs" }).id;
    const team = addSection(rows, {
      siteId,
      sectionGroupId,
      path: "team",
      title: "Team",
      condition: forStaff,
      isDefault: true,
    }).id;
    const api = addSection(rows, { siteId, path: "api", title: "API" }).id;
    const place = (sectionId: string, name: keyof typeof spaces, more = {}) =>
      addSiteSpace(rows, {
        siteId,
        sectionId,
        spaceId: spaces[name].id,
        path: name,
        title: spaces[name].title,
        ...more,
      }).id;
    return {
      siteId,
      spaces,
      sectionGroupId,
      sections: { docs, team, api },
      siteSpaces: {
        guide: place(docs, "guide"),
        inside: place(docs, "inside", { condition: forStaff, isDefault: true }),
        notes: place(team, "notes"),
        internal: place(api, "internal", { condition: forStaff }),
      },
    };
  });
  for (const [name, { revisionId }] of Object.entries(made.spaces))
    await giveContent(app.database, revisionId, ["Welcome", "Setup"], `Text of ${name}\n`);
  return { ...scene, organizationId, ...made };
}
