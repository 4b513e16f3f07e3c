// The /v1 operations on links (spec 1, section 4.3; spec 2, sections 4.8 and 4.9).
import { contentTagOf } from "#src/features/content/routes.ts";
import { spaceTag } from "#src/features/spaces/routes.ts";
import { defineRoutes, type Parent, parentAt, type RouteRow } from "#src/rest/route.ts";

const referenceFields = `
  kind organization: organizationId space: spaceId versionContext { type revision: revisionId }
  file { id: fileId name contentType downloadURL size dimensions { width height } }
  page: pageId url anchor user: userId collection: collectionId spec
`;
const linkFields = `status relation targetReference { ${referenceFields} }`;

const links: Pick<RouteRow, "list" | "beside"> = {
  list: true,
  beside: { stats: "total broken { total changeRequest }" },
};
const ofStatus = { status: "Only links with this status." };

const space = parentAt("space", "/v1/spaces/{spaceId}");
const changeRequest = parentAt("change request", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}");

const linksOfPage = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/content/page/{pageId}/links`,
  summary: `List the links of a page of a ${of.noun}`,
  ...links,
  answer: [...of.answer, "content", "page", "links"],
  fields: `${linkFields} locationReferences { ${referenceFields} }`,
});

const backlinksOf = (of: Parent, part: "file" | "page", path: string): RouteRow => ({
  request: `GET ${of.path}/content/${path}/backlinks`,
  summary: `List the backlinks of a ${part} of a ${of.noun}`,
  list: true,
  answer: [...of.answer, "content", part, "backlinks"],
  fields: referenceFields,
});

const tagOf = (path: string) => (path.includes("/content/") ? contentTagOf(path) : spaceTag);

export const linkRoutes = defineRoutes(tagOf, {
  listSpaceLinks: {
    request: "GET /v1/spaces/{spaceId}/links",
    summary: "List the links of a space",
    ...links,
    query: ofStatus,
    answer: ["space", "links"],
    fields: linkFields,
  },
  listSpacePageLinks: { ...linksOfPage(space), query: ofStatus },
  listSpaceFileBacklinks: backlinksOf(space, "file", "files/{fileId}"),
  listChangeRequestPageLinks: linksOfPage(changeRequest),
  listChangeRequestPageBacklinks: backlinksOf(changeRequest, "page", "page/{pageId}"),
  listChangeRequestFileBacklinks: backlinksOf(changeRequest, "file", "files/{fileId}"),
});
