// Links to other servers: checked only if the organization enables it, at a limited rate, and cached for all texts.
import { beforeEach, expect, test } from "vitest";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { checkOutsideLinks } from "#src/features/links/commands/outside/check.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";
import { times } from "#test/support/world.ts";

const start = Date.parse("2026-06-15T12:00:00.000Z");
const hour = 60 * 60_000;
let now = start;
const clock = { now: () => new Date(now) };
// Has its own database: the clock decides which addresses of the whole database are checked.
const { app, world } = await useApp({ own: true, clock });

/** The received requests, as `HEAD one.example/path`, and the maximum of concurrent requests per host. */
const asked: string[] = [];
const atOnce = { now: new Map<string, number>(), most: 0 };
let isUp = true;

const port = await serveOnLoopback((request, response) => {
  const { url = "/", method = "", headers } = request;
  const host = (headers.host ?? "").split(":")[0] ?? "";
  if (url !== "/robots.txt") asked.push(`${method} ${host}${url}`);
  atOnce.now.set(host, (atOnce.now.get(host) ?? 0) + 1);
  atOnce.most = Math.max(atOnce.most, atOnce.now.get(host) ?? 0);
  const answer = (status: number, more: Record<string, string> = {}, body = "") => {
    setImmediate(() => {
      atOnce.now.set(host, (atOnce.now.get(host) ?? 0) - 1);
      response.writeHead(status, more).end(body);
    });
  };
  if (url === "/robots.txt" && host === "shut.example") return answer(503);
  if (url === "/robots.txt") return answer(200, {}, "User-agent: docgraph\nDisallow: /private");
  if (url.startsWith("/moved")) return answer(302, { location: `http://two.example:${port}/${url.slice(7)}` });
  if (url === "/loop") return answer(302, { location: "/loop" });
  if (url === "/no-head") return answer(method === "HEAD" ? 405 : 200, {}, "x".repeat(100_000));
  if (url === "/shaky") return answer(isUp ? 200 : 503);
  if (url === "/door") return answer(403);
  return answer(url.startsWith("/gone") ? 404 : 200);
});

const names = ["one.example", "two.example", "shut.example"];
const fetch = createSafeFetch({
  allowedHosts: names,
  resolve: async (name) => (names.includes(name) ? ["127.0.0.1"] : name === "inside.example" ? ["10.0.0.7"] : []),
});
const at = (path: string, host = "one.example") => `http://${host}:${port}${path}`;
const look = (limits?: Parameters<typeof checkOutsideLinks>[1]) =>
  checkOutsideLinks({ database: app.database, fetch, clock }, limits);

beforeEach(async () => {
  now = start;
  isUp = true;
  asked.length = 0;
  atOnce.most = 0;
  await app.database.prisma.organization.updateMany({ data: { checksOutsideLinks: false } });
  await app.database.prisma.outsideAddress.deleteMany();
});

interface Outside {
  readonly status: string;
  readonly reason: string | null;
  readonly checkedAt: string | null;
}

interface Links {
  readonly space: {
    readonly links: {
      readonly stats: { readonly broken: { readonly total: number } };
      readonly nodes: readonly {
        readonly address: string;
        readonly status: string;
        readonly outside: Outside | null;
      }[];
    };
    readonly brokenLinks: { readonly totalCount: number };
  };
}

/** An organization with a page that has these links, and the known status of them. */
async function linking(...addresses: readonly string[]) {
  const { admin, space, organization } = await world.space();
  const as = app.as(admin.token);
  const markdown = addresses.map((address) => `[x](${address})`).join("\n\n");
  await editAs(as, { spaceId: space.id }, newPage("Links", { markdown }).edit);
  const turn = (isOn: boolean) =>
    as.query(
      `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { id } } }`,
      {
        input: { organizationId: organization.id, checksOutsideLinks: isOn },
      },
    );
  const links = async () =>
    (
      await as.query<Links>(`{ space(id: "${space.id}") { brokenLinks { totalCount }
        links { stats { broken { total } } nodes { address status outside { status reason checkedAt } } } } }`)
    ).space;
  const known = async (path: string) => (await links()).links.nodes.find(({ address }) => address === path);
  return { admin, as, space, organization, turn, links, known };
}

test("outside links are not checked before the organization enables it, and results are hidden after it disables it", async () => {
  const { turn, known, organization } = await linking(at("/gone"));
  expect(await look()).toBe(0);
  const nothing = { status: "OK", outside: { status: "UNCHECKED", reason: null, checkedAt: null } };
  expect(await known(at("/gone"))).toMatchObject(nothing);
  await turn(true);
  const { payload } = await app.database.prisma.outboxEvent.findFirstOrThrow({
    where: { type: "organization.updated", organizationId: organization.id },
  });
  expect(payload).toEqual({ changes: [{ field: "checksOutsideLinks", before: false, after: true }] });
  expect(await look()).toBe(1);
  expect(asked).toEqual(["HEAD one.example/gone", "GET one.example/gone"]);
  expect((await known(at("/gone")))?.status).toBe("BROKEN");
  await turn(false);
  expect(await known(at("/gone"))).toMatchObject(nothing);
});

test.each([
  ["/fine#part", "one.example", "OK", null],
  ["/no-head", "one.example", "OK", null],
  ["/moved/fine", "one.example", "OK", null],
  ["/moved/gone", "one.example", "BROKEN", "the server returned 404"],
  ["/moved/private", "one.example", "UNCHECKED", "the robots.txt of the server disallows the check"],
  ["/loop", "one.example", "BROKEN", "the server redirects too often"],
  ["/door", "one.example", "UNCHECKED", "the server returned 403"],
  ["/private/page", "one.example", "UNCHECKED", "the robots.txt of the server disallows the check"],
  ["/fine", "shut.example", "UNCHECKED", "the robots.txt of the server disallows the check"],
  ["/fine", "inside.example", "UNCHECKED", "the address is not public, and ALLOWED_FETCH_HOSTS does not list it"],
  ["/fine", "name:word@one.example", "UNCHECKED", "an address must not contain a user name or password"],
])("the outside link %s of %s is %s: %s", async (path, host, status, reason) => {
  const { turn, links } = await linking(at(path, host));
  await turn(true);
  expect(await look()).toBe(1);
  const { links: found, brokenLinks } = await links();
  expect(found.nodes[0]).toMatchObject({
    status: status === "BROKEN" ? "BROKEN" : "OK",
    outside: { status, reason, checkedAt: new Date(start).toISOString() },
  });
  const broken = status === "BROKEN" ? 1 : 0;
  expect([found.stats.broken.total, brokenLinks.totalCount]).toEqual([broken, broken]);
  expect(asked.filter((one) => one.includes("example/private"))).toEqual([]);
});

test("results for outside links are cached for a day for all texts, and deleted a week after the last link", async () => {
  const one = await linking(at("/fine"), at("/fine#other"));
  const other = await linking(at("/fine"));
  await one.turn(true);
  await other.turn(true);
  expect(await look()).toBe(1);
  now += 23 * hour;
  expect(await look()).toBe(0);
  expect((await other.known(at("/fine")))?.outside?.status).toBe("OK");
  now += hour;
  expect(await look()).toBe(1);
  await one.turn(false);
  await other.turn(false);
  now += 8 * 24 * hour + 1;
  await look();
  expect(await app.database.prisma.outsideAddress.count()).toBe(0);
});

test("a failing server is tried again before its links count as BROKEN, and one success makes them OK", async () => {
  const { turn, known } = await linking(at("/shaky"));
  await turn(true);
  isUp = false;
  const statuses: unknown[] = [];
  for (const wait of [0, 5 * 60_000, 5 * 60_000, hour, 24 * hour]) {
    now += wait;
    if (now > start + 20 * hour) isUp = true;
    const looked = await look();
    statuses.push([looked, (await known(at("/shaky")))?.outside?.status]);
  }
  expect(statuses).toEqual([
    [1, "UNCHECKED"],
    [0, "UNCHECKED"],
    [1, "UNCHECKED"],
    [1, "BROKEN"],
    [1, "OK"],
  ]);
});

test("a host gets one request at a time, also through redirects, and only one run is active", async () => {
  const paths = times(6, (index) => [at(`/fine-${index}`), at(`/moved/${index}`), at(`/fine-${index}`, "two.example")]);
  const { turn } = await linking(...paths.flat());
  await turn(true);
  const looked = await Promise.all([look(), look()]);
  expect(looked.toSorted()).toEqual([0, 18]);
  expect(atOnce.most).toBe(1);
  expect(asked).toHaveLength(24);
});

test("a run is limited and fair: organizations and hosts alternate, and the next run continues", async () => {
  const many = await linking(...times(30, (index) => at(`/many-${index}`)), at("/other", "two.example"));
  const few = await linking(at("/few"));
  await many.turn(true);
  await few.turn(true);
  expect(await look({ all: 3 })).toBe(3);
  expect(asked.toSorted()).toEqual(["HEAD one.example/few", "HEAD one.example/many-0", "HEAD two.example/other"]);
  expect(await look()).toBe(20);
  expect(await look()).toBe(9);
  expect(await look()).toBe(0);
});

test("a change request lists outside links that it would break", async () => {
  const { as, space, turn } = await linking(at("/fine"));
  await turn(true);
  const { createChangeRequest } = await as.query<{ createChangeRequest: { changeRequest: { id: string } } }>(
    `mutation ($input: CreateChangeRequestInput!) { createChangeRequest(input: $input) { changeRequest { id } } }`,
    { input: { spaceId: space.id, subject: "Links" } },
  );
  const { id } = createChangeRequest.changeRequest;
  await editAs(as, { changeRequestId: id }, newPage("More", { markdown: `[x](${at("/gone")})` }).edit);
  expect(await look()).toBe(2);
  const { changeRequest } = await as.query<{ changeRequest: object }>(
    `{ changeRequest(id: "${id}") { brokenLinks { nodes { address outside { reason } } } } }`,
  );
  const broken = { address: at("/gone"), outside: { reason: "the server returned 404" } };
  expect(changeRequest).toEqual({ brokenLinks: { nodes: [broken] } });
});

test("links of deleted spaces, with variables, too long ones and links within docgraph are not checked", async () => {
  const { admin, organization, turn } = await linking(at("/{{ name }}"), at(`/${"x".repeat(1990)}`), "./page", "#part");
  const deleted = await world.insert((rows) => addSpace(rows, { organizationId: organization.id }));
  await editAs(app.as(admin.token), { spaceId: deleted.id }, newPage("Old", { markdown: `[x](${at("/old")})` }).edit);
  await app.database.prisma.space.update({ where: { id: deleted.id }, data: { deletedAt: new Date() } });
  await turn(true);
  expect(await look()).toBe(0);
  expect(asked).toEqual([]);
});
