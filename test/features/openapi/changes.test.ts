// Comparing whole API documents: operations, models, webhooks, and documents that are slow to compare.
import { describe, expect, test } from "vitest";
import { compareDocuments } from "#src/features/openapi/model/changes/compare.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

const shipRef = { $ref: "#/components/schemas/Ship" };
const json = (schema: unknown) => ({ content: { "application/json": { schema } } });

function documentWith(schemas: object, paths: object = {}, further: object = {}): SpecDocument {
  const info = { title: "Ships", version: "1" };
  return { openapi: "3.1.0", info, paths, components: { schemas }, ...further } as SpecDocument;
}

const reading = { "/ships": { get: { responses: { "200": json({ type: "array", items: shipRef }) } } } };
const writing = { "/ships": { post: { requestBody: json(shipRef), responses: {} } } };

function findChanges(before: SpecDocument, after: SpecDocument) {
  return compareDocuments(before, after).changes.map(({ rule, isBreaking, operation, model, within }) =>
    [operation ? `${operation.method} ${operation.path}` : model, within, rule, isBreaking].join(" | "),
  );
}

describe("changes of an API document", () => {
  test("of a model are reported once, at the model, if a client sends it", () => {
    const before = { Ship: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } };
    const after = { Ship: { type: "object", properties: { name: { type: "string" } } } };
    expect(findChanges(documentWith(before, reading), documentWith(after, reading))).toEqual([
      "Ship | name | field_optional | true",
    ]);
    expect(findChanges(documentWith(before, writing), documentWith(after, writing))).toEqual([
      "Ship | name | field_optional | false",
    ]);
    expect(findChanges(documentWith(before), documentWith(after))).toEqual([]); // no client sends it
  });

  test("have the path of the value", () => {
    const of = (type: string) => ({
      "/ships/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: { type } }],
        put: {
          requestBody: json({
            type: "object",
            properties: { crew: { type: "array", items: { properties: { age: { type } } } } },
          }),
          responses: {
            "200": { ...json({ additionalProperties: { type } }), headers: { "X-Id": { schema: { type } } } },
          },
        },
      },
    });
    expect(findChanges(documentWith({}, of("string")), documentWith({}, of("integer")))).toEqual([
      "put /ships/{id} | path parameter id | type_changed | true",
      "put /ships/{id} | request body, application/json, crew[].age | type_changed | true",
      "put /ships/{id} | response 200, application/json, * | type_changed | true",
      "put /ships/{id} | response 200, header X-Id | type_changed | true",
    ]);
  });

  test("omit the name of a path parameter", () => {
    const of = (name: string) => ({
      [`/ships/{${name}}`]: { get: { parameters: [{ name, in: "path", required: true, schema: {} }], responses: {} } },
    });
    expect(findChanges(documentWith({}, of("id")), documentWith({}, of("shipId")))).toEqual([]);
  });

  test("of read-only properties do not affect requests, and of write-only ones not responses", () => {
    const of = (more: object) => ({ Ship: { type: "object", properties: { id: { type: "string", ...more } } } });
    const both = { "/ships": { ...reading["/ships"], ...writing["/ships"] } };
    const [open, read] = [documentWith(of({}), both), documentWith(of({ readOnly: true }), both)];
    expect(findChanges(open, read)).toEqual(["Ship | id | field_removed | true"]);
    expect(findChanges(read, open)).toEqual(["Ship | id | field_added | false"]);
  });

  test("of webhooks are those of the server's requests", () => {
    const hook = (required: string[]) =>
      documentWith(
        {},
        {},
        {
          webhooks: { landed: { post: { requestBody: json({ properties: { at: {} }, required }), responses: {} } } },
        },
      );
    expect(findChanges(hook([]), hook(["at"]))).toEqual([
      "post landed | request body, application/json, at | field_required | false",
    ]);
    expect(findChanges(hook(["at"]), hook([]))).toEqual([
      "post landed | request body, application/json, at | field_optional | true",
    ]);
  });

  test("of schema parts are found through the schema, and those of a shared model at the model", () => {
    const base = (type: string) => ({ type: "object", properties: { id: { type } } });
    const ship = { allOf: [{ $ref: "#/components/schemas/Base" }, { properties: { name: { type: "string" } } }] };
    const after = { allOf: [{ $ref: "#/components/schemas/Base" }, { properties: { name: { type: "integer" } } }] };
    expect(
      findChanges(
        documentWith({ Base: base("string"), Ship: ship }, reading),
        documentWith({ Base: base("integer"), Ship: after }, reading),
      ),
    ).toEqual(["Base | id | type_changed | true", "Ship | name | type_changed | true"]);
    const inPlace = { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };
    expect(
      findChanges(
        documentWith({ Base: base("string"), Ship: ship }, reading),
        documentWith({ Ship: inPlace }, reading),
      ),
    ).toEqual(["Base |  | model_removed | false"]);
  });

  test("omit descriptions, summaries and examples", () => {
    const of = (text: string) =>
      documentWith({ Ship: { type: "string", description: text, examples: [text] } }, reading);
    expect(findChanges(of("a"), of("b"))).toEqual([]);
  });
});

describe("changes of API documents that are slow to compare", () => {
  test("compare models that contain themselves and each other once", () => {
    const of = (type: string) => ({
      Ship: {
        type: "object",
        properties: { next: shipRef, crew: { $ref: "#/components/schemas/Person" }, a: { type } },
      },
      Person: { type: "object", properties: { ship: { allOf: [shipRef, { properties: { again: shipRef } }] } } },
    });
    expect(findChanges(documentWith(of("string"), reading), documentWith(of("null"), reading))).toEqual([
      "Ship | a | type_changed | true",
    ]);
  });

  test("treat unresolvable and circular references, and names of object prototypes, like any value", () => {
    const odd = {
      A: { $ref: "#/components/schemas/B" },
      B: { $ref: "#/components/schemas/A" },
      Ship: {
        properties: {
          ["__proto__"]: { type: "string" },
          constructor: { $ref: "#/nowhere" },
          a: { $ref: "#/components/schemas/A" },
        },
      },
    };
    const before = documentWith(odd, reading);
    expect(findChanges(before, documentWith({ ...odd, Ship: { properties: {} } }, reading))).toHaveLength(3);
    expect(findChanges(before, JSON.parse(JSON.stringify(before)) as SpecDocument)).toEqual([]);
  });

  test("are limited in depth and number of forms", () => {
    let deep: object = { type: "string" };
    for (let level = 0; level < 2_000; level++) deep = { properties: { a: deep } };
    expect(
      compareDocuments(documentWith({ Ship: deep }, reading), documentWith({ Ship: { properties: {} } }, reading))
        .count,
    ).toBe(1);
    const forms = (offset: number) => ({
      oneOf: Array.from({ length: 6_000 }, (_, index) => ({ const: index + offset })),
    });
    const { count, changes } = compareDocuments(
      documentWith({ Ship: forms(0) }, reading),
      documentWith({ Ship: forms(1_000_000) }, reading),
    );
    expect(count).toBeGreaterThanOrEqual(6_000);
    expect(changes).toHaveLength(5_000);
  });
});
