// The names of the schema: one name for each concept, and inputs whose types express their requirements.
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  isInputObjectType,
  isInterfaceType,
  isNullableType,
  isObjectType,
  parse,
  validate,
} from "graphql";
import { expect, test } from "vitest";
import { schema } from "#src/schema.ts";

interface Named {
  readonly place: string;
  readonly name: string;
  readonly type: string;
  readonly isDeprecated: boolean;
}

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});

type Member = GraphQLField<unknown, unknown> | GraphQLArgument | GraphQLInputField;

/** All fields, arguments and input fields of the schema. */
const members: Named[] = Object.values(schema.getTypeMap())
  .filter(({ name }) => !name.startsWith("__"))
  .flatMap((type) => {
    if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => named(type.name, field));
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => [
      named(type.name, field),
      ...field.args.map((argument) => named(`${type.name}.${field.name}`, argument)),
    ]);
  });

function named(owner: string, { name, type, deprecationReason }: Member): Named {
  return { place: `${owner}.${name}`, name, type: getNamedType(type).name, isDeprecated: deprecationReason != null };
}

/** Ids given by other systems, which are strings. */
const foreignIds = new Set(["agentTaskId", "clientId", "componentId", "externalId", "externalIds"]);

/** Fields named `id` by integration manifests. */
const ofManifests = /^Integration(?:Block|ContentSource)(?:Input)?\.id$/;

test("the schema has no deprecations at 1.0", () => {
  expect(members.filter(({ isDeprecated }) => isDeprecated)).toEqual([]);
});

test("only IDs are called id, ids, …Id or …Ids", () => {
  const wrong = members.filter(
    ({ place, name, type }) =>
      !foreignIds.has(name) && !ofManifests.test(place) && (type === "ID") !== /^ids?$|Ids?$/.test(name),
  );
  expect(members.filter(({ type }) => type === "ID").length).toBeGreaterThan(400);
  expect(wrong.map(({ place }) => place)).toEqual([]);
});

test("arguments for optimistic locking are called expectedRevisionId or expectedVersion", () => {
  const expected = members.filter(({ name }) => /^expected|^if[A-Z]|^base[A-Z].*Id$/.test(name));
  expect(new Set(expected.map(({ name }) => name))).toEqual(new Set(["expectedRevisionId", "expectedVersion"]));
});

test("every mutation takes one input and returns one payload, both named after it", () => {
  expect(mutations.length).toBeGreaterThan(100);
  for (const { name, args, type } of mutations) {
    const own = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    expect(args.map((argument) => `${argument.name}: ${String(argument.type)}`)).toEqual([`input: ${own}Input!`]);
    expect(getNamedType(type).name).toBe(`${own}Payload`);
  }
});

test("every delete mutation returns a nullable deletedId", () => {
  const deletions = mutations.filter(
    ({ name }) => /^(?:delete|remove)/.test(name) && name !== "removeSectionFromGroup",
  );
  for (const { name, type } of deletions) {
    const payload = getNamedType(type);
    if (!isObjectType(payload)) throw new Error(`${name} answers an object`);
    expect(`${name}: ${String(payload.getFields()["deletedId"]?.type)}`).toBe(`${name}: ID`);
    expect(Object.keys(payload.getFields())).not.toContain("deleted");
  }
});

test("every subscription except the viewer's takes its subjects in `of`", () => {
  const subscriptions = Object.values(schema.getSubscriptionType()?.getFields() ?? {});
  for (const { name, args } of subscriptions)
    expect([name, ...args.filter(({ type }) => !isNullableType(type)).map((argument) => argument.name)]).toEqual(
      name === "viewerEvents" ? [name] : [name, "of"],
    );
});

/** Mutations whose whole input is optional: they then change nothing. */
const changesNothing = new Set(["updateViewer"]);

test.each(mutations.map(({ name }) => name).filter((name) => !changesNothing.has(name)))(
  "%s(input: {}) is invalid",
  (name) => {
    const document = parse(`mutation { ${name}(input: {}) { __typename } }`);
    expect(validate(schema, document).map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/of required type|must specify exactly one|Exactly one key/i),
    );
  },
);

test("each choice between inputs is a OneOf input, not only described", () => {
  const described = members.filter(({ place }) => {
    const [owner = "", name = ""] = place.split(".");
    const type = schema.getType(owner);
    const text = isInputObjectType(type) && !type.isOneOf ? (type.getFields()[name]?.description ?? "") : "";
    return /\b(?:exactly one|either this or|one of (?:it|this) and)\b/i.test(text);
  });
  expect(described.map(({ place }) => place)).toEqual([]);
});
