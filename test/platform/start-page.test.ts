// The first step that the start page shows while the installation is empty.
import { expect, test } from "vitest";
import { addPersonIn } from "#test/features/members/factory.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { useApp } from "#test/support/app.ts";

// On its own database: no other test may create a space.
const { app, world } = await useApp({ own: true });

const textOf = async (headers: Record<string, string> = {}) =>
  (await fetch(app.url, { headers: { accept: "text/html", ...headers } })).text();

test("/ leads from the setup over the first space to the examples", async () => {
  const empty = await textOf();
  expect(empty).toContain("npm run -s setup");
  expect(empty).toContain(`href="/sign-in?returnTo=%2Fapp"`);
  expect(empty).not.toContain("data-run");
  const { organization } = await world.organization();
  const person = await world.insert((rows) => addPersonIn(rows, { organizationId: organization.id, role: "admin" }));
  expect(await textOf()).toContain("Sign in to create a space");
  const { cookie } = await signIn(app, { userId: person.id });
  const signedIn = await textOf({ cookie });
  expect(signedIn).toContain(`href="/app">Create a space</a>`);
  expect(signedIn).not.toContain("data-run");
  await world.space();
  const full = await textOf({ cookie });
  expect(full).toContain("data-run");
  expect(full).toContain(`href="/app">Open the application</a>`);
  expect(full).not.toContain("First step");
});
