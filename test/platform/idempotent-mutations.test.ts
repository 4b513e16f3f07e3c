// Every mutation with an Idempotency-Key: if a gateway ends after the commit and before the response, a retry at
// another gateway returns the result stored with the commit, and changes nothing.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sql } from "#src/db/connection/database.ts";
import { schema } from "#src/schema.ts";
import { useApp } from "#test/support/app.ts";
import { send as request } from "#test/support/client.ts";
import { fromFeatures } from "#test/support/features.ts";
import { selectionOf } from "#test/support/access/positions.ts";
import { requestBody } from "#test/support/request-body.ts";
import { type PermissionCase, makeFixtures, type Name, type Fixture } from "#test/support/access/fixture.ts";
import { batchedFactory } from "#test/support/batched-factory.ts";

const { app, rows } = await useApp();

const permissionCases = (
  await fromFeatures<{ permissionCases: readonly PermissionCase[] }>("permission-cases.ts")
).flatMap((feature) => feature.permissionCases);
const mutations = schema.getMutationType()?.getFields() ?? {};
const nextFixture = batchedFactory((count) => makeFixtures(rows, count));

interface Answer {
  readonly data?: Record<string, object> | null;
  readonly errors?: readonly { readonly message: string }[];
  readonly extensions?: object;
}

interface Sending {
  readonly fixture: Fixture;
  readonly name: Name;
  readonly input: object;
  readonly key: string;
}

async function send(mutation: string, { fixture, name, input, key }: Sending): Promise<Answer> {
  const field = mutations[mutation];
  if (!field) throw new Error(`No mutation ${mutation} exists.`);
  const document = `mutation ($input: ${String(field.args[0]?.type)}) { ${mutation}(input: $input) ${selectionOf(field.type)} }`;
  const { body, headers } = requestBody(document, { input });
  const authorization = `Bearer ${fixture.people[name].token}`;
  const sent = { method: "POST", headers: { ...headers, authorization, "idempotency-key": key }, body };
  return JSON.parse((await request(`${app.url}/graphql`, sent)).text) as Answer;
}

/** Mutations that have to run before. */
const before: Readonly<Record<string, (fixture: Fixture) => readonly [mutation: string, input: object]>> = {
  disableIntegrationDevMode: ({ integration }) => [
    "setIntegrationDevMode",
    { integrationName: integration.name, tunnelUrl: "https://tunnel.example.com/events" },
  ],
  repairLinks: ({ space }) => [
    "editContent",
    { contentOf: { spaceId: space.id }, edits: [page("one", "Two"), page("two", "[One](one)")] },
  ],
  restoreRevision: ({ space }) => ["editContent", { contentOf: { spaceId: space.id }, edits: [page("one", "Text")] }],
  unpublishSite: ({ site }) => ["publishSite", { siteId: site.id }],
};

const page = (slug: string, markdown: string) => ({ createPage: { title: slug, slug, markdown } });

/** Runs a case as the first person who may: the request and the response. */
async function done(mutation: string) {
  const refusals: string[] = [];
  for (const permissionCase of permissionCases.filter((one) => one.mutation === mutation))
    for (const name of ["admin", "creator", "reviewer", "outsider"] as const) {
      const fixture = await nextFixture();
      await permissionCase.prepare?.(fixture, app.database);
      const sending = { fixture, name, key: randomUUID() };
      const [first, firstInput] = before[mutation]?.(fixture) ?? [];
      if (first)
        expect(await send(first, { ...sending, input: firstInput ?? {}, key: randomUUID() })).not.toHaveProperty(
          "errors",
        );
      await app.database.query(sql`delete from "IdempotencyKey"`);
      const input = permissionCase.input(fixture, name);
      const answer = await send(mutation, { ...sending, input });
      if ((await kept()) && !answer.errors) return { sending: { ...sending, input }, answer };
      refusals.push(`${name}: ${answer.errors?.[0]?.message ?? "nothing was done"}`);
    }
  throw new Error(`Nobody does ${mutation}:\n${refusals.join("\n")}`);
}

/** The sealed result of the key: each run encrypts it differently. */
async function kept(): Promise<string | null> {
  const [row] = await app.database.query<{ done: string | null }>(
    sql`select encode(done, 'hex') as done from "IdempotencyKey" where "hasEffect"`,
  );
  return row?.done ?? null;
}

/** The state left by a gateway that ends between commit and response. */
const breakOff = () =>
  app.database.query(
    sql`update "IdempotencyKey" set answer = null, "leaseUntil" = now() - interval '1 second' where answer is not null`,
  );

/** It finds no TXT record. */
const changesNothing: readonly string[] = ["checkEmailDomain", "checkSiteHostname"];

test.each(Object.keys(mutations).filter((name) => !changesNothing.includes(name)))("%s", async (mutation) => {
  const { sending, answer } = await done(mutation);
  await breakOff();
  const before = await kept();
  const again = await send(mutation, sending);
  expect(again.errors).toBeUndefined();
  expect(again.data).toEqual(answer.data);
  expect(again.extensions).toEqual({ idempotency: { replayed: true } });
  expect(await kept()).toBe(before);
});
