// The GraphQL types of search results.
import type { ObjectRef } from "@pothos/core";
import { findPageById } from "#src/features/content/reads/pages.ts";
import { Page } from "#src/features/content/type/page.ts";
import { PageType, PageUrls } from "#src/features/content/type/page-parts.ts";
import type { TextRange as Range } from "#src/features/search/model/words.ts";
import { ancestorsOfHit, type HitAncestor } from "#src/features/search/reads/ancestors.ts";
import { type Hit, inSpace, scoreOf, searchPages, type SpaceHit } from "#src/features/search/reads/hits.ts";
import { type SectionHit, sectionLimit, sectionsOfHit } from "#src/features/search/reads/sections.ts";
import { pageSize } from "#src/db/reading/page.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { Context } from "#src/domain/context.ts";
import { builder, type ObjectFields, type Types } from "#src/graph/schema/builder.ts";
import { connectionOf } from "#src/graph/schema/nodes.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { rowsWith, projectionOf } from "#src/graph/run/selection.ts";

const TextRange = builder.objectRef<Range>("TextRange").implement({
  description: "A range of a text in UTF-16 units, as in JavaScript.",
  fields: (t) => ({
    start: t.exposeInt("start", { description: "Index of its first character, from 0." }),
    end: t.exposeInt("end", { description: "Index after its last character." }),
  }),
});

const SectionUrls = defineLinks("SearchSectionUrls", "Links of a section.", { app: "The section in the application." });

export const sectionFields = (t: ObjectFields<SectionHit>) => ({
  sectionId: t.value(
    "ID",
    "Unique key: the id of the page and the anchor.",
    ({ hit, anchor }) => `${hit.pageId}${hash(anchor)}`,
  ),
  anchor: t.valueOrNull("String", "The anchor of its heading; null before the first heading.", ({ anchor }) => anchor),
  title: t.value("String", "Its heading; the title of the page before the first heading.", ({ title }) => title.text),
  titleMatches: t.value([TextRange], "The matches in the title.", ({ title }) => [...title.matches]),
  path: t.value("String", "The path of the page, and the anchor.", ({ hit, anchor }) => `${hit.path}${hash(anchor)}`),
  score: t.value("Float", "Relevance in its page, from 0: higher is better.", ({ score }) => score),
  body: t.value("String", "The text around the matches: about 300 characters without markup.", ({ body }) => body.text),
  bodyMatches: t.value([TextRange], "The matches in the body.", ({ body }) => [...body.matches]),
});

export const hash = (anchor: string | null): string => (anchor === null ? "" : `#${anchor}`);

const SearchSection = builder.objectRef<SectionHit>("SearchSection").implement({
  description: "A section of a page, from one heading to the next, with matches of a search.",
  fields: (t) => ({
    ...sectionFields(t),
    urls: t.value(SectionUrls, "Links.", ({ hit, anchor }, { links }) => ({
      app: `${addressOf(hit, links)}${hash(anchor)}`,
    })),
  }),
});

type Links = { app(path: string, id: string): string };

function addressOf({ spaceId, changeRequestId, pageId }: Hit, links: Links): string {
  const content = changeRequestId === null ? spaceId : `${spaceId}/change-requests/${changeRequestId}`;
  return links.app(`spaces/${content}/pages/${pageId}`, pageId);
}

export const hitFields = (t: ObjectFields<Hit>) => ({
  pageId: t.exposeID("pageId", { description: "Id of the page, the same in every revision." }),
  title: t.exposeString("title", { description: "Title." }),
  type: t.expose("type", { type: PageType, description: "Type of the page." }),
});

export const sectionsOf = <Of extends Hit>(type: ObjectRef<Types, SectionHit<Of>>) => ({
  type: [type] satisfies [unknown],
  description:
    "Its sections with the most matches, best first; empty if only the title or description matches. The sections of all hits are read in two SQL statements.",
  args: builder.args((t) => ({
    first: t.int({ required: true, defaultValue: 3, description: `Number of sections, 1 to ${sectionLimit}.` }),
  })),
  resolve: (hit: Of, { first }: { first: number }, context: Context) => sectionsOfHit(context, hit, first),
});

const SearchHitAncestor = builder.objectRef<HitAncestor>("SearchHitAncestor").implement({
  description: "A page or group above a page that matches a search.",
  fields: (t) => ({
    pageId: t.exposeID("pageId", { description: "Id of the page, the same in every revision." }),
    title: t.exposeString("title", { description: "Title." }),
  }),
});

const SearchHit = builder.objectRef<Hit>("SearchHit").implement({
  description: "A page that matches a search in its title, description and text.",
  ...rowsWith("id"),
  fields: (t) => ({
    ...hitFields(t),
    path: t.exposeString("path", { description: "Path: the slugs from the top down to the page, joined by `/`." }),
    description: t.value("String", "Description; empty without one.", ({ description }) => description ?? ""),
    score: t.value("Float", "Relevance, from 0: higher is better.", ({ rank }) => scoreOf(rank)),
    rank: t.exposeInt("place", { description: "Position among the ranked pages of the search, from 1." }),
    ancestors: t.field({
      type: [SearchHitAncestor],
      description: "The pages and groups above it, from the top down. Those of all hits are read in one SQL statement.",
      resolve: (hit, _args, context) => ancestorsOfHit(context, hit),
    }),
    urls: t.value(PageUrls, "Links.", (hit, { links }) => ({ app: addressOf(hit, links) })),
    sections: t.field(sectionsOf(SearchSection)),
    spaceId: t.exposeID("spaceId", { description: "Id of its space." }),
    space: t.row(spaces, "spaceId", "Its space."),
    page: t.field({
      type: Page,
      nullable: true,
      description: "The page itself; null if it was deleted meanwhile. Reads the whole tree of the revision.",
      resolve: ({ id }, _args, context) => findPageById(context, id),
    }),
  }),
});

export const SearchHitConnection = connectionOf(SearchHit);

const SearchedSpaceUrls = defineLinks("SearchedSpaceUrls", "Links of a space.", {
  app: "The space in the application.",
});

const SearchedSpace = builder.objectRef<SpaceHit>("SearchedSpace").implement({
  description: "A space with pages that match a search.",
  ...rowsWith("id"),
  fields: (t) => ({
    spaceId: t.exposeID("spaceId", { description: "Id of the space." }),
    title: t.exposeString("title", { description: "Title." }),
    score: t.value("Float", "Relevance of its best page, from 0: higher is better.", ({ rank }) => scoreOf(rank)),
    space: t.row(spaces, "spaceId", "The space."),
    urls: t.value(SearchedSpaceUrls, "Links.", ({ spaceId }, { links }) => ({
      app: links.app(`spaces/${spaceId}`, spaceId),
    })),
    hits: t.field({
      type: [SearchHit],
      description: "The matching pages, best first. The pages of all spaces are read in one SQL statement.",
      args: {
        first: t.arg.int({ required: true, defaultValue: 10, description: `Number of pages, 1 to ${pageSize.max}.` }),
      },
      resolve: async ({ spaceId, text }, { first }, context, info) => {
        const projection = { cursors: false, selected: projectionOf(info).selected };
        const { nodes } = await searchPages(context, inSpace, { id: spaceId }, { text, page: { first }, projection });
        return [...nodes];
      },
    }),
  }),
});

export const SearchedSpaceConnection = connectionOf(SearchedSpace);
