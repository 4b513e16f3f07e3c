// The keys that sign the URLs of private specifications are encrypted in the database like secrets.
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { Secrets } from "#src/base/secrets.ts";
import { systemClock } from "#src/base/time.ts";
import { resealSecrets } from "#src/jobs/reseal-secrets.ts";
import { addressKeySecret } from "#src/features/openapi/reads/addresses.ts";
import { addProcessedSpec, keepDocument, smallDocument } from "#test/features/openapi/factory.ts";
import { text } from "#test/features/openapi/processing.ts";
import { done } from "#test/live/kinds.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { testSecrets } from "#test/support/test-services.ts";

const { app, world } = await useApp();
const without = await testApp({ beside: app, secrets: new Secrets([]) });
const other = await testApp({ beside: app, secrets: new Secrets([randomBytes(32)]) });
afterAll(() => Promise.all([without.close(), other.close()]));
for (const { files } of [app, without, other]) await keepDocument(files, smallDocument);

const reseal = () => {
  const { database, files, fetch: safeFetch } = app;
  const log = pino({ level: "silent" });
  const job = resealSecrets(testSecrets, [addressKeySecret]);
  return job.run({ database, files, fetch: safeFetch, clock: systemClock, log, readTxtRecords: async () => [] });
};

const keyOf = async (id: string) => {
  const { addressKey } = await app.database.prisma.openApiSpec.findUniqueOrThrow({ where: { id } });
  return Buffer.from(addressKey);
};

test("the URL key of a specification is encrypted; without an encryption key it stays as it is until one exists", async () => {
  const { organization, creator } = await world.organization();
  const create = (by: typeof app, slug: string) =>
    done<{ openApiSpec: { id: string } }>(by, creator.token, "createOpenApiSpec", {
      organizationId: organization.id,
      slug,
      ...text(smallDocument),
      answer: "openApiSpec { id }",
    });
  const sealed = (await create(app, "sealed")).openApiSpec.id;
  const plain = (await create(without, "plain")).openApiSpec.id;
  const head = Buffer.from(testSecrets.presentHead ?? []);
  expect((await keyOf(sealed)).subarray(0, head.length)).toEqual(head);
  expect(testSecrets.open(addressKeySecret, sealed, await keyOf(sealed))).toMatch(/^[\w-]{43}$/);
  const before = (await keyOf(plain)).toString();
  expect(before).toMatch(/^[\w-]{43}$/);
  await reseal();
  expect((await keyOf(plain)).subarray(0, head.length)).toEqual(head);
  expect(testSecrets.open(addressKeySecret, plain, await keyOf(plain))).toBe(before);
});

test("a signed URL stays valid when its key is encrypted, and returns 404 in a gateway that cannot decrypt it", async () => {
  const { organization, reader } = await world.organization();
  const { version } = await world.insert((rows) => addProcessedSpec(rows, { organizationId: organization.id }));
  const ask = (by: typeof app) =>
    by
      .as(reader.token)
      .graphql<{ node: { url: string } }>(`{ node(id: "${version.id}") { ... on OpenApiSpecVersion { url } } }`);
  const url = (await ask(app)).data?.node.url ?? "";
  await reseal();
  expect((await ask(app)).data?.node.url).toBe(url);
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(url.replace(app.url, other.url))).status).toBe(404);
  const { errors } = await ask(other);
  expect(errors?.[0]).toMatchObject({ extensions: { code: "CONFLICT" } });
  expect(errors?.[0]?.message).toContain("SECRETS_KEY");
});
