// Background work of content: indexes the texts of new revisions, refreshes computed pages when their sources change,
// and checks that the files that the database references are in storage.
import { verifiedBlobs } from "#src/features/content/commands/blobs.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import { EventFollower, type Follower } from "#src/events/follower.ts";
import { refreshComputedPages } from "#src/features/content/commands/refresh-computed.ts";
import { computedKinds } from "#src/features/content/commands/computed-kinds.ts";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { newestBlobs } from "#src/features/content/reads/files.ts";
import type { Gateway } from "#src/features/feature.ts";
import { spaceEvents } from "#src/features/spaces/events.ts";
import { sampleOf, samplesBy, type Series } from "#src/runtime/series.ts";

export const contentFollowers = (gateway: Gateway): Follower[] => [
  indexFollower(gateway),
  computedFollower(gateway),
  new FileCheck(gateway),
];

type OrganizationPlace = { readonly organizationId: string };
type Place = { readonly revisionId: string } | { readonly spaceId: string } | { readonly changeRequestId: string };

const idsIn = (places: readonly (Place | OrganizationPlace)[]) => ({
  revisionIds: places.flatMap((place) => ("revisionId" in place ? place.revisionId : [])),
  spaceIds: places.flatMap((place) => ("spaceId" in place ? place.spaceId : [])),
  changeRequestIds: places.flatMap((place) => ("changeRequestId" in place ? place.changeRequestId : [])),
});

const types: readonly string[] = Object.values(contentEvents);

/** Indexes the texts of revisions that exceed the limits of their writers, and of spaces with a new language. */
export const indexFollower = ({ database, log }: Pick<Gateway, "database" | "log">): EventFollower<Place> =>
  new EventFollower(log, {
    find({ type, subjectId, payload: { revisionId, changes, isIndexed } }): Place[] {
      // Nothing is left to do if the writer has indexed all texts.
      if (types.includes(type) && typeof revisionId === "string") return isIndexed === true ? [] : [{ revisionId }];
      const isInOther = type === spaceEvents.updated && JSON.stringify(changes ?? "").includes('"searchLanguage"');
      return isInOther ? [{ spaceId: subjectId }] : [];
    },
    run: (places, signal) => indexMissing(database, { of: idsIn(places), signal }),
    failed: "Deriving from new texts failed: the job content.derive will retry",
  });

const computedFollower = (gateway: Gateway): EventFollower<Place | OrganizationPlace> =>
  new EventFollower(gateway.log, {
    find({ type, subjectId, organizationId }): (Place | OrganizationPlace)[] {
      if (type === contentEvents.ofSpaceUpdated) return [{ spaceId: subjectId }];
      if (type === contentEvents.ofChangeRequestUpdated) return [{ changeRequestId: subjectId }];
      const isFollowed = [...computedKinds.values()].some(({ follows }) => follows.includes(type));
      return isFollowed && organizationId !== null ? [{ organizationId }] : [];
    },
    async run(found, signal) {
      const organizationIds = found.flatMap((place) => ("organizationId" in place ? place.organizationId : []));
      for (const organizationId of new Set(organizationIds))
        await refreshComputedPages(gateway, { organizationId }, signal);
      const { spaceIds, changeRequestIds } = idsIn(found);
      await refreshComputedPages(gateway, { spaceIds, changeRequestIds }, signal);
    },
    failed: "Computing pages failed: the job content.compute will retry",
  });

/** Interval and timeout of the check for files, in milliseconds. */
const [defaultCheckMs, checkTimeoutMs] = [60_000, 5_000];

/** Number of the newest files to check. */
const newest = 3;

const filesMissing =
  "files that the database references are missing here: all gateways of a database need the same FILES_URL or a shared FILES_DIR";

const filesAway = "The file storage cannot be reached: files are UNAVAILABLE until it can.";

/** The hash of no file. */
const anyBlob = "0".repeat(64);

/**
 * Checks every minute for the newest files: the storage may be away, and gateways with separate folders would each
 * serve only some files.
 */
class FileCheck implements Follower {
  readonly metrics: readonly Series[] = [
    {
      name: "docgraph_blobs_verified_total",
      help: "Files that the nightly check compared with their hashes, by state: ok, missing or damaged.",
      labels: ["state"],
      read: () => samplesBy("state", verifiedBlobs),
    },
    {
      name: "docgraph_files_up",
      help: "1 if the storage of files answered the last check, which is once a minute, else 0.",
      ofWorkers: "min",
      read: () => sampleOf(this.#isAway ? 0 : 1),
    },
  ];
  readonly #gateway: Gateway;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  #missing = 0;
  #isAway = false;

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  readiness(): object | null {
    if (this.#isAway) return { files: { isAway: true } };
    return this.#missing > 0 ? { files: { missing: this.#missing } } : null;
  }

  start(): void {
    const check = () => (this.#checking ??= this.#check().finally(() => (this.#checking = undefined)));
    void check();
    this.#timer = setInterval(() => void check(), this.#gateway.intervals.filesCheckMs ?? defaultCheckMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }

  async #check(): Promise<void> {
    const { database, log } = this.#gateway;
    try {
      const blobs = await new TimeLimit(checkTimeoutMs).run(() => newestBlobs(database.vital, newest));
      const found = await this.#find(blobs);
      if (found) this.#note(blobs.filter((_, index) => found[index] === null).length);
    } catch (error) {
      log.debug({ err: error }, "checking for files failed");
    }
  }

  /** Looks blobs up, or {@link anyBlob} if the list is empty; undefined if the storage fails. */
  async #find(blobs: readonly string[]): Promise<readonly unknown[] | undefined> {
    const { files, log } = this.#gateway;
    try {
      const found = await Promise.all((blobs.length > 0 ? blobs : [anyBlob]).map((blob) => files.find(blob)));
      if (this.#isAway) log.info("the file storage can be reached again");
      this.#isAway = false;
      return found;
    } catch (error) {
      if (!this.#isAway) log.warn({ err: error }, filesAway);
      this.#isAway = true;
      return undefined;
    }
  }

  #note(missing: number): void {
    const { log } = this.#gateway;
    if (missing > 0 && this.#missing === 0) log.error({ missing, of: newest }, filesMissing);
    if (missing === 0 && this.#missing > 0) log.info("the files that the database references are available again");
    this.#missing = missing;
  }
}
