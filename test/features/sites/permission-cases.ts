// Permission cases of a site and its structure, with their flags.
import { schemaOf } from "#test/features/sites/factory.ts";
import type { PermissionCase, Fixture } from "#test/support/access/fixture.ts";

const inputs: Readonly<Record<string, (fixture: Fixture) => object>> = {
  updateSite: ({ site }) => ({ siteId: site.id, title: "Renamed" }),
  setSiteAdaptiveSchema: ({ site }) => ({ siteId: site.id, jsonSchema: schemaOf("customer", "partner") }),
  rotateSiteSigningKey: ({ site }) => ({ siteId: site.id }),
  checkSiteHostname: ({ site }) => ({ siteId: site.id }),
  setSiteJwksUrl: ({ site }) => ({ siteId: site.id, url: "https://login.example.com/keys" }),
  setSiteSignInUrl: ({ site }) => ({ siteId: site.id, url: "https://login.example.com/sign-in" }),
  updateSiteCustomization: ({ site }) => ({ siteId: site.id, footer: "Made by hand" }),
  setSiteCustomization: ({ site }) => ({ siteId: site.id, footer: { text: "Made with care" } }),
  publishSite: ({ site }) => ({ siteId: site.id }),
  unpublishSite: ({ site }) => ({ siteId: site.id }),
  sortSiteStructure: ({ site, sectionGroup, section, siblingSection, siteSpace, siblingSiteSpace }) => ({
    siteId: site.id,
    structure: [
      { section: { siteSectionId: siblingSection.id, siteSpaceIds: [siblingSiteSpace.id, siteSpace.id] } },
      {
        sectionGroup: {
          siteSectionGroupId: sectionGroup.id,
          sections: [{ siteSectionId: section.id, siteSpaceIds: [] }],
        },
      },
    ],
  }),
  updateSiteSection: ({ section }) => ({ siteSectionId: section.id, title: "Renamed" }),
  moveSiteSection: ({ section, siblingSection }) => ({
    siteSectionId: section.id,
    place: { afterSiteSectionId: siblingSection.id },
  }),
  createSiteSectionGroup: ({ site }) => ({ siteId: site.id, title: "Group" }),
  updateSiteSectionGroup: ({ sectionGroup }) => ({ siteSectionGroupId: sectionGroup.id, title: "Renamed" }),
  moveSiteSectionGroup: ({ sectionGroup, siblingSection }) => ({
    siteSectionGroupId: sectionGroup.id,
    place: { afterSiteSectionId: siblingSection.id },
  }),
  addSectionToGroup: ({ sectionGroup, siblingSection }) => ({
    siteSectionGroupId: sectionGroup.id,
    siteSectionId: siblingSection.id,
  }),
  removeSectionFromGroup: ({ sectionGroup, section }) => ({
    siteSectionGroupId: sectionGroup.id,
    siteSectionId: section.id,
  }),
  moveSiteSpace: ({ siteSpace, siblingSiteSpace }) => ({
    siteSpaceId: siteSpace.id,
    place: { afterSiteSpaceId: siblingSiteSpace.id },
  }),
  updateSiteSpace: ({ siteSpace }) => ({ siteSpaceId: siteSpace.id, path: "renamed" }),
};

const deletions: Readonly<Record<string, (fixture: Fixture) => object>> = {
  deleteSite: ({ site }) => ({ siteId: site.id }),
  deleteSiteSection: ({ section }) => ({ siteSectionId: section.id }),
  deleteSiteSectionGroup: ({ sectionGroup }) => ({ siteSectionGroupId: sectionGroup.id }),
  deleteSiteSpace: ({ siteSpace }) => ({ siteSpaceId: siteSpace.id }),
};

/** The site spaces of the site: one follows the roles of the organization, and one does not. */
const placing = (space: "space" | "shutSpace"): PermissionCase[] =>
  Object.entries({
    createSiteSection: ({ site }: Fixture) => ({ siteId: site.id }),
    createSiteSpace: ({ site }: Fixture) => ({ siteId: site.id }),
    updateSiteSpace: ({ siblingSiteSpace }: Fixture) => ({ siteSpaceId: siblingSiteSpace.id }),
  }).map(([mutation, input]) => ({
    mutation,
    how: `with ${space}`,
    input: (fixture) => ({ ...input(fixture), spaceId: fixture[space].id }),
    allowedBy: ["site.admin", `${space}.review`],
    seen: ["site"],
    into: space,
  }));

const keyOf = ({ id }: Fixture["site"]): string => `key_${id.slice(4)}`;

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "rotateSiteShareKey",
    input: ({ site }) => ({ siteId: site.id }),
    allowedBy: ["site.admin"],
    seen: ["site"],
    prepare: ({ site }, { prisma }) =>
      prisma.site.update({ where: { id: site.id }, data: { visibility: "share_link", shareKey: site.id } }),
  },
  {
    mutation: "endSiteSigningKey",
    input: ({ site }) => ({ siteId: site.id, signingKeyId: keyOf(site) }),
    allowedBy: ["site.admin"],
    seen: ["site"],
    prepare: ({ site }, { prisma }) =>
      prisma.siteSigningKey.create({ data: { id: keyOf(site), siteId: site.id, secret: Buffer.from("x") } }),
  },
  {
    mutation: "createSite",
    input: ({ organization }) => ({ organizationId: organization.id }),
    allowedBy: ["organization.createContent"],
    seen: ["organization"],
  },
  {
    mutation: "createSite",
    how: "with shutSpace",
    input: ({ organization, shutSpace }) => ({
      organizationId: organization.id,
      spaces: { spaceIds: [shutSpace.id] },
    }),
    allowedBy: ["organization.createContent", "shutSpace.review"],
    seen: ["organization"],
    into: "shutSpace",
  },
  ...Object.entries(inputs).map(([mutation, input]): PermissionCase => ({
    mutation,
    input,
    allowedBy: ["site.admin"],
    seen: ["site"],
  })),
  ...Object.entries(deletions).map(([mutation, input]): PermissionCase => ({
    mutation,
    input,
    allowedBy: ["site.admin"],
    seen: ["site"],
    deletes: "site",
  })),
  ...placing("space"),
  ...placing("shutSpace"),
];
