// PDFs of spaces and change requests: their content, visibility and URLs; each is created once.
import { beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#src/base/time.ts";
import { collectBlobs } from "#src/features/content/commands/collect-garbage.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { giveLevels } from "#test/features/content/factory.ts";
import { storedIn } from "#test/features/content/uploads.ts";
import { bytesAt, type Issued, pdfDocument, pdfOf, readPdf, squeezed } from "#test/features/pdfs/reading.ts";
import { type Client, useApp } from "#test/support/app.ts";

let now = new Date("2026-11-20T10:00:20Z");
// Has its own database: the clock decides which documents of the whole database are removed.
const { app, world } = await useApp({ own: true, clock: { now: () => now } });

let scene: Awaited<ReturnType<typeof makeScene>>;
let as: Client;

/** A space with two chapters, the first with a page and a hidden page below it. */
async function makeScene() {
  const made = await world.changeRequest({ space: { title: "Handbook" }, changeRequest: { subject: "More of it" } });
  const first = newPage("First chapter", { markdown: "Text of {{ name }}." });
  const below = newPage("Below", { parentId: first.pageId, markdown: `See [the other](page:${first.pageId}).` });
  const hidden = newPage("Secret", { parentId: first.pageId, markdown: "Hidden text.", hidden: true });
  const second = newPage("Second chapter", { markdown: "The end." });
  const edits = [first.edit, below.edit, hidden.edit, second.edit];
  const variables = { setVariables: { variables: [{ name: "name", value: "the handbook" }] } };
  await editAs(app.as(made.editor.token), { spaceId: made.space.id }, ...edits, variables);
  const proposed = newPage("Proposed", { markdown: "A new page." });
  await editAs(app.as(made.editor.token), { changeRequestId: made.changeRequest.id }, proposed.edit);
  return { ...made, first, below, hidden, second, proposed };
}

beforeAll(async () => {
  scene = await makeScene();
  as = app.as(scene.reader.token);
});

test("one operation gets at most five PDFs; the sixth has an error, and the others are returned", async () => {
  const pages = [scene.first, scene.below, scene.hidden, scene.second];
  const parts = [
    ...pages.map(({ pageId }) => `pageId: "${pageId}"`),
    ...pages.map(({ pageId }) => `only: true, pageId: "${pageId}"`),
  ];
  const fields = parts.slice(0, 6).map((part, index) => `p${index}: pdf(${part}) { name }`);
  const { data, errors } = await as.graphql<{ space: Record<string, object> }>(
    `query ($id: ID!) { space(id: $id) { ${fields.join(" ")} } }`,
    { id: scene.space.id },
  );
  expect(errors).toMatchObject([
    { message: "An operation may request at most 5 PDFs.", extensions: { code: "INVALID_INPUT" } },
  ]);
  expect(Object.entries(data?.space ?? {}).filter(([, pdf]) => pdf === null)).toEqual([["p5", null]]);
});

const read = async (issued: Pick<Issued, "url">) => readPdf(await bytesAt(issued.url));

describe("a PDF", () => {
  test("of a space has a cover, the contents and all pages that are not hidden", async () => {
    const issued = await pdfOf(as, { space: scene.space.id });
    expect(issued.name).toBe("Handbook.pdf");
    const pdf = await read(issued);
    expect(pdf.info.Title).toBe("Handbook");
    const [cover = "", contents = "", ...pages] = pdf.sheets.map(squeezed);
    expect(cover).toMatch(/^Handbook\d+[A-Z][a-z]+\d{4}Revisionrev_\w{26}$/);
    expect(contents).toBe("ContentsFirstchapter3Below3Secondchapter4");
    expect(pages).toEqual([
      "FirstchapterTextofthehandbook.BelowSeetheother.", //
      "SecondchapterTheend.",
    ]);
    expect(pdf.outline).toEqual(["First chapter", "  Below", "Second chapter"]);
    expect(pdf.links[1]).toEqual(expect.arrayContaining([3, 4]));
    expect(pdf.links[2]?.at(-1)).toBe(3);
  });

  test("of a change request has its content, with its subject on the cover", async () => {
    const { number, id } = scene.changeRequest;
    const path = `/v1/spaces/${scene.space.id}/change-requests/${number}/pdf`;
    const { status, body } = await as.rest<{ url: string }>("GET", path);
    expect({ status, names: Object.keys(body) }).toEqual({ status: 200, names: ["url"] });
    const { sheets } = await read(body);
    expect(squeezed(sheets.join(""))).toContain(`Changerequest#${number}Moreofit`);
    expect(squeezed(sheets.at(-1) ?? "")).toBe("ProposedAnewpage.");
    const again = await as.query<{ node: { pdf: Issued } }>(
      `query ($id: ID!) { node(id: $id) { ... on ChangeRequest { pdf { url } } } }`,
      { id },
    );
    expect(again.node.pdf.url).toBe(body.url);
  });

  test("of a page has its descendants, or only that page on request", async () => {
    const space = scene.space.id;
    const part = await read(await pdfOf(as, { space, page: scene.first.pageId }));
    expect(squeezed(part.sheets.at(-1) ?? "")).toBe("FirstchapterTextofthehandbook.BelowSeetheother.");
    const issued = await pdfOf(as, { space, page: scene.below.pageId, only: true });
    expect(issued.name).toBe("Handbook - Below.pdf");
    const { sheets, links } = await read(issued);
    expect(sheets.map(squeezed)).toEqual([expect.stringMatching(/^Handbook·\d+\w+\d{4}BelowSeetheother\.$/)]);
    // It is not in this PDF.
    expect([...new Set(links[0])]).toEqual([`${app.url}/app/spaces/${space}/pages/${scene.first.pageId}`]);
    const hidden = await read(await pdfOf(as, { space, page: scene.hidden.pageId, only: true }));
    expect(squeezed(hidden.sheets.join(""))).toContain("SecretHiddentext.");
  });

  test("of a content without pages is its cover", async () => {
    const { reader, space } = await world.space({ space: { title: "Nothing" } });
    const { sheets } = await read(await pdfOf(app.as(reader.token), { space: space.id }));
    expect(sheets).toEqual([expect.stringContaining("Nothing")]);
  });

  test("is created once for a state of the content, and again for another", async () => {
    const { editor, space } = await world.space();
    const client = app.as(editor.token);
    const rows = () => app.database.prisma.contentPdf.count({ where: { revision: { spaceId: space.id } } });
    const one = await pdfOf(client, { space: space.id });
    expect(await pdfOf(client, { space: space.id })).toEqual(one);
    expect(await rows()).toBe(1);
    await editAs(client, { spaceId: space.id }, newPage("New").edit);
    expect((await pdfOf(client, { space: space.id })).url).not.toBe(one.url);
    expect(await rows()).toBe(2);
    await app.database.prisma.space.update({ where: { id: space.id }, data: { title: "Renamed" } });
    expect((await pdfOf(client, { space: space.id })).name).toBe("Renamed.pdf");
    expect(await rows()).toBe(3);
    // As after recomputing pages: the revision stays, and its tree is another one.
    const { revisionId } = await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } });
    await app.database.prisma.revision.update({ where: { id: revisionId }, data: { treeHash: null } });
    expect(squeezed((await read(await pdfOf(client, { space: space.id }))).sheets.join(""))).not.toContain("New");
    expect(await rows()).toBe(4);
  });
});

describe("the URL of a PDF", () => {
  test("is valid for an hour without a token, for that PDF only", async () => {
    const issued = await pdfOf(as, { space: scene.space.id });
    expect(issued.expiresAt).toBe("2026-11-20T11:01:00.000Z");
    const answer = await fetch(issued.url);
    expect(answer.headers.get("content-type")).toBe("application/pdf");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="Handbook\.pdf"/);
    expect(answer.headers.get("cache-control")).toBe("private, max-age=3640");
    expect((await answer.bytes()).length).toBe(issued.size);
    const [, before, until, signature, name] = /^(.*\/)(\d+)-([\w-]+)\/(.*)$/.exec(issued.url) ?? [];
    const other = await pdfOf(as, { space: scene.space.id, page: scene.second.pageId });
    const wrong = [
      `${before}${Number(until) + 60}-${signature}/${name}`,
      `${before}${until}-${signature?.slice(0, -1)}${signature?.endsWith("A") ? "E" : "A"}/${name}`,
      `${before}${until}-${signature}/other.pdf`,
      `${/^(.*\/)\d+-/.exec(other.url)?.[1]}${until}-${signature}/${name}`,
    ];
    expect(await Promise.all(wrong.map(async (url) => (await fetch(url)).status))).toEqual([404, 404, 404, 404]);
  });

  test("expires after that, and another one is valid", async () => {
    const issued = await pdfOf(as, { space: scene.space.id });
    now = new Date("2026-11-20T11:01:01Z");
    expect((await fetch(issued.url)).status).toBe(410);
    expect((await fetch((await pdfOf(as, { space: scene.space.id })).url)).status).toBe(200);
  });
});

describe("a PDF is refused", () => {
  const codeOf = (client: Client, variables: object) =>
    client.refusal(pdfDocument, { space: scene.space.id, ...variables });

  test("for missing pages, and for a single page without its id", async () => {
    expect(await codeOf(as, { page: scene.proposed.pageId })).toBe("NOT_FOUND");
    expect(await codeOf(as, { page: "nonsense" })).toBe("NOT_FOUND");
    expect(await codeOf(as, { only: true })).toBe("INVALID_INPUT");
    const path = `/v1/spaces/${scene.space.id}/change-requests/${scene.changeRequest.id}/pdf`;
    expect((await as.rest("GET", `${path}?only=true`)).status).toBe(400);
    expect((await as.rest("GET", `${path}?page=nonsense`)).status).toBe(404);
  });

  test("to users who may not see the content", async () => {
    const path = `/v1/spaces/${scene.space.id}/change-requests/${scene.changeRequest.id}/pdf`;
    for (const { token } of [scene.guest, scene.outsider, scene.disabled]) {
      expect(await codeOf(app.as(token), {})).toBe("NOT_FOUND");
      expect((await app.as(token).rest("GET", path)).status).toBe(404);
    }
    expect((await app.as(null).rest("GET", path)).status).toBe(401);
  });

  test("of a change request to users who see only published content", async () => {
    const { outsider, space, changeRequest } = await world.changeRequest({ space: { visibility: "public" } });
    const client = app.as(outsider.token);
    expect((await fetch((await pdfOf(client, { space: space.id })).url)).status).toBe(200);
    const path = `/v1/spaces/${space.id}/change-requests/${changeRequest.id}/pdf`;
    expect((await client.rest("GET", path)).status).toBe(404);
  });

  test("for more than 1,000 pages, but not for a part of them", async () => {
    const { reader, space, changeRequest } = await world.changeRequest();
    const textOf = () => "Text";
    const pages = await giveLevels(app.database, space.revisionId, { count: 1_001, siblings: 1_001, textOf });
    const { revisionId } = space;
    await app.database.prisma.changeRequest.update({ where: { id: changeRequest.id }, data: { revisionId } });
    const client = app.as(reader.token);
    expect(await client.refusal(pdfDocument, { space: space.id })).toBe("TOO_LARGE");
    const path = `/v1/spaces/${space.id}/change-requests/${changeRequest.id}/pdf`;
    const { status, body } = await client.rest<{ error: { message: string } }>("GET", path);
    expect(status).toBe(413);
    expect(body.error.message).toMatch(/at most 1000 pages of the content, but this one would have 1001/);
    expect(await pdfOf(client, { space: space.id, page: pages[7] ?? "" })).toMatchObject({ size: expect.any(Number) });
  });
});

test("bytes of a PDF are kept as long as the revision", async () => {
  const { reader, space } = await world.space();
  const issued = await pdfOf(app.as(reader.token), { space: space.id });
  const pdf = await app.database.prisma.contentPdf.findFirstOrThrow({ where: { revisionId: space.revisionId } });
  const tomorrow = { now: () => new Date(systemClock.now().getTime() + 2 * 24 * 60 * 60 * 1000) };
  await collectBlobs(app.database, app.files, tomorrow);
  expect((await fetch(issued.url)).status).toBe(200);
  await app.database.prisma.contentPdf.deleteMany({ where: { id: pdf.id } }); // as with its revision
  expect((await fetch(issued.url)).status).toBe(404);
  await collectBlobs(app.database, app.files, tomorrow);
  expect(await storedIn(app)).not.toContain(pdf.blob);
});
