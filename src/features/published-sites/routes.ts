// The /v1 operations that read a published site (spec 2, section 4.1), and resolve addresses.
import { isRecord } from "#src/base/json.ts";
import { changeRequestFields } from "#src/features/change-requests/routes.ts";
import { collectionFields } from "#src/features/collections/routes.ts";
import { pageWithSubpagesFields } from "#src/features/content/routes.ts";
import { draft, shareKey, sitePath, tagOf } from "#src/features/sites/routes/sites.ts";
import { spaceFields } from "#src/features/spaces/routes.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { type JsonForm, readString } from "#src/rest/request/property-forms.ts";
import { readFields } from "#src/rest/request/values.ts";
import { defineAdditions, defineRoutes } from "#src/rest/route.ts";

const links = "urls { published }";

defineRestFields("PublishedSection", { draft });
defineRestFields("PublishedSpace", { draft });

const publishedSpaceFields = `
  fragment PublishedSpaceFields on PublishedSpace {
    object id path section: siteSectionId
    space { ...SpaceFields }
    title default: isDefault draft: __typename ${links}
  }
  ${spaceFields}
`;

const publishedSectionFields = `
  fragment PublishedSectionFields on PublishedSection {
    object id title description default: isDefault path sectionGroup: siteSectionGroupId icon draft: __typename
    siteSpaces { ...PublishedSpaceFields }
    ${links}
  }
`;

export const publishedSiteRoutes = defineRoutes(tagOf, {
  getPublishedSite: {
    request: `GET ${sitePath}/published`,
    summary: "Get the published site from the view of its visitor",
    query: { shareKey },
    openToVisitors: true,
    readsPublished: true,
    answer: ["publishedSite"],
    document: `
      query ($organizationId: ID!, $siteId: ID!, $shareKey: String) {
        publishedSite(by: { id: $siteId }, organizationId: $organizationId, shareKey: $shareKey) {
          object
          site {
            object id: siteId type title
            icon { icon: images { light dark } emoji }
            hostname basename
            proxy { origin target }
            visibility published siteSpaces: siteSpaceCount createdAt
            adaptiveContent { enabled }
            agentsContext
            urls { location app published }
          }
          customizations: customization {
            title
            primaryColor { chosen light dark }
            logo { light dark }
            font fontFamily
            headerLinks { title url }
            footer
          }
          structure { type structure { object title ...PublishedSectionFields ...PublishedSpaceFields } }
        }
      }
      ${publishedSectionFields}
      ${publishedSpaceFields}
    `,
  },
});

export const publishedSiteAdditions = defineAdditions(tagOf, {
  getSiteStructure: {
    request: `GET ${sitePath}/structure`,
    summary: "Get the structure of a site from the view of its visitor",
    query: { shareKey },
    openToVisitors: true,
    readsPublished: true,
    answer: ["publishedSite", "structure"],
    document: `
      query ($organizationId: ID!, $siteId: ID!, $shareKey: String) {
        publishedSite(by: { id: $siteId }, organizationId: $organizationId, shareKey: $shareKey) {
          structure { type structure { object title ...PublishedSectionFields ...PublishedSpaceFields } }
        }
      }
      ${publishedSectionFields}
      ${publishedSpaceFields}
    `,
  },
});

const urlsTag = { name: "urls", description: "What an address of this gateway shows. Other addresses are a 404." };
const url = "The address: only one of this gateway is found, and nothing is requested.";

const addressFields = `
  fragment PublishedAddressFields on PublishedAddress {
    organization: organizationId site: siteId siteSection: siteSectionId siteSpace: siteSpaceId space: spaceId
    pathname basePath siteBasePath complete: isComplete shareKey canonicalUrl
  }
`;

/** The visitor, `{"jwtToken": "…"}`, for the token itself. */
export const visitorForm: JsonForm = {
  read(value, pointer, refused) {
    if (!isRecord(value)) return void refused.push({ path: pointer, message: "must be an object." });
    return readFields([{ name: "jwtToken", required: false, read: readString }], value, { pointer, refused })[
      "jwtToken"
    ];
  },
  schema: {
    type: "object",
    additionalProperties: false,
    properties: { jwtToken: { type: "string", description: "The token of the visitor." } },
  },
};

export const addressAdditions = defineAdditions(() => urlsTag, {
  getPublishedContentByUrl: {
    request: "GET /v1/urls/published",
    summary: "Find the part of a published site at an address",
    query: { url, visitorAuthToken: "The token of the visitor." },
    named: { visitorToken: "visitorAuthToken" },
    ignored: { redirectOnError: "Without effect: the answer is never a redirect." },
    openToVisitors: true,
    answer: ["publishedAddress"],
    fields: addressFields,
  },
  resolvePublishedContentByUrl: {
    request: "POST /v1/urls/published",
    summary: "Find the part of a published site at an address, which stays out of logs of addresses",
    body: { url, visitor: { description: "The visitor.", form: visitorForm } },
    named: { visitorToken: "visitor" },
    openToVisitors: true,
    answer: ["publishedAddress"],
    fields: addressFields,
  },
  getContentByUrl: {
    request: "GET /v1/urls/content",
    summary: "Find the collection, space, change request and page at an address",
    query: { url },
    answer: ["contentAddress"],
    fields: `
      fragment ContentAddressFields on ContentAddress {
        collection { ...CollectionFields }
        space { ...SpaceFields }
        changeRequest { ...ChangeRequestFields }
        page { ...PageWithSubpagesFields }
      }
      ${collectionFields}
      ${spaceFields}
      ${changeRequestFields}
      ${pageWithSubpagesFields}
    `,
  },
});
