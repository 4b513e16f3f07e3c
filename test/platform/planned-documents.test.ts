// The documents that we print and route: each is valid, runs as a compiled operation, and returns the same as
// interpreted.
import { getOperationAST, parse } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import { features } from "#src/features/index.ts";
import type { Operation, Variables } from "#src/graph/run/execute.ts";
import { documentOf, makeEndpoint } from "#src/rest/endpoint.ts";
import { schema } from "#src/schema.ts";
import { demoQuery } from "#src/server/pages/graphiql.ts";
import { giveContent, giveFiles } from "#test/features/content/factory.ts";
import { addComment, addReply } from "#test/features/comments/factory.ts";
import { addProcessedSpec, keepDocument, smallDocument } from "#test/features/openapi/factory.ts";
import { addInstalled, addIntegration } from "#test/features/integrations/factory.ts";
import { addInviteLink } from "#test/features/invite-links/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { addTranslation } from "#test/features/translations/factory.ts";
import { schemaOf } from "#test/features/sites/factory.ts";
import { merged, piecesOf, takenApart } from "#test/support/in-parts.ts";
import type { Person } from "#test/support/world.ts";
import { useApp } from "#test/support/app.ts";
import { sharedExecutor } from "#test/support/executors.ts";
import { codeOf, readPages } from "#test/support/documentation.ts";
import {
  answerInterpreted,
  answerPlanned,
  contextsOf,
  prepareReady,
  runsAsPlan,
  textOf,
} from "#test/support/query-executions.ts";

const { app, world } = await useApp();
const pages = readPages();

/** Fields that run scripts are interpreted. */
const isRun = ({ operationId }: { readonly operationId: string }) => operationId.startsWith("renderIntegration");
const routes = features.flatMap((feature) => feature.routes.filter((route) => !isRun(route)));
const gets = routes.filter(({ method }) => method === "GET");

const isQuery = (document: string) => getOperationAST(parse(document))?.operation === "query";

/** All our query documents, by source. */
const documents: readonly (readonly [string, string])[] = [
  ...pages.flatMap((page) =>
    codeOf(page, "graphql").map((document, index) => [`block ${index + 1} of ${page.path}`, document] as const),
  ),
  ["GraphiQL's first one", demoQuery] as const,
  ...routes.map((route) => [route.operationId, documentOf(schema, route)] as const),
].filter(([, document]) => isQuery(document));

let variables: Variables;
/** Ids of objects on the space, not on a change request. */
let onSpace: Variables;
let context: (name: string) => Context;
let byPool: (name: string) => Context;

/** Ids of a page on a site. */
let onSite: Variables;

const variablesOf = (name: string, document = ""): Variables => ({
  ...variables,
  ...(/SpaceComment|RepliesInSpace/.test(name) && onSpace),
  ...(document.includes("publishedSite(") && onSite),
});

const ofAdmins =
  /SamlProvider|IntegrationEvent|IntegrationInstallation|Installations|AuditEvent|InviteLink|Permissions/;

/** Contexts of a commenter, and of an admin for documents that require one. */
async function contextsOfBoth(from: typeof app, { commenter, admin }: Record<"commenter" | "admin", Person>) {
  const [asCommenter, asAdmin] = [await contextsOf(from, commenter.token), await contextsOf(from, admin.token)];
  return (name: string) => (ofAdmins.test(name) ? asAdmin() : asCommenter());
}

beforeAll(async () => {
  const made = await world.everything({ site: { adaptiveSchema: schemaOf("customer") } });
  const { space, changeRequest, commenter } = made;
  const [pageId] = await giveContent(app.database, space.revisionId, ["Start"]);
  const [fileId] = await giveFiles(app.database, space.revisionId, ["start.txt"]);
  const shared = { where: { id: changeRequest.id }, data: { revisionId: space.revisionId } };
  await app.database.prisma.changeRequest.update(shared);
  await keepDocument(app.files, smallDocument);
  const { comment, reply, spec, version } = await world.insert((rows) => {
    const comment = addComment(rows, { spaceId: space.id, postedById: commenter.id });
    const reply = addReply(rows, { commentId: comment.id, postedById: commenter.id });
    const { id: samlProviderId } = addSamlProvider(rows, { organizationId: made.organization.id });
    const organizationId = made.organization.id;
    const { id: translationId } = addTranslation(rows, {
      organizationId,
      sourceSpaceId: made.space.id,
      createdById: made.creator.id,
    });
    const { name, id: integrationId } = addIntegration(rows, { organizationId });
    const installed = addInstalled(rows, { integrationId, organizationId, spaceId: space.id, siteId: made.site.id });
    const entry = { type: "member.updated", organizationId, actorId: made.admin.id, subjectId: made.editor.id };
    const auditEntry = rows.add("AuditEntry", { id: newId("AuditEntry"), ...entry, payload: {} });
    variables = {
      samlProviderId,
      integrationName: name,
      eventId: installed.integrationEvent.id,
      installationId: installed.installation.id,
      translationId,
      auditEventId: auditEntry.id,
      inviteId: addInviteLink(rows, { organizationId }).id,
      reviewId: addReview(rows, { changeRequest, reviewerId: made.reviewer.id }).id,
    };
    return { comment, reply, ...addProcessedSpec(rows, { organizationId: made.organization.id }) };
  });
  onSite = { path: [made.section.path, made.siteSpace.path, "start"].join("/") };
  onSpace = { commentId: comment.id, commentReplyId: reply.id };
  context = await contextsOfBoth(app, made);
  // As behind a pooler without prepared statements.
  const database: Database = { ...app.database, wires: null, rows: (statement) => app.database.query(statement) };
  byPool = await contextsOfBoth({ ...app, database }, made);
  variables = {
    ...variables,
    id: made.organization.id,
    number: changeRequest.number,
    organizationId: made.organization.id,
    collectionId: made.collection.id,
    spaceId: space.id,
    revisionId: space.revisionId,
    changeRequestId: changeRequest.id,
    pageId,
    path: "start", // of pages
    pagePath: "start",
    fileId,
    commentId: made.comment.id,
    commentReplyId: made.reply.id,
    siteId: made.site.id,
    siteSectionId: made.section.id,
    teamId: made.team.id,
    userId: made.editor.id,
    emailDomain: "example.com",
    specSlug: spec.slug,
    versionId: version.id,
    query: "start", // of searches
    url: `${app.url}/published/${made.site.id}/${made.section.path}/${made.siteSpace.path}`,
  };
});

test("every source contributes documents", () => {
  expect(documents.filter(([name]) => name.startsWith("block")).length).toBeGreaterThan(1);
  expect(documents.length).toBeGreaterThan(30);
});

describe.each(documents)("%s", (name, document) => {
  let operation: Operation;
  let interpreted: string;
  beforeAll(async () => {
    operation = prepareReady(document);
    interpreted = await answerInterpreted(operation, context(name), variablesOf(name, document));
  });

  test("runs as a compiled operation", () => {
    expect(runsAsPlan(operation, variables)).toBe(true);
  });

  test("returns the same text compiled and interpreted", async () => {
    expect(JSON.parse(interpreted)).not.toHaveProperty("errors");
    expect(await answerPlanned(operation, context(name), variablesOf(name, document))).toBe(interpreted);
  });

  test("returns the same with incremental delivery", async () => {
    const whole: unknown = JSON.parse(interpreted);
    let turn = 0;
    const apart = prepareReady(takenApart(schema, document, () => (turn++ % 7) / 7));
    const pieces = await piecesOf(apart, context(name), variablesOf(name, document));
    expect(merged(pieces)).toEqual({ ...(whole as object), errors: [] });
    expect(JSON.parse(await answerInterpreted(apart, context(name), variablesOf(name, document)))).toEqual(whole);
  });

  test("returns the same when rows are not read as bytes", async () => {
    expect(await answerPlanned(operation, byPool(name), variablesOf(name, document))).toBe(interpreted);
  });
});

describe.each(gets.map((route) => [route.operationId, route] as const))("the /v1 response of %s", (name, route) => {
  test("is written as it is made from data", async () => {
    const endpoint = makeEndpoint(sharedExecutor, route);
    const { data } = await endpoint.operation.run(context(name), variablesOf(name));
    const made = JSON.stringify(endpoint.answer(data, context(name)).body);
    const written = await endpoint.plan?.plan.run(context(name), {
      variables: variablesOf(name),
      write: endpoint.plan.write,
    });
    expect(textOf(written ?? null)).toBe(made);
  });
});
