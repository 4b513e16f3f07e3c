// Files in a bucket of a third-party S3 server: the same behaviour as in a folder, and what differs: signed URLs and an
// unavailable server.
import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { CopyObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { collectBlobs } from "#src/features/content/commands/collect-garbage.ts";
import { callLimits } from "#src/files/call-limits.ts";
import { type FileStore, headSize, type StoredBlob } from "#src/files/file-store.ts";
import { type S3Options, S3Store } from "#src/files/s3-store.ts";
import { openTidyStore } from "#src/server/process/start.ts";
import { explain } from "#src/server/process/start-errors.ts";
import { pngFile, textFile, uploadAs, uploadDocument } from "#test/features/content/uploads.ts";
import { startNetworkProxy } from "#test/live/network-proxy.ts";
import { type TestApp, testApp, useApp } from "#test/support/app.ts";
import { s3Credentials, startS3, type TestS3 } from "#test/support/s3.ts";
import { testFolder } from "#test/support/test-files.ts";
import { times } from "#test/support/world.ts";

const shared = await useApp();
let s3: TestS3;
const folder = testFolder();

beforeAll(async () => {
  for (const [name, value] of Object.entries(s3Credentials)) vi.stubEnv(name, value);
  s3 = await startS3();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3[Symbol.asyncDispose]();
  await folder.remove();
});

function storeOf(more: Partial<S3Options> = {}): S3Store {
  const { endpoint, bucket } = s3;
  const region = "us-east-1";
  const given = { bucket, prefix: randomUUID(), hasSignedDownloads: false, ...more };
  return new S3Store({ endpoint, region, spoolFolder: folder.path, ...given });
}

const hashOf = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");
const left = () => readdir(folder.path).catch(() => []);

async function keep(store: FileStore, bytes: string | Buffer): Promise<string> {
  const blob = await store.receive([Buffer.from(bytes)], 100_000_000);
  await blob.keep();
  await blob.keep();
  return blob.hash;
}

async function read(store: FileStore, hash: string, range?: { start: number; end: number }): Promise<string | null> {
  const bytes = await store.open(hash, range);
  return bytes && Buffer.concat(await bytes.toArray()).toString("latin1"); // a stream of buffers
}

async function list(store: FileStore): Promise<StoredBlob[]> {
  const blobs: StoredBlob[] = [];
  for await (const blob of store.list()) blobs.push(blob);
  return blobs;
}

describe("the S3 file store", () => {
  test("returns stored files by hash, whole and in ranges, and no others", async () => {
    const store = storeOf();
    const blob = await store.receive([Buffer.from("hello")], 1000);
    const { hash } = blob;
    expect([hash, blob.size, blob.head.toString()]).toEqual([hashOf("hello"), 5, "hello"]);
    expect([await store.find(hash), await store.open(hash)]).toEqual([null, null]);
    await blob.keep();
    expect(await store.find(hash)).toMatchObject({ hash, size: 5, keptAt: expect.any(Date) as Date });
    expect([await read(store, hash), await read(store, hash, { start: 1, end: 3 })]).toEqual(["hello", "ell"]);
    await store.delete(hash);
    await store.delete(hash);
    expect(await store.find(hash)).toBeNull();
    expect(await left()).toEqual([]);
  });

  test("stores multipart uploads byte for byte and leaves nothing on the local disk", async () => {
    const store = storeOf();
    const bytes = Buffer.alloc(12_000_000, "not all the same ");
    const blob = await store.receive(
      times(12, (index) => bytes.subarray(index * 1_000_000, (index + 1) * 1_000_000)),
      20_000_000,
    );
    expect(blob.head).toEqual(bytes.subarray(0, headSize));
    await blob.keep();
    expect(hashOf(Buffer.from((await read(store, blob.hash)) ?? "", "latin1"))).toBe(blob.hash);
    expect(await left()).toEqual([]);
  });

  test("stores the same bytes once and renews their age", async () => {
    const store = storeOf({ prefix: "ages" });
    const hash = await keep(store, "same");
    const [first] = await list(store);
    // The server counts in seconds.
    await vi.waitFor(
      async () => {
        await Promise.all(times(3, () => keep(store, "same")));
        expect((await store.find(hash))?.keptAt.getTime()).toBeGreaterThan(first?.keptAt.getTime() ?? 0);
      },
      { timeout: 10_000, interval: 200 },
    );
    expect((await list(store)).map((blob) => blob.hash)).toEqual([hash]);
    expect(await read(store, hash)).toBe("same");
  });

  test("lists only its own files by hash, page by page", async () => {
    const prefix = randomUUID();
    const store = storeOf({ prefix });
    const hashes = await Promise.all(times(20, (index) => keep(store, `text ${index}`)));
    await keep(storeOf(), "elsewhere");
    const client = new S3Client({ endpoint: s3.endpoint, region: "us-east-1", forcePathStyle: true });
    await client.send(new PutObjectCommand({ Bucket: s3.bucket, Key: `${prefix}/README`, Body: "not ours" }));
    const copy = { Bucket: s3.bucket, CopySource: `${s3.bucket}/${prefix}/README` };
    await client.send(new CopyObjectCommand({ ...copy, Key: `${prefix}/${hashes[0]}` })); // under the wrong key
    expect((await list(store)).map(({ hash }) => hash)).toEqual(hashes.toSorted());
  });

  test.each(["", "..", "../../etc/passwd", "a".repeat(63), `${"a".repeat(64)}/`, "A".repeat(64), "\0"])(
    "%j does not name a file",
    async (hash) => {
      const store = storeOf();
      expect([await store.find(hash), await store.open(hash)]).toEqual([null, null]);
      await store.delete(hash);
    },
  );

  test("leaves nothing of a file that is too large or ends in an error", async () => {
    const store = storeOf();
    await expect(store.receive([Buffer.alloc(11)], 10)).rejects.toMatchObject({ code: "TOO_LARGE" });
    const torn = async function* () {
      yield Buffer.from("beginning");
      throw new Error("torn");
    };
    await expect(store.receive(torn(), 1000)).rejects.toThrow("torn");
    expect([await left(), await list(store)]).toEqual([[], []]);
  });

  test("a missing bucket is reported in a clear message", async () => {
    const error: unknown = await storeOf({ bucket: "nowhere" })
      .tidy()
      .catch((cause: unknown) => cause);
    expect(explain(error)).toBe("the bucket nowhere does not exist: create it, or set FILES_URL to another one");
    await storeOf().tidy();
  });

  test("a deleted bucket is an error, not a missing file", async () => {
    await expect(storeOf({ bucket: "nowhere" }).open("a".repeat(64))).rejects.toMatchObject({ code: "FILES_AWAY" });
  });

  test("a server of credentials that does not respond is an error within the limit, also when signing", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo; // a TCP server's address is never a path
    for (const name of Object.keys(s3Credentials)) vi.stubEnv(name, undefined);
    // As in a cluster of Amazon's, where a token is exchanged for credentials.
    vi.stubEnv("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/docgraph");
    vi.stubEnv("AWS_WEB_IDENTITY_TOKEN_FILE", import.meta.filename);
    vi.stubEnv("AWS_ENDPOINT_URL_STS", `http://127.0.0.1:${port}`);
    const limits = { connectMs: 2_000, answerMs: 500, idleMs: 500, wholeMs: 60_000 };
    const store = storeOf({ hasSignedDownloads: true, limits });
    const message = "the file storage failed: Error: it did not respond within 0.5 seconds";
    for (const call of [() => store.addressOf?.("a".repeat(64), {}), () => store.find("a".repeat(64))])
      await expect(call()).rejects.toMatchObject({ code: "FILES_AWAY", message });
    vi.unstubAllEnvs();
    for (const [name, value] of Object.entries(s3Credentials)) vi.stubEnv(name, value);
    silent.closeAllConnections();
    silent.close();
  });

  test("the limits of calls end every wait for a response within 10 seconds", () => {
    const { connectMs, answerMs, idleMs } = callLimits;
    expect(Math.max(connectMs, answerMs, idleMs)).toBeLessThan(10_000);
  });

  test("refused credentials are reported in a clear message without the credentials", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "SOMEBODY-ELSE");
    const error: unknown = await storeOf()
      .tidy()
      .catch((cause: unknown) => cause);
    vi.stubEnv("AWS_ACCESS_KEY_ID", s3Credentials.AWS_ACCESS_KEY_ID);
    expect(explain(error)).toMatch(/^access to the bucket docgraph-test was denied: set AWS_ACCESS_KEY_ID/);
    expect(explain(error)).not.toContain("SOMEBODY-ELSE");
  });
});

async function makeScene(store: FileStore) {
  const app = await testApp({ beside: shared.app, files: store });
  const { editor, space } = await shared.world.space();
  const as = app.as(editor.token);
  const put = async (file: File) => (await uploadAs(as, { spaceId: space.id, file })).file;
  return { app, as, put, spaceId: space.id, [Symbol.asyncDispose]: () => app.close() };
}

const ask = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(url, { headers, method, redirect: "manual" });

/** Runs the cleanup of files unused for a day, as in two days. */
const collect = ({ database }: TestApp, store: FileStore) =>
  collectBlobs(database, store, { now: () => new Date(Date.now() + 2 * 86_400_000) });

describe("a gateway with the S3 file store", () => {
  test("stores and returns files, whole and in ranges, and removes unused ones", async () => {
    const store = storeOf();
    await using scene = await makeScene(store);
    const { downloadURL } = await scene.put(textFile("notes.txt", "0123456789"));
    const image = await scene.put(pngFile("a.png", { width: 3, height: 4 }));
    expect(image).toMatchObject({ contentType: "image/png", dimensions: { width: 3, height: 4 } });
    const whole = await ask(downloadURL);
    expect([whole.status, whole.headers.get("content-length"), await whole.text()]).toEqual([200, "10", "0123456789"]);
    const part = await ask(downloadURL, { range: "bytes=2-4" });
    expect([part.status, await part.text()]).toEqual([206, "234"]);
    const head = await ask(downloadURL, {}, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "10"]);
    expect((await ask(`${downloadURL}x`)).status).toBe(404);
    await keep(store, "of nobody");
    expect(await collect(scene.app, store)).toBe(1);
    expect((await ask(downloadURL)).status).toBe(200);
  });

  test("redirects readers to signed bucket URLs if configured", async () => {
    await using scene = await makeScene(storeOf({ hasSignedDownloads: true }));
    const { downloadURL } = await scene.put(textFile("a name;.html", "<b>hello</b>"));
    const sent = await ask(downloadURL);
    expect([sent.status, sent.headers.get("cache-control")]).toEqual([307, "no-store"]);
    const address = sent.headers.get("location") ?? "";
    expect(new URL(address).origin).toBe(s3.endpoint);
    expect(new URL(address).searchParams.get("X-Amz-Expires")).toBe("300");
    const bytes = await ask(address, { range: "bytes=3-7" });
    expect([bytes.status, await bytes.text()]).toEqual([206, "hello"]);
    expect(bytes.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(bytes.headers.get("content-disposition")).toContain('attachment; filename="a name;.html"');
    expect(new URL(address).searchParams.get("X-Amz-Signature")).toMatch(/^[0-9a-f]{64}$/); // s3rver does not check it
    const head = await ask(downloadURL, {}, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "12"]);
    expect((await ask(`${downloadURL}x`)).status).toBe(404);
  });

  test("returns UNAVAILABLE for files while the server does not respond, and ends a transfer that stops", async () => {
    const endpoint = new URL(s3.endpoint);
    await using wire = await startNetworkProxy({ host: endpoint.hostname, port: Number(endpoint.port) });
    const limits = { connectMs: 2_000, answerMs: 500, idleMs: 500, wholeMs: 60_000 };
    const store = storeOf({ endpoint: `http://127.0.0.1:${wire.port}`, limits });
    await using scene = await makeScene(store);
    const { downloadURL } = await scene.put(textFile("before.txt"));
    const hash = await keep(store, Buffer.alloc(4_000_000, "long"));
    const body = await store.open(hash);
    wire.hold();
    await expect(body?.toArray()).rejects.toMatchObject({ code: "FILES_AWAY" });
    const input = { contentOf: { spaceId: scene.spaceId }, file: textFile("meanwhile.txt", "something else") };
    expect(await scene.as.refusal(uploadDocument, { input })).toBe("UNAVAILABLE");
    expect((await ask(downloadURL)).status).toBe(503);
    const failure = /the file storage failed: .*it did not respond within 0.5 seconds/;
    const calls = [store.find(hash), store.delete(hash), store.tidy(), store.list().next()];
    for (const ended of await Promise.allSettled(calls))
      expect(ended).toEqual({
        status: "rejected",
        reason: expect.objectContaining({ message: expect.stringMatching(failure) as string }) as Error,
      });
    wire.resume();
    expect(await (await ask(downloadURL)).text()).toBe("before.txt");
    expect(await left()).toEqual([]);
  });

  test("returns UNAVAILABLE for files while the server is down, and loses nothing", async () => {
    await using scene = await makeScene(storeOf());
    const { downloadURL } = await scene.put(textFile("before.txt"));
    await s3.stop();
    const input = { contentOf: { spaceId: scene.spaceId }, file: textFile("meanwhile.txt") };
    expect(await scene.as.refusal(uploadDocument, { input })).toBe("UNAVAILABLE");
    const away = await ask(downloadURL);
    expect([away.status, away.headers.has("retry-after")]).toEqual([503, true]);
    expect(await scene.as.query("{ viewer { __typename } }")).toMatchObject({ viewer: {} });
    const lines: string[] = [];
    const log = pino({}, { write: (line) => void lines.push(line) });
    const place = { bucket: s3.bucket, prefix: "", endpoint: s3.endpoint, region: "us-east-1" };
    const own = testFolder();
    await openTidyStore({ filesDir: own.path, s3: { ...place, hasSignedDownloads: false } }, log);
    await own.remove();
    expect(lines).toEqual([expect.stringContaining("The file storage cannot be reached")]);
    await s3.start();
    expect(await (await ask(downloadURL)).text()).toBe("before.txt");
    const { downloadURL: again } = await scene.put(textFile("meanwhile.txt"));
    expect(await (await ask(again)).text()).toBe("meanwhile.txt");
    expect(await left()).toEqual([]);
  });
});
