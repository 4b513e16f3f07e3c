// The start page of the application, over HTTP: first steps, spaces, reviews and recent activity.
import { expect, test } from "vitest";
import { createComment, done } from "#test/features/comments/discussion.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { textOf, visitorOf } from "#test/features/content/visiting.ts";
import { addPersonIn } from "#test/features/members/factory.ts";
import { useApp } from "#test/support/app.ts";
import { homePages } from "#src/features/activity/pages.ts";

const { app, world } = await useApp();

test("a creator makes a space at home, and gets to it", async () => {
  const { organization, creator, reader } = await world.organization();
  const { read, send } = await visitorOf(app, creator);
  expect(textOf((await read("/app")).body)).toContain("Make the first space:");
  const made = await send("/app", { form: "space", organizationId: organization.id, title: "Guide" });
  expect([made.status, made.location]).toEqual([303, expect.stringMatching(/^\/app\/spaces\/spc_\w+$/)]);
  expect(textOf((await read(made.location ?? "")).body)).toContain("Or begin with a template");
  const ofReader = textOf((await (await visitorOf(app, reader)).read("/app")).body);
  expect([ofReader.includes("Guide"), ofReader.includes("New space")]).toEqual([true, false]);
});

test("a refused space says why and keeps its title", async () => {
  const { organization, reader, creator } = await world.organization();
  const fields = { form: "space", organizationId: organization.id, title: "Not mine" };
  const refused = await (await visitorOf(app, reader)).send("/app", fields);
  expect(refused.status).toBe(403);
  const tooLong = await (await visitorOf(app, creator)).send("/app", { ...fields, title: "x".repeat(100) });
  expect(tooLong.status).toBe(400);
  expect(tooLong.body).toContain('role="alert"');
  expect(tooLong.body).toContain(`value="${"x".repeat(100)}"`);
});

test("somebody without an organization makes one", async () => {
  const { outsider } = await world.organization();
  await app.database.prisma.organizationMember.deleteMany({ where: { userId: outsider.id } });
  const { read, send } = await visitorOf(app, outsider);
  expect(textOf((await read("/app")).body)).toContain("Make yours, or ask a colleague to invite you.");
  expect(await send("/app", { form: "organization", title: "Ours" })).toMatchObject({ status: 303, location: "/app" });
  expect(textOf((await read("/app")).body)).toContain("Make the first space:");
});

test("recent activity names the actor and leads to the space", async () => {
  const { space, admin, commenter, reader } = await world.space();
  await editAs(app.as(admin.token), { spaceId: space.id }, newPage("First").edit);
  await done(app, commenter, createComment, { contentOf: { spaceId: space.id }, text: { markdown: "Hello" } });
  const { body } = await (await visitorOf(app, reader)).read("/app");
  expect(textOf(body)).toContain(`Admin edited ${space.title}`);
  expect(textOf(body)).toContain(`Commenter commented on ${space.title}`);
  expect(body).toContain(`href="/app/spaces/${space.id}"`);
});

test("the start page takes the same number of statements for any number of spaces", async () => {
  const [row] = homePages;
  const { admin } = await world.space();
  const few = await app.as(admin.token).statements(row?.query ?? "");
  const { organization } = await world.everything();
  const other = await world.insert((rows) => addPersonIn(rows, { organizationId: organization.id, role: "admin" }));
  expect(await app.as(other.token).statements(row?.query ?? "")).toBeLessThanOrEqual(few + 3);
});
