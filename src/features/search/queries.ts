// The search queries: in spaces, organizations, change requests and published sites, or in any of them by id.
import type { GraphQLResolveInfo } from "graphql";
import { project } from "#src/db/reading/entity.ts";
import type { PageArguments } from "#src/db/reading/page.ts";
import type { Context } from "#src/domain/context.ts";
import { oneOf } from "#src/domain/input.ts";
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { ChangeRequest } from "#src/features/change-requests/type/change-request.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import {
  inChangeRequest,
  inOrganization,
  inSite,
  inSpace,
  searchPages,
  type SearchPlace,
  searchSpaces,
  searchTextLimit,
} from "#src/features/search/reads/hits.ts";
import { PublishedSite } from "#src/features/published-sites/type/site.ts";
import { searchPublished } from "#src/features/search/reads/published.ts";
import { PublishedSearchHitConnection } from "#src/features/search/type/published.ts";
import { SearchedSpaceConnection, SearchHitConnection } from "#src/features/search/type/hit.ts";
import { sites } from "#src/features/sites/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { pageArguments } from "#src/graph/schema/nodes.ts";
import { ofLength } from "#src/graph/schema/rest-forms.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

const about =
  'Pages with all words of `text` in their title, description and text, best first. `"Quoted words"` must be adjacent, `-` excludes a word or ' +
  "phrase, `or` separates alternatives, and the last word may be a prefix. Accents and case are ignored; options (`--all`) and parts of names (`userName`) " +
  "are words. If no page matches, pages with similar words (one or two different letters) or compounds are returned. At most 1,000 pages are listed: those with matches in the title, description " +
  "or headings first, then the newest; `totalCount` counts all.";

const searchArguments = {
  ...pageArguments,
  ...builder.args((t) => ({
    text: t.string({
      required: true,
      description: `Search text, at most ${searchTextLimit} characters.`,
      extensions: ofLength({ max: searchTextLimit }),
    }),
  })),
};

type Arguments = PageArguments & { readonly text: string };

const searchOf = ({ text, ...page }: Arguments, info: GraphQLResolveInfo) => ({
  text,
  page,
  projection: projectionOf(info),
});

/** The field `search` of an object; `what` describes the searched content. */
const searchIn = (place: SearchPlace, what: string) => ({
  type: SearchHitConnection,
  description: `${about} ${what}`,
  args: searchArguments,
  resolve: ({ id }: { id: string }, args: Arguments, context: Context, info: GraphQLResolveInfo) =>
    searchPages(context, place, { id }, searchOf(args, info)),
});

builder.prismaObjectField(Space, "search", (t) => t.field(searchIn(inSpace, "Searches its main content.")));

builder.prismaObjectFields(Organization, (t) => ({
  search: t.field(searchIn(inOrganization, "Searches the main content of all its spaces that are visible to you.")),
  searchedSpaces: t.field({
    type: SearchedSpaceConnection,
    description: "The same search, grouped by spaces: the space with the best page first.",
    args: searchArguments,
    resolve: ({ id }, args, context, info) => searchSpaces(context, inOrganization, { id }, searchOf(args, info)),
  }),
}));

const aboutDraft =
  "Searches its content: the current content of the space with the changes of the change request. Only this field searches drafts.";

builder.prismaObjectField(ChangeRequest, "search", (t) => t.field(searchIn(inChangeRequest, aboutDraft)));

builder.objectField(PublishedSite, "search", (t) =>
  t.field({
    type: PublishedSearchHitConnection,
    description:
      `${about} Searches the visible part of the site, without pages that are excluded from its search (\`noIndex\`), hidden pages, and pages below them. ` +
      "A page of a space that is on the site twice is returned once, at its first path.",
    args: searchArguments,
    resolve: (site, args, context, info) => searchPublished(context, site, searchOf(args, info)),
  }),
);

const SearchPlaceInput = builder.inputType("SearchPlace", {
  description: "The scope of a search: set exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    organizationId: t.id({ description: "Id of an organization: the main content of its spaces." }),
    spaceId: t.id({ description: "Id of a space: its main content." }),
    siteId: t.id({
      description: "Id of a site: the main content of its spaces, without the pages that are excluded from its search.",
    }),
    changeRequestId: t.id({ description: "Id of a change request: its content." }),
  }),
});

const places = {
  organizationId: [inOrganization, organizations],
  spaceId: [inSpace, spaces],
  siteId: [inSite, sites],
  changeRequestId: [inChangeRequest, changeRequests],
} as const;

builder.queryField("search", (t) =>
  t.field({
    type: SearchHitConnection,
    nullable: true,
    description: `${about} NOT_FOUND if the object is not visible to you.`,
    args: {
      ...searchArguments,
      in: t.arg({ type: SearchPlaceInput, required: true, description: "Scope of the search." }),
    },
    resolve: async (_root, { in: place, ...args }, context, info) => {
      const { organizationId, spaceId, siteId, changeRequestId } = place;
      const [name, id] = oneOf("in", { organizationId, spaceId, siteId, changeRequestId });
      const [where, entity] = places[name];
      await context.reader.found(entity as typeof spaces, id, project([])); // each of these is read only by its id
      return searchPages(context, where, { id }, searchOf(args, info));
    },
  }),
);
