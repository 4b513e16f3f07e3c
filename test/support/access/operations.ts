// The operations of tenant tests: every mutation, every field with arguments, and every route, each runnable with a
// sample input.
import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  isInputObjectType,
} from "graphql";
import { makeEndpoint } from "#src/rest/endpoint.ts";
import { changesForm } from "#src/rest/request/content-changes.ts";
import { visitorForm } from "#src/features/published-sites/routes.ts";
import { type JsonForm, markdownForm } from "#src/rest/request/property-forms.ts";
import type { Route } from "#src/rest/route.ts";
import { restValuesOf } from "#src/rest/type-forms.ts";
import { schema } from "#src/schema.ts";
import { sharedExecutor } from "#test/support/executors.ts";
import type { GraphqlClient, HttpClient } from "#test/support/client.ts";
import { type Fields, fieldsOf, type Filling, positionsOf, selectionOf } from "#test/support/access/positions.ts";
import { kindOf, type Own, unknownKind } from "#test/support/access/tenants.ts";

/** Clients of the application, by token. */
export interface Clients {
  /** Clients of /v1. */
  readonly rest: (token: string) => HttpClient;
  /** Clients of single operations. */
  readonly single: (token: string) => GraphqlClient;
  /** Clients of a schema with nullable root fields: an error does not affect the other root fields. */
  readonly lenient: (token: string) => GraphqlClient;
}

export type Sample = Record<string, unknown>;

export interface Operation {
  readonly name: string;
  readonly fields: Fields;
  /** The kind of object that it returns. */
  readonly kind: string;
  readonly enumText: Filling["enumText"];
  readonly isRead: boolean;
  /** Whether ids of wrong kinds are tried, too. GraphQL is enough, since /v1 is built on it. */
  readonly takesEveryKind: boolean;
  run(clients: Clients, own: Own, sample: Sample): Promise<Outcome>;
  /** Runs a mutation with each sample in one request. Outcomes count only if all of them are refused. */
  runAll?(clients: Clients, own: Own, samples: readonly Sample[]): Promise<readonly Outcome[]>;
  /** Reads with each sample in one request; undefined if the request was refused as a whole. */
  readAll?(clients: Clients, own: Own, samples: readonly Sample[]): Promise<readonly Outcome[] | undefined>;
}

/** The outcome: the response, without values that differ between runs. */
export interface Outcome {
  readonly isRefused: boolean;
  readonly answer: unknown;
}

const graphqlName: Filling["enumText"] = (_type, name) => name;

async function runGraphql(
  { single }: Clients,
  own: Own,
  document: string,
  variables: Record<string, unknown>,
): Promise<Outcome> {
  const { data, errors } = await single(own.admin.token).graphql(document, variables);
  const refusals = errors?.map(({ message, path, extensions }) => ({ message, path, ...extensions }));
  return { isRefused: errors !== undefined, answer: { data, errors: refusals } };
}

/** Runs one document with a mutation for each sample; returns the outcomes. */
async function runTogether(
  { lenient }: Clients,
  own: Own,
  field: GraphQLField<unknown, unknown>,
  samples: readonly Sample[],
) {
  const type = String(field.args[0]?.type);
  const variables = samples.map((_, index) => `$input${index}: ${type}`).join(", ");
  const calls = samples.map(
    (_, index) => `call${index}: ${field.name}(input: $input${index}) ${selectionOf(field.type)}`,
  );
  const { data, errors = [] } = await lenient(own.admin.token).graphql(
    `mutation (${variables}) { ${calls.join("\n")} }`,
    Object.fromEntries(samples.map((sample, index) => [`input${index}`, sample])),
  );
  return samples.map((_, index): Outcome => {
    const refusals = errors.filter(({ path }) => path?.[0] === `call${index}`);
    const answer = {
      data: data?.[`call${index}`],
      errors: refusals.map(({ message, extensions }) => ({ message, ...extensions })),
    };
    return { isRefused: refusals.length > 0, answer };
  });
}

/** The parent of a field: a type, and the id of the viewer's own object. Null for the root. */
type Owner = { readonly type: string; readonly id: string | undefined } | null;

/** Runs one query with the field for each sample; returns the outcomes. */
async function readTogether(
  { lenient }: Clients,
  own: Own,
  { field, owner }: { readonly field: GraphQLField<unknown, unknown>; readonly owner: Owner },
  samples: readonly Sample[],
): Promise<Outcome[] | undefined> {
  const variables: Record<string, unknown> = owner ? { owner_: owner.id } : {};
  const declared: string[] = owner ? ["$owner_: ID!"] : [];
  const calls = samples.map((sample, index) => {
    const given = field.args.filter(({ name }) => name in sample);
    for (const { name, type, defaultValue } of given) {
      declared.push(`$${name}${index}: ${String(defaultValue === undefined ? type : getNullableType(type))}`);
      variables[`${name}${index}`] = sample[name];
    }
    const list = given.map(({ name }) => `${name}: $${name}${index}`).join(", ");
    const call = `${field.name}${list === "" ? "" : `(${list})`} ${selectionOf(field.type)}`;
    return owner ? `call${index}: node(id: $owner_) { ... on ${owner.type} { ${call} } }` : `call${index}: ${call}`;
  });
  const { data, errors = [] } = await lenient(own.admin.token).graphql<Record<string, unknown>>(
    `query (${declared.join(", ")}) { ${calls.join("\n")} }`,
    variables,
  );
  if (errors.some(({ path }) => path === undefined)) return undefined;
  return samples.map((_, index): Outcome => {
    const refusals = errors
      .filter(({ path }) => path?.[0] === `call${index}`)
      .map(({ message, path, extensions }) => ({ message, path: path?.slice(1), ...extensions }));
    return { isRefused: refusals.length > 0, answer: { data: data?.[`call${index}`], errors: refusals } };
  });
}

/** The field with its arguments as variables, and their declarations. */
function called(field: GraphQLField<unknown, unknown>): { variables: string; call: string } {
  const variables = field.args
    .map(
      ({ name, type, defaultValue }) =>
        `$${name}: ${String(defaultValue === undefined ? type : getNullableType(type))}`,
    )
    .join(", ");
  const given = field.args.map(({ name }) => `${name}: $${name}`).join(", ");
  return { variables, call: `${field.name}(${given}) ${selectionOf(field.type)}` };
}

const argumentsOf = (field: GraphQLField<unknown, unknown>): Fields =>
  fieldsOf(Object.fromEntries(field.args.map((argument) => [argument.name, argument])));

/** Mutations, by their names. */
export function mutations(names: Iterable<string>): Operation[] {
  const fields = schema.getMutationType()?.getFields() ?? {};
  return [...names].map((name): Operation => {
    const field = fields[name];
    if (!field) throw new Error(`No mutation ${name} exists.`);
    const { variables, call } = called(field);
    const input = getNamedType(field.args[0]?.type);
    return {
      name,
      fields: isInputObjectType(input) ? fieldsOf(input.getFields()) : {},
      kind: name.replace(/^[a-z]+/, ""),
      enumText: graphqlName,
      isRead: false,
      takesEveryKind: true,
      run: (clients, own, sample) => runGraphql(clients, own, `mutation (${variables}) { ${call} }`, { input: sample }),
      runAll: (clients, own, samples) => runTogether(clients, own, field, samples),
    };
  });
}

/** Every field of a node or the root with arguments other than paging. */
export function fieldsWithArguments(): Operation[] {
  const nodes = schema.getPossibleTypes(schema.getType("Node") as GraphQLInterfaceType); // Relay's, an interface
  const owners = [...nodes, schema.getQueryType()].filter((type) => type != null);
  return owners.flatMap((owner) =>
    Object.values(owner.getFields())
      .filter((field) => positionsOf(argumentsOf(field)).some(({ path }) => !isPaging(path)))
      .map((field) => fieldOperation(owner, field)),
  );
}

const isPaging = ([name = ""]: readonly string[]) => ["after", "before", "search", "title"].includes(name);

function fieldOperation(owner: GraphQLObjectType, field: GraphQLField<unknown, unknown>): Operation {
  const { variables, call } = called(field);
  const isRoot = owner === schema.getQueryType();
  const document = isRoot
    ? `query (${variables}) { ${call} }`
    : `query ($owner_: ID!, ${variables}) { node(id: $owner_) { ... on ${owner.name} { ${call} } } }`;
  const fields = Object.entries(argumentsOf(field)).filter(([name]) => !isPaging([name]));
  const ownerOf = ({ ids }: Own): Owner =>
    isRoot ? null : { type: owner.name, id: ids[kindOf(owner.name, owner.name) ?? unknownKind(owner.name)] };
  return {
    name: `${owner.name}.${field.name}`,
    fields: Object.fromEntries(fields),
    kind: getNamedType(field.type).name,
    enumText: graphqlName,
    isRead: true,
    takesEveryKind: true,
    run: (clients, own, sample) =>
      runGraphql(clients, own, document, isRoot ? sample : { ...sample, owner_: ownerOf(own)?.id }),
    readAll: (clients, own, samples) => readTogether(clients, own, { field, owner: ownerOf(own) }, samples),
  };
}

/** A route of /v1. */
export function restOperation(route: Route): Operation {
  const { parameters, properties } = makeEndpoint(sharedExecutor, route).inputs;
  const taken = parameters.filter(({ name }) => !["page", "limit", "search", "title"].includes(name));
  const isRead = route.method === "GET";
  const inPath = new Set(taken.filter(({ place }) => place === "path").map(({ name }) => name));
  return {
    name: route.operationId,
    fields: Object.fromEntries(
      [...taken, ...(properties ?? [])].map(({ name, type, required }) => [name, { type, required }]),
    ),
    kind: "",
    isRead,
    takesEveryKind: false,
    enumText: (type, name) => restValuesOf(type).get(name) ?? name,
    async run({ rest }, own, sample) {
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
        encodeURIComponent(String(sample[name])),
      );
      const query = new URLSearchParams();
      for (const { name, place } of taken)
        if (place === "query" && name in sample) query.append(name, String(sample[name]));
      const body = Object.fromEntries(
        (properties ?? [])
          .filter(({ name }) => name in sample && !inPath.has(name))
          .map(({ name, key, form, names }) => [
            name,
            key ? keyed(sample[name], key) : written(form ? sample[name] : underNames(sample[name], names), form),
          ]),
      );
      const { status, body: answer } = await rest(own.admin.token).rest(
        route.method,
        `${path}?${query.toString()}`,
        properties ? { body } : {},
      );
      const isRefused = status >= 400;
      return { isRefused, answer: { status, answer: isRefused || isRead ? answer : shapeOf(answer) } };
    },
  };
}

/** Renames fields of an object to their /v1 properties. */
function underNames(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, of]) => [names[field] ?? field, of as unknown]));
}

interface Edit {
  readonly deletePage?: { readonly pageId: string };
}

/** The changes of content for edits, one kind of which represents all. */
const deletionsIn = (edits: readonly Edit[]) =>
  edits.flatMap(({ deletePage }) => (deletePage ? [{ operation: "delete_page", page: deletePage.pageId }] : []));

/** Converts the value of an input type to the form of its /v1 property. */
function written(value: unknown, form: JsonForm | undefined): unknown {
  if (form === changesForm) return deletionsIn(value as readonly Edit[]); // the input of `editContent`
  if (!form || Array.isArray(value)) return value;
  if (typeof value === "string" && form === markdownForm) return { markdown: value };
  if (form === visitorForm) return { jwtToken: value };
  const choices = Object.entries(value as Record<string, unknown>); // such forms represent input objects
  const { properties } = form.schema as {
    properties?: Record<string, { properties: Record<string, { enum?: string[] }> }>;
  };
  if (!properties) return choices.map(([, ids]) => (Array.isArray(ids) ? ids : "new"))[0];
  const sides = choices.map(([field, id]) => {
    const side = field.replace(/[A-Z].*/, "");
    const inside = Object.entries(properties[side]?.properties ?? {});
    return [side, Object.fromEntries(inside.map(([name, one]) => [name, one.enum?.[0] ?? id]))];
  });
  return Object.fromEntries(sides) as unknown;
}

/** A list as /v1 writes it: an object keyed by one field of the items. */
function keyed(list: unknown, key: string): Record<string, unknown> {
  const items = list as Record<string, unknown>[]; // as the sample is made
  return Object.fromEntries(items.map(({ [key]: name, ...rest }) => [name, rest]));
}

/** The keys of a successful response, without random values. */
function shapeOf(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null ? Object.keys(answer).toSorted() : typeof answer;
}
