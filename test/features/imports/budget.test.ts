// The budget of one import: each limit refuses any kind of import with its name, its value and the import's amount.
import { expect, test } from "vitest";
import { quotas } from "#src/base/limits.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { type Files, zipFile } from "#test/features/imports/files.ts";
import { importAs, importDocument } from "#test/features/imports/importing.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";
import { times } from "#test/support/world.ts";

const ofImport = { bytes: 20_000, files: 6, pages: 4, seconds: 300 };
const port = await serveOnLoopback((request, response) => {
  const path = request.url ?? "";
  if (path === "/robots.txt" || path.endsWith("sitemap.xml")) return void response.writeHead(404).end();
  const links = times(8, (index) => `<a href="/${path.split("/")[1]}/${index}">${index}</a>`).join(" ");
  const text = path.startsWith("/long") ? "<p>long</p>".repeat(2_000) : links;
  const body = path.startsWith("/text") ? `# Text\n${"x".repeat(30_000)}` : `<main><h1>Page</h1>${text}</main>`;
  const type = path.startsWith("/text") ? "text/markdown" : "text/html";
  response.writeHead(200, { "content-type": type }).end(body);
});
const fetch = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
// Has its own database: counts rows of a whole table.
const { app, world } = await useApp({ own: true, fetch, quotas: { ...quotas, ofImport } });

async function refusalOf(from: Record<string, unknown>, by: Pick<typeof app, "as"> = app) {
  const { editor, space } = await world.space();
  const { errors } = await by
    .as(editor.token)
    .graphql(importDocument, { input: { contentOf: { spaceId: space.id }, from } });
  expect(await app.database.prisma.contentFile.count()).toBe(0);
  return { code: errors?.[0]?.extensions.code, message: errors?.[0]?.message ?? "" };
}

const ofFiles = (files: Files) => refusalOf({ archive: zipFile(files) });
const ofAddress = (name: string, source = "WEBSITE") =>
  refusalOf({ address: { url: `http://127.0.0.1:${port}/${name}/`, source } });

const pages = (count: number, text = "# Page\n"): Files =>
  Object.fromEntries(times(count, (index) => [`${index}.md`, text] as const));

test("an import within its budget succeeds", async () => {
  const { editor, space } = await world.space();
  const { pageCount } = await importAs(app.as(editor.token), pages(4), { spaceId: space.id });
  expect(pageCount).toBe(4);
});

test("an import with too many files is refused before any is unpacked", async () => {
  expect(await ofFiles({ ...pages(1), ...Object.fromEntries(times(9, (index) => [`${index}.txt`, ""])) })).toEqual({
    code: "TOO_LARGE",
    message: "An import may have at most 6 files; this one has 10. Import smaller parts.",
  });
});

test("an import with too many bytes is refused before any is unpacked", async () => {
  const files = { ...pages(1), "a.txt": Buffer.from(times(30_000, (index) => (index * index) % 251)) };
  expect((await ofFiles(files)).message).toBe(
    "An import may have at most 20,000 bytes, fetched and unpacked; this one has 30,007. Import smaller parts.",
  );
});

test("an import with too many pages is refused before any is read", async () => {
  const refused = await ofFiles(pages(5, "# Page\n"));
  expect(refused.message).toBe("An import may have at most 4 pages; this one has 5. Import smaller parts.");
});

test("an import stops reading texts when their total time is over", async () => {
  // A millisecond is less than any text takes.
  await using hasty = await testApp({ beside: app, quotas: { ...quotas, ofImport: { ...ofImport, seconds: 0.001 } } });
  const slow = `[a](b) ${"_a*".repeat(500)}`;
  const { code, message } = await refusalOf({ archive: zipFile(pages(3, slow)) }, hasty);
  expect(code).toBe("TOO_LARGE");
  expect(message).toMatch(/^An import may have .* that take 1 seconds to be read; this one has taken \d+ so far\./);
});

test("fetched bytes of a file and of a site count against the import budget, and so do pages of a site", async () => {
  expect((await ofAddress("text", "MARKDOWN")).message).toMatch(/at most 20,000 bytes, .* this one has 30,007\./);
  expect((await ofAddress("long")).message).toMatch(/at most 20,000 bytes, fetched and unpacked; this one has \d/);
  expect((await ofAddress("short")).message).toMatch(/at most 4 pages; this one has \d/);
});
