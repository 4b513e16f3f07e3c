// Forms with files in the application: files of a space, images in a text, and imports of folders and archives; which
// bodies are refused, and that a refused one leaves nothing.
import { beforeAll, expect, test, vi } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { pngFile, storedIn, textFile } from "#test/features/content/uploads.ts";
import { fieldIn, textOf, visitorOf } from "#test/features/content/visiting.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp({ maxFileSize: 200_000 });

let made: Awaited<ReturnType<typeof makeSpace>>;
beforeAll(async () => {
  made = await makeSpace();
});

async function makeSpace() {
  const given = await world.space();
  const spaceId = given.space.id;
  const page = newPage("First", { markdown: "One\n\nTwo" });
  const edit = (...edits: Parameters<typeof editAs>[2][]) => editAs(app.as(given.admin.token), { spaceId }, ...edits);
  await edit(page.edit);
  const files = async () => {
    const { space } = await app
      .as(given.admin.token)
      .query<{ space: { content: { allFiles: { name: string; fileId: string }[] } } }>(
        `{ space(id: "${spaceId}") { content { allFiles { name fileId } } } }`,
      );
    return space.content.allFiles;
  };
  return { ...given, page: page.pageId, root: `/app/spaces/${spaceId}`, edit, files };
}

const png = (name = "Anemometer [1].png") => pngFile(name, { width: 4, height: 3 });

test("an editor adds several files at once, replaces one and removes it", async () => {
  const { root, editor, files } = await makeSpace();
  const { read, send, sendFiles } = await visitorOf(app, editor);
  const sent = await sendFiles(`${root}/files`, { form: "upload" }, [textFile("a.txt"), png("ü.png")]);
  expect(sent).toMatchObject({ status: 303, location: `${root}/files`, notice: "Uploaded." });
  const [first] = await files();
  expect((await files()).map(({ name }) => name).toSorted()).toEqual(["a.txt", "ü.png"]);
  expect((await read(`${root}/files`)).body).toContain(`![ü.png](file:`);
  const fileId = first?.fileId ?? "";
  const replaced = await sendFiles(`${root}/files`, { form: "replace", fileId }, [textFile("b.txt")]);
  expect(replaced).toMatchObject({ status: 303, notice: "Replaced. The history keeps the former file." });
  expect((await files()).map((file) => file.fileId)).toContain(fileId);
  const removed = await send(`${root}/files`, { form: "remove", fileId });
  expect([removed.status, (await files()).length]).toEqual([303, 1]);
});

test("an image is added to the text where the cursor is, and saved with it", async () => {
  const { root, page, editor, files } = await makeSpace();
  const { read, send, sendFiles } = await visitorOf(app, editor);
  const edit = `${root}/pages/${page}/edit`;
  const form = (body: string) =>
    Object.fromEntries(
      ["expectedRevisionId", "title", "description", "markdown"].map((name) => [name, fieldIn(body, name) ?? ""]),
    );
  const fields = { ...form((await read(edit)).body), markdown: "One\r\n\r\nTwo", at: "3" };
  const shown = await sendFiles(`${edit}?form=addFile`, fields, [png(), textFile("data [v2].csv")]);
  const named = Object.fromEntries((await files()).map(({ name, fileId }) => [name, fileId]));
  const text = `One\n\n![Anemometer  1 ](file:${named["Anemometer [1].png"]})\n\n[data  v2 .csv](file:${named["data [v2].csv"]})\n\nTwo`;
  expect([shown.status, fieldIn(shown.body, "markdown")]).toEqual([200, text]);
  expect(shown.body).not.toContain('role="alert"');
  const saved = await send(edit, { ...form(shown.body), form: "save" });
  expect([saved.status, saved.notice]).toEqual([303, "Saved."]);
  expect((await read(`${root}/pages/${page}`)).body).toContain('alt="Anemometer  1 "');
});

test("an image that was added while somebody else saved the page does not hide their change", async () => {
  const { root, page, editor, edit } = await makeSpace();
  const { read, send, sendFiles } = await visitorOf(app, editor);
  const path = `${root}/pages/${page}/edit`;
  const before = fieldIn((await read(path)).body, "expectedRevisionId") ?? "";
  await edit({ updatePage: { pageId: page, markdown: "One\n\nTwo\n\nThree" } });
  const fields = { expectedRevisionId: before, title: "First", description: "", markdown: "Zero\n\nTwo", at: "4" };
  const shown = await sendFiles(`${path}?form=addFile`, fields, [png("a.png")]);
  expect(textOf(shown.body)).toContain("Somebody else saved this page");
  const markdown = fieldIn(shown.body, "markdown") ?? "";
  for (const part of ["Zero", "![a](file:", "Three"]) expect(markdown).toContain(part);
  const again = fieldIn(shown.body, "expectedRevisionId") ?? "";
  expect((await send(path, { ...fields, markdown, expectedRevisionId: again, form: "save" })).status).toBe(303);
});

test("a ZIP archive and a folder are imported, with what was lost", async () => {
  const { root, editor } = await makeSpace();
  const { read, sendFiles } = await visitorOf(app, editor);
  const page = `${root}/pages/new`;
  const imports = async (...files: File[]) => {
    expect(await sendFiles(page, { form: "archive" }, files)).toMatchObject({ status: 303, location: page });
    const shown = async () => textOf((await read(page)).body);
    return vi.waitUntil(async () => /Imported .*/.exec(await shown())?.[0], { timeout: 10_000, interval: 20 });
  };
  expect(await imports(zipFile({ "guide.md": "# Guide\n\n[Lost](missing.md)" }))).toMatch(
    /Imported \S+\.zip: 1 page and 0 files, with 0 links between them.*1 warning guide\.md:/,
  );
  const folder = [
    new File(["# Start\n\n![Mast](img/mast.png) and [next](sub/next.md)"], "docs/README.md"),
    new File(["# Next"], "docs/sub/next.md"),
    new File([await png().arrayBuffer()], "docs/img/mast.png"),
    new File(["[core]"], "docs/.git/config"),
  ];
  expect(await imports(...folder)).toContain("Imported folder.zip: 3 pages and 1 file, with 2 links between them.");
  const { location } = await read(root);
  for (const title of ["Guide", "Start", "Next"]) expect((await read(location ?? "")).body).toContain(title);
});

test("a form with files that is refused leaves nothing, and says why", async () => {
  const { root, page, reader, editor, files } = made;
  const stored = await storedIn(app);
  const [may, mayNot] = [await visitorOf(app, editor), await visitorOf(app, reader)];
  const [upload, fresh, edit] = [`${root}/files`, `${root}/pages/new`, `${root}/pages/${page}/edit`];
  const large = new File([new Uint8Array(200_001)], "large.bin");
  const answers = {
    "no right": await mayNot.sendFiles(upload, { form: "upload" }, [textFile()]),
    "no right to import": await mayNot.sendFiles(fresh, { form: "archive" }, [zipFile()]),
    "another origin": await may.sendFiles(upload, { form: "upload" }, [textFile()], "https://elsewhere.example.com"),
    "no file": await may.sendFiles(upload, { form: "upload" }, []),
    "an empty field": await may.sendFiles(upload, { form: "upload" }, [new File([], "")]),
    "too large": await may.sendFiles(upload, { form: "upload" }, [large]),
    "a large file of a folder": await may.sendFiles(fresh, { form: "archive" }, [
      new File([new Uint8Array(200_001)], "docs/a.md"),
    ]),
    "a file other than an archive": await may.sendFiles(fresh, { form: "archive" }, [new File(["no"], "docs.zip")]),
    "a folder above": await may.sendFiles(fresh, { form: "archive" }, [new File(["# A"], "../../a.md")]),
    "a button without files": await may.sendFiles(edit, { form: "save", title: "First", markdown: "" }, [textFile()]),
    "a bad name": await may.sendFiles(upload, { form: "upload" }, [textFile("a\u202egnp.txt")]),
    "an unknown form": await may.sendFiles(upload, { form: "other" }, [textFile()]),
  };
  expect(Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]))).toEqual({
    "no right": 403,
    "no right to import": 403,
    "another origin": 403,
    "no file": 400,
    "an empty field": 400,
    "too large": 413,
    "a large file of a folder": 413,
    "a file other than an archive": 400,
    "a folder above": 400,
    "a button without files": 400,
    "a bad name": 400,
    "an unknown form": 400,
  });
  expect(textOf(answers["no file"].body)).toContain("Choose a file first.");
  expect(textOf(answers["a button without files"].body)).toContain("the file notes.txt was not stored");
  expect(await files()).toEqual([]);
  expect(await storedIn(app)).toEqual(stored);
});

test("bodies that browsers do not send are refused, and the connection stays usable", async () => {
  const { root, editor } = made;
  const { cookie, read } = await visitorOf(app, editor);
  const post = async (body: string, type = "multipart/form-data; boundary=xx") => {
    const headers = { accept: "text/html", cookie, origin: app.url, "content-type": type };
    return (await fetch(`${app.url}${root}/files`, { method: "POST", redirect: "manual", headers, body })).status;
  };
  const part = (disposition: string, text = "") => `--xx\r\nContent-Disposition: ${disposition}\r\n\r\n${text}\r\n`;
  const form = part('form-data; name="form"', "upload");
  const file = part('form-data; name="file"; filename="a.txt"', "text");
  const statuses = {
    "a field after a file": await post(`${form}${file}${part('form-data; name="b"', "1")}--xx--\r\n`),
    "a file of another field": await post(
      `${form}${part('form-data; name="other"; filename="a.txt"', "text")}--xx--\r\n`,
    ),
    "no closing boundary": await post(form + file),
    "no name": await post(`${part("form-data", "upload")}--xx--\r\n`),
    "no boundary": await post(form, "multipart/form-data"),
    "another charset": await post(`${form}--xx--\r\n`, "multipart/form-data; boundary=xx; charset=latin1"),
    "long fields": await post(`${form}${part('form-data; name="text"', "x".repeat(4_000_001))}--xx--\r\n`),
    "a long header": await post(`${form}${part(`form-data; name="file"; filename="${"a".repeat(9000)}"`)}--xx--\r\n`),
    "an empty body": await post("--xx--\r\n"),
    "another type": await post(form, "text/plain"),
  };
  expect(statuses).toEqual({
    "a field after a file": 400,
    "a file of another field": 400,
    "no closing boundary": 400,
    "no name": 400,
    "no boundary": 400,
    "another charset": 415,
    "long fields": 413,
    "a long header": 413,
    "an empty body": 400,
    "another type": 400,
  });
  expect((await read(`${root}/files`)).status).toBe(200);
});

test("the page after a form says once what it did", async () => {
  const { root, editor } = made;
  const { cookie } = await visitorOf(app, editor);
  const get = async (notice: string, headers = {}) => {
    const answer = await fetch(`${app.url}${root}/files`, {
      headers: { accept: "text/html", cookie: `${cookie}; docgraph_notice=${notice}`, ...headers },
    });
    return { said: /class="form-notice" role="status">([^<]*)</.exec(await answer.text())?.[1], answer };
  };
  const { said, answer } = await get("Uploaded.");
  expect([said, answer.headers.get("set-cookie")]).toEqual(["Uploaded.", expect.stringContaining("Max-Age=0")]);
  expect((await get("%3Cscript%3E")).said).toBe("&#60;script&#62;");
  for (const none of ["", "%zz"]) expect((await get(none)).said).toBeUndefined();
  const refreshed = await get("Uploaded.", { "sec-fetch-dest": "empty" });
  expect([refreshed.said, refreshed.answer.headers.get("set-cookie")]).toEqual([undefined, null]);
});
