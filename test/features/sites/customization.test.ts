// The appearance of a site: what admins may choose, how visitors read it, and colours that stay readable.
import { expect, test } from "vitest";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const fields = `title primaryColor { chosen light dark } logo { light dark } font fontFamily headerLinks { title url } footer`;

const defaults = {
  title: "Docs",
  primaryColor: null,
  logo: null,
  font: "SYSTEM",
  fontFamily: "system-ui, sans-serif",
  headerLinks: [],
  footer: null,
};

const document = `mutation ($input: UpdateSiteCustomizationInput!) {
  updateSiteCustomization(input: $input) { site { customization { ${fields} } } }
}`;

interface Answer {
  readonly updateSiteCustomization: { readonly site: { readonly customization: Record<string, unknown> } };
}

async function customizing() {
  const made = await makePublished(app, world);
  const { siteId, creator, outsider } = made;
  const as = app.as(creator.token);
  const update = async (input: object) => {
    const { updateSiteCustomization } = await as.query<Answer>(document, { input: { siteId, ...input } });
    return updateSiteCustomization.site.customization;
  };
  const seen = async () => {
    const query = `{ publishedSite(by: { id: "${siteId}" }) { customization { ${fields} } } }`;
    return (await app.as(outsider.token).query<{ publishedSite: object }>(query)).publishedSite;
  };
  return { ...made, as, update, seen };
}

test("a new site has the default appearance", async () => {
  const { seen } = await customizing();
  expect(await seen()).toEqual({ customization: defaults });
});

test("visitors read what admins have chosen, and null restores the default", async () => {
  const { update, seen, siteId } = await customizing();
  const links = [{ title: "Shop", url: "https://shop.example.com/?from=docs" }];
  const chosen = {
    title: "The Manual",
    logo: { light: "https://cdn.example.com/logo.svg", dark: null },
    font: "SERIF",
    headerLinks: links,
    footer: "First line\nSecond line",
  };
  const shown = { ...defaults, ...chosen, fontFamily: expect.stringContaining("Charter") as string };
  expect(await update(chosen)).toEqual(shown);
  expect(await seen()).toEqual({ customization: shown });
  expect(await update({ title: null, font: null })).toEqual({
    ...shown,
    title: "Docs",
    font: "SYSTEM",
    fontFamily: defaults.fontFamily,
  });
  expect(await update({ logo: null, headerLinks: [], footer: "" })).toEqual(defaults);
  const row = await app.database.prisma.site.findUniqueOrThrow({ where: { id: siteId } });
  expect(row.customization).toBeNull();
});

test("an update that changes nothing writes no event", async () => {
  const { update, siteId } = await customizing();
  await update({ footer: "Text", primaryColor: "#ABC" });
  await update({ footer: " Text ", primaryColor: "#aabbcc" });
  const events = (await app.eventsOf(siteId)).filter(({ type }) => type === "site.customizationUpdated");
  expect(events).toMatchObject([
    {
      payload: {
        changes: [
          { field: "customization.primaryColor", before: null, after: "#aabbcc" },
          { field: "customization.footer", before: null, after: "Text" },
        ],
      },
    },
  ]);
});

test("/v1 has the appearance in the published site", async () => {
  const { update, siteId, organizationId, outsider } = await customizing();
  await update({ footer: "Text" });
  const { body } = await app.as(outsider.token).rest("GET", `/v1/orgs/${organizationId}/sites/${siteId}/published`);
  expect(body).toMatchObject({
    customizations: { title: "Docs", font: "system", headerLinks: [], footer: "Text" },
  });
});

test.each([
  ["primaryColor", { primaryColor: "red; } body { display: none" }],
  ["primaryColor", { primaryColor: "#12345" }],
  ["logo", { logo: {} }],
  ["logo/dark", { logo: { dark: "javascript:alert(1)" } }],
  [
    "headerLinks/1/url",
    {
      headerLinks: [
        { title: "a", url: "https://a.example.com" },
        { title: "b", url: "data:,b" },
      ],
    },
  ],
  ["headerLinks/0/title", { headerLinks: [{ title: " ", url: "https://a.example.com" }] }],
  ["headerLinks", { headerLinks: Array.from({ length: 11 }, () => ({ title: "a", url: "https://a.example.com" })) }],
  ["footer", { footer: "f".repeat(501) }],
  ["title", { title: "two\nlines" }],
])("rejects a malformed `%s`", async (path, input) => {
  const { as, siteId } = await customizing();
  const { errors } = await as.graphql(document, { input: { siteId, ...input } });
  expect(errors).toMatchObject([{ extensions: { code: "INVALID_INPUT", details: [{ path }] } }]);
});

/** The contrast of WCAG, written down once more. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
      const share = Number.parseInt(color.slice(1 + 2 * index, 3 + 2 * index), 16) / 255;
      return sum + weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
    }, 0.05);
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return high / low;
}

test.each(["#ffffff", "#000000", "#ffff00", "#2563eb", "#777777", "#00ff00", "#8b0000"])(
  "%s becomes readable on light and on dark pages",
  async (color) => {
    const { update } = await customizing();
    const { primaryColor } = (await update({ primaryColor: color })) as { primaryColor: Record<string, string> };
    expect(primaryColor["chosen"]).toBe(color);
    expect(contrast(primaryColor["light"] ?? "", "#ffffff")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(primaryColor["dark"] ?? "", "#24262b")).toBeGreaterThanOrEqual(4.5);
  },
);
