// Values for arguments of queries in a world: its ids by kind, cursors of its lists, and other values.
import {
  getNamedType,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isRequiredArgument,
} from "graphql";
import { type IdKind, newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { Variables } from "#src/graph/run/execute.ts";
import { edgeCaseTexts, unstorableTexts } from "#test/support/edge-case-texts.ts";
import type { ValuesFor } from "#test/support/random-arguments.ts";
import { allFields } from "#test/support/schema-paths.ts";

type Ids = ReadonlyMap<string, readonly string[]>;

const tables: readonly IdKind[] = [
  ..."User ApiToken Organization OrganizationMember InviteLink Invitation Team Grant Collection Space Revision".split(
    " ",
  ),
  ..."ChangeRequest Review Comment CommentReply Mention Site SiteSectionGroup SiteSection SiteSpace ContentImport OpenApiSpec OpenApiSpecVersion SamlProvider OidcProvider AuditEntry Session Translation GlossaryTerm".split(
    " ",
  ),
  ..."Integration IntegrationVersion IntegrationInstallation IntegrationSpace IntegrationSite IntegrationEvent".split(
    " ",
  ),
] as IdKind[]; // names of models that have ids

/** The ids of all rows by their kind; those of `first` before the others. */
export async function readIds({ pool }: Pick<Database, "pool">, first: readonly string[]): Promise<Ids> {
  const ids = new Map<string, readonly string[]>();
  const read = async (kind: string, table: string, column: string) => {
    const { rows } = await pool.query<{ id: string }>(
      `select "${column}" as id from "${table}" order by "${column}" = any($1) desc, array_position($1, "${column}"), "${column}" limit 12`,
      [first],
    );
    ids.set(kind, [...rows.map(({ id }) => id), newId(kind as IdKind), "x"]); // a kind of ours, as below
  };
  for (const kind of tables) await read(kind, kind, "id");
  await read("File", "ContentFile", "fileId");
  // A page node has a composite id, which no column stores.
  ids.set("Page", [...first.filter((id) => id.startsWith("pag_")), newId("Page"), "x"]);
  return ids;
}

/** The kind of id of an argument, if its name implies one. */
const kinds: Readonly<Record<string, IdKind>> = {
  userId: "User",
  ownerId: "User",
  contributorId: "User",
  authorIds: "User",
  reviewerId: "User",
  resolvedById: "User",
  parentId: "Collection",
  pageId: "Page",
  sinceRevisionId: "Revision",
  sinceVersionId: "OpenApiSpecVersion",
  space: "Space",
  spaceId: "Space",
  organization: "Organization",
  organizationId: "Organization",
};

const texts: Readonly<Record<string, readonly unknown[]>> = {
  anchor: ["start", "guide", "", "x", ...unstorableTexts],
  slug: ["harbour", "petstore", "", "X", null, ...unstorableTexts],
  name: ["tides", "", "a b", "nobody", "x".repeat(101), ...unstorableTexts],
  blockDomains: ["maps.example.com", "", "https://example.com"],
  shareKey: ["key-of-the-site", "key-of-the-space", null, "", ...unstorableTexts],
  domain: ["example.com", "EXAMPLE.com", "nobody.example.com", "", "\ud83d"],
  path: ["guide", "guide/start", "guide-2", "nothing/here", "", "\ud800"],
  search: ["e", "", "%_\\", null, ...edgeCaseTexts.slice(0, 6), ...unstorableTexts],
  title: ["e", "", "%_\\", null, ...edgeCaseTexts.slice(0, 6), ...unstorableTexts],
  subject: ["e", "", "%_\\", null, ...unstorableTexts],
  text: ["guide", "gu", '"e" -x or page', "", '"', ...edgeCaseTexts.slice(0, 6), ...unstorableTexts],
  nodeKey: ["0", "", null, ...unstorableTexts],
  number: [1, 2, 3, 0, 99, null],
  first: [3, 1, 2, 4, 5, 3, 1, 2, 4, 5, 3, 1, 2, 4, 5, null, 0, 1001],
  last: [2, 1, 3, 4, 5, 2, 1, 3, 4, 5, 2, 1, 3, 4, 5, null, -1],
  skip: [0, 1, 2, 100, -1],
  linkBase: ["/published/x", "", "x", null, ...unstorableTexts],
  contextLines: [3, 0, 1, 20],
  claims: [{}, [], 1, "x"],
  integrationName: ["tides", "nobody", "", "a b"],
  componentId: ["tide", ""],
  request: ["", "x"],
  context: [{}, [], 1, "x"],
  props: [{}, null, 1],
  state: [{}, null, "x"],
  action: [{}, null, []],
  url: ["https://maps.example.com/", "x", ...unstorableTexts],
};

/** Values for the arguments of a schema in a world. `cursors` has some of each list, by its field. */
export function valuesIn(ids: Ids, cursors: ReadonlyMap<string, readonly string[]>): ValuesFor {
  const everyCursor = [...cursors.values()].flat();
  return ({ field, argument: { name, type }, answers }) => {
    const named = getNamedType(type);
    if (isEnumType(named)) return [...named.getValues().map((value) => value.name), null].slice(0, 9);
    if (isInputObjectType(named) && name === "orderBy") return ordersIn(named);
    if (isInputObjectType(named) && named.name === "SearchPlace") return placesIn(named, ids);
    if (named.name === "SamlMetadataSource") return [{ xml: "<EntityDescriptor/>" }, { xml: "" }, { url: "x" }];
    if (named.name === "PublishedSiteKey") return (ids.get("Site") ?? []).map((id) => ({ id }));
    if (named.name === "PageKey") return keysIn("path", ids.get("Page"));
    if (named.name === "ChangeRequestKey") return keysIn("number", ids.get("ChangeRequest"));
    if (named.name === "DateTime")
      return ["2026-01-01T00:00:00Z", "2026-11-20T10:00:00.5+02:00", "2040-01-01T00:00Z", null];
    if (named.name === "Boolean") return [true, false];
    if (name === "after" || name === "before")
      return [...(cursors.get(field) ?? []), ...everyCursor.slice(0, 1), null, "", "x"];
    if (name === "first" && field.endsWith(".activity")) return [100, 100, 100, 3, null, 1001]; // many kinds, each once
    if (field === "PublishedSite.page") return ["", ...(texts["path"] ?? [])];
    const own = texts[name];
    if (own) return own;
    const known = kinds[name];
    if (known) return ids.get(known) ?? [];
    return answers.slice(0, 3).flatMap((answer) => ids.get(answer.name.replace(/^Published/, "")) ?? []);
  };
}

/** Values of a key argument: an id or an alternative. */
const keysIn = (other: "number" | "path", ids: readonly string[] = []): unknown[] => [
  ...ids.map((id) => ({ id })),
  ...(texts[other] ?? []).slice(0, 4).map((value) => ({ [other]: value })),
];

/** Values of a search scope: one of each kind, by id. */
function placesIn(input: GraphQLInputObjectType, ids: Ids): unknown[] {
  const kindOf = (field: string) => `${field.charAt(0).toUpperCase()}${field.slice(1, -2)}` as IdKind; // `spaceId`
  return Object.keys(input.getFields()).flatMap((field) =>
    (ids.get(kindOf(field)) ?? []).slice(0, 2).map((id) => ({ [field]: id })),
  );
}

/** Values of `orderBy`: each field, with and without a direction. */
function ordersIn(input: GraphQLInputObjectType): unknown[] {
  const fields = getNamedType(input.getFields()["field"]?.type);
  const names = isEnumType(fields) ? fields.getValues().map((value) => value.name) : [];
  return [null, ...names.flatMap((field) => [{ field }, { field, direction: "DESC" }])];
}

/** Cursors of the lists of nodes and of the root, by field. `ask` returns the data of a document. */
export async function readCursors(
  schema: GraphQLSchema,
  ids: Ids,
  ask: (document: string, variables: Variables) => Promise<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const cursors = new Map<string, readonly string[]>();
  for (const { type, field } of allFields(schema)) {
    if (!field.args.some(({ name }) => name === "after")) continue;
    if (field.args.some(isRequiredArgument)) continue;
    const owners = (ids.get(type.name) ?? []).slice(0, 3);
    const list = `${field.name}(first: 3) { edges { cursor } }`;
    const document =
      type === schema.getQueryType()
        ? `{ ${list} }`
        : `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${type.name} { ${list} } } }`;
    if (owners.length === 0 && type !== schema.getQueryType()) continue;
    const answer = await ask(document, owners.length > 0 ? { ids: owners } : {});
    const found = [...answer.matchAll(/"cursor":"([^"]+)"/g)].map((match) => match[1] ?? "");
    cursors.set(`${type.name}.${field.name}`, found);
  }
  return cursors;
}
