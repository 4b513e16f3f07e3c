// File storage in an S3 bucket: `prefix/ab/cd/abcd…` by hash; uploads are received on the local disk first.
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { DeleteObjectCommand, GetObjectCommand, HeadBucketCommand, HeadObjectCommand } from "@aws-sdk/client-s3";
import { ListObjectsV2Command, S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { type CallLimits, callLimits, inTime, limitBody } from "#src/files/call-limits.ts";
import { isHash } from "#src/files/file-store.ts";
import type { BlobHeaders, ByteRange, Bytes, FileStore, ReceivedBlob, StoredBlob } from "#src/files/file-store.ts";
import { Spool } from "#src/files/spool.ts";

export interface S3Options {
  readonly bucket: string;
  /** The prefix of all keys, without slashes around it; may be empty. */
  readonly prefix: string;
  /** The server, if it is not Amazon's. Its buckets are addressed by path. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** Whether downloads are redirected to signed addresses of the bucket. */
  readonly hasSignedDownloads: boolean;
  readonly spoolFolder: string;
  readonly limits?: CallLimits | undefined;
}

/** The bucket does not respond, or rejects the request; the message never contains a key. */
class S3Error extends Error {
  override readonly name = "S3Error";
  readonly code = "FILES_AWAY";
  /** Whether it may pass by itself, unlike an error of the settings. */
  readonly isTemporary: boolean;

  constructor(message: string, isTemporary: boolean) {
    super(message);
    this.isTemporary = isTemporary;
  }
}

const addressSeconds = 300;

/** A reader may pause for a minute before its connection is closed: the bucket's connection waits slightly longer. */
const socketTimeout = 70_000;

/** One upload uses twice this many bytes of memory, in parts. */
const partSize = 5 * 1024 * 1024;

/** Objects are put whole. Credentials come from the default sources of the AWS SDK: environment, profile or role. */
export class S3Store implements FileStore {
  readonly #options: S3Options;
  readonly #client: S3Client;
  readonly #limits: CallLimits;
  readonly #spool: Spool;
  readonly addressOf?: FileStore["addressOf"];

  constructor(options: S3Options) {
    const { endpoint, region, spoolFolder, hasSignedDownloads, limits = callLimits } = options;
    this.#options = options;
    this.#limits = limits;
    this.#client = new S3Client({
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      region,
      maxAttempts: 3,
      requestHandler: { connectionTimeout: limits.connectMs, socketTimeout },
      requestChecksumCalculation: "WHEN_REQUIRED", // other servers may not support newer ones
      responseChecksumValidation: "WHEN_REQUIRED",
    });
    this.#spool = new Spool(spoolFolder);
    if (hasSignedDownloads) this.addressOf = (hash, headers) => this.#sign(hash, headers);
  }

  receive(bytes: Bytes, limit: number): Promise<ReceivedBlob> {
    return this.#spool.receive(bytes, limit, async (path, { hash }) => {
      await this.#put(path, hash);
      await rm(path, { force: true });
    });
  }

  async find(hash: string): Promise<StoredBlob | null> {
    if (!isHash(hash)) return null;
    const found = await orNull(
      this.#call((signal) => this.#client.send(new HeadObjectCommand(this.#at(hash)), signal)),
    );
    return found && { hash, size: found.ContentLength ?? 0, keptAt: found.LastModified ?? new Date() };
  }

  async open(hash: string, range?: ByteRange): Promise<Readable | null> {
    if (!isHash(hash)) return null;
    const part = range && { Range: `bytes=${range.start}-${range.end}` };
    const command = new GetObjectCommand({ ...this.#at(hash), ...part });
    const found = await orNull(this.#call((signal) => this.#client.send(command, signal)));
    return found ? limitBody(found.Body as Readable, this.#limits, failureOf) : null; // its type in Node
  }

  async delete(hash: string): Promise<void> {
    if (!isHash(hash)) return;
    await orNull(this.#call((signal) => this.#client.send(new DeleteObjectCommand(this.#at(hash)), signal)));
  }

  async *list(): AsyncGenerator<StoredBlob> {
    const all = { Bucket: this.#options.bucket, Prefix: this.#keyOf("") };
    let token: string | undefined;
    do {
      const after = token !== undefined && { ContinuationToken: token };
      const command = new ListObjectsV2Command({ ...all, ...after });
      const page = await known(this.#call((signal) => this.#client.send(command, signal)));
      for (const { Key = "", Size: size = 0, LastModified: keptAt = new Date() } of page.Contents ?? []) {
        const hash = Key.slice(Key.lastIndexOf("/") + 1);
        if (isHash(hash) && Key === this.#at(hash).Key) yield { hash, size, keptAt };
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  async tidy(): Promise<void> {
    await this.#spool.tidy();
    const { bucket } = this.#options;
    const needed = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to credentials that may read and write it";
    try {
      await this.#call((signal) => this.#client.send(new HeadBucketCommand({ Bucket: bucket }), signal));
    } catch (error) {
      const status = statusOf(error);
      if (status === 404)
        throw new S3Error(`the bucket ${bucket} does not exist: create it, or set FILES_URL to another one`, false);
      if (status === 403) throw new S3Error(`access to the bucket ${bucket} was denied: ${needed}`, false);
      throw failureOf(error);
    }
  }

  /** Also for an existing object: its age counts from now. */
  async #put(path: string, hash: string): Promise<void> {
    const params = { ...this.#at(hash), Body: createReadStream(path) };
    const upload = new Upload({ client: this.#client, params, partSize, queueSize: 1 });
    await known(inTime(this.#limits.wholeMs, () => this.#untilSilent(upload)));
  }

  /** Each part of an upload has as long as a response. */
  async #untilSilent(upload: Upload): Promise<void> {
    const { answerMs } = this.#limits;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const giveUp = (): void => {
      reject(new Error(`it did not respond within ${answerMs / 1000} seconds`));
      upload.abort().catch(() => {}); // it cannot be reached
    };
    const timer = setTimeout(giveUp, answerMs);
    upload.on("httpUploadProgress", () => timer.refresh());
    const done = upload.done();
    done.catch(() => {}); // it fails later than it is awaited
    try {
      await Promise.race([done, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A call whose response begins in time. */
  #call<Answer>(send: (options: { abortSignal: AbortSignal }) => Promise<Answer>): Promise<Answer> {
    return inTime(this.#limits.answerMs, (abortSignal) => send({ abortSignal }));
  }

  async #sign(hash: string, headers: BlobHeaders): Promise<string> {
    const { "content-type": ResponseContentType, "content-disposition": ResponseContentDisposition } = headers;
    const command = new GetObjectCommand({ ...this.#at(hash), ResponseContentType, ResponseContentDisposition });
    const sign = () => getSignedUrl(this.#client, command, { expiresIn: addressSeconds });
    return known(inTime(this.#limits.answerMs, sign)); // credentials may come from a server
  }

  #at(hash: string) {
    const key = [hash.slice(0, 2), hash.slice(2, 4), hash].join("/");
    return { Bucket: this.#options.bucket, Key: this.#keyOf(key) };
  }

  #keyOf(key: string): string {
    const { prefix } = this.#options;
    return prefix === "" ? key : `${prefix}/${key}`;
  }
}

/** The response. Throws {@link S3Error} on failure. */
async function known<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw failureOf(error);
  }
}

function failureOf(error: unknown): S3Error {
  const { name, message } = error instanceof Error ? error : { name: "Error", message: "" };
  return new S3Error(`the file storage failed: ${name}${message && message !== name ? `: ${message}` : ""}`, true);
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

/** The same, and null for a missing object; a missing bucket is a failure. */
async function orNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  const isAbsent = (error: unknown) =>
    statusOf(error) === 404 && !(error instanceof Error && error.name === "NoSuchBucket");
  return known(answer.catch((error: unknown) => (isAbsent(error) ? null : Promise.reject(error))));
}
