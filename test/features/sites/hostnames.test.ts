// Custom hostnames: requesting one, proof of ownership by DNS, its states, and how it is lost.
import { beforeEach, expect, test } from "vitest";
import { features } from "#src/features/index.ts";
import { checkHostnames } from "#src/features/sites/commands/hostname.ts";
import { siteIdOfHostname } from "#src/features/sites/reads.ts";
import { addSite } from "#test/features/sites/factory.ts";
import { makeScene } from "#test/features/sites/scene.ts";
import { useApp } from "#test/support/app.ts";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse("2026-06-15T12:00:00.000Z");
let now = start;
const clock = { now: () => new Date(now) };
// Has its own database: the clock decides which hostnames of the whole database are checked.
const { app, world } = await useApp({ own: true, clock });

/** The records of the DNS by name, or no response. */
const zone = new Map<string, readonly string[] | "no answer">();
const asked: string[] = [];
beforeEach(() => {
  now = start;
  zone.clear();
  asked.length = 0;
  return app.database.prisma.site.updateMany({ data: { hostnameDueAt: null } });
});

const look = () =>
  checkHostnames({
    database: app.database,
    clock,
    readTxtRecords(name) {
      asked.push(name);
      const records = zone.get(name) ?? [];
      return records === "no answer" ? Promise.reject(new Error("queryTxt ETIMEOUT")) : Promise.resolve(records);
    },
  });

interface Claim {
  readonly state: string;
  readonly record: { readonly name: string; readonly type: string; readonly value: string };
  readonly checkedAt: string | null;
}

interface Shown {
  readonly hostname: string | null;
  readonly hostnameClaim: Claim | null;
  readonly urls: { readonly published: string };
}

const shown = `hostname urls { published } hostnameClaim {
  hostname state record { name type value } claimedAt checkedAt verifiedAt keptUntil } `;

/** A site whose admin requests hostnames and reads their state. */
async function claiming(hostname: string) {
  const scene = await makeScene(app, world);
  const { siteId, admin, does } = scene;
  await does("publishSite", { siteId });
  const claim = async (name: string | null) =>
    (await does<{ site: Shown }>("updateSite", { siteId, hostname: name }, `site { ${shown} }`)).site;
  const seenBy = async ({ token }: { token: string }) =>
    (await app.as(token).query<{ site: Shown }>(`{ site(id: "${siteId}") { ${shown} } }`)).site;
  const first = await claim(hostname);
  const at = (ms: number) => {
    now = start + ms;
    return look().then(() => seenBy(admin));
  };
  return { ...scene, claim, seenBy, at, first, record: first.hostnameClaim?.record ?? { name: "", value: "" } };
}

const eventsOf = async (siteId: string) =>
  (await app.eventsOf(siteId)).flatMap(({ type, payload }) => (type === "site.hostnameChecked" ? payload : []));

test("a hostname is pending until its record exists, and then serves the site", async () => {
  const { siteId, first, record, at } = await claiming("Docs.One.example.com");
  expect(first).toMatchObject({
    hostname: null,
    urls: { published: `${app.url}/published/${siteId}` },
    hostnameClaim: {
      hostname: "docs.one.example.com",
      state: "PENDING",
      record: {
        name: "_docgraph.docs.one.example.com",
        type: "TXT",
        value: expect.stringMatching(/^docgraph-site=[\w-]{32}$/) as string,
      },
      claimedAt: new Date(start).toISOString(),
      checkedAt: null,
      verifiedAt: null,
      keptUntil: null,
    },
  });
  zone.set(record.name, ["v=spf1 -all", `${record.value}x`]);
  expect(await at(0)).toMatchObject({ hostname: null, hostnameClaim: { state: "PENDING" } });
  expect(await siteIdOfHostname(app.database, "docs.one.example.com")).toBeNull();
  zone.set(record.name, ["v=spf1 -all", record.value]);
  await at(4 * minute); // it is not checked again so soon
  expect(asked).toHaveLength(1);
  const verified = await at(5 * minute);
  expect(verified).toMatchObject({
    hostname: "docs.one.example.com",
    urls: { published: "https://docs.one.example.com" },
    hostnameClaim: { state: "VERIFIED", checkedAt: clock.now().toISOString(), verifiedAt: clock.now().toISOString() },
  });
  expect(await siteIdOfHostname(app.database, "DOCS.one.example.com")).toBe(siteId);
  expect(await eventsOf(siteId)).toEqual([{ siteId, hostname: "docs.one.example.com", state: "verified" }]);
});

test("a hostname whose record disappears stays for three days, and longer if the record returns", async () => {
  const { siteId, record, at } = await claiming("docs.two.example.com");
  const state = async (ms: number) => (await at(ms)).hostnameClaim?.state;
  zone.set(record.name, [record.value]);
  expect(await state(0)).toBe("VERIFIED");
  zone.delete(record.name);
  expect(await at(6 * hour)).toMatchObject({
    hostname: "docs.two.example.com",
    hostnameClaim: { state: "MISSING", keptUntil: new Date(start + 78 * hour).toISOString() },
  });
  zone.set(record.name, [record.value]);
  expect(await state(7 * hour)).toBe("VERIFIED");
  zone.delete(record.name);
  expect(await state(14 * hour)).toBe("MISSING");
  expect(await state(85 * hour)).toBe("MISSING");
  expect(await at(86 * hour)).toMatchObject({ hostname: null, hostnameClaim: { state: "PENDING", verifiedAt: null } });
  expect((await eventsOf(siteId)).map((payload) => (payload as { state: string }).state)).toEqual([
    "verified",
    "missing",
    "verified",
    "missing",
    "pending",
  ]);
});

test("a hostname does not change while the DNS does not respond, however long that takes", async () => {
  const { record, at } = await claiming("docs.three.example.com");
  zone.set(record.name, "no answer");
  expect((await at(0)).hostnameClaim).toMatchObject({ state: "PENDING", checkedAt: null });
  zone.set(record.name, [record.value]);
  await at(hour);
  zone.set(record.name, "no answer");
  for (const days of [1, 5, 30])
    expect((await at(days * 24 * hour)).hostnameClaim).toMatchObject({
      state: "VERIFIED",
      checkedAt: new Date(start + hour).toISOString(),
    });
  expect(await look()).toBe(0); // it was checked just now
});

test("requesting a hostname does not block others: the first with its record gets it", async () => {
  const name = "docs.four.example.com";
  const squatter = await claiming(name);
  const owner = await claiming(name);
  expect(owner.record.name).toBe(squatter.record.name);
  expect(owner.record.value).not.toBe(squatter.record.value);
  zone.set(owner.record.name, [owner.record.value]);
  expect((await owner.at(0)).hostname).toBe(name);
  expect(await squatter.at(0)).toMatchObject({ hostname: null, hostnameClaim: { state: "PENDING" } });
  // Not even with a record of its own, while another site has it.
  zone.set(owner.record.name, [owner.record.value, squatter.record.value]);
  expect((await squatter.at(hour)).hostname).toBeNull();
  const third = await makeScene(app, world);
  expect(await third.refused("updateSite", { siteId: third.siteId, hostname: name })).toEqual(["CONFLICT", "hostname"]);
  // The owner releases it: it is free for the next with a record.
  expect(await owner.claim("docs.five.example.com")).toMatchObject({
    hostname: null,
    hostnameClaim: { state: "PENDING", record: { name: "_docgraph.docs.five.example.com" } },
  });
  expect((await squatter.at(48 * hour)).hostname).toBe(name);
  expect(await squatter.claim(null)).toMatchObject({ hostname: null, hostnameClaim: null });
  expect(await siteIdOfHostname(app.database, name)).toBeNull();
  asked.length = 0;
  await squatter.at(480 * hour);
  expect(asked).toEqual(["_docgraph.docs.five.example.com"]);
});

test("of two sites that verify a hostname concurrently, exactly one gets it", async () => {
  const name = "docs.both.example.com";
  const both = [await claiming(name), await claiming(name)];
  zone.set(
    both[0]?.record.name ?? "",
    both.map(({ record }) => record.value),
  );
  expect(await look()).toBe(0);
  const seen = await Promise.all(both.map(({ admin, seenBy }) => seenBy(admin)));
  const shownAs = seen.map((site) => `${site.hostname} ${site.hostnameClaim?.state}`);
  expect(new Set(shownAs)).toEqual(new Set([`${name} VERIFIED`, "null PENDING"]));
});

test("requesting the same hostname again changes nothing, and removing it sends no DNS query", async () => {
  const { siteId, record, claim, at } = await claiming("docs.six.example.com");
  zone.set(record.name, [record.value]);
  await at(0);
  const before = await app.eventsOf(siteId);
  expect(await claim("docs.six.example.com")).toMatchObject({ hostname: "docs.six.example.com" });
  expect(await app.eventsOf(siteId)).toEqual(before);
});

test("users who may not change the site see its hostname only when verified, and never the claim", async () => {
  const { organizationId, reader, outsider, creator, seenBy, record, at } = await claiming("docs.seven.example.com");
  for (const person of [reader, creator, outsider])
    expect(await seenBy(person)).toMatchObject({ hostname: null, hostnameClaim: null });
  zone.set(record.name, [record.value]);
  await at(0);
  expect(await seenBy(outsider)).toMatchObject({ hostname: "docs.seven.example.com", hostnameClaim: null });
  const { id } = await world.insert((rows) => addSite(rows, { organizationId, createdById: creator.id }));
  const document = `mutation { updateSite(input: { siteId: "${id}", hostname: "docs.eight.example.com" }) { site { hostnameClaim { state } } } }`;
  expect(await app.as(creator.token).query(document)).toMatchObject({
    updateSite: { site: { hostnameClaim: { state: "PENDING" } } },
  });
  expect(await app.as(reader.token).refusal(document)).toBe("FORBIDDEN");
});

test.each([
  "example.com",
  "docs..example.com",
  "-docs.example.com",
  "docs.example.com.",
  "docs_1.example.com",
  "https://docs.example.com",
  "docs.example.c",
  `${"a.".repeat(255)}example.com`,
  "",
])("the hostname %j is refused", async (hostname) => {
  const { siteId, refused } = await makeScene(app, world);
  expect(await refused("updateSite", { siteId, hostname })).toEqual(["INVALID_INPUT", "hostname"]);
});

test("hostname records are checked every five minutes", () => {
  const jobs = features.flatMap((feature) => feature.jobs ?? []);
  expect(jobs.find(({ name }) => name === "site.checkHostnames")?.schedule).toBe("*/5 * * * *");
});

test("the log of the start counts the sites that are not served at the hostname that they claim", async () => {
  await app.database.prisma.site.updateMany({ data: { claimedHostname: null, hostname: null } });
  const warnings = async () =>
    (await Promise.all(features.map(async ({ warnings: read }) => read?.(app.database) ?? []))).flat();
  expect(await warnings()).toEqual([]);
  await (await claiming("first.docs.example.com")).claim("first.docs.example.com");
  const one = "1 site is not served at the claimed hostname, since its TXT record is not verified.";
  expect(await warnings()).toEqual([one]);
  await (await claiming("second.docs.example.com")).claim("second.docs.example.com");
  expect(await warnings()).toEqual([one.replace("1 site is", "2 sites are")]);
  const verified = { hostname: "second.docs.example.com" };
  await app.database.prisma.site.updateMany({ where: { claimedHostname: verified.hostname }, data: verified });
  expect(await warnings()).toEqual([one]);
});
