// Sample inputs of tenant tests: they succeed, with values of the viewer's own organization everywhere except where an
// id is put.
import lzString from "lz-string";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { textFile } from "#test/features/content/uploads.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { placesOf } from "#test/features/integrations/tenant.ts";
import { slugOfTenants } from "#test/features/openapi/tenant.ts";
import { exampleMetadata } from "#test/features/saml/example-certificate.ts";
import { schemaOf } from "#test/features/sites/factory.ts";
import type { Operation, Sample } from "#test/support/access/operations.ts";
import { type Fields, type Put, sampleOf } from "#test/support/access/positions.ts";
import { type Ids, kindOf, type Own, unknownKind } from "#test/support/access/tenants.ts";
import { exampleIssuer, examplePage } from "#test/support/example-fetch.ts";
import { nextNumber } from "#test/support/rows.ts";

const specURL = "https://docs.example.com/openapi.json";

/** The viewer's own organization. */
export interface Viewed {
  readonly own: Own;
  /** Another organization. */
  readonly second: Ids;
  /** The address of the gateway. */
  readonly home: string;
}

/** Values that the schema does not imply for an operation to succeed. */
function special(name: string, { own, second, home }: Viewed): Record<string, unknown> {
  const { Organization } = second;
  if (/contentAddress|getContentByUrl/.test(name)) return { url: `${home}/app/spaces/${own.ids.Space}` };
  if (/publishedAddress|PublishedContentByUrl/.test(name)) return { url: `${home}/published/${own.ids.Site}` };
  if (name.startsWith("restoreSpace")) return { spaceId: own.deletedSpaceId };
  if (name.startsWith("transfer")) return { organizationId: Organization, organization: Organization };
  if (/^(?:start)?import/i.test(name)) return { url: examplePage.url };
  if (name.endsWith("OidcProvider")) return { issuer: exampleIssuer };
  if (name === "checkEmailDomain") return { domain: "tenant.example.com" };
  if (name === "useInviteLink") return { key: own.linkKey };
  if (name === "joinOrganizationWithInvite") return { inviteId: own.linkKey };
  if (name === "updateChangeRequestContent") return { changes: [] };
  if (/Page.*Path$/.test(name)) return { pagePath: "page" };
  if (name === "resolveConflicts") return { conflictId: "0123456789abcdef" };
  if (name === "setSiteAdaptiveSchema") return { jsonSchema: schemaOf("customer") };
  if (name === "Site.conditionChecks") return { claims: {} };
  if (name.endsWith("GlossaryTerm")) return { term: `Term ${nextNumber()}`, language: "DE", text: "Wort" };
  if (name.endsWith("Translation")) return { instructions: fromMarkdown("Words") };
  if (name === "Space.unfurledLink") return { url: "https://tides.example.com/" };
  if (/OpenApiSpec/i.test(name)) return ofSpec(name);
  if (/^IntegrationInstallation\.on|^(get|update)Integration(Space|Site)Installation$/.test(name))
    return { ...ofIntegration(name, own), ...placesOf.get(own.ids.IntegrationInstallation) };
  if (/integration/i.test(name)) return ofIntegration(name, own);
  if (name === "requestReviewersForChangeRequest") return { users: own.reviewerId };
  if (name === "requestReviews") return { reviewerIds: own.reviewerId };
  if (name === "dismissReview") return { reviewId: own.givenReviewId };
  // Comments without a change request are those on the space.
  if (/Comment/i.test(name) && !/ChangeRequest|^Comment\./.test(name)) {
    const [comment, reply] = [own.spaceCommentId, own.spaceReplyId];
    return { id: comment, commentId: comment, commentReplyId: reply, replyId: reply };
  }
  return {};
}

/** Names of a specification. */
function ofSpec(name: string): Record<string, unknown> {
  const slug = name.startsWith("create") ? `slug-${nextNumber()}` : slugOfTenants;
  return { slug, specSlug: slugOfTenants };
}

/** Names of an integration, its event and webhook. The one to be installed is not installed yet. */
function ofIntegration(of: string, { ids }: Own) {
  const { Integration: name, IntegrationEvent: eventId } = ids;
  const integrationName = /^(install|create)/.test(of) ? `${name}.new` : name;
  const event = { eventId, ...(of === "Integration.event" && { id: eventId }) };
  const context = { organizationId: ids.Organization };
  const block = { componentId: "tide", props: {}, state: {}, context };
  const request = lzString.compressToEncodedURIComponent(JSON.stringify(block));
  return {
    name,
    integrationName,
    ...event,
    ...block,
    action: { action: "go" },
    request,
    script: "export const handle = () => null;",
    webhookUrl: null,
    tunnelUrl: "https://tunnel.example.com/",
  };
}

/** Objects for which required fields alone are not valid. */
function objectFor(of: string, field: string, { ids, siblings }: Own): object | undefined {
  if (field === "text" || field === "body") return { markdown: "Words" };
  if (of === "Query.samlProviderFromMetadata") return { xml: exampleMetadata };
  if (field === "createFile") return { name: `text-${nextNumber()}`, base64: "QUJD" };
  if (of === "createTranslation") return {}; // its required fields do
  if (field === "source") return { url: specURL };
  const { sectionId, siteSpaceId } = siblings;
  if (field === "structure") {
    const section = { siteSectionId: ids.SiteSection, siteSpaceIds: [ids.SiteSpace, siteSpaceId] };
    return {
      sectionGroup: {
        siteSectionGroupId: ids.SiteSectionGroup,
        sections: [section, { siteSectionId: sectionId, siteSpaceIds: [] }],
      },
    };
  }
  const isPlace = of.startsWith("moveSite") && (field === "place" || field === "position");
  if (!isPlace) return undefined;
  return of === "moveSiteSpace" ? { afterSiteSpaceId: siteSpaceId } : { afterSiteSectionId: sectionId };
}

/** Optional fields of which exactly one is set, if an operation has them all; the first matching list applies. */
const alternatives = [
  ["holder", "userId", "teamId"],
  ["target", "collectionId", "spaceId"],
  ["contentOf", "spaceId", "changeRequestId"],
  ["archive", "url"],
  ["source", "file"],
  ["script", "webhookUrl"],
  ["apiTokenId", "id"],
  ["text", "body"],
  ["id", "number"],
  ["id", "path"],
  ["userIds", "teamIds"],
  ["users", "teams"],
];

/** The fields, with those marked required that must accompany the given values. */
function completed(fields: Fields, puts: readonly Put[]): Fields {
  const put = new Set(puts.map(({ path }) => path[0]));
  const chosen = alternatives
    .filter((names) => names.every((name) => fields[name]?.required === false))
    .flatMap((names) => (names.some((name) => put.has(name)) ? [] : names.slice(0, 1)));
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const isGiven = name === "organizationId" || chosen.includes(name); // if it can be set, it must be valid
      return [name, isGiven ? { ...field, required: true } : field];
    }),
  );
}

/** A sample for the operation with values of the viewer's own organization and the given values. */
export function sampleFor(operation: Operation, viewed: Viewed, puts: readonly Put[] = []): Sample {
  const { name: of, kind, enumText } = operation;
  const { own } = viewed;
  return sampleOf(completed(operation.fields, puts), {
    puts,
    enumText,
    objectFor: (field) => objectFor(of, field, own),
    valueFor(name, scalar) {
      const given = special(of, viewed)[name];
      if (given !== undefined) return given;
      if (scalar === "ID") return own.ids[kindOf(name, kind) ?? unknownKind(name)];
      if (/email$/i.test(name)) return `somebody-${nextNumber()}@example.com`;
      if (/domain$/i.test(name)) return "example.com";
      if (scalar === "String") return `text-${nextNumber()}`;
      if (scalar === "Upload") return name === "archive" ? zipFile() : textFile();
      return scalar === "Boolean" ? true : 1;
    },
  });
}
