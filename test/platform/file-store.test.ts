// The file store in a folder: kept files are complete and stored once, even if the process is killed; other files leave
// nothing.
import { createHash } from "node:crypto";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FileStore, headSize, type StoredBlob } from "#src/files/file-store.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { startDocgraph, stopStarted } from "#test/support/docgraph-process.ts";
import { type TestFolder, testFolder } from "#test/support/test-files.ts";
import { times } from "#test/support/world.ts";

let folder: TestFolder;
let store: FileStore;
beforeEach(() => {
  folder = testFolder();
  store = new FolderStore(folder.path);
});
afterEach(async () => {
  await stopStarted();
  await folder.remove();
});

const hashOf = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");
const receive = (text: string, limit = 1000) => store.receive([Buffer.from(text)], limit);

/** Everything in the folder, by its path. */
async function paths(): Promise<string[]> {
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function list(): Promise<StoredBlob[]> {
  const blobs: StoredBlob[] = [];
  for await (const blob of store.list()) blobs.push(blob);
  return blobs;
}

async function read(hash: string, range?: { start: number; end: number }): Promise<string | null> {
  const bytes = await store.open(hash, range);
  return bytes && Buffer.concat(await bytes.toArray()).toString(); // a stream of buffers
}

test("a received file is found by its hash after it was kept", async () => {
  const blob = await receive("hello");
  const { hash } = blob;
  expect([hash, blob.size, blob.head.toString()]).toEqual([hashOf("hello"), 5, "hello"]);
  expect([await store.find(hash), await read(hash)]).toEqual([null, null]);
  await blob.keep();
  await blob.keep();
  expect(await store.find(hash)).toMatchObject({ hash, size: 5 });
  expect(await read(hash)).toBe("hello");
  expect(await read(hash, { start: 1, end: 3 })).toBe("ell");
  await blob.drop(); // too late
  expect(await paths()).toEqual([join(folder.path, hash.slice(0, 2), hash.slice(2, 4), hash)]);
});

test("a dropped file is deleted", async () => {
  const blob = await receive("hello");
  await blob.drop();
  await blob.drop();
  expect(await paths()).toEqual([]);
});

test("stores the same bytes once and renews their age", async () => {
  const { hash } = await receive("same").then(async (blob) => (await blob.keep(), blob));
  const [path = ""] = await paths();
  await utimes(path, new Date(0), new Date(0));
  expect((await store.find(hash))?.keptAt).toEqual(new Date(0));
  const blobs = await Promise.all(times(5, () => receive("same")));
  await Promise.all(blobs.map((blob) => blob.keep()));
  expect(await paths()).toEqual([path]);
  expect((await store.find(hash))?.keptAt.getTime()).toBeGreaterThan(0);
});

test("returns the first bytes of a file received in any number of chunks", async () => {
  const pieces = times(40, (index) => Buffer.alloc(10_000, index));
  const blob = await store.receive(pieces, 1_000_000);
  expect(blob.head).toEqual(Buffer.concat(pieces).subarray(0, headSize));
  expect(blob.hash).toBe(hashOf(Buffer.concat(pieces)));
});

test("leaves nothing of a file that is too large or ends in an error", async () => {
  await expect(receive("12345678901", 10)).rejects.toMatchObject({ code: "TOO_LARGE" });
  expect((await receive("1234567890", 10).then(async (blob) => (await blob.drop(), blob))).size).toBe(10);
  const broken = async function* () {
    yield Buffer.from("beginning");
    throw new Error("torn");
  };
  const torn = times(50, () => expect(store.receive(broken(), 1000)).rejects.toThrow("torn"));
  await Promise.all(torn); // many at once: the disk is slower than the error
  expect(await paths()).toEqual([]);
});

test("a deleted file can still be read by open readers", async () => {
  const blob = await receive("deleted");
  await blob.keep();
  const bytes = await store.open(blob.hash);
  await store.delete(blob.hash);
  await store.delete(blob.hash);
  expect(await store.find(blob.hash)).toBeNull();
  expect(Buffer.concat((await bytes?.toArray()) ?? []).toString()).toBe("deleted");
});

test("lists all files by hash and nothing else", async () => {
  const hashes = await Promise.all(
    times(20, async (index) => {
      const blob = await receive(`text ${index}`);
      await blob.keep();
      return blob.hash;
    }),
  );
  await receive("not kept");
  await writeFile(join(folder.path, "README"), "not ours");
  expect((await list()).map(({ hash }) => hash)).toEqual(hashes.toSorted());
});

test.each(["", "..", "../../etc/passwd", "a".repeat(63), `${"a".repeat(64)}/`, "A".repeat(64), "\0"])(
  "%j does not name a file",
  async (hash) => {
    expect([await store.find(hash), await store.open(hash)]).toEqual([null, null]);
    await store.delete(hash);
  },
);

test("an empty store lists nothing and creates its folder on cleanup", async () => {
  expect(await list()).toEqual([]);
  await store.tidy();
  expect(await readdir(folder.path)).toEqual(["incoming"]);
});

test("cleanup removes only partial files not written to for an hour", async () => {
  const [old, young, kept] = await Promise.all(["old", "young", "kept"].map((text) => receive(text)));
  await kept?.keep();
  const before = new Date(Date.now() - 61 * 60 * 1000);
  for (const path of await paths()) if ((await readFile(path, "utf8")) !== "young") await utimes(path, before, before);
  await new FolderStore(folder.path).tidy();
  expect((await Promise.all((await paths()).map((path) => readFile(path, "utf8")))).toSorted()).toEqual([
    "kept",
    "young",
  ]);
  await young?.keep();
  await expect(old?.keep()).rejects.toThrow("ENOENT");
});

/**
 * A process that keeps one blob of a megabyte after the other, and stops in the middle of the next
 * when the number is given.
 */
const writer = (count: number) => `
  import { FolderStore } from "#src/files/folder-store.ts";
  const store = new FolderStore(${JSON.stringify(folder.path)});
  for (let index = 0; ; index++) {
    const bytes = async function* () {
      for (let piece = 0; piece < 16; piece++) {
        if (index === ${count} && piece === 8) { console.log("in the middle"); await new Promise((resolve) => setTimeout(resolve, 1e9)); }
        yield Buffer.alloc(65536, index);
      }
    };
    const blob = await store.receive(bytes(), 1e9);
    await blob.keep();
    console.log("kept " + index);
  }`;

test.each([
  ["in the middle of receiving", 3, "in the middle"],
  ["at any moment", Infinity, "kept 5"],
])("a process that is killed %s leaves only complete files", async (_when, count, moment) => {
  const child = startDocgraph({ command: [process.execPath, "--input-type=module", "-e", writer(count)] });
  await child.says(moment);
  child.signal("SIGKILL");
  await child.ended;
  const blobs = await list();
  expect(blobs.length).toBeGreaterThanOrEqual(3);
  for (const { hash, size } of blobs) {
    expect(size).toBe(1024 * 1024);
    expect(hashOf(Buffer.concat((await (await store.open(hash))?.toArray()) ?? []))).toBe(hash);
  }
});
