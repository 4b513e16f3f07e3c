// The two Pothos plugins as we use them: exposed columns have no resolver, only our reader loads rows, and a selection
// is data.
import SchemaBuilder from "@pothos/core";
import PrismaPlugin from "@pothos/plugin-prisma";
import { getNullableType, type GraphQLObjectType, isListType, isObjectType } from "graphql";
import { expect, test } from "vitest";
import { readOf } from "#src/plan/read-declaration.ts";
import { readerPlugin } from "#src/graph/schema/builder.ts";
import { schema } from "#src/schema.ts";

const typeOf = (name: string) => schema.getType(name) as GraphQLObjectType; // object types of ours

test("an exposed column has no resolver, so that the compiler reads it directly", () => {
  expect(typeOf("Space").getFields()["title"]?.resolve).toBeUndefined();
  expect(typeOf("Space").getFields()["id"]?.resolve).toBeUndefined();
});

test("no field is wrapped by the loading of plugin-prisma", () => {
  // Query fields are wrapped by our check of tokens.
  const fields = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => type !== schema.getQueryType())
    .flatMap((type) => Object.values(type.getFields()));
  const own = (field: (typeof fields)[number]) =>
    (field.extensions as { pothosOriginalResolve?: unknown }).pothosOriginalResolve;
  // Plain lists are wrapped by our count of values.
  const isOurs = ({ type }: (typeof fields)[number]) => isListType(getNullableType(type));
  const wrapped = fields.filter((field) => readOf(field) && !isOurs(field) && field.resolve !== own(field));
  expect(fields.filter((field) => readOf(field)).length).toBeGreaterThan(100);
  expect(wrapped.map(({ name }) => name)).toEqual([]);
});

test("refuses a function as `select`, which a cached plan would freeze", () => {
  const id = {
    name: "id",
    type: "String",
    kind: "scalar",
    isRequired: true,
    isId: true,
    isUnique: true,
    isList: false,
    hasDefaultValue: false,
  };
  const models = { Space: { fields: [id], primaryKey: null, uniqueIndexes: [] } };
  const builder = new SchemaBuilder<object>({
    plugins: [readerPlugin, PrismaPlugin],
    prisma: { dmmf: { datamodel: { models } }, client: () => null },
  } as never); // as little as the plugin needs
  builder.queryType({ fields: (t) => ({ ok: t.boolean({ resolve: () => true }) }) });
  // The models are not typed here.
  const made = builder as unknown as { prismaObject(name: string, options: object): void };
  made.prismaObject("Space", {
    select: { id: true },
    fields: (t: { string(options: object): unknown }) => ({
      title: t.string({ select: () => ({ id: true }), resolve: () => "" }),
    }),
  });
  expect(() => builder.toSchema()).toThrow("Space.title");
});
