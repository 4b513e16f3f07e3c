// The page of the search over everything, over HTTP.
import { expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { textOf, visitorOf } from "#test/features/content/visiting.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

test("a search lists the pages of all visible spaces, and nothing to others", async () => {
  const { space, admin, reader, outsider } = await world.space();
  const page = newPage("Turbines", { markdown: "# Blades\n\nEach blade <b>has</b> a gondola." });
  await editAs(app.as(admin.token), { spaceId: space.id }, page.edit);
  const { read } = await visitorOf(app, reader);
  const { status, body } = await read("/app/search?q=gondola");
  expect(status).toBe(200);
  expect(body).toContain(`href="/app/spaces/${space.id}/pages/${page.pageId}"`);
  expect(body).toContain("<mark>gondola</mark>");
  expect(body).toMatch(/name="q"\s+value="gondola"/);
  const others = await (await visitorOf(app, outsider)).read("/app/search?q=gondola");
  expect(textOf(others.body)).toContain("No page matches “gondola”.");
});

test("a search without words asks for them, and a hostile one is shown as text", async () => {
  const { reader } = await world.organization();
  const { read } = await visitorOf(app, reader);
  expect(textOf((await read("/app/search?q=")).body)).toContain("Enter words above");
  const { status, body } = await read(`/app/search?q=${encodeURIComponent('"><script>x</script>\0')}`);
  expect([status, body.includes("<script>x")]).toEqual([200, false]);
});
