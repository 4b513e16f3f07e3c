// Download URLs that earlier releases have made: those since 1.0 last, and older ones say what to do.
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { textFile, uploadAs } from "#test/features/content/uploads.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const { editor, space: closed } = await world.space();
const [as, spaceId, text] = [app.as(editor.token), closed.id, "0123456789"];

async function read(url: string) {
  const response = await fetch(url);
  return { status: response.status, body: await response.text() };
}

test("a URL has the forms of release 1.0, whose URLs other pages keep", async () => {
  const { space, editor } = await world.space({ space: { visibility: "public" } });
  const { file } = await uploadAs(app.as(editor.token), { spaceId: space.id, file: textFile("kept.txt", text) });
  const { key } = await app.database.prisma.contentFile.findFirstOrThrow({ where: { fileId: file.id } });
  const open = `/files/${file.id}/${space.id}.${key}/kept.txt`;
  expect([file.downloadURL, await read(app.url + open)]).toMatchObject([app.url + open, { status: 200, body: text }]);
  const mine = await uploadAs(as, { spaceId, file: textFile("mine.txt", text) });
  const { key: secret } = await app.database.prisma.contentFile.findFirstOrThrow({ where: { fileId: mine.file.id } });
  const [, , , , id = "", signed = ""] = mine.file.downloadURL.split("/");
  const [revisionId, until, tokenId, signature] = signed.split(".");
  const message = `${id} ${revisionId} ${until} ${tokenId}`;
  expect(signature).toBe(createHmac("sha256", secret).update(message).digest("base64url"));
});

test("a URL of a release before 1.0 is 410 with what to do, whether or not the file exists", async () => {
  const { file } = await uploadAs(as, { spaceId, file: textFile("old.txt", text) });
  const { key } = await app.database.prisma.contentFile.findFirstOrThrow({ where: { fileId: file.id } });
  const never = `fil_${"0".repeat(26)}`;
  for (const id of [file.id, never])
    for (const part of [key, `1767225600-${"x".repeat(43)}`]) {
      const answer = await read(`${app.url}/files/${id}/${part}/old.txt`);
      expect(answer).toEqual({ status: 410, body: expect.stringContaining("Request a new one.") });
    }
});
