// The GraphQL types of the groups, sections and site spaces of a published site, from the view of a visitor.
import { siteAddress } from "#src/base/public-urls.ts";
import type { ShownEntry, ShownGroup, ShownSection } from "#src/features/published-sites/model/shown.ts";
import type { PublishedSpace as PublishedSpaceValue } from "#src/features/published-sites/reads/pages.ts";
import type { PublishedSite } from "#src/features/published-sites/reads/sites.ts";
import { publishedAddress, SiteSectionUrls, SiteSpaceUrls } from "#src/features/sites/type/urls.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import type { Context } from "#src/domain/context.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { ofLength, type RestResourceExtensions } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

type SectionValue = ShownSection<PublishedSite>;
type PlaceValue = SectionValue | PublishedSpaceValue;

/**
 * The address of a part of a published site; null while it is not published. In a page of the site it has no key, which
 * is in a cookie there.
 */
export function addressAt(
  { row, shareKey }: PublishedSite,
  segments: readonly string[],
  { links, pageRoot }: Pick<Context, "links" | "pageRoot">,
): string | null {
  if (pageRoot?.siteId !== row.id) return publishedAddress(row, { links, shareKey }, segments);
  const path = segments.flatMap((part) => part.split("/"));
  return row.published ? siteAddress(row, links, path) : null;
}

const onTypes = () => {
  throw new Error("Every type that is a PublishedPlace has these fields itself.");
};

const titleDescription = "Title on the site.";
const typeNames = { group: "PublishedSectionGroup", section: "PublishedSection", space: "PublishedSpace" } as const;
const typeOf = ({ kind }: ShownEntry<PublishedSite>): string => typeNames[kind];

const PublishedPlace = builder.interfaceRef<PlaceValue>("PublishedPlace").implement({
  description: "A section or a site space of a published site.",
  resolveType: typeOf,
  fields: (t) => ({
    object: t.string({ description: "`site-section` or `site-space`.", resolve: onTypes }),
    id: t.id({ description: "Id of the section or site space.", resolve: onTypes }),
    title: t.string({ description: titleDescription, resolve: onTypes }),
    path: t.string({ description: "Its own segment of the path on the site.", resolve: onTypes }),
    isDefault: t.boolean({ description: "Whether it is the default of its section, root or site.", resolve: onTypes }),
  }),
});

export const PublishedSection = builder.objectRef<SectionValue>("PublishedSection");
export const PublishedSpace = builder.objectRef<PublishedSpaceValue>("PublishedSpace");

export const PublishedSectionGroup = builder.objectRef<ShownGroup<PublishedSite>>("PublishedSectionGroup").implement({
  description: "A group of sections of a published site. Groups without visible sections are omitted.",
  extensions: { restResource: "site-section-group" } satisfies RestResourceExtensions,
  fields: (t) => ({
    object: t.value("String", "Always `site-section-group`.", () => "site-section-group"),
    id: t.exposeID("id", { description: "Id of the group." }),
    title: t.exposeString("title", { description: titleDescription }),
    icon: t.exposeString("icon", { nullable: true, description: "Name of an icon." }),
    sections: t.value([PublishedSection], "Its visible sections, in their order.", (one) => one.sections),
  }),
});

PublishedSection.implement({
  description: "A section of a published site. Sections without visible spaces are omitted.",
  extensions: { restResource: "site-section" } satisfies RestResourceExtensions,
  interfaces: [PublishedPlace],
  fields: (t) => ({
    object: t.value("String", "Always `site-section`.", () => "site-section"),
    id: t.exposeID("id", { description: "Id of the section." }),
    title: t.exposeString("title", { extensions: ofLength({ min: 2, max: 128 }), description: titleDescription }),
    description: t.exposeString("description", {
      extensions: ofLength({ max: 256 }),
      nullable: true,
      description: "Description.",
    }),
    icon: t.exposeString("icon", {
      extensions: ofLength({ max: 50 }),
      nullable: true,
      description: "Name of an icon.",
    }),
    path: t.exposeString("path", {
      extensions: ofLength({ min: 1, max: 100 }),
      description: "Path on the site, unique there.",
    }),
    isDefault: t.exposeBoolean("isDefault", {
      description: "Whether it is the default section: the chosen one, or else the first visible one.",
    }),
    siteSectionGroup: t.valueOrNull(PublishedSectionGroup, "The group that contains it.", ({ group }) => group),
    siteSectionGroupId: t.valueOrNull("ID", "Id of the group that contains it.", ({ group }) => group?.id),
    siteSpaces: t.value([PublishedSpace], "Its visible spaces, in their order.", (one) => one.siteSpaces),
    urls: t.value(SiteSectionUrls, "Links.", ({ of, segments }, context) => ({
      published: addressAt(of, segments, context),
    })),
  }),
});

PublishedSpace.implement({
  description:
    "A space on a published site. There, its content is visible to all visitors who see it on the site, whatever the audience of the space elsewhere.",
  extensions: { restResource: "site-space" } satisfies RestResourceExtensions,
  interfaces: [PublishedPlace],
  fields: (t) => ({
    object: t.value("String", "Always `site-space`.", () => "site-space"),
    id: t.exposeID("id", { description: "Id of the site space." }),
    title: t.exposeString("title", { description: titleDescription }),
    emoji: t.exposeString("emoji", { nullable: true, description: "The emoji of the space." }),
    path: t.exposeString("path", {
      extensions: ofLength({ min: 1, max: 100 }),
      description: "Path in its section, or on the site if it has no section.",
    }),
    isDefault: t.exposeBoolean("isDefault", {
      description:
        "Whether it is the default of its section, or of the root of the site: the chosen one, or else the first visible one.",
    }),
    siteSection: t.valueOrNull(PublishedSection, "The section that contains it.", (one) => one.section),
    siteSectionId: t.valueOrNull("ID", "Id of the section that contains it.", (one) => one.section?.id),
    space: t.field({
      type: Space,
      nullable: true,
      description:
        "The space itself; null if it is not visible to you outside of the site, and for visitors without an account.",
      resolve: ({ spaceId }, _args, { reader, isAnonymous }, info) =>
        isAnonymous ? null : reader.row(spaces, spaceId, projectionOf(info)),
    }),
    urls: t.value(SiteSpaceUrls, "Links.", ({ of, segments }, context) => ({
      published: addressAt(of, segments, context),
    })),
  }),
});

export const PublishedEntry = builder.unionType("PublishedEntry", {
  description: "A top-level entry of a published site: a group, a section without a group, or a site space.",
  types: [PublishedSectionGroup, PublishedSection, PublishedSpace],
  resolveType: typeOf,
});

const StructureType = defineEnum("PublishedStructureType", "The kind of structure of a published site.", {
  sections: "Sections, with site spaces in them.",
  siteSpaces: "Only site spaces.",
});

export const PublishedStructure = builder.objectRef<PublishedSite>("PublishedStructure").implement({
  description: "The structure of a published site in the form of /v1.",
  fields: (t) => ({
    type: t.value(StructureType, "Kind of the structure.", ({ shown }) =>
      shown.sections.length > 0 ? ("sections" as const) : ("siteSpaces" as const),
    ),
    structure: t.value(
      [PublishedPlace],
      "Its sections in their order, or its site spaces if it has no sections.",
      ({ shown }) => (shown.sections.length > 0 ? shown.sections : shown.root),
    ),
  }),
});
