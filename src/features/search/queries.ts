// Where people search: spaces, organizations, change requests, published sites, and anything of these by its id.
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
  'Pages that have all words of `text` in their title, description and text, the best first. `"Words in quotation marks"` are next to each other, a word or ' +
  "phrase with `-` before it is not there, `or` stands between alternatives, and the last word may go on. Accents and case do not matter. Where no page has them, " +
  "pages with words are found that differ from these by a letter or two. Of more than 1,000 pages at most 1,000 are listed: those with words in the title, description " +
  "or headings first, then the newest; `totalCount` counts all.";

const searchArguments = {
  ...pageArguments,
  ...builder.args((t) => ({
    text: t.string({
      required: true,
      description: `What is looked for, at most ${searchTextLimit} characters.`,
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

/** The field `search` of a place; `what` says in words what is searched there. */
const searchIn = (place: SearchPlace, what: string) => ({
  type: SearchHitConnection,
  description: `${about} ${what}`,
  args: searchArguments,
  resolve: ({ id }: { id: string }, args: Arguments, context: Context, info: GraphQLResolveInfo) =>
    searchPages(context, place, { id }, searchOf(args, info)),
});

builder.prismaObjectField(Space, "search", (t) => t.field(searchIn(inSpace, "Of its main content.")));

builder.prismaObjectFields(Organization, (t) => ({
  search: t.field(searchIn(inOrganization, "Of the main content of all its spaces that the viewer may see.")),
  searchedSpaces: t.field({
    type: SearchedSpaceConnection,
    description: "The same search by spaces: those with such pages, the one with the best page first.",
    args: searchArguments,
    resolve: ({ id }, args, context, info) => searchSpaces(context, inOrganization, { id }, searchOf(args, info)),
  }),
}));

const aboutDraft =
  "Of its content: that of the space as it is now, with what the change request changes. Nothing else searches drafts.";

builder.prismaObjectField(ChangeRequest, "search", (t) => t.field(searchIn(inChangeRequest, aboutDraft)));

builder.objectField(PublishedSite, "search", (t) =>
  t.field({
    type: PublishedSearchHitConnection,
    description:
      `${about} Of what the visitor is shown of the site, without pages that are left out of its search (\`noIndex\`), hidden ones and what is below these. ` +
      "A page of a space that stands on the site twice is found once, in its first place.",
    args: searchArguments,
    resolve: (site, args, context, info) => searchPublished(context, site, searchOf(args, info)),
  }),
);

const SearchPlaceInput = builder.inputType("SearchPlace", {
  description: "Where is searched: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    organizationId: t.id({ description: "Id of an organization: the main content of its spaces." }),
    spaceId: t.id({ description: "Id of a space: its main content." }),
    siteId: t.id({
      description: "Id of a site: the main content of its spaces, without the pages that are left out of its search.",
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
    description: `${about} NOT_FOUND for a place that the viewer does not see.`,
    args: { ...searchArguments, in: t.arg({ type: SearchPlaceInput, required: true, description: "Where." }) },
    resolve: async (_root, { in: place, ...args }, context, info) => {
      const { organizationId, spaceId, siteId, changeRequestId } = place;
      const [name, id] = oneOf("in", { organizationId, spaceId, siteId, changeRequestId });
      const [where, entity] = places[name];
      await context.reader.found(entity as typeof spaces, id, project([])); // each of these is read by its id alone
      return searchPages(context, where, { id }, searchOf(args, info));
    },
  }),
);
