// Whether the store of this gateway has the files that the database names: gateways on one database that keep files in
// folders of their own would each answer for a part of them.
import type { Logger } from "pino";
import type { Database } from "#src/db/connection/database.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import { newestBlobs } from "#src/features/content/reads/files.ts";
import type { FileStore } from "#src/files/file-store.ts";

/** How often is looked, in milliseconds. */
const defaultLookMs = 60_000;

/** How long one look may take, in milliseconds. */
const lookLimitMs = 5_000;

/** How many of the newest files are looked for. */
const newest = 3;

interface Options {
  readonly database: Pick<Database, "vital">;
  readonly files: Pick<FileStore, "find">;
  readonly log: Pick<Logger, "info" | "error" | "debug">;
  readonly lookMs?: number | undefined;
}

/** Looks when it is started, and then every minute, for the files that were uploaded last. */
export class MissingFiles {
  readonly #options: Options;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #count = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** How many of the newest files were missing when it looked last. */
  get count(): number {
    return this.#count;
  }

  start(): void {
    const look = () => (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)));
    void look();
    this.#timer = setInterval(() => void look(), this.#options.lookMs ?? defaultLookMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { database, files, log } = this.#options;
    try {
      const blobs = await new TimeLimit(lookLimitMs).run(() => newestBlobs(database.vital, newest));
      const found = await Promise.all(blobs.map((blob) => files.find(blob)));
      this.#tell(found.filter((one) => one === null).length);
    } catch (error) {
      log.debug({ err: error }, "files were not looked for");
    }
  }

  #tell(missing: number): void {
    const { log } = this.#options;
    if (missing > 0 && this.#count === 0)
      log.error(
        { missing, of: newest },
        "files that the database names are missing here: all gateways of a database need the same FILES_URL, or one FILES_DIR in common",
      );
    if (missing === 0 && this.#count > 0) log.info("the files that the database names are here again");
    this.#count = missing;
  }
}
