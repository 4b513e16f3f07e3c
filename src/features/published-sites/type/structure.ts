// The GraphQL types of what is on a published site, as a visitor sees it: groups, sections and site spaces.
import type { ShownEntry, ShownGroup, ShownSection } from "#src/features/published-sites/model/shown.ts";
import type { PublishedSpace as PublishedSpaceValue } from "#src/features/published-sites/reads/pages.ts";
import type { PublishedSite } from "#src/features/published-sites/reads/sites.ts";
import { publishedAddress, SiteSectionUrls, SiteSpaceUrls } from "#src/features/sites/type/urls.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import type { Links } from "#src/base/public-urls.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { ofLength, type RestResourceExtensions } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

type SectionValue = ShownSection<PublishedSite>;
type PlaceValue = SectionValue | PublishedSpaceValue;

/** The address of a place on a published site; null while it is not published. */
export const addressAt = (
  { row, shareKey }: PublishedSite,
  segments: readonly string[],
  { links }: { readonly links: Links },
): string | null => publishedAddress(row, { links, shareKey }, segments);

const onTypes = () => {
  throw new Error("Every type that is a PublishedPlace has these fields itself.");
};

const titleDescription = "Title on the site.";
const typeNames = { group: "PublishedSectionGroup", section: "PublishedSection", space: "PublishedSpace" } as const;
const typeOf = ({ kind }: ShownEntry<PublishedSite>): string => typeNames[kind];

const PublishedPlace = builder.interfaceRef<PlaceValue>("PublishedPlace").implement({
  description: "A section or a site space, as a published site shows it.",
  resolveType: typeOf,
  fields: (t) => ({
    object: t.string({ description: "`site-section` or `site-space`.", resolve: onTypes }),
    id: t.id({ description: "Id of the section or site space.", resolve: onTypes }),
    title: t.string({ description: titleDescription, resolve: onTypes }),
    path: t.string({ description: "Its own part of the path on the site.", resolve: onTypes }),
    isDefault: t.boolean({ description: "Whether it is the default of its place.", resolve: onTypes }),
  }),
});

export const PublishedSection = builder.objectRef<SectionValue>("PublishedSection");
export const PublishedSpace = builder.objectRef<PublishedSpaceValue>("PublishedSpace");

export const PublishedSectionGroup = builder.objectRef<ShownGroup<PublishedSite>>("PublishedSectionGroup").implement({
  description: "A group of sections, as a published site shows it: one of which nothing is shown is not there.",
  extensions: { restResource: "site-section-group" } satisfies RestResourceExtensions,
  fields: (t) => ({
    object: t.value("String", "Always `site-section-group`.", () => "site-section-group"),
    id: t.exposeID("id", { description: "Id of the group." }),
    title: t.exposeString("title", { description: titleDescription }),
    icon: t.exposeString("icon", { nullable: true, description: "Name of an icon." }),
    sections: t.value([PublishedSection], "The sections in it that are shown, in their order.", (one) => one.sections),
  }),
});

PublishedSection.implement({
  description: "A section of a published site. One of whose spaces none is shown leads nowhere, and is not there.",
  extensions: { restResource: "site-section" } satisfies RestResourceExtensions,
  interfaces: [PublishedPlace],
  fields: (t) => ({
    object: t.value("String", "Always `site-section`.", () => "site-section"),
    id: t.exposeID("id", { description: "Id of the section." }),
    title: t.exposeString("title", { extensions: ofLength({ min: 2, max: 128 }), description: titleDescription }),
    description: t.exposeString("description", {
      extensions: ofLength({ max: 256 }),
      nullable: true,
      description: "What it is about.",
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
      description: "Whether it is the default section: the one that was chosen, or else the first that is shown.",
    }),
    siteSectionGroup: t.valueOrNull(PublishedSectionGroup, "The group that it is in.", ({ group }) => group),
    siteSectionGroupId: t.valueOrNull("ID", "Id of the group that it is in.", ({ group }) => group?.id),
    siteSpaces: t.value([PublishedSpace], "The spaces in it that are shown, in their order.", (one) => one.siteSpaces),
    urls: t.value(SiteSectionUrls, "Links.", ({ of, segments }, context) => ({
      published: addressAt(of, segments, context),
    })),
  }),
});

PublishedSpace.implement({
  description:
    "A space as a published site shows it. Its content there is for all visitors of the site that are shown it, whatever the audience of the space elsewhere.",
  extensions: { restResource: "site-space" } satisfies RestResourceExtensions,
  interfaces: [PublishedPlace],
  fields: (t) => ({
    object: t.value("String", "Always `site-space`.", () => "site-space"),
    id: t.exposeID("id", { description: "Id of the site space." }),
    title: t.exposeString("title", { description: titleDescription }),
    emoji: t.exposeString("emoji", { nullable: true, description: "The emoji of the space." }),
    path: t.exposeString("path", {
      extensions: ofLength({ min: 1, max: 100 }),
      description: "Path in its section, or on the site when it is in none.",
    }),
    isDefault: t.exposeBoolean("isDefault", {
      description:
        "Whether it is the default of its section, or of the root of the site: the one that was chosen, or else the first that is shown.",
    }),
    siteSection: t.valueOrNull(PublishedSection, "The section that it is in.", (one) => one.section),
    siteSectionId: t.valueOrNull("ID", "Id of the section that it is in.", (one) => one.section?.id),
    space: t.field({
      type: Space,
      nullable: true,
      description:
        "The space itself; null for those who may not see it elsewhere, and for visitors without an account.",
      resolve: ({ spaceId }, _args, { reader, isAnonymous }, info) =>
        isAnonymous ? null : reader.row(spaces, spaceId, projectionOf(info)),
    }),
    urls: t.value(SiteSpaceUrls, "Links.", ({ of, segments }, context) => ({
      published: addressAt(of, segments, context),
    })),
  }),
});

export const PublishedEntry = builder.unionType("PublishedEntry", {
  description: "What stands at the top of a published site: a group, a section that is in none, or a site space.",
  types: [PublishedSectionGroup, PublishedSection, PublishedSpace],
  resolveType: typeOf,
});

const StructureType = defineEnum("PublishedStructureType", "What a published site is made of.", {
  sections: "Sections, with site spaces in them.",
  siteSpaces: "Site spaces alone.",
});

export const PublishedStructure = builder.objectRef<PublishedSite>("PublishedStructure").implement({
  description: "What a published site is made of, as /v1 has it.",
  fields: (t) => ({
    type: t.value(StructureType, "What it is made of.", ({ shown }) =>
      shown.sections.length > 0 ? ("sections" as const) : ("siteSpaces" as const),
    ),
    structure: t.value(
      [PublishedPlace],
      "Its sections in their order, or its site spaces where it has no sections.",
      ({ shown }) => (shown.sections.length > 0 ? shown.sections : shown.root),
    ),
  }),
});
