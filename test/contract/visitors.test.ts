// The visitor matrix: the content of a site visible to each visitor, for each visibility and path. Each site has two
// spaces: one for everybody, and one for staff.
import { beforeAll, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { giveFiles } from "#test/features/content/factory.ts";
import { addSection, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { jwt } from "#test/features/sites/tokens.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { send } from "#test/support/client.ts";

const { app, world } = await useApp();

const visibilities = ["public", "unlisted", "share_link", "visitor_auth", "not published"] as const;
const conditions = { open: null, staff: "visitor.claims.staff" } as const;
type Name = keyof typeof conditions;
const names = Object.keys(conditions) as Name[]; // the keys of the object above

interface Place {
  readonly sectionId: string;
  readonly siteSpaceId: string;
  readonly spaceId: string;
  readonly fileId: string;
}

interface MadeSite {
  readonly id: string;
  readonly key: string | null;
  readonly signingKey: string;
  readonly places: Readonly<Record<Name, Place>>;
}

async function makeSites() {
  const scene = await world.organization();
  const organizationId = scene.organization.id;
  const made = new Map<string, MadeSite>();
  for (const name of [...visibilities, "other"] as const) {
    const visibility = name === "not published" ? "public" : name === "other" ? "visitor_auth" : name;
    const key = name === "share_link" ? `key-${newId("Site")}` : null;
    const published = name !== "not published";
    const given = { organizationId, visibility, published, shareKey: key } as const;
    const { site, rows } = await world.insert((all) => {
      const at = addSite(all, { adaptiveContentEnabled: true, agentsContext: "included", ...given });
      const place = (one: Name) => {
        const path = one;
        const section = addSection(all, { siteId: at.id, path, condition: conditions[one] });
        const space = addSpace(all, { organizationId, visibility: "private" });
        const siteSpace = addSiteSpace(all, { siteId: at.id, sectionId: section.id, spaceId: space.id, path });
        return { section, space, siteSpace };
      };
      return { site: at, rows: { open: place("open"), staff: place("staff") } };
    });
    const placed = async (one: Name): Promise<Place> => {
      const { section, space, siteSpace } = rows[one];
      const [fileId = ""] = await giveFiles(app.database, space.revisionId, [`${one}.txt`]);
      const page = newPage("Page", { markdown: `Text for ${one}` });
      await editAs(app.as(scene.admin.token), { spaceId: space.id }, page.edit);
      return { sectionId: section.id, siteSpaceId: siteSpace.id, spaceId: space.id, fileId };
    };
    const places = { open: await placed("open"), staff: await placed("staff") };
    const rotated = await app
      .as(scene.admin.token)
      .query<{ rotateSiteSigningKey: { signingKey: string } }>(
        `mutation { rotateSiteSigningKey(input: { siteId: "${site.id}" }) { signingKey } }`,
      );
    made.set(name, { id: site.id, key, signingKey: rotated.rotateSiteSigningKey.signingKey, places });
  }
  return { ...scene, organizationId, made };
}

let scene: Awaited<ReturnType<typeof makeSites>>;
beforeAll(async () => void (scene = await makeSites()), 60_000);

const siteOf = (name: string): MadeSite => {
  const site = scene.made.get(name);
  if (!site) throw new Error(`No site ${name} exists`);
  return site;
};

/** A visitor token of a site that expires in some seconds. */
function tokenOf(site: MadeSite, claims: object, seconds = 600): string {
  const exp = Math.floor(Date.now() / 1000) + seconds;
  return jwt({ alg: "HS256", typ: "JWT" }, { aud: site.id, exp, ...claims }, site.signingKey);
}

/** A visitor: an API token, a share key, and a visitor token. */
interface Reader {
  readonly token: string | null;
  readonly shareKey?: string | null;
  readonly visitorToken?: string;
}

const readers: Readonly<Record<string, (site: MadeSite) => Reader>> = {
  nobody: () => ({ token: null }),
  "wrong key": () => ({ token: null, shareKey: "no-key" }),
  key: ({ key }) => ({ token: null, shareKey: key }),
  "expired token": (site) => ({ token: null, visitorToken: tokenOf(site, { staff: true }, -60) }),
  "token of another": () => ({ token: null, visitorToken: tokenOf(siteOf("other"), { staff: true }) }),
  "token without claims": (site) => ({ token: null, visitorToken: tokenOf(site, {}) }),
  "token with claims": (site) => ({ token: null, visitorToken: tokenOf(site, { staff: true }) }),
  outsider: () => ({ token: scene.outsider.token }),
  "outsider with key": ({ key }) => ({ token: scene.outsider.token, shareKey: key }),
  "outsider with claims": (site) => ({ token: scene.outsider.token, visitorToken: tokenOf(site, { staff: true }) }),
  guest: () => ({ token: scene.guest.token }),
  member: () => ({ token: scene.reader.token }),
  "member with claims": (site) => ({ token: scene.reader.token, visitorToken: tokenOf(site, { staff: true }) }),
  admin: () => ({ token: scene.admin.token }),
};

type Ask = (document: string) => Promise<unknown>;

const responses = new WeakMap<Reader, Map<string, Promise<unknown>>>();

/** Sends equal requests of a reader once: those for what is open and for what is for staff are often the same. */
function once<Response>(reader: Reader, request: string, sending: () => Promise<Response>): Promise<Response> {
  const known = responses.get(reader) ?? new Map<string, Promise<unknown>>();
  responses.set(reader, known);
  const response = known.get(request) ?? sending();
  known.set(request, response);
  return response as Promise<Response>; // equal requests have responses of one type
}

/** Whether a visitor finds an object by a path. */
interface Way {
  readonly find: (site: MadeSite, one: Name, ask: Ask, reader: Reader) => Promise<unknown>;
}

const args = (site: MadeSite, { shareKey, visitorToken }: Reader): string =>
  [
    `by: { id: "${site.id}" }`,
    shareKey == null ? "" : `shareKey: ${JSON.stringify(shareKey)}`,
    visitorToken === undefined ? "" : `visitorToken: ${JSON.stringify(visitorToken)}`,
  ].join(" ");

const published = (site: MadeSite, reader: Reader, fields: string) =>
  `{ publishedSite(${args(site, reader)}) { ${fields} } }`;
const mentions = (value: unknown, text: string): boolean => JSON.stringify(value ?? null).includes(text);

const ways: Readonly<Record<string, Way>> = {
  publishedSite: {
    find: async (site, one, ask, reader) => {
      const data = await ask(
        published(site, reader, "sections { id } siteSpaces { id } siteMap { path } entries { __typename }"),
      );
      const { sectionId, siteSpaceId } = site.places[one];
      const found = [mentions(data, sectionId), mentions(data, siteSpaceId), mentions(data, `${one}/${one}/page`)];
      expect(new Set(found).size, `all or nothing of ${one}`).toBe(1);
      return found[0];
    },
  },
  "published address": {
    find: async (site, one, ask, { shareKey, visitorToken }) => {
      const key = shareKey == null ? "" : `?key=${shareKey}`;
      const token = visitorToken === undefined ? "" : `, visitorToken: ${JSON.stringify(visitorToken)}`;
      const url = `${app.url}/published/${site.id}/${one}/${one}/page${key}`;
      const data = await ask(`{ publishedAddress(url: "${url}"${token}) { siteSpaceId page { path } } }`);
      return mentions(data, site.places[one].siteSpaceId);
    },
  },
  "page by path": {
    find: (site, one, ask, reader) => ask(published(site, reader, `page(path: "${one}/${one}/page") { markdown }`)),
  },
  file: {
    find: (site, one, ask, reader) =>
      ask(published(site, reader, `file(id: "${site.places[one].fileId}") { downloadURL }`)),
  },
  "published in /v1": {
    find: async (site, one, _ask, reader) => {
      const { token, shareKey, visitorToken } = reader;
      const query = shareKey == null ? "" : `?shareKey=${encodeURIComponent(shareKey)}`;
      const path = `/v1/orgs/${scene.organizationId}/sites/${site.id}/published${query}`;
      const headers = visitorToken === undefined ? {} : { "x-visitor-token": visitorToken };
      const { body } = await once(reader, path, () => app.as(token).rest("GET", path, { headers }));
      return mentions(body, site.places[one].siteSpaceId);
    },
  },
  "node of a section": {
    find: (site, one, ask) => ask(`{ node(id: "${site.places[one].sectionId}") { id } }`),
  },
  "node of a site space": {
    find: (site, one, ask) => ask(`{ node(id: "${site.places[one].siteSpaceId}") { id } }`),
  },
  "search of the site": {
    find: async (site, one, ask) =>
      mentions(
        await ask(`{ search(text: "text", in: { siteId: "${site.id}" }) { nodes { spaceId } } }`),
        site.places[one].spaceId,
      ),
  },
  "published search": {
    find: async (site, one, ask, reader) => {
      const fields = "totalCount nodes { path sections { body urls { published } } siteSpace { id } page { path } }";
      const hits = JSON.stringify(await ask(published(site, reader, `search(text: "text") { ${fields} }`)));
      const ofOne = await ask(published(site, reader, `search(text: "text ${one}") { nodes { path } }`));
      const found = [`${one}/${one}/page`, `Text for ${one}`, site.places[one].siteSpaceId].map((text) =>
        hits.includes(text),
      );
      expect(new Set([...found, mentions(ofOne, one)]).size, `all or nothing of ${one}`).toBe(1);
      const { totalCount = 0 } = (JSON.parse(hits) ?? {}) as { totalCount?: number };
      expect(totalCount).toBe(hits.split('/page",').length - 1);
      return found[0];
    },
  },
  "section list": {
    find: async (site, one, ask, { shareKey }) => {
      const key = shareKey == null ? "" : `shareKey: ${JSON.stringify(shareKey)}`;
      const fields =
        "sections { totalCount nodes { id } } siteSpaces { totalCount nodes { id } } siteSpaceCount defaultSection { id } defaultSiteSpace { id }";
      const data = await ask(`{ site(id: "${site.id}" ${key}) { ${fields} } }`);
      return mentions(data, site.places[one].sectionId);
    },
  },
  "texts for agents": {
    find: async (site, one, _ask, reader) => {
      const paths = ["llms.txt", "llms-full.txt", `${one}/${one}/page.md`];
      const found = await Promise.all(paths.map((path) => agentFinds({ site, one }, reader, { path })));
      expect(new Set(found).size, `all or nothing of ${one}`).toBe(1);
      return found[0];
    },
  },
  "tools for agents": {
    find: async (site, one, _ask, reader) => {
      const call = (name: string, input: object) => ({ method: "tools/call", params: { name, arguments: input } });
      const asked = [
        call("list_pages", {}),
        call("search_pages", { query: "text" }),
        call("read_page", { path: `${one}/${one}/page` }),
        { method: "resources/list" },
      ];
      const found = await Promise.all(
        asked.map((message) =>
          agentFinds({ site, one }, reader, { path: "mcp", body: { jsonrpc: "2.0", id: 1, ...message } }),
        ),
      );
      expect(new Set(found).size, `all or nothing of ${one}`).toBe(1);
      return found[0];
    },
  },
};

/** Whether an agent of a reader finds a page in a text at a path below a site; a body is sent by POST. */
async function agentFinds(
  { site, one }: { site: MadeSite; one: Name },
  reader: Reader,
  { path, body }: { path: string; body?: object },
): Promise<boolean> {
  const { token, shareKey, visitorToken } = reader;
  const key = shareKey == null || site.key === null ? "" : `${encodeURIComponent(shareKey)}/`;
  const headers = {
    "content-type": "application/json",
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(visitorToken !== undefined && { "x-visitor-token": visitorToken }),
  };
  const method = body ? "POST" : "GET";
  const address = `${app.url}/published/${site.id}/${key}${path}`;
  const sent = body ? { body: JSON.stringify(body) } : {};
  const { text } = await once(reader, JSON.stringify([address, body]), () =>
    send(address, { method, headers, ...sent }),
  );
  return text.includes(`${one}/${one}/page`) || text.includes(`Text for ${one}`);
}

/** The data of a reader's query; null if it is refused for any reason. */
const asking =
  (reader: Reader, client: Client): Ask =>
  (document) =>
    once(reader, document, () => dataOf(document, reader, client));

async function dataOf(document: string, { token, visitorToken }: Reader, client: Client): Promise<unknown> {
  if (visitorToken === undefined || token === null) {
    const { data } = await client.graphql<Record<string, unknown>>(document);
    return valueOf(data);
  }
  const headers = {
    "x-visitor-token": visitorToken,
    "content-type": "application/json",
    authorization: `Bearer ${token}`,
  };
  const { text } = await send(`${app.url}/graphql`, {
    method: "POST",
    headers,
    body: JSON.stringify({ query: document }),
  });
  return valueOf((JSON.parse(text) as { data?: Record<string, unknown> }).data);
}

/** What is below the one field at the top, and below the one in it where that alone is asked for. */
function valueOf(data: Record<string, unknown> | null | undefined): unknown {
  const [top] = Object.values(data ?? {});
  if (typeof top !== "object" || top === null) return null;
  const below = Object.values(top);
  return below.length === 1 ? (below[0] ?? null) : top;
}

/** The text of a cell: the visible public part and staff part. */
async function cell(site: MadeSite, reader: Reader, way: Way): Promise<string> {
  const ask = asking(reader, app.as(reader.token));
  const found = await Promise.all(
    names.map(async (one) => {
      const value = await way.find(site, one, ask, reader);
      return value === null || value === false ? "" : one;
    }),
  );
  return found.filter((one) => one !== "").join("+") || "-";
}

test("the visitor matrix matches visitors.txt; `npm test -- -u` writes it", async () => {
  const lines: string[] = [];
  for (const visibility of visibilities) {
    lines.push(
      "",
      `${visibility.replace("_", "-").padEnd(22)}${Object.keys(ways)
        .map((way) => way.padEnd(22))
        .join("")}`.trimEnd(),
    );
    for (const [name, reader] of Object.entries(readers)) {
      const cells = [];
      for (const way of Object.values(ways))
        cells.push(await cell(siteOf(visibility), reader(siteOf(visibility)), way));
      lines.push(`${name.padEnd(22)}${cells.map((one) => one.padEnd(22)).join("")}`.trimEnd());
    }
  }
  const legend =
    "What everybody sees of a site, by its visibility and by the way in: `open` is a section for anyone, `staff` one with a condition.\n";
  await expect(`${legend}${lines.join("\n")}\n`).toMatchFileSnapshot("visitors.txt");
}, 120_000);
