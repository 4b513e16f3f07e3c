// Tenants: an id of another organization answers exactly as an id that does not exist, in every position of every
// operation, by GraphQL and by /v1. The positions are made from the schema and the route table, so that a new operation
// is held to it without being listed here.
import lzString from "lz-string";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kindOfId, newId } from "#src/base/ids.ts";
import { createExecutor } from "#src/graph/run/execute.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { schema } from "#src/schema.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { schemaOf } from "#test/features/sites/factory.ts";
import { keepDocument, smallDocument } from "#test/features/openapi/factory.ts";
import { exampleMetadata } from "#test/features/saml/example-certificate.ts";
import { drawsTenants, exampleDrawing } from "#test/features/integrations/tenant.ts";
import { leaveSpecsAlone } from "#test/features/openapi/processing.ts";
import { slugOfTenants } from "#test/features/openapi/tenant.ts";
import { textFile } from "#test/features/content/uploads.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { withNullableMutations } from "#test/support/nullable-mutations.ts";
import {
  type Doors,
  fieldsWithArguments,
  mutations,
  type Operation,
  type Outcome,
  restOperations,
  type Sample,
} from "#test/support/operations.ts";
import { type Fields, type Position, positionsOf, type Put, sampleOf } from "#test/support/positions.ts";
import { nextNumber } from "#test/support/rows.ts";
import { supplyOf } from "#test/support/supply.ts";
import { times } from "#test/support/world.ts";
import { type Ids, kindOf, makeOwns, makeTenants, type Own, rowsOf, unknownKind } from "#test/support/tenants.ts";
import { exampleFetch, examplePage } from "#test/support/example-fetch.ts";

const specURL = "https://docs.example.com/openapi.json";
const fetch: SafeFetch = (url, options) =>
  String(url) === drawsTenants ? exampleDrawing(url) : exampleFetch(url, options);
const { app } = await useApp({ fetch });
/** The same, with mutations that may be null: an error leaves those beside it in the document as they are. */
const lenient = await testApp({ beside: app, fetch, executor: createExecutor(withNullableMutations(schema)) });
afterAll(() => lenient.close());

/** Another organization, in which the viewer is not. */
let foreign: Ids;
let foreignRows: string;
/** A second one in which the viewer is admin too. */
let second: Ids;

beforeAll(async () => {
  await leaveSpecsAlone(app);
  await keepDocument(app.files, smallDocument);
  [foreign, second] = [await idsOfOne(), await idsOfOne()]; // not made together, so that they have nothing in common
  foreignRows = await rowsOf(app.database, foreign);
});

async function idsOfOne(): Promise<Ids> {
  const [one] = await makeTenants(app.database, 1);
  if (!one) throw new Error("There is no tenant.");
  return one.ids;
}

/** What the schema does not say of an operation that must succeed: values of fields, where it has them. */
function special(name: string, own: Own): Record<string, unknown> {
  const { Organization } = second;
  if (name.startsWith("restoreSpace")) return { spaceId: own.deletedSpaceId };
  if (name.startsWith("transfer")) return { organizationId: Organization, organization: Organization };
  if (/^(?:start)?import/i.test(name)) return { url: examplePage.url };
  if (name === "checkEmailDomain") return { domain: "tenant.example.com" };
  if (name === "useInviteLink") return { key: own.linkKey };
  if (name === "resolveConflicts") return { conflictId: "0123456789abcdef" };
  if (name === "setSiteAdaptiveSchema") return { jsonSchema: schemaOf("customer") };
  if (name === "Site.conditionChecks") return { claims: {} };
  if (name.endsWith("GlossaryTerm")) return { term: `Term ${nextNumber()}`, language: "DE", text: "Wort" };
  if (name.endsWith("Translation")) return { instructions: fromMarkdown("Words") };
  if (name === "Space.unfurledLink") return { url: "https://tides.example.com/" };
  if (/OpenApiSpec/i.test(name)) return ofSpec(name);
  if (/integration/i.test(name)) return ofIntegration(name, own);
  if (name === "requestReviews") return { reviewerIds: own.reviewerId };
  if (name === "dismissReview") return { reviewId: own.givenReviewId };
  // What is said of comments without a change request is said of those on the space.
  if (/Comment/i.test(name) && !/ChangeRequest|^Comment\./.test(name)) {
    const [comment, reply] = [own.spaceCommentId, own.spaceReplyId];
    return { id: comment, commentId: comment, commentReplyId: reply, replyId: reply };
  }
  return {};
}

/** What names a specification. */
function ofSpec(name: string): Record<string, unknown> {
  const slug = name.startsWith("create") ? `slug-${nextNumber()}` : slugOfTenants;
  return { slug, specSlug: slugOfTenants };
}

/** What names an integration, an event of it, and where its events go. What is to be installed is not yet. */
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
    webhookUrl: null,
    tunnelUrl: "https://tunnel.example.com/",
  };
}

/** Objects that required fields alone do not make. */
function objectFor(of: string, field: string, { ids, siblings }: Own): object | undefined {
  if (field === "text" || field === "body") return { markdown: "Words" };
  if (of === "Query.samlProviderFromMetadata") return { xml: exampleMetadata };
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

/** Optional fields of which exactly one is given, where an operation has them all; of several lists the first. */
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
];

/** The fields, with those required that are to be given beside what is put. */
function completed(fields: Fields, puts: readonly Put[]): Fields {
  const put = new Set(puts.map(({ path }) => path[0]));
  const chosen = alternatives
    .filter((names) => names.every((name) => fields[name]?.required === false))
    .flatMap((names) => (names.some((name) => put.has(name)) ? [] : names.slice(0, 1)));
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const isGiven = name === "organizationId" || chosen.includes(name); // where it may be said, it has to be right
      return [name, isGiven ? { ...field, required: true } : field];
    }),
  );
}

/** What the operation takes, with values of the viewer's own organization everywhere but where something is put. */
function sampleFor(operation: Operation, own: Own, puts: readonly Put[] = []): Sample {
  const { name: of, kind, enumText } = operation;
  return sampleOf(completed(operation.fields, puts), {
    puts,
    enumText,
    objectFor: (field) => objectFor(of, field, own),
    valueFor(name, scalar) {
      const given = special(of, own)[name];
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

/** The outcome without the text that was put, other ids, and addresses. */
function comparable({ answer, isRefused }: Outcome, text: string): object {
  const plain = JSON.stringify(answer)
    .replaceAll(text, "<what was put>")
    .replaceAll(/\b[a-z]{3}_(?:[0-9a-z]{26}){1,2}\b/g, "<id>")
    .replaceAll(/text-\d+|somebody-\d+/g, "<text>")
    .replaceAll(/at character \d+/g, "at <a place>");
  return { isRefused, answer: JSON.parse(plain) as unknown };
}

/**
 * How many ids of other kinds than the one that belongs at a position are tried there. They are looked up where ids of
 * that kind are, and cannot be there, so a few stand for all; over the positions each has its turn.
 */
const strangersEach = 3;
let turn = 0;

/**
 * Ids of another tenant and ids that do not exist, for a position: of the kind that belongs there and of some others,
 * and where the name does not say which belongs there, of every kind.
 */
function candidates(operation: Operation, { scalar, path }: Position, tenant: Ids): [there: string, missing: string][] {
  if (scalar === "String")
    return [
      [tenant.User, newId("User")],
      [tenant.email, `nobody-${nextNumber()}@example.com`],
    ];
  const all = Object.values(tenant).filter((id) => id !== tenant.email);
  const kind = kindOf(path.at(-1) ?? "", operation.kind);
  const right = kind && tenant[kind];
  const others = all.filter((id) => id !== right);
  const some = times(operation.takesEveryKind ? strangersEach : 0, () => others[turn++ % others.length] ?? "");
  return (right === undefined ? all : [right, ...some]).map((id) => [id, newId(kindOfId(id) ?? "User")]);
}

let unchanged: Own | undefined;
const nextOwn = supplyOf((count) => makeOwns(app.database, second, count));

/** Runs an operation in the viewer's organization, which is made anew after every change. */
async function attempt(operation: Operation, putsIn: (own: Own) => readonly Put[] = () => []): Promise<Outcome> {
  const own = (unchanged ??= await nextOwn());
  const outcome = await operation.run(own, sampleFor(operation, own, putsIn(own)));
  if (!outcome.isRefused && !operation.isRead) unchanged = undefined;
  return outcome;
}

/**
 * Expects the same answer to what another tenant has as to what nobody has, put at all the positions. Answers whether
 * it was refused.
 */
async function expectAlike(operation: Operation, positions: readonly Position[], tenant: Ids): Promise<boolean> {
  const [first] = positions;
  if (!first) return true;
  const pairs = candidates(operation, first, tenant);
  const putting = (value: string) => positions.map(({ path }): Put => ({ path, value }));
  const compare = ([there, missing]: (typeof pairs)[number], outcomes: readonly Outcome[]) => {
    const [one, other] = outcomes.map((outcome, side) => comparable(outcome, side === 0 ? there : missing));
    expect(one, `${operation.name} with ${there} at ${positions.map(({ path }) => path.join(".")).join()}`).toEqual(
      other,
    );
  };

  const together = await attemptAll(operation, pairs.flat().map(putting));
  if (together?.every(({ isRefused }) => isRefused)) {
    for (const [index, pair] of pairs.entries()) compare(pair, together.slice(2 * index, 2 * index + 2));
    return true;
  }
  let isRefused = true;
  for (const pair of pairs) {
    const outcomes: Outcome[] = [];
    for (const value of pair) outcomes.push(await attempt(operation, () => putting(value)));
    if (positions.length > 1 && outcomes.some((outcome) => outcome.isRefused)) return true; // by which of them?
    compare(pair, outcomes);
    isRefused &&= outcomes.every((outcome) => outcome.isRefused);
  }
  return isRefused;
}

/** Runs an operation with each list of what is put, in one request: what is refused changes nothing for the next. */
async function attemptAll(operation: Operation, puts: readonly (readonly Put[])[]) {
  if (!operation.runAll) return undefined;
  const own = (unchanged ??= await nextOwn());
  const outcomes = await operation.runAll(
    own,
    puts.map((put) => sampleFor(operation, own, put)),
  );
  if (!outcomes.every(({ isRefused }) => isRefused)) unchanged = undefined;
  return outcomes;
}

/** All texts at once, and one by one where that is refused: one of them may have hidden the others. */
async function expectAllAlike(operation: Operation, texts: readonly Position[]): Promise<void> {
  const isRefused = await expectAlike(operation, texts, foreign);
  if (isRefused && texts.length > 1) for (const text of texts) await expectAlike(operation, [text], foreign);
}

/** Whether a name that nobody has is taken by who gives it first, so that the next one is refused. */
const isNewName = (of: string, path: Position["path"]): boolean =>
  of === "publishIntegration" && /name$/i.test(String(path.at(-1)));

function describeOperations(operations: readonly Operation[]): void {
  describe.each(operations.map((operation) => [operation.name, operation] as const))("%s", (_name, operation) => {
    const positions = positionsOf(operation.fields);
    const ids = positions.filter(({ scalar }) => scalar === "ID");
    const texts = positions.filter(({ scalar, path }) => scalar === "String" && !isNewName(operation.name, path));
    test("answers with the viewer's own ids, so that refusals mean something", async () => {
      const { isRefused, answer } = await attempt(operation);
      expect(isRefused, JSON.stringify(answer)).toBe(false);
    });

    const cases: (readonly [string, () => Promise<unknown>])[] = ids.map((position) => [
      position.path.join("."),
      () => expectAlike(operation, [position], foreign),
    ]);
    if (texts.length > 0) cases.push(["texts", () => expectAllAlike(operation, texts)]);
    // What stands below an organization that is named has to be of that organization, even where the viewer is admin
    // of both.
    if (operation.fields["organizationId"]?.required && !operation.name.startsWith("transfer")) {
      const below = ids.filter(({ path }) => path[0] !== "organizationId");
      const one = async () => {
        for (const position of below) await expectAlike(operation, [position], second);
      };
      if (below.length > 0) cases.push(["nor ids of another organization of the viewer's", one]);
    }
    test.each(cases)("%s", async (_case, check) => {
      await check();
    });
  });
}

const doors: Doors = { strict: (token) => app.as(token), lenient: (token) => lenient.as(token) };

describe("mutations", () => {
  describeOperations(mutations(doors));
});
describe("fields with arguments", () => {
  describeOperations(fieldsWithArguments(doors));
});
describe("/v1", () => {
  describeOperations(restOperations(doors));
});

test("after all that, nothing of the other organization has changed", async () => {
  expect(foreignRows).toContain(foreign.Space);
  expect(await rowsOf(app.database, foreign)).toBe(foreignRows);
});
