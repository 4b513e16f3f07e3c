// Downloads: responses to browsers, caches and strangers at the URL of a file and at similar URLs.
import { createHash } from "node:crypto";
import { request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { withoutKey } from "#src/http/route.ts";
import { editAs } from "#test/features/content/edits.ts";
import { pngFile, textFile, uploadAs } from "#test/features/content/uploads.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

let now = new Date("2026-03-01T10:00:00Z");
const { app, world } = await useApp({ clock: { now: () => now } });
let as: Client;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  as = app.as(editor.token);
  spaceId = space.id;
});

/** Uploads a file; returns its URL. */
const put = async (file: File) => (await uploadAs(as, { spaceId, file })).file.downloadURL;

const text = "0123456789";
const etag = `"${createHash("sha256").update(text).digest("hex")}"`;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a request with headers that fetch does not allow. */
function ask(url: string, method = "GET", headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString("latin1"),
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}

describe("a download URL", () => {
  test("returns the file without a token, for some hours", async () => {
    const answer = await ask(await put(textFile("notes.txt", text)));
    expect(answer).toMatchObject({
      status: 200,
      body: text,
      headers: {
        "content-type": "text/plain; charset=utf-8",
        "content-length": "10",
        "content-disposition": `attachment; filename="notes.txt"; filename*=UTF-8''notes.txt`,
        "cache-control": "private, max-age=3600",
        "accept-ranges": "bytes",
        "x-content-type-options": "nosniff",
        etag,
      },
    });
    expect(answer.headers["content-security-policy"]).toMatch(/default-src 'none';.*sandbox/);
  });

  test("returns every byte of a large file", async () => {
    const bytes = Buffer.from(times(3_000_000, (index) => (index * 7919) % 251));
    const answer = await ask(await put(new File([bytes], "large.bin")));
    expect(answer.headers["content-type"]).toBe("application/octet-stream");
    expect(createHash("sha256").update(answer.body, "latin1").digest("hex")).toBe(
      createHash("sha256").update(bytes).digest("hex"),
    );
  });

  test("returns a deleted file to viewers of an earlier revision that contains it", async () => {
    const { file } = await uploadAs(as, { spaceId, file: textFile("gone.txt", text) });
    await editAs(as, { spaceId }, { deleteFile: { fileId: file.id } });
    expect(await ask(file.downloadURL)).toMatchObject({ status: 200, body: text });
  });

  test("encodes any file name in Content-Disposition without header injection", async () => {
    const url = await put(textFile(`a"b;c 日本'*(1).txt`, text));
    const { status, headers } = await ask(url);
    expect(status).toBe(200);
    expect(headers["content-disposition"]).toBe(
      `attachment; filename="a_b;c __'*(1).txt"; filename*=UTF-8''a%22b%3Bc%20%E6%97%A5%E6%9C%AC%27%2a%281%29.txt`,
    );
  });

  test("is invalid if any part of it is changed", async () => {
    const url = await put(textFile("mine.txt", text));
    const [, , , , id = "", key = ""] = url.split("/");
    const [revisionId, until, holder, signature] = key.split(".");
    const other = (await put(textFile("other.txt", text))).split("/");
    const near = [
      `/files/${id}/${other[5]}/mine.txt`,
      `/files/${other[4]}/${key}/mine.txt`,
      `/files/${id}/${key.slice(0, -1)}/mine.txt`,
      `/files/${id}/${key}A/mine.txt`,
      `/files/${id}/${revisionId}.${Number(until) + 1}.${holder}.${signature}/mine.txt`,
      `/files/${id}/${revisionId}.${until}..${signature}/mine.txt`,
      `/files/${id}/${revisionId}.${until}.${holder}/mine.txt`,
      `/files/${id}/${spaceId}.${signature?.slice(0, 22)}/mine.txt`,
      `/files/${id}/${key}/other.txt`,
      `/files/${id}/${key}/`,
      `/files/${id}/${key}`,
      `/files/${id}`,
      "/files/",
      `/files/${id}/${key}/mine.txt/`,
      `/files/${id}/${key}/%`,
      `/files/${id}/${key}/%00`,
      `/files/${id}/${key}/..%2fmine.txt`,
      `/files/${id.toUpperCase()}/${key}/mine.txt`,
      `/files/${id.slice(0, -1)}%00/${key}/mine.txt`,
      `/files/${spaceId}/${key}/mine.txt`,
    ];
    for (const path of near) expect((await ask(app.url + path)).status, path).toBe(404);
    expect((await ask(`${url}?anything`)).status).toBe(200);
  });

  test("accepts only GET and HEAD", async () => {
    const url = await put(textFile("read.txt", text));
    for (const method of ["POST", "PUT", "DELETE", "PATCH"])
      expect(await ask(url, method)).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
  });

  test("returns 404 if the bytes are lost, but not for another stored file", async () => {
    const url = await put(textFile("lost.txt", "bytes that get lost"));
    await app.files.delete(createHash("sha256").update("bytes that get lost").digest("hex"));
    expect((await ask(url)).status).toBe(404);
    await put(textFile("again.txt", "bytes that get lost"));
    expect((await ask(url)).status).toBe(200);
  });

  test("is not written to the log", () => {
    expect(withoutKey("/files/fil_01/secret/name.txt")).toBe("/files/fil_01");
    expect(withoutKey("/files//secret\n/x")).toBe("/files/");
  });
});

describe("a viewer who has lost access", () => {
  /** A member of a new space, with the URL of a file in it. */
  async function held(visibility = "PRIVATE") {
    const { admin, editor, space, organization } = await world.space();
    const asAdmin = app.as(admin.token);
    if (visibility !== "PRIVATE") await setVisibility(asAdmin, space.id, visibility);
    const { file } = await uploadAs(app.as(editor.token), { spaceId: space.id, file: textFile("held.txt", text) });
    expect((await ask(file.downloadURL)).status).toBe(200);
    return { asAdmin, editor, space, organization, file, url: file.downloadURL };
  }
  const setVisibility = (asAdmin: Client, id: string, visibility: string) =>
    asAdmin.query("mutation ($input: UpdateSpaceInput!) { updateSpace(input: $input) { space { id } } }", {
      input: { spaceId: id, visibility },
    });
  const remove = (asAdmin: Client, id: string) =>
    asAdmin.query("mutation ($input: DeleteSpaceInput!) { deleteSpace(input: $input) { deletedId } }", {
      input: { spaceId: id },
    });

  test("gets 404 for a file of a deleted space", async () => {
    for (const visibility of ["PRIVATE", "PUBLIC", "SHARE_LINK"]) {
      const { asAdmin, space, url } = await held(visibility);
      await remove(asAdmin, space.id);
      expect((await ask(url)).status, visibility).toBe(404);
    }
  });

  test("gets 404 after leaving, while others still get the file", async () => {
    const { asAdmin, editor, space, organization, file, url } = await held();
    const query = `{ space(id: "${space.id}") { content { file(id: "${file.id}") { downloadURL } } } }`;
    const theirs = await asAdmin.query<{ space: { content: { file: { downloadURL: string } } } }>(query);
    expect(theirs.space.content.file.downloadURL).not.toBe(url);
    await asAdmin.query("mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { deletedId } }", {
      input: { organizationId: organization.id, userId: editor.id },
    });
    expect((await ask(url)).status).toBe(404);
    expect((await ask(theirs.space.content.file.downloadURL)).status).toBe(200);
  });

  test("gets 404 for a URL issued to a revoked token", async () => {
    const { editor, url } = await held();
    await app.database.prisma.apiToken.updateMany({ where: { userId: editor.id }, data: { revokedAt: new Date() } });
    expect((await ask(url)).status).toBe(404);
  });

  test("gets 404 for a public file that was deleted or became private", async () => {
    const first = await held("PUBLIC");
    await editAs(app.as(first.editor.token), { spaceId: first.space.id }, { deleteFile: { fileId: first.file.id } });
    expect((await ask(first.url)).status).toBe(404);
    const second = await held("PUBLIC");
    await setVisibility(second.asAdmin, second.space.id, "PRIVATE");
    expect((await ask(second.url)).status).toBe(404);
  });

  test("public files have permanent URLs that caches may keep", async () => {
    const { editor, space, file, url } = await held("PUBLIC");
    const { headers } = await ask(url);
    expect(headers["cache-control"]).toBe("public, max-age=86400");
    await editAs(app.as(editor.token), { spaceId: space.id }, { createPage: { title: "Later" } });
    const stranger = await world.organization();
    const query = `{ space(id: "${space.id}") { content { file(id: "${file.id}") { downloadURL } } } }`;
    const later = await app.as(stranger.admin.token).query<{ space: { content: { file: object } } }>(query);
    expect(later.space.content.file).toEqual({ downloadURL: url });
    expect((await ask(url)).status).toBe(200);
  });

  test("an expired URL says so; until then the URL stays the same for hours", async () => {
    const { editor, space, file, url } = await held();
    const query = `{ space(id: "${space.id}") { content { file(id: "${file.id}") { downloadURL } } } }`;
    const again = () => app.as(editor.token).query<{ space: { content: { file: { downloadURL: string } } } }>(query);
    const begun = now;
    now = new Date(begun.getTime() + 90 * 60_000);
    expect((await again()).space.content.file.downloadURL).toBe(url);
    now = new Date(begun.getTime() + 5 * 3_600_000);
    const next = (await again()).space.content.file.downloadURL;
    expect(next).not.toBe(url);
    now = new Date(begun.getTime() + 8.5 * 3_600_000);
    expect((await ask(url)).status).toBe(410);
    expect((await ask(next)).status).toBe(200);
    now = begun;
  });
});

describe("a download opened in a browser", () => {
  const script = "<script>alert(1)</script>";

  test.each<[what: string, file: () => File, type: string, disposition: "inline" | "attachment"]>([
    ["shows a PNG", () => pngFile("a.html", { width: 1, height: 1 }), "image/png", "inline"],
    ["shows a GIF", () => new File(["GIF89a\x01\0\x01\0"], "a.svg"), "image/gif", "inline"],
    ["saves HTML", () => textFile("a.html", script), "text/html; charset=utf-8", "attachment"],
    ["saves HTML by the name of an image", () => textFile("a.png", script), "text/plain; charset=utf-8", "attachment"],
    ["saves SVG", () => textFile("a.png", `<svg xmlns="x">${script}</svg>`), "image/svg+xml", "attachment"],
    ["saves PDF", () => textFile("a.gif", "%PDF-1.7"), "application/pdf", "attachment"],
    ["saves script", () => textFile("a.js", "alert(1)"), "text/javascript; charset=utf-8", "attachment"],
    ["saves XML", () => textFile("a.xml", "<a/>"), "application/xml", "attachment"],
    ["saves anything else", () => new File(["\0\x01\x02"], "a.png"), "application/octet-stream", "attachment"],
  ])("%s", async (_what, file, type, disposition) => {
    const { headers } = await ask(await put(file()), "HEAD");
    expect(headers["content-type"]).toBe(type);
    expect(String(headers["content-disposition"]).split(";")[0]).toBe(disposition);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-security-policy"]).toContain("sandbox");
  });
});

describe("a Range request", () => {
  let url: string;
  beforeAll(async () => {
    url = await put(textFile("part.txt", text));
  });

  test.each([
    ["bytes=0-0", "0", "bytes 0-0/10"],
    ["bytes=2-4", "234", "bytes 2-4/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=7-100", "789", "bytes 7-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=-100", text, "bytes 0-9/10"],
  ])("%s", async (range, body, contentRange) => {
    expect(await ask(url, "GET", { range })).toMatchObject({
      status: 206,
      body,
      headers: { "content-range": contentRange, "content-length": String(body.length), etag },
    });
  });

  test.each(["bytes=10-", "bytes=99-100", "bytes=-0"])("%s beyond the file returns 416", async (range) => {
    expect(await ask(url, "GET", { range })).toMatchObject({ status: 416, headers: { "content-range": "bytes */10" } });
  });

  test.each(["bytes=0-1,3-4", "bytes=4-2", "bytes=-", "lines=1-2", "bytes=a-b", "bytes = 0-1", "x"])(
    "%s returns the whole file",
    async (range) => expect(await ask(url, "GET", { range })).toMatchObject({ status: 200, body: text }),
  );

  test("with If-Range of another version returns the whole file", async () => {
    const range = "bytes=0-1";
    expect(await ask(url, "GET", { range, "if-range": etag })).toMatchObject({ status: 206, body: "01" });
    for (const condition of [`W/${etag}`, '"other"', "Wed, 21 Oct 2026 07:28:00 GMT"])
      expect(await ask(url, "GET", { range, "if-range": condition })).toMatchObject({ status: 200, body: text });
  });

  test("of an empty file returns 416", async () => {
    const empty = await put(textFile("empty.txt", ""));
    expect(await ask(empty)).toMatchObject({ status: 200, body: "", headers: { "content-length": "0" } });
    expect(await ask(empty, "GET", { range: "bytes=0-" })).toMatchObject({ status: 416 });
  });
});

describe("a conditional download", () => {
  test("returns 304 for a matching ETag", async () => {
    const url = await put(textFile("cached.txt", text));
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
      for (const method of ["GET", "HEAD"])
        expect(await ask(url, method, { "if-none-match": known })).toMatchObject({
          status: 304,
          body: "",
          headers: { etag },
        });
    expect((await ask(url, "GET", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("returns the same headers for HEAD without a body", async () => {
    const url = await put(textFile("head.txt", text));
    const { headers, ...rest } = await ask(url, "HEAD", { range: "bytes=0-1" });
    expect(rest).toEqual({ status: 200, body: "" });
    expect(headers).toMatchObject({ "content-length": "10", etag });
  });
});

test("aborted downloads release their resources", async () => {
  const url = await put(new File([Buffer.alloc(5_000_000, 1)], "slow.bin"));
  await Promise.all(
    times(20, async () => {
      const answer = await fetch(url);
      const reader = answer.body?.getReader();
      await reader?.read();
      await reader?.cancel();
    }),
  );
  expect((await ask(url)).body).toHaveLength(5_000_000);
});
