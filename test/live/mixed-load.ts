// The mixed load of the long proofs: reads, writes, merges, imports, uploads, and subscribers that come and go.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { upload } from "#test/live/faults/upload.ts";
import type { LiveWorld } from "#test/live/subscriber-group.ts";
import { Subscriber } from "#test/live/subscriber.ts";
import { type Acknowledged, letWrite } from "#test/live/writers.ts";
import { type Merged, mergeDocument, openChangeRequest } from "#test/features/change-requests/scene.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { importDocument } from "#test/features/imports/importing.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { type HttpClient, httpClient } from "#test/support/client.ts";
import type { Random } from "#test/support/random.ts";

export interface LoadSize {
  /** Subscribers that connect for a while, repeatedly. */
  readonly visitors: number;
  /** The longest stay of a visitor, in milliseconds. */
  readonly stayMs: number;
  /** Whether outages are expected: subscribers continue after an error. */
  readonly takesOutages?: boolean;
}

const nested = `query ($id: ID!) { organization(id: $id) { spaces(first: 5) { nodes { title
  comments(first: 10) { nodes { body { markdown } postedBy { displayName } } } } } } }`;

/** The mixed load on gateways until it is stopped, with its counts. `gateway` is called for each request. */
export class MixedLoad {
  readonly done: Record<string, number> = {};
  readonly faults: string[] = [];
  readonly acknowledged: Acknowledged[] = [];
  /** The change requests that were merged, and the hashes of the files that were uploaded, by the answers. */
  readonly merged: string[] = [];
  readonly uploaded: string[] = [];
  #isOver = false;
  readonly #world: LiveWorld;
  readonly #gateway: () => string;
  readonly #takesOutages: boolean;
  readonly #working: readonly Promise<unknown>[];
  readonly #end = new AbortController();
  readonly #undone = new Set(["visits", "nested reads", "REST reads", "merges", "imports", "uploads", "writes"]);
  #allDone = () => {};
  /** Resolves when each kind of request has succeeded once. */
  readonly begun = new Promise<void>((resolve) => (this.#allDone = resolve));

  constructor(liveWorld: LiveWorld, gateway: () => string, size: LoadSize, random: Random) {
    const { visitors, stayMs, takesOutages = false } = size;
    [this.#world, this.#gateway, this.#takesOutages] = [liveWorld, gateway, takesOutages];
    const { organizationId, spaces } = liveWorld;
    const [spaceId = ""] = spaces;
    this.#working = [
      this.#write(random),
      ...Array.from({ length: visitors }, () => this.#again("visits", 100, () => this.#visit(random, stayMs))),
      this.#again("nested reads", 200, () => this.#as.query(nested, { id: organizationId })),
      this.#again("REST reads", 200, () => this.#readByRest(spaceId)),
      this.#again("merges", 2000, (turn) => this.#merge(random.pick(spaces), turn)),
      this.#again("imports", 10_000, (turn) => this.#import(random.pick(spaces), turn)),
      this.#again("uploads", 3000, (turn) => this.#upload(random.pick(spaces), turn)),
    ];
  }

  get #as(): HttpClient {
    return httpClient(this.#gateway(), this.#world.token);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#end.abort();
    await Promise.all(this.#working);
  }

  /** Sleeps for `ms`, or until the end. */
  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#end.signal }).catch(() => {});
  }

  /** Repeats an action with pauses. */
  async #again(name: string, restMs: number, work: (turn: number) => Promise<unknown>): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      await work(turn).then(
        () => this.#count(name),
        (error: unknown) => this.faults.push(`${name}: ${String(error)}`),
      );
      await this.#rest(restMs);
    }
  }

  #count(name: string): void {
    this.done[name] = (this.done[name] ?? 0) + 1;
    this.#undone.delete(name);
    if (this.#undone.size === 0) this.#allDone();
  }

  #write(random: Random): Promise<void> {
    return letWrite({
      ...this.#world,
      gateway: this.#gateway,
      count: 4,
      random,
      restMs: 500,
      goOn: () => !this.#isOver,
      onWritten: (written) => {
        this.acknowledged.push(written);
        this.#count("writes");
      },
      onFailed: (error) => this.faults.push(`writes: ${String(error)}`),
    });
  }

  /** Subscribes for a while. */
  async #visit(random: Random, stayMs: number): Promise<void> {
    const field = `commentEvents(of: { spaceId: "${random.pick(this.#world.spaces)}" })`;
    const over = random.below(4) === 0 ? "events" : "socket";
    const options = { gateway: this.#gateway, token: this.#world.token, field, over } as const;
    const visitor = await new Subscriber({ ...options, takesOutages: this.#takesOutages }).start();
    await this.#rest(random.below(stayMs));
    await visitor.stop();
    if (visitor.faults.length > 0) throw new Error(visitor.faults.join("; "));
  }

  async #readByRest(spaceId: string): Promise<void> {
    const { status } = await this.#as.rest("GET", `/v1/spaces/${spaceId}/comments?limit=10`);
    if (status !== 200) throw new Error(String(status));
  }

  async #merge(spaceId: string, turn: number): Promise<void> {
    const as = this.#as;
    const id = await openChangeRequest(as, spaceId);
    await editAs(as, { changeRequestId: id }, newPage(`Page of merge ${turn}`, { markdown: `# Merge ${turn}` }).edit);
    const { mergeChangeRequest } = await as.query<Merged>(mergeDocument, { input: { changeRequestId: id } });
    const { status } = mergeChangeRequest.changeRequest;
    if (status !== "MERGED") throw new Error(status);
    this.merged.push(id);
  }

  #import(spaceId: string, turn: number): Promise<unknown> {
    const archive = zipFile({
      "README.md": `# Import ${turn}`,
      "chapter/README.md": "# Chapter",
      "chapter/a.md": "# A",
    });
    return this.#as.query(importDocument, { input: { contentOf: { spaceId }, from: { archive } } });
  }

  async #upload(spaceId: string, turn: number): Promise<void> {
    const bytes = Buffer.from(`Note ${turn}`);
    const status = await upload(this.#gateway(), this.#world.token, { spaceId, bytes });
    if (status !== 200) throw new Error(String(status));
    this.uploaded.push(createHash("sha256").update(bytes).digest("hex"));
  }
}
