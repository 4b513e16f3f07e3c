// The rules for changes of APIs, one by one: the reported change, and whether it breaks clients.
import { describe, expect, test } from "vitest";
import { compareDocuments } from "#src/features/openapi/model/changes/compare.ts";
import { type RuleName, rules } from "#src/features/openapi/model/changes/change.ts";
import type { Operation, Schema, SpecDocument } from "#src/features/openapi/model/spec-document.ts";

const documentOf = (paths: object, further: object = {}): SpecDocument =>
  ({ openapi: "3.1.0", info: { title: "Ships", version: "1" }, paths, ...further }) as SpecDocument;

/** A document with one operation. */
const withGet = (get: Partial<Operation>, further: object = {}): SpecDocument =>
  documentOf({ "/ships": { get: { operationId: "listShips", responses: {}, ...get } } }, further);

const json = (schema: unknown) => ({ content: { "application/json": { schema: schema as Schema } } });
const parameter = (more: object = {}) => withGet({ parameters: [{ name: "q", in: "query", schema: {}, ...more }] });
const body = (more: object = {}) => withGet({ requestBody: { ...json(true), ...more } });
const response = (more: object = {}, status = "200") =>
  withGet({ responses: { "200": json(true), [status]: { ...json(true), ...more } } });
const header = (more: object = {}) => response({ headers: { "X-Rate": { schema: {}, ...more } } });
const secured = (security: object[]) =>
  withGet({ security } as Partial<Operation>, { components: { securitySchemes: {} } });
const scheme = (more: object) =>
  documentOf({}, { components: { securitySchemes: { key: { type: "apiKey", ...more } } } });
const servers = (...urls: string[]) => documentOf({}, { servers: urls.map((url) => ({ url })) });
const models = (schemas: object) => documentOf({}, { components: { schemas } });

type Case = readonly [before: SpecDocument, after: SpecDocument, isBreaking: boolean];

const none = documentOf({});
const plainCases: Partial<Record<RuleName, Case>> = {
  operation_added: [none, withGet({}), false],
  operation_removed: [withGet({}), none, true],
  operation_deprecated: [withGet({}), withGet({ deprecated: true }), false],
  operation_no_longer_deprecated: [withGet({ deprecated: true }), withGet({}), false],
  operation_id_changed: [withGet({}), withGet({ operationId: "ships" }), false],
  parameter_added: [withGet({}), parameter(), false],
  required_parameter_added: [withGet({}), parameter({ required: true }), true],
  parameter_removed: [parameter(), withGet({}), true],
  parameter_required: [parameter(), parameter({ required: true }), true],
  parameter_optional: [parameter({ required: true }), parameter(), false],
  parameter_deprecated: [parameter(), parameter({ deprecated: true }), false],
  parameter_written_otherwise: [parameter(), parameter({ explode: false }), true],
  body_added: [withGet({}), body(), false],
  required_body_added: [withGet({}), body({ required: true }), true],
  body_removed: [body(), withGet({}), true],
  body_required: [body(), body({ required: true }), true],
  body_optional: [body({ required: true }), body(), false],
  media_type_added: [response(), response({ content: { "application/json": {}, "text/csv": {} } }), false],
  media_type_removed: [response({ content: { "application/json": {}, "text/csv": {} } }), response(), true],
  response_added: [response(), response({}, "404"), false],
  success_removed: [response({}, "201"), response(), true],
  response_removed: [response({}, "404"), response(), false],
  header_added: [response(), header(), false],
  header_removed: [header(), response(), true],
  header_required: [header(), header({ required: true }), false],
  header_optional: [header({ required: true }), header(), true],
  authorization_needed: [secured([{ key: [] }, {}]), secured([{ key: [] }]), true],
  authorization_dropped: [secured([{ key: [] }]), secured([]), false],
  authorization_added: [secured([{ key: [] }]), secured([{ key: [] }, { token: [] }]), false],
  authorization_removed: [secured([{ key: [] }, { token: [] }]), secured([{ key: [] }]), true],
  scope_added: [secured([{ key: [] }]), secured([{ key: ["read"] }]), true],
  scope_removed: [secured([{ key: ["read"] }]), secured([{ key: [] }]), false],
  authorization_changed: [scheme({ in: "header", name: "a" }), scheme({ in: "query", name: "a" }), true],
  server_added: [servers("https://a.example"), servers("https://a.example", "https://b.example"), false],
  server_removed: [servers("https://a.example", "https://b.example"), servers("https://b.example"), true],
  model_added: [models({}), models({ Ship: {} }), false],
  model_removed: [models({ Ship: {} }), models({}), false],
};

describe("changes of operations", () => {
  test.for(Object.entries(plainCases))("are reported by the rule %s", ([rule, [before, after, isBreaking]]) => {
    const { changes, count, breakingCount, isComplete } = compareDocuments(before, after);
    expect(changes.map((one) => [one.rule, one.isBreaking])).toEqual([[rule, isBreaking]]);
    expect([count, breakingCount, isComplete]).toEqual([1, isBreaking ? 1 : 0, true]);
    expect(changes[0]?.reason).toMatch(/^[A-Z].*\.$/);
  });
});

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const field = (schema: unknown, required: string[] = []) => object({ name: schema }, { required });

/** Schemas before and after, and whether the change breaks clients that send it, and clients that receive it. */
type SchemaCase = readonly [before: unknown, after: unknown, inRequests: boolean, inResponses: boolean];

const schemaCases: Partial<Record<RuleName, SchemaCase>> = {
  field_added: [object({}), field(true), false, false],
  required_field_added: [object({}), field(true, ["name"]), true, false],
  field_removed: [field(true), object({}), true, true],
  field_required: [field(true), field(true, ["name"]), true, false],
  field_optional: [field(true, ["name"]), field(true), false, true],
  field_deprecated: [field({}), field({ deprecated: true }), false, false],
  further_fields_refused: [object({}), object({}, { additionalProperties: false }), true, false],
  further_fields_allowed: [object({}, { additionalProperties: false }), object({}), false, false],
  type_narrowed: [{ type: ["string", "null"] }, { type: "string" }, true, false],
  type_widened: [{ type: "integer" }, { type: "number" }, false, true],
  type_changed: [{ type: "string" }, { type: "integer" }, true, true],
  values_removed: [{ enum: ["a", "b"] }, { enum: ["a"] }, true, false],
  values_added: [{ enum: ["a"] }, { enum: ["a", "b"] }, false, true],
  limit_narrowed: [{ maxLength: 20 }, { maxLength: 10 }, true, false],
  limit_widened: [{ minimum: 5 }, {}, false, true],
  form_changed: [{ format: "date" }, { format: "date-time" }, true, true],
  form_removed: [{ oneOf: [{ type: "string" }, { type: "null" }] }, { oneOf: [{ type: "string" }] }, true, false],
  form_added: [{ type: "string" }, { anyOf: [{ type: "string" }, { type: "null" }] }, false, true],
  default_changed: [{ default: 1 }, { default: 2 }, true, false],
  condition_changed: [{ not: { type: "string" } }, { not: { type: "null" } }, true, true],
};

describe("changes of schemas", () => {
  test.for(Object.entries(schemaCases))(
    "are reported by the rule %s",
    ([rule, [before, after, inRequests, inResponses]]) => {
      const inRequest = (schema: unknown) => withGet({ requestBody: json(schema) } as Partial<Operation>);
      const inResponse = (schema: unknown) => withGet({ responses: { "200": json(schema) } } as Partial<Operation>);
      const found = ({ changes }: ReturnType<typeof compareDocuments>) =>
        changes.map((one) => [one.rule, one.isBreaking]);
      expect(found(compareDocuments(inRequest(before), inRequest(after)))).toEqual([[rule, inRequests]]);
      expect(found(compareDocuments(inResponse(before), inResponse(after)))).toEqual([[rule, inResponses]]);
    },
  );

  test("each rule for changes has a test case", () => {
    expect([...Object.keys(plainCases), ...Object.keys(schemaCases)].toSorted()).toEqual(Object.keys(rules).toSorted());
  });
});
