// Secrets at rest: they are decrypted only with their context and key, a new key reencrypts them, and the key is safe.
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { addSite } from "#test/features/sites/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readConfig } from "#src/config/config.ts";
import { type SealedColumn, Secrets } from "#src/base/secrets.ts";
import { provideSecrets } from "#src/config/secrets-key.ts";
import { systemClock } from "#src/base/time.ts";
import { features } from "#src/features/index.ts";
import { resealSecrets } from "#src/jobs/reseal-secrets.ts";

// On its own database: all secrets of the database are reencrypted.
const { app, world } = await useApp({ own: true, secrets: new Secrets([]) });
const column: SealedColumn = { table: "SiteSigningKey", column: "secret" };
const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const [old, rotated, fresh] = [new Secrets([oldKey]), new Secrets([newKey, oldKey]), new Secrets([newKey])];
const text = "a secret: 秘密";

describe("a sealed secret", () => {
  test("is decrypted by its key and context, and encrypted differently each time", () => {
    const sealed = old.seal(column, "one", text);
    expect(old.open(column, "one", sealed)).toBe(text);
    expect(rotated.open(column, "one", sealed)).toBe(text);
    expect(Buffer.from(sealed).includes(text)).toBe(false);
    expect(old.seal(column, "one", text)).not.toEqual(sealed);
  });

  test("is not decrypted in another context, by another key or after any change", () => {
    const sealed = old.seal(column, "one", text);
    const refusal = expect.objectContaining({ code: "CONFLICT", message: expect.not.stringContaining(text) as string });
    expect(() => old.open(column, "other", sealed)).toThrow(refusal);
    expect(() => old.open({ ...column, column: "another" }, "one", sealed)).toThrow(refusal);
    expect(() => fresh.open(column, "one", sealed)).toThrow(refusal);
    expect(() => old.open(column, "one", new Uint8Array())).toThrow(refusal);
    for (let at = 0; at < sealed.length; at += 1) {
      expect(() => old.open(column, "one", sealed.with(at, (sealed[at] ?? 0) ^ 1))).toThrow(refusal);
      expect(() => old.open(column, "one", sealed.subarray(0, at))).toThrow(refusal);
    }
  });
});

test("a new key reencrypts old secrets; secrets that no key decrypts are kept", async () => {
  const { organization } = await world.organization();
  const site = await world.insert((rows) => addSite(rows, { organizationId: organization.id }));
  const lost = new Secrets([Buffer.alloc(32, 3)]);
  const by = { stays: fresh, moves: old, stuck: lost };
  const { siteSigningKey } = app.database.prisma;
  for (const [id, secrets] of Object.entries(by))
    await siteSigningKey.create({ data: { id, siteId: site.id, secret: secrets.seal(column, id, text) } });
  const sealedOf = async (id: string) => (await siteSigningKey.findUniqueOrThrow({ where: { id } })).secret;
  const before = { stays: await sealedOf("stays"), stuck: await sealedOf("stuck") };
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const job = resealSecrets(
    rotated,
    features.flatMap(({ secrets = [] }) => secrets),
  );
  const { database, files, fetch } = app;
  const context = { database, files, fetch, clock: systemClock, log, readTxtRecords: async () => [] };
  await job.run(context);
  expect(fresh.open(column, "moves", await sealedOf("moves"))).toBe(text);
  expect(await sealedOf("stays")).toEqual(before.stays);
  expect(await sealedOf("stuck")).toEqual(before.stuck);
  expect(lines.map((line) => (JSON.parse(line) as { secrets: number }).secrets)).toEqual([1, 1]);
  expect(lines.join("")).not.toContain(text);
  await job.run(context);
  expect(lines).toHaveLength(3); // only the secret that no key decrypts is reported again
  await resealSecrets(new Secrets([]), [column]).run(context);
});

test("refuses to store a secret without a key, with a remedy", async () => {
  const { organization, admin } = await world.organization();
  const site = await world.insert((rows) => addSite(rows, { organizationId: organization.id }));
  const document = "mutation ($id: ID!) { rotateSiteSigningKey(input: { siteId: $id }) { signingKey } }";
  const { errors } = await app.as(admin.token).graphql(document, { id: site.id });
  expect(errors?.[0]).toMatchObject({ extensions: { code: "CONFLICT" } });
  expect(errors?.[0]?.message).toContain("SECRETS_KEY is not set");
  expect(await app.database.prisma.siteSigningKey.count({ where: { siteId: site.id } })).toBe(0);
});

describe("the secrets key", () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });
  const newFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), "docgraph-key-"));
    folders.push(folder);
    return folder;
  };
  const provide = (environment: Record<string, string>) => provideSecrets(readConfig(environment));

  test("is created once in the data folder, readable only by its owner", async () => {
    const folder = join(await newFolder(), "data");
    const made = await Promise.all([1, 2, 3].map(() => provide({ DATA_DIR: folder })));
    const sealed = made[0]?.seal(column, "one", text) ?? new Uint8Array();
    for (const secrets of [...made, await provide({ DATA_DIR: folder })])
      expect(secrets.open(column, "one", sealed)).toBe(text);
    expect(await readdir(folder)).toEqual(["secrets.key"]);
    expect((await stat(join(folder, "secrets.key"))).mode & 0o777).toBe(0o600);
    await writeFile(join(folder, "secrets.key"), "not a key");
    await expect(provide({ DATA_DIR: folder })).rejects.toThrow("does not contain a key of 32 bytes");
  });

  test("is SECRETS_KEY if set, and missing for an external database without it", async () => {
    const folder = await newFolder();
    const [base64, hex] = [oldKey.toString("base64"), newKey.toString("hex")];
    const sealed = old.seal(column, "one", text);
    const given = await provide({ DATA_DIR: folder, SECRETS_KEY: `${hex}, ${base64}` });
    expect(given.open(column, "one", sealed)).toBe(text);
    expect(fresh.open(column, "one", given.seal(column, "one", text))).toBe(text);
    const own = await provide({ DATA_DIR: folder, DATABASE_URL: "postgres://user@db.example.com/docs" });
    expect(own.presentHead).toBeNull();
    expect(await readdir(folder)).toEqual([]);
    for (const bad of ["short", `${base64},`, base64.slice(1), "x".repeat(64)]) {
      expect(() => readConfig({ SECRETS_KEY: bad })).toThrow(/SECRETS_KEY must be 32 bytes/);
      expect(() => readConfig({ SECRETS_KEY: bad })).not.toThrow(bad);
    }
  });
});
