// Refusals of publishing an integration: each is 400 with the path of the invalid part, and nothing is written.
import { afterAll, describe, expect, test } from "vitest";
import { Secrets } from "#src/base/secrets.ts";
import { testApp, useApp } from "#test/support/app.ts";

// Has its own database: counts rows of whole tables.
const { app, world } = await useApp({ own: true });
const withoutKey = await testApp({ beside: app, secrets: new Secrets([]) });
afterAll(() => withoutKey.close());
const { organization, admin } = await world.organization();
const client = app.as(admin.token);

interface Refusal {
  readonly error: { readonly message: string; readonly details?: readonly { readonly path: string }[] };
}

async function publish(body: object, name = "tides") {
  const answer = await client.rest<Refusal>("POST", `/v1/integrations/${name}`, {
    body: { organization: organization.id, title: "Tides", script: "export const handle = () => 1;", ...body },
  });
  const paths = answer.body.error?.details?.map(({ path }) => path) ?? [];
  return { status: answer.status, paths, message: answer.body.error?.message };
}

const blocks = (...given: object[]) => ({ blocks: given });
const account = (settings: object) => ({ configurations: { account: settings } });
const property = (given: object) => account({ properties: { port: { type: "string", ...given } } });

test.each<[string, object, string]>([
  ["a title that is empty", { title: " " }, "/title"],
  ["a title that is too long", { title: "x".repeat(129) }, "/title"],
  ["a summary that cannot be stored", { summary: "a\0" }, "/summary"],
  ["no script", { script: undefined }, "/script"],
  ["an empty script", { script: " " }, "/script"],
  ["an unknown runtime", { runtime: "v3" }, "/runtime"],
  ["an unknown scope", { scopes: ["everything"] }, "/scopes/0"],
  ["an unknown category", { categories: ["visitor_auth"] }, "/categories/0"],
  ["no target", { target: null }, "/target"],
  ["no blocks", { blocks: null }, "/blocks"],
  ["no content sources", { contentSources: null }, "/contentSources"],
  ["a block without an id", blocks({ title: "Tide" }), "/blocks/0/id"],
  ["a block with an unknown property", blocks({ id: "a", script: "x" }), "/blocks/0/script"],
  ["two blocks with the same id", blocks({ id: "a" }, { id: "a" }), "/blocks/1/id"],
  ["too many blocks", blocks(...Array.from({ length: 101 }, (_, index) => ({ id: String(index) }))), "/blocks"],
  ["a block for an invalid URL", blocks({ id: "a", urlUnfurl: ["tides"] }), "/blocks/0/urlUnfurl/0"],
  ["a block for a URL without a host", blocks({ id: "a", urlUnfurl: ["https://*"] }), "/blocks/0/urlUnfurl/0"],
  [
    "a content source without its component",
    { contentSources: [{ id: "a", configuration: {} }] },
    "/contentSources/0/configuration/componentId",
  ],
  ["a link to a script", { externalLinks: [{ url: "javascript:alert(1)", label: "x" }] }, "/externalLinks/0/url"],
  [
    "a link with an empty label",
    { externalLinks: [{ url: "https://example.com", label: "" }] },
    "/externalLinks/0/label",
  ],
  ["a policy of two headers", { contentSecurityPolicy: "default-src 'none', img-src *" }, "/contentSecurityPolicy"],
  ["a policy that is not ASCII", { contentSecurityPolicy: "default-src 'nöne'" }, "/contentSecurityPolicy"],
  ["configurations that are not an object", { configurations: [] }, "/configurations"],
  ["configurations of something else", { configurations: { team: {} } }, "/configurations/team"],
  ["a property without a type", property({ type: undefined }), "/configurations/account/properties/port/type"],
  ["a property of another type", property({ type: "date" }), "/configurations/account/properties/port/type"],
  ["a preset of another type", property({ default: 1 }), "/configurations/account/properties/port/default"],
  ["a choice of another type", property({ enum: ["a", 1] }), "/configurations/account/properties/port/enum/1"],
  [
    "a preset that is not in the enum",
    property({ default: "c", enum: ["a"] }),
    "/configurations/account/properties/port/default",
  ],
  [
    "a name that JSON serializers drop",
    account({ properties: JSON.parse('{"__proto__": {"type": "string"}}') as object }),
    "/configurations/account/properties/__proto__",
  ],
  ["a required name that is not a property", account({ required: ["toString"] }), "/configurations/account/required/0"],
  ["secrets in a list", { secrets: ["a"] }, "/secrets"],
  ["a secret that is not a string", { secrets: { KEY: 1 } }, "/secrets/KEY"],
  ["a secret with an invalid name", { secrets: { "a b": "x" } }, "/secrets/a b"],
  ["a secret that is too long", { secrets: { KEY: "x".repeat(10_001) } }, "/secrets/KEY"],
])("publishing is refused with %s", async (_what, body, path) => {
  const { status, paths } = await publish(body);
  expect([status, paths]).toEqual([400, [path]]);
  expect(await app.database.prisma.integration.count()).toBe(0);
});

test("publishing never repeats a secret in an error", async () => {
  const { message } = await publish({ secrets: { KEY: { value: "hidden" } } });
  expect(message).toContain("KEY");
  expect(message).not.toContain("hidden");
});

test("publishing is refused with an invalid name, or one of dots", async () => {
  for (const name of ["a%20b", "%C3%A4", "x".repeat(101), "a%2Fb", "%2E%2E%2E"])
    expect([name, (await publish({}, name)).status]).toEqual([name, name === "%2E%2E%2E" ? 200 : 400]);
  await client.rest("DELETE", "/v1/integrations/...");
  const document =
    "mutation ($input: PublishIntegrationInput!) { publishIntegration(input: $input) { integration { id } } }";
  const input = { name: "..", organizationId: organization.id, title: "Tides", code: { script: "x" } };
  const { errors } = await client.graphql(document, { input });
  expect(errors?.[0]?.message).toContain("name: must not be `.` or `..`");
});

test("publishing in GraphQL is refused with neither a script nor a URL, and with both", async () => {
  const document =
    "mutation ($input: PublishIntegrationInput!) { publishIntegration(input: $input) { integration { id } } }";
  const input = { name: "tides", organizationId: organization.id, title: "Tides" };
  for (const given of [{}, { code: {} }, { code: { script: "x", webhookUrl: "https://example.com" } }])
    expect(await client.refusal(document, { input: { ...input, ...given } })).toBe("INVALID_INPUT");
});

test("names of Object.prototype in what is published are refused like others", async () => {
  const names = ["constructor", "toString", "hasOwnProperty"];
  const bodies = names.flatMap((name) => [
    { secrets: { KEY: "x", [name]: 5 } },
    { configurations: { [name]: { properties: {} } } },
    { contentSources: [{ [name]: 1 }] },
    { externalLinks: [{ [name]: 1 }] },
    { blocks: [{ [name]: 1 }] },
  ]);
  const statuses = await Promise.all(bodies.map(async (body) => [body, (await publish(body)).status]));
  expect(statuses.filter(([, status]) => status !== 400)).toEqual([]);
});

test("publishing returns 413 for a script of more than a megabyte", async () => {
  expect((await publish({ script: "x".repeat(1_000_001) })).status).toBe(413);
});

test("publishing secrets or a URL returns 409 if docgraph has no encryption key; without them it succeeds", async () => {
  const other = withoutKey.as(admin.token);
  const send = async (body: object) => {
    const sent = { organization: organization.id, title: "Tides", script: "export const handle = () => 1;", ...body };
    return (await other.rest("POST", "/v1/integrations/keyless", { body: sent })).status;
  };
  expect([await send({ secrets: { KEY: "x" } }), await send({})]).toEqual([409, 200]);
  expect(
    (await other.rest("PUT", "/v1/integrations/keyless/dev", { body: { tunnelUrl: "https://example.com" } })).status,
  ).toBe(409);
});

describe("publishing with images", () => {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const svg = (inside: string, attributes = "") =>
    base64(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`,
    );

  test.each([
    ["invalid base64", "%%%%", "base64"],
    ["a text", base64("hello"), "PNG, JPEG, WebP or SVG"],
    ["a GIF", base64("GIF89a, which moves"), "PNG, JPEG, WebP or SVG"],
    ["a page", base64("<html><svg/></html>"), "PNG, JPEG, WebP or SVG"],
    ["a script", svg("<script>alert(1)</script>"), "element `script`"],
    ["a script of another case", svg("<SCRIPT>alert(1)</SCRIPT>"), "element `SCRIPT`"],
    ["embedded HTML", svg("<foreignObject><p/></foreignObject>"), "element `foreignObject`"],
    ["an element of HTML", svg('<iframe xmlns="http://www.w3.org/1999/xhtml" src="x"/>'), "of another namespace"],
    [
      "an element with a prefix",
      svg('<h:script xmlns:h="http://www.w3.org/2000/svg">1</h:script>'),
      "element `script`",
    ],
    ["an animation", svg('<a><set attributeName="href" to="javascript:alert(1)"/></a>'), "element `a`"],
    ["a handler at the top", svg("", 'onload="alert(1)"'), "event handler `onload`"],
    ["a handler inside", svg('<g><rect OnClick="alert(1)"/></g>'), "event handler `OnClick`"],
    ["an image from elsewhere", svg('<image href="https://example.com/a.png"/>'), "has an external reference"],
    [
      "an image from elsewhere by xlink:href",
      svg('<image xlink:href="//example.com/a.png"/>'),
      "has an external reference",
    ],
    ["an SVG in a data: URL", svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'), "has an external reference"],
    ["a part of another drawing", svg('<use href="other.svg#a"/>'), "has an external reference"],
    [
      "a style from elsewhere",
      svg('<style>@import "https://example.com/a.css";</style>'),
      "styles load an external resource",
    ],
    ["a style that loads", svg('<rect style="fill: url(https://example.com/a)"/>'), "loads an external resource"],
    [
      "a style with an escape",
      svg("<style>a { fill: u\\72l(https://example.com) }</style>"),
      "styles load an external resource",
    ],
    ["an attribute that loads", svg("<rect filter=\"url( 'https://example.com/a')\"/>"), "loads an external resource"],
    ["another base", svg('<g xml:base="https://example.com/"/>'), "attribute `xml:base`"],
    ["a document type", base64('<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>'), "DOCTYPE"],
    [
      "an instruction",
      base64('<svg xmlns="http://www.w3.org/2000/svg"><?xml-stylesheet href="a.css"?></svg>'),
      "processing instruction",
    ],
    ["a missing end tag", base64('<svg xmlns="http://www.w3.org/2000/svg"><g>'), "not well-formed XML"],
    ["no namespace", base64("<svg></svg>"), "of another namespace"],
  ])("is refused with %s", async (_what, icon, message) => {
    const refused = await publish({ icon });
    expect([refused.status, refused.paths]).toEqual([400, ["/icon"]]);
    expect(refused.message).toContain(message);
  });

  test("is refused with a too large image, too many images, and one invalid image among several", async () => {
    const plain = svg("<g/>");
    const large = svg(`<desc>${"x".repeat(256_000)}</desc>`);
    expect((await publish({ icon: large })).paths).toEqual(["/icon"]);
    expect((await publish({ previewImages: Array.from({ length: 9 }, () => plain) })).paths).toEqual([
      "/previewImages",
    ]);
    expect((await publish({ previewImages: [plain, "x"] })).paths).toEqual(["/previewImages/1"]);
  });

  test("is refused with elements a hundred thousand deep, without blocking the process", async () => {
    const deep = svg(`${"<g>".repeat(60_000)}`);
    expect((await publish({ icon: deep })).status).toBe(400);
  });
});
