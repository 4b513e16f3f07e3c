// Images of integrations: served without a token, and never executed.
import { expect, test } from "vitest";
import { addIntegration } from "#test/features/integrations/factory.ts";
import { useApp } from "#test/support/app.ts";

// Has its own database: gives an integration a globally unique name.
const { app, world } = await useApp({ own: true });
const { organization, admin } = await world.organization();
const client = app.as(admin.token);

const plain = `<?xml version="1.0"?>
<!-- a wave --><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">
<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><style>.b { fill: url(#a) }</style>
<path class="b" d="M0 0h9v9z" filter="url('#a')"/><use xlink:href="#a"/></svg>`;
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const jpeg = Buffer.from("\xff\xd8\xff\xe0 and more", "latin1");
const webp = Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1");

interface Answer {
  readonly urls: { readonly icon?: string; readonly assets: string };
  readonly previewImages: readonly string[];
}

async function publish(body: object): Promise<Answer> {
  const sent = { organization: organization.id, title: "Tides", script: "export const handle = () => 1;", ...body };
  const answer = await client.rest<Answer>("POST", "/v1/integrations/tides", { body: sent });
  expect(answer.status).toBe(200);
  return answer.body;
}

test("images of an integration are served as published, without a token, until they are replaced", async () => {
  const given = [png, jpeg, webp];
  const images = {
    icon: Buffer.from(plain).toString("base64"),
    previewImages: given.map((one) => one.toString("base64")),
  };
  const first = await publish(images);
  const icon = await fetch(first.urls.icon ?? "");
  expect(await icon.text()).toBe(plain);
  expect(Object.fromEntries(icon.headers)).toMatchObject({
    "content-type": "image/svg+xml",
    "content-security-policy": expect.stringMatching(/^default-src 'none';.*sandbox$/) as string,
    "x-content-type-options": "nosniff",
  });
  const previews = await Promise.all(first.previewImages.map((address) => fetch(address)));
  expect(previews.map(({ headers }) => headers.get("content-type"))).toEqual(["image/png", "image/jpeg", "image/webp"]);
  expect(await Promise.all(previews.map(async (one) => Buffer.from(await one.arrayBuffer())))).toEqual(given);
  const assets = first.urls.icon?.slice(0, -64) ?? ""; // before the hash
  expect(first.previewImages.map((address) => address.slice(0, -64))).toEqual([assets, assets, assets]);
  const second = await publish({});
  expect([second.urls.icon, second.previewImages]).toEqual([first.urls.icon, first.previewImages]);
  const third = await publish({ icon: png.toString("base64"), previewImages: [] });
  expect([third.urls.icon, third.previewImages]).toEqual([first.previewImages[0], []]);
  expect((await fetch(first.urls.icon ?? "")).status).toBe(404);
});

test("images of an integration are not found at other URLs", async () => {
  const { urls } = await publish({ icon: png.toString("base64") });
  const { id } = await world.insert((rows) => addIntegration(rows, { organizationId: organization.id }));
  const [address = ""] = [urls.icon];
  const [assets, hash] = [address.slice(0, -64), address.slice(-64)];
  const others = [assets, `${assets}${"0".repeat(64)}`, `${app.url}/integrations/${id}/images/${hash}`];
  expect(await Promise.all(others.map(async (one) => (await fetch(one)).status))).toEqual([404, 404, 404]);
  expect((await fetch(address, { method: "POST" })).status).toBe(405);
});
