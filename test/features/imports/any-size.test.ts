// Imports of any size take the same statements, and hundreds of pages (ten thousand at full size) take seconds.
import { describe, expect, test } from "vitest";
import { uploadOf } from "#test/features/content/uploads.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { type Files, zip } from "#test/features/imports/files.ts";
import { importAs, png } from "#test/features/imports/importing.ts";
import { useApp } from "#test/support/app.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ requestTimeoutMs: 180_000 });

describe("imports of any size", () => {
  /** Pages in a hundred folders, each with a link to the next, and a number of pictures. */
  async function manyFiles(pages: number, pictures: number): Promise<Files> {
    const path = (index: number) => `part-${index % 100}/page-${index}.md`;
    const links = (index: number) => [
      `[next](../${path((index + 1) % pages)})`,
      ...(index < pictures ? [`![](${index}.png)`] : []),
    ];
    const texts = times(pages, (index) => [path(index), `# Page ${index}\n\n${links(index).join(" ")}\n`] as const);
    const images = times(
      pictures,
      async (index) => [`part-${index % 100}/${index}.png`, await png(index + 1)] as const,
    );
    return Object.fromEntries([...texts, ...(await Promise.all(images))]);
  }

  test("take the same number of statements", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    async function statements(files: Files): Promise<number> {
      const blob = await new FolderStore(app.filesFolder).receive([zip(files)], 1_000_000);
      const input = { contentOf: { spaceId: space.id }, replace: true, from: { archive: uploadOf("a.zip", blob) } };
      return as.statements("mutation ($input: ImportContentInput!) { importContent(input: $input) { pageCount } }", {
        input,
      });
    }
    await statements({ "a.md": "![](a.png)", "a.png": await png(9) });
    const few = await statements(await manyFiles(2, 1));
    expect(await statements(await manyFiles(sized(60, 200), sized(12, 40)))).toBe(few);
  });

  test("take seconds for any number of pages", { timeout: 180_000 }, async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const count = sized(400, 10_000);
    const files = await manyFiles(count, 0);
    const started = performance.now();
    const { revision, ...counts } = await importAs(as, files, { spaceId: space.id });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    expect(counts).toMatchObject({ pageCount: count + 100, linkCount: count, warningCount: 0 });
    console.info(
      `An archive of ${count} pages of ${Buffer.byteLength(String(files["part-0/page-0.md"]))} bytes: imported in ${seconds} s.`,
    );
    expect(revision.id).toMatch(/^rev_/);
  });
});
