// Adaptive content in GraphQL and /v1: the schema of claims, conditions with it, templates, and evaluation for editors.
import { describe, expect, it } from "vitest";
import { schemaOf } from "#test/features/sites/factory.ts";
import { makeScene as sceneOf } from "#test/features/sites/scene.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

async function makeScene() {
  const scene = await sceneOf(app, world);
  const { siteId, does, admin } = scene;
  const path = `/v1/orgs/${scene.organizationId}/sites/${siteId}/adaptive-schema`;
  const declares = (...names: string[]) => does("setSiteAdaptiveSchema", { siteId, jsonSchema: schemaOf(...names) });
  const refusal = async (name: string, input: object) => {
    const document = `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { __typename } }`;
    return (await app.as(admin.token).graphql(document, { input })).errors?.[0];
  };
  return { ...scene, path, declares, refusal };
}

const shown = "site { adaptiveContent { enabled } adaptiveSchema { object jsonSchema updatedAt } }";

describe("setSiteAdaptiveSchema", () => {
  it("sets the claims as given, in order, and enables adaptive content with the first ones", async () => {
    const { siteId, does, path, reader, organizationId } = await makeScene();
    const jsonSchema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "Visitors",
      ...schemaOf("zebra", "customer", "unsigned.trial", "is-beta", "a/b~c", "🌊"),
    };
    expect(await does("setSiteAdaptiveSchema", { siteId, jsonSchema }, shown)).toEqual({
      site: {
        adaptiveContent: { enabled: true },
        adaptiveSchema: { object: "site-adaptive-schema", jsonSchema, updatedAt: expect.any(String) },
      },
    });
    const { body } = await app.as(reader.token).rest<{ jsonSchema: unknown }>("GET", path);
    expect(JSON.stringify(body.jsonSchema)).toBe(JSON.stringify(jsonSchema));
    await does("updateSite", { siteId, adaptiveContent: { enabled: false } });
    const further = { siteId, jsonSchema: schemaOf("customer") };
    expect(await does("setSiteAdaptiveSchema", further, shown)).toMatchObject({
      site: { adaptiveContent: { enabled: false } },
    });
    const events = await app.eventsIn(organizationId);
    await does("setSiteAdaptiveSchema", further);
    expect(await app.eventsIn(organizationId)).toEqual(events);
    expect(events.map(({ payload }) => payload)).toMatchObject([
      {
        changes: [
          {
            field: "adaptiveSchema",
            before: null,
            after: ["zebra", "customer", "is-beta", "a/b~c", "🌊", "unsigned.trial"],
          },
          { field: "adaptiveContent.enabled", before: false, after: true },
        ],
      },
      { changes: [{ field: "adaptiveContent.enabled", before: true, after: false }] },
      { changes: [{ field: "adaptiveSchema", before: expect.any(Array), after: ["customer"] }] },
    ]);
  });

  const group = schemaOf();
  it.each([
    ["a text", "text", [""]],
    ["null inside", { ...group, properties: null }, ["/properties"]],
    ["an empty object", {}, ["/type", "/properties", "/additionalProperties"]],
    ["an array", { ...group, type: "array" }, ["/type"]],
    ["further keys", { ...group, required: [] }, ["/required"]],
    ["open properties", { ...group, additionalProperties: true }, ["/additionalProperties"]],
    ["another draft", { $schema: "https://json-schema.org/draft/2020-12/schema", ...group }, ["/$schema"]],
    ["a text as claim", { ...group, properties: { "a/b": { type: "string" } } }, ["/properties/a~1b/type"]],
    ["a default", { ...group, properties: { a: { type: "boolean", default: true } } }, ["/properties/a/default"]],
    [
      "a claim called unsigned",
      { ...group, properties: { unsigned: { type: "boolean" } } },
      ["/properties/unsigned/type"],
    ],
    ["groups in groups", { ...group, properties: { more: schemaOf("a") } }, ["/properties/more/type"]],
    ["a reference", { ...group, properties: { a: { $ref: "#" } } }, ["/properties/a/type", "/properties/a/$ref"]],
    ["a title that cannot be stored", { ...group, title: "\0" }, ["/title"]],
    ["a name that cannot be stored", schemaOf("\ud800"), ["/properties/\ud800"]],
    ["a long name", schemaOf(`unsigned.${"a".repeat(129)}`), [`/properties/unsigned/properties/${"a".repeat(100)}…`]],
    ["a name of object prototypes", schemaOf("unsigned.__proto__"), ["/properties/unsigned/properties/__proto__"]],
    ["too many claims", schemaOf(...Array.from({ length: 201 }, (_, number) => `c${number}`)), ["/properties"]],
  ])("refuses %s with the pointer of the error", async (_what, jsonSchema, pointers) => {
    const { siteId, refusal, admin, path } = await scene;
    const { code, details = [] } = (await refusal("setSiteAdaptiveSchema", { siteId, jsonSchema }))?.extensions ?? {};
    expect(code).toBe("INVALID_INPUT");
    expect(details.map((detail) => detail.path)).toEqual(
      expect.arrayContaining(pointers.map((pointer) => `jsonSchema${pointer}`)),
    );
    const answer = await app.as(admin.token).rest<Refusal>("PUT", path, { body: { jsonSchema } });
    expect(answer.status).toBe(400);
    if (!pointers.some((pointer) => pointer.includes("\ud800")))
      expect(answer.body.error.details?.[0]?.path).toMatch(/^\/jsonSchema(\/|$)/);
  });

  it("is refused while conditions use removed claims, and lists them", async () => {
    const { siteId, one, inTwo, two, declares, does, admin, path } = await makeScene();
    await declares("customer", "partner", "unsigned.trial");
    await does("updateSiteSection", { siteSectionId: one, condition: "visitor.claims.customer" });
    await does("updateSiteSection", { siteSectionId: two, condition: "visitor.claims.partner" });
    await does("updateSiteSpace", { siteSpaceId: inTwo, condition: "!visitor.claims.unsigned.trial" });
    const jsonSchema = schemaOf("partner", "trial");
    const { status, body } = await app.as(admin.token).rest<Refusal>("PUT", path, { body: { jsonSchema } });
    expect(status).toBe(409);
    expect(body.error.details).toEqual([
      { path: `/sections/${one}/condition`, message: expect.stringContaining("the claim `customer` is not declared") },
      { path: `/siteSpaces/${inTwo}/condition`, message: expect.stringContaining("the claim `trial`") },
    ]);
    await does("updateSiteSection", { siteSectionId: one, condition: null });
    await does("updateSiteSpace", { siteSpaceId: inTwo, condition: "visitor.claims.partner == false" });
    await does("setSiteAdaptiveSchema", { siteId, jsonSchema });
  });
});

interface Refusal {
  readonly error: { readonly details?: readonly { readonly path: string; readonly message: string }[] };
}

const scene = makeScene();

it("conditions are validated with the claims of the site, and refused with the position of the error", async () => {
  const { one, inOne, declares, does, refusal } = await makeScene();
  const wrong = { siteSectionId: one, condition: "  true && visitor.claims.customer" };
  expect((await refusal("updateSiteSection", wrong))?.message).toBe(
    "condition: at character 9 (`visitor.claims.customer`): the claim `customer` is not declared in the adaptive schema of the site.",
  );
  await declares("customer");
  expect(await does("updateSiteSection", wrong, "siteSection { condition }")).toEqual({
    siteSection: { condition: "true && visitor.claims.customer" },
  });
  expect(await refusal("updateSiteSpace", { siteSpaceId: inOne, condition: "visitor.claims." })).toMatchObject({
    message: expect.stringMatching(/^condition: at character 16: /),
    extensions: { code: "INVALID_INPUT", details: [{ path: "condition" }] },
  });
});

it("an invalid condition from earlier stays if it is not changed, and does not block changes of the schema", async () => {
  const { one, inOne, siteId, does, declares, refused } = await makeScene();
  await app.database.pool.query(`update "SiteSection" set condition = 'true) || (true' where id = $1`, [one]);
  await declares("customer");
  await does("updateSiteSection", { siteSectionId: one, title: "Renamed", condition: "true) || (true" });
  await does("updateSiteSpace", { siteSpaceId: inOne, condition: "visitor.claims.customer" });
  expect(await refused("deleteSiteSection", { siteId, siteSectionId: one })).toEqual([
    "INVALID_INPUT",
    "siteSectionId",
  ]);
});

it("condition templates are valid, and evaluate without errors for all plainly named claims", async () => {
  const { siteId, one, declares, does, reader, path } = await makeScene();
  const list = async () =>
    (await app.as(reader.token).rest<Templates>("GET", `${path}/template-conditions`)).body.items;
  expect(await list()).toEqual([]);
  await declares("customer", "is-beta", "in", 'a "b" \\ c', "unsigned.trial");
  const items = await list();
  expect(items.slice(0, 4)).toEqual([
    { description: "Visitors with: customer", condition: "has(visitor.claims.customer) && visitor.claims.customer" },
    {
      description: "Visitors without: customer",
      condition: "!has(visitor.claims.customer) || !visitor.claims.customer",
    },
    { description: "Visitors with: is-beta", condition: 'visitor.claims["is-beta"]' },
    { description: "Visitors without: is-beta", condition: '!visitor.claims["is-beta"]' },
  ]);
  expect(items).toHaveLength(10);
  for (const { condition } of items) await does("updateSiteSection", { siteSectionId: one, condition });
  const site = await app
    .as(reader.token)
    .query<{ site: { templateConditions: unknown } }>(
      `query ($siteId: ID!) { site(id: $siteId) { templateConditions { description condition } } }`,
      { siteId },
    );
  expect(site.site.templateConditions).toEqual(items);
});

interface Templates {
  readonly items: readonly { readonly description: string; readonly condition: string }[];
}

const checks = /* GraphQL */ `
  query ($siteId: ID!, $claims: JSON!) {
    site(id: $siteId) {
      adaptiveSchema {
        jsonSchema
      }
      templateConditions {
        condition
      }
      conditionChecks(claims: $claims) {
        siteSection {
          id
        }
        siteSpace {
          id
        }
        outcome
        error
      }
    }
  }
`;

it("editors can evaluate conditions for claims; users outside the organization cannot", async () => {
  const { siteId, one, two, inOne, inTwo, declares, does, admin, outsider } = await makeScene();
  await declares("customer", "unsigned.trial");
  await does("updateSiteSection", { siteSectionId: one, condition: "visitor.claims.customer" });
  await does("updateSiteSpace", { siteSpaceId: inOne, condition: "!visitor.claims.unsigned.trial" });
  await app.database.pool.query(`update "SiteSpace" set condition = '1 +' where id = $1`, [inTwo]);
  const evaluated = async (claims: unknown, token = admin.token) =>
    (await app.as(token).query<{ site: { conditionChecks: object[] } }>(checks, { siteId, claims })).site;
  const section = (outcome: string, error: unknown = null) => ({
    siteSection: { id: one },
    siteSpace: null,
    outcome,
    error,
  });
  const space = (id: string, outcome: string, error: unknown = null) => ({
    siteSection: null,
    siteSpace: { id },
    outcome,
    error,
  });
  const broken = space(inTwo, "FAILED", expect.stringContaining("at character 4"));
  expect((await evaluated({ customer: true, unsigned: { trial: true } })).conditionChecks).toEqual([
    section("SHOWN"),
    space(inOne, "HIDDEN"),
    broken,
  ]);
  const missing = expect.stringContaining("does not have this claim");
  expect((await evaluated({ unsigned: { trial: false } })).conditionChecks).toEqual([
    section("FAILED", missing),
    space(inOne, "SHOWN"),
    broken,
  ]);
  await does("updateSite", { siteId, adaptiveContent: { enabled: false } });
  expect((await evaluated({ customer: true })).conditionChecks).toMatchObject([{ outcome: "FAILED" }, {}, {}]);
  await does("updateSiteSection", { siteSectionId: two, condition: "true" });
  await does("publishSite", { siteId });
  expect(await evaluated({}, outsider.token)).toEqual({
    adaptiveSchema: null,
    templateConditions: [],
    conditionChecks: [],
  });
  expect((await app.as(admin.token).graphql(checks, { siteId, claims: [] })).errors?.[0]?.extensions).toMatchObject({
    code: "INVALID_INPUT",
    details: [{ path: "claims" }],
  });
});
