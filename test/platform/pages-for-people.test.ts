// URLs in responses: all of the demo resolve, frontends may have another origin, and docgraph's own pages show objects
// to people who may see them, without scripts. At the small size three URLs of each kind are opened.
import { getNamedType, isInterfaceType, isObjectType } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { ConfigError, describeConfig, readConfig } from "#src/config/config.ts";
import { Links } from "#src/base/public-urls.ts";
import { seedDemo } from "#src/demo/seed.ts";
import { schema } from "#src/schema.ts";
import { newId } from "#src/base/ids.ts";
import { verifyDomain } from "#test/features/organizations/factory.ts";
import { giveContent } from "#test/features/content/factory.ts";
import { processSpecs } from "#test/features/openapi/processing.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { useApp } from "#test/support/app.ts";
import { isFullSize } from "#test/support/runs.ts";

// On its own database: the demo is made once in a database.
const { app, world } = await useApp({ own: true });
let token: string;
beforeAll(async () => {
  ({ token } = await seedDemo(app));
  await processSpecs(app);
  // The demo has no provider.
  const { id: organizationId } = await app.database.prisma.organization.findFirstOrThrow({
    where: { members: { some: { role: "admin", user: { displayName: "Mara Lindqvist" } } } },
  });
  await world.insert((rows) => addSamlProvider(rows, { organizationId }));
});

const fetchAs = (address: string, as: string | null) =>
  fetch(address, { headers: as === null ? {} : { authorization: `Bearer ${as}` } });

/** The types with `urls`, and the fields of these. */
const typesWithUrls = Object.values(schema.getTypeMap()).flatMap((type) => {
  const urls = isObjectType(type) ? getNamedType(type.getFields()["urls"]?.type) : undefined;
  // Preview URLs are for people outside the organization: below.
  const isOwn = isObjectType(urls) && type.name !== "OrganizationPreview";
  return isOwn ? [{ name: type.name, urls: Object.keys(urls.getFields()) }] : [];
});
const nodeType = schema.getType("Node");
const nodeNames = isInterfaceType(nodeType) ? schema.getPossibleTypes(nodeType).map(({ name }) => name) : [];

/** Every URL in a value. */
function addressesIn(value: unknown): string[] {
  if (typeof value === "string") return /^https?:/.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(addressesIn) : [];
}

/** The objects of published sites, by types with `urls`. */
const published: Readonly<Record<string, string>> = {
  PublishedSiteProfile: "site",
  PublishedSection: "sections",
  PublishedSpace: "siteSpaces",
  PublishedPage: "siteMap",
  PublishedSearchHit: 'search(text: "the") { nodes',
  PublishedSearchSection: 'search(text: "the") { nodes { sections',
};

/** The results of a search, by types with `urls`, below a space with hits. */
const searched: Readonly<Record<string, (fields: string) => string>> = {
  SearchedSpace: (fields) => fields,
  SearchHit: (fields) => `hits { ${fields} }`,
  SearchSection: (fields) => `hits { sections { ${fields} } }`,
};

/** Parts of nodes with URLs of their own, and the way to them. */
const parts: Readonly<Record<string, { readonly of: string; readonly way: string }>> = {
  OpenApiSpecVersionContent: { of: "OpenApiSpecVersion", way: "content" },
};

/** Visitors do not see conditional content: its URL needs a visitor token. */
const shown: Readonly<Record<string, string>> = {
  SiteSection: `where condition is null`,
  SiteSpace: `where condition is null and not exists (select from "SiteSection" x where x.id = "sectionId" and x.condition is not null)`,
};

async function addressesOf({ name, urls }: (typeof typesWithUrls)[number]): Promise<string[]> {
  const as = app.as(token);
  const fields = `urls { ${urls.join(" ")} }`;
  if (name === "Page") {
    const { organizations } = await as.query<{ organizations: unknown }>(
      `{ organizations { nodes { spaces { nodes { content { allPages { ${fields} } }
        changeRequests(first: 3) { nodes { content { allPages { ${fields} } } } } } } } } }`,
    );
    return addressesIn(organizations);
  }
  const below = searched[name];
  if (below) {
    const { organizations } = await as.query<{ organizations: unknown }>(
      `{ organizations { nodes { searchedSpaces(text: "the") { nodes { ${below(fields)} } } } } }`,
    );
    return addressesIn(organizations);
  }
  if (published[name] !== undefined) {
    const { rows } = await app.database.pool.query<{ id: string }>(`select id from "Site"`);
    const way = `${published[name]} { ${fields}`;
    const braces = "}".repeat(way.split("{").length - fields.split("{").length);
    const sites = rows.map(({ id }) => as.query(`{ publishedSite(by: { id: "${id}" }) { ${way} ${braces} } }`));
    return addressesIn(await Promise.all(sites));
  }
  const where = shown[name] ?? "";
  const { of, way } = parts[name] ?? { of: name, way: null };
  const { rows } = await app.database.pool.query<{ id: string }>(`select id from "${of}" ${where} limit 200`);
  const { nodes } = await as.query<{ nodes: unknown }>(
    `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${of} { ${way === null ? fields : `${way} { ${fields} }`} } } }`,
    { ids: rows.map(({ id }) => id) },
  );
  return addressesIn(nodes);
}

/** `assets` and `publicEndpoint` of an integration are prefixes of URLs. */
const beginnings = /\/integrations\/[\w-]+(\/images\/)?$/;

describe("URLs of the demo", () => {
  test.each(typesWithUrls.map((type) => [type.name, type] as const))(
    "of every %s open its page",
    async (name, type) => {
      expect([
        ...nodeNames,
        ...Object.keys(published),
        ...Object.keys(searched),
        ...Object.keys(parts),
        "Page",
      ]).toContain(name);
      const addresses = [...new Set(await addressesOf(type))];
      expect(addresses).not.toEqual([]);
      const pages = addresses.filter((one) => one.startsWith(app.url) && !beginnings.test(one));
      for (const address of inKinds(pages)) {
        const answer = await fetchAs(address, token);
        expect(answer.status, address).toBe(200);
        await answer.body?.cancel();
      }
    },
  );

  test("of invitations, shared spaces and files open their pages", async () => {
    const as = app.as(token);
    const { organizations } = await as.query<{ organizations: { nodes: { id: string }[] } }>(
      "{ organizations { nodes { id spaces { nodes { shareLink { url } content { files { nodes { downloadURL } } } } } } } }",
    );
    const input = { organizationId: organizations.nodes[0]?.id, role: "READ" };
    const { createInviteLink } = await as.query<{ createInviteLink: { inviteLink: { url: string } } }>(
      "mutation ($input: CreateInviteLinkInput!) { createInviteLink(input: $input) { inviteLink { url } } }",
      { input },
    );
    const addresses = [...addressesIn(organizations), createInviteLink.inviteLink.url];
    expect(addresses.some((address) => address.includes("/published/"))).toBe(true);
    for (const address of addresses) expect((await fetchAs(address, null)).status, address).toBe(200);
    expect((await fetchAs(`${app.url}/app/invites/unknown`, token)).status).toBe(404);
  });

  interface Described {
    readonly parameters?: readonly { readonly in?: string; readonly required?: boolean }[];
  }

  test("in responses of /v1 lead to their resources", { timeout: 60_000 }, async () => {
    const as = app.as(token);
    const { paths } = (await as.rest<{ paths: Record<string, { get?: Described }> }>("GET", "/v1/openapi.json")).body;
    const organizations = (await as.rest<{ items: { id: string }[] }>("GET", "/v1/orgs")).body.items;
    const below: Record<string, string[]> = { organizationId: organizations.map(({ id }) => id), spaceId: [] };
    const addresses = new Set<string>();
    const read = async (path: string) => {
      const { status, body } = await as.rest("GET", path);
      expect([200, 403], path).toContain(status); // admins of the other organization read more
      const text = JSON.stringify(body);
      for (const [, address = ""] of text.matchAll(/"(?:location|app|public|published)":"(http[^"]+)"/g))
        addresses.add(address);
      for (const [, id = ""] of text.matchAll(/"id":"(spc_\w+)"/g)) below["spaceId"]?.push(id);
    };
    const isAskable = ({ parameters = [] }: Described) => !parameters.some((one) => one.in === "query" && one.required);
    for (const name of ["organizationId", "spaceId"])
      for (const [path, { get }] of Object.entries(paths)) {
        if (!get || !isAskable(get) || path.split("{").length !== 2 || !path.includes(`{${name}}`)) continue;
        const ids = [...new Set(below[name])];
        // Making a PDF takes long, and all of their answers are alike.
        for (const id of path.endsWith("/pdf") && !isFullSize ? ids.slice(0, 1) : ids)
          await read(path.replace(/\{\w+\}/, id));
      }
    const own = [...addresses].filter((address) => address.startsWith(app.url));
    expect(own.length).toBeGreaterThan(20);
    for (const address of inKinds(own))
      expect((await fetch(address, { headers: { authorization: `Bearer ${token}` } })).status, address).toBe(200);
  });
});

/** All addresses at full size; otherwise three of each kind: those that differ only in ids and names. */
function inKinds(addresses: readonly string[]): readonly string[] {
  if (isFullSize) return addresses;
  const kindOf = (address: string) => new URL(address).pathname.replaceAll(/[a-z]{3}_\w+|(?<=\/published\/).*/g, "…");
  return [...Map.groupBy(addresses, kindOf).values()].flatMap((alike) => alike.slice(0, 3));
}

describe("HTML pages", () => {
  test("show an object to its viewers, and to others the same hint for hidden and missing objects", async () => {
    const { space, organization, reader, outsider, editor } = await world.space({
      space: { title: "<b>Tides</b> & 'co'" },
    });
    const address = `${app.url}/app/spaces/${space.id}`;
    const seen = await fetchAs(address, reader.token);
    expect(seen.status).toBe(200);
    expect(await seen.text()).toContain("&#60;b&#62;Tides&#60;/b&#62; &#38; &#39;co&#39;");
    expect((await fetchAs(address, outsider.token)).status).toBe(404);
    const [closed, missing] = [
      await fetchAs(address, null),
      await fetchAs(`${app.url}/app/spaces/${newId("Space")}`, null),
    ];
    expect([closed.status, missing.status]).toEqual([401, 401]);
    const text = await closed.text();
    const ids = /spc_\w+/g;
    expect(text.replaceAll(ids, "")).toBe((await missing.text()).replaceAll(ids, ""));
    expect(text).toContain(`${app.url}/sign-in?returnTo=%2Fapp%2Fspaces%2F${space.id}"`);
    expect(text).toContain("Authorization: Bearer");
    expect((await fetchAs(address, "dg_wrong")).status).toBe(401);
    expect((await fetchAs(`${app.url}/app/orgs/${organization.id}`, null)).status).toBe(401);
    expect((await fetchAs(`${app.url}/app/users/${editor.id}`, reader.token)).status).toBe(200);
    expect((await fetchAs(`${app.url}/app/nothing/at/all`, reader.token)).status).toBe(404);
  });

  test("show the public part of an organization to people related to it", async () => {
    const { space, organization, outsider, reader } = await world.space({ space: { visibility: "public" } });
    const { publisher } = (
      await app
        .as(outsider.token)
        .query<{ space: { publisher: { urls: { location: string; app: string } } } }>(
          `{ space(id: "${space.id}") { publisher { urls { location app } } } }`,
        )
    ).space;
    for (const address of addressesIn(publisher)) {
      const answer = await fetchAs(address, outsider.token);
      expect(answer.status, address).toBe(200);
      const text = await answer.text();
      expect(text).toContain(organization.hostname);
      expect(text).not.toContain("emailDomains");
    }
    const address = `${app.url}/app/orgs/${organization.id}`;
    expect(await (await fetchAs(address, reader.token)).text()).toContain("your role: Read");
    const { prisma } = app.database;
    const statuses = async () => [
      (await fetchAs(address, outsider.token)).status,
      (await fetchAs(address, null)).status,
    ];
    for (const visibility of ["unlisted", "share_link"] as const) {
      const shareKey = visibility === "share_link" ? `key-of-${space.id}` : null;
      await prisma.space.update({ where: { id: space.id }, data: { visibility, shareKey } });
      expect(await statuses(), visibility).toEqual([200, 200]);
    }
    await prisma.space.update({ where: { id: space.id }, data: { visibility: "private", shareKey: null } });
    expect(await statuses()).toEqual([404, 401]);
    const { email } = await prisma.user.findUniqueOrThrow({ where: { id: outsider.id } });
    const domain = email.replace(/^.*@/, "");
    await prisma.organization.update({ where: { id: organization.id }, data: { emailDomains: [domain] } });
    expect(await statuses()).toEqual([404, 401]); // the domain is not verified
    await verifyDomain(app.database, organization.id, domain);
    expect(await statuses()).toEqual([200, 401]);
  });

  test("of published content are served without a token and run no scripts", async () => {
    const { space } = await world.space({ space: { visibility: "public", title: "Manual" } });
    const text = "# Start\n\n<script>alert(1)</script>\n";
    await giveContent(app.database, space.revisionId, ["Start", "Second page"], text);
    const address = `${app.url}/published/${space.id}`;
    const first = await fetchAs(address, null);
    expect(first.status).toBe(200);
    expect(first.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(first.headers.get("content-security-policy")).not.toContain("unsafe");
    expect(first.headers.get("referrer-policy")).toBe("no-referrer");
    const html = await first.text();
    expect(html).not.toContain("alert(1)</script>");
    const tree = /<nav class="tree".*?<\/nav>/s.exec(html)?.[0] ?? "";
    const links = [...tree.matchAll(/<a\s+href="([^"]+)"/g)].map(([, link = ""]) => link);
    expect(links).toEqual([`/published/${space.id}/start`, `/published/${space.id}/second-page`]);
    for (const link of links) expect((await fetchAs(`${app.url}${link}`, null)).status).toBe(200);
    expect((await fetchAs(`${address}/no-such-page`, null)).status).toBe(404);
    const posted = await fetch(address, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await fetch(address, { method: "HEAD" })).status).toBe(200);
  });

  test("exist for each section and space of a site", async () => {
    const { site, section, siteSpace, reader, space } = await world.site({
      site: { visibility: "unlisted", published: true },
    });
    const address = `${app.url}/published/${site.id}`;
    const places = ["", `/${section.path}`, `/${section.path}/${siteSpace.path}`];
    for (const place of places) expect((await fetchAs(`${address}${place}`, null)).status, place).toBe(200);
    const text = await (await fetchAs(address, null)).text();
    expect(text).toContain(`href="/published/${site.id}/${section.path}"`);
    expect((await fetchAs(`${address}/nowhere`, reader.token)).status).toBe(404);
    expect(space.visibility).toBe("in_collection");
  });
});

describe("APP_URL and PUBLISHED_URL", () => {
  const links = (environment: NodeJS.ProcessEnv) =>
    new Links({ ...readConfig(environment), publicUrl: "https://api.example.com" });

  test.each([
    [{}, "https://api.example.com/app/spaces/spc_1", "https://api.example.com/published/spc_1/key/a%20b"],
    [{ APP_URL: "https://app.example.com" }, "https://app.example.com/spaces/spc_1", null],
    [{ APP_URL: "https://app.example.com/#/{path}?id={id}" }, "https://app.example.com/#/spaces/spc_1?id=spc_1", null],
    [{ PUBLISHED_URL: "https://docs.example.com/x/" }, null, "https://docs.example.com/x/spc_1/key/a%20b"],
    [{ PUBLISHED_URL: "https://docs.example.com/{path}?of={id}" }, null, "https://docs.example.com/key/a%20b?of=spc_1"],
  ])("are %j", (environment, app, published) => {
    const made = links(environment);
    if (app !== null) expect(made.app("spaces/spc_1", "spc_1")).toBe(app);
    if (published !== null) expect(made.published("spc_1", ["key", "a b"])).toBe(published);
  });

  test("the URL of the whole content has no trailing slash", () => {
    expect(links({}).published("spc_1")).toBe("https://api.example.com/published/spc_1");
  });

  test.each([
    ["APP_URL", "ftp://app.example.com"],
    ["APP_URL", "app.example.com"],
    ["APP_URL", "https://app.example.com/{id}"],
    ["APP_URL", "https://app.example.com/{path}/{path}"],
    ["APP_URL", "https://app.example.com/{path}/{other}"],
    ["APP_URL", "https://{path}.example.com"],
    ["PUBLISHED_URL", "https://docs.example.com/{path}"],
    ["PUBLISHED_URL", "https://docs.example.com/{id}"],
    ["PUBLISHED_URL", "https://docs.example.com/{id}/{path"],
  ])("%s=%s fails the start with a message that says what is valid", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(`${name} must be an address like https://`);
    expect(describeConfig()).toContain(name);
  });
});
