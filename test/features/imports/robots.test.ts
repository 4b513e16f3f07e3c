// robots.txt of imported sites: bounded in size and time, and evaluated in a thread.
import fc from "fast-check";
import robotsModule from "robots-parser";
import { expect, test } from "vitest";
import { openSite } from "#src/features/imports/commands/website/open-site.ts";
import { readRules, robotsTextFor } from "#src/features/imports/commands/website/robots.ts";
import { checkOutsideLinks } from "#src/features/links/commands/outside/check.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { importDocument } from "#test/features/imports/importing.ts";
import { useApp } from "#test/support/app.ts";
import { shareOfMainThread } from "#test/support/main-thread.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";
import { isFullSize, runs } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";
import { divideLimits } from "#test/support/limits.ts";

const robotsParser = robotsModule as unknown as typeof robotsModule.default; // the type in its declarations is wrong
const served = new Map<string, string>();
const port = await serveOnLoopback((request, response) => {
  const text = served.get(request.url ?? "");
  response.writeHead(text === undefined ? 404 : 200, { "content-type": "text/html" }).end(text);
});
const site = `http://127.0.0.1:${port}`;
const fetch = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
// Has its own database: all links of the whole database that are due are checked.
const { app, world } = await useApp({ own: true, fetch });
const signal = new AbortController().signal;

/** 489 KB, with most of a second per address. */
const hostile = `User-agent: *\n${times(20_000, (index) => `Disallow: /*a*a*a*b${index}`).join("\n")}\n`;
const longAddress = (index: number) => `${site}/${"a".repeat(1900)}${index}`;

test("a site with 20,000 hard rules and long addresses is imported, with a warning, and the process is free", async () => {
  if (!isFullSize) divideLimits(4);
  served.clear();
  served.set("/robots.txt", hostile);
  served.set("/", "<title>Start</title><main><h1>Start</h1><p>Text of the start.</p></main>");
  const addresses = times(30, longAddress);
  served.set("/sitemap.xml", `<urlset>${addresses.map((one) => `<url><loc>${one}</loc></url>`).join("")}</urlset>`);
  const { editor, space } = await world.space();
  const input = { contentOf: { spaceId: space.id }, from: { address: { url: `${site}/`, source: "WEBSITE" } } };
  const { result, share } = await shareOfMainThread(() =>
    app
      .as(editor.token)
      .query<{ importContent: { warnings: { path: string; message: string }[] } }>(importDocument, { input }),
  );
  expect(result.importContent.warnings).toContainEqual(
    expect.objectContaining({ path: `${site}/robots.txt`, message: "19000 rules exceed the limits and are ignored." }),
  );
  expect(share).toBeLessThan(0.5);
});

test("links outside are checked with the rules of robots.txt", async () => {
  if (!isFullSize) divideLimits(4);
  served.clear();
  served.set("/robots.txt", hostile);
  const { organization, space, admin } = await world.space({ organization: { checksOutsideLinks: true } });
  const links = times(5, (index) => `[x](${longAddress(index).slice(0, 1_900)}${index})`).join("\n");
  await editAs(app.as(admin.token), { spaceId: space.id }, newPage("Links", { markdown: links }).edit);
  const clock = { now: () => new Date() };
  const { result, share } = await shareOfMainThread(() => checkOutsideLinks({ database: app.database, fetch, clock }));
  expect(result).toBe(5);
  expect(share).toBeLessThan(0.5);
  await app.database.prisma.organization.update({
    where: { id: organization.id },
    data: { checksOutsideLinks: false },
  });
});

test("rules of robots.txt that take too long allow nothing, and a signal aborts the evaluation", async () => {
  if (!isFullSize) divideLimits(6);
  served.clear();
  const hard = `/*${"a".repeat(240)}*${"a".repeat(240)}b`;
  served.set("/robots.txt", `User-agent: *\n${times(1000, (index) => `Disallow: ${hard}${index}`).join("\n")}\n`);
  const rules = await readRules(fetch, new URL(site), signal);
  expect(rules.leftOut).toBe(0);
  const addresses = times(60, longAddress);
  expect(new Set(await rules.areAllowed(addresses, signal))).toEqual(new Set([false]));
  await expect(rules.areAllowed(addresses, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
});

test("only the first 5,000 addresses of site maps are used", async () => {
  served.clear();
  served.set("/", "<title>Start</title><main><h1>Start</h1><p>Text of the start.</p></main>");
  const addresses = times(20_000, (index) => `${site}/missing-${index}.html`);
  served.set("/sitemap.xml", `<urlset>${addresses.map((one) => `<loc>${one}</loc>`).join("")}</urlset>`);
  await using source = await openSite(new URL(site), { fetch, signal, report: () => {}, pageLimit: 5 });
  const messages = source.files.warnings.first.map(({ message }) => message);
  expect(messages).toContain("The site maps list too many pages: the rest is ignored.");
  expect(messages).toContain("The site has too many pages: 4996 are not imported.");
});

test("rules of robots.txt beyond the limits are ignored: after the first thousand, with more than five stars, or too long", () => {
  const text = (...rules: string[]) => robotsTextFor("docgraph", ["User-agent: *", ...rules].join("\n"));
  expect(text("Disallow: /a*b*c*d*e*f", "Allow: /").leftOut).toBe(0);
  expect(text("Disallow: /a*b*c*d*e*f*", "Allow: /")).toMatchObject({ leftOut: 1, rules: "User-agent: *\nallow: /" });
  expect(text(`Disallow: /${"a".repeat(499)}`).leftOut).toBe(0);
  expect(text(`Disallow: /${"a".repeat(500)}`)).toMatchObject({ leftOut: 1, rules: "" });
  expect(text(...times(1001, (index) => `Disallow: /${index}`)).leftOut).toBe(1);
  const agents = times(20_000, (index) => `User-agent: a${index}`).join("\n");
  expect(robotsTextFor("docgraph", `${agents}\n${times(20_000, () => "Disallow: /x").join("\n")}`).rules).toBe("");
});

test("ordinary rules of robots.txt have the same result as in the library", async () => {
  const pattern = fc
    .array(fc.constantFrom("/", "a", "b", "*", "$", "%41", "é"), { maxLength: 5 })
    .map((parts) => `/${parts.join("")}`);
  const line = fc.oneof(
    fc.constantFrom(
      "User-agent: *",
      "User-Agent: DocGraph/2",
      "user-agent: other",
      "# remark",
      "",
      "Host: x",
      "Foo: bar",
    ),
    fc
      .tuple(fc.constantFrom("Allow", "disallow", "Disallow "), pattern)
      .map(([name, path]) => `${name}: ${path} # ${name}`),
    fc.constantFrom("Disallow:", "Crawl-delay: 2", "Crawl-delay: x", "Sitemap: https://example.com/s.xml"),
  );
  const path = fc
    .array(fc.constantFrom("/", "a", "b", "%41", "é"), { maxLength: 5 })
    .map((parts) => `${site}/${parts.join("")}`);
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.array(path, { maxLength: 3 }), async (lines, paths) => {
      const text = lines.join("\n");
      served.set("/robots.txt", text);
      const library = robotsParser(`${site}/robots.txt`, text);
      const rules = await readRules(fetch, new URL(site), signal);
      expect(await rules.areAllowed(paths, signal)).toEqual(
        paths.map((one) => library.isAllowed(one, "docgraph") ?? true),
      );
      expect(rules.pause).toBe((library.getCrawlDelay("docgraph") ?? 0) * 1000);
      expect(rules.sitemaps).toEqual(library.getSitemaps());
    }),
    { numRuns: runs(200), seed: 11 },
  );
});
