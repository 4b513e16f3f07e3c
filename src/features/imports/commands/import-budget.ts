// The budget of one import: the bytes it may fetch and unpack, its files and pages, and the time of threads for its
// texts.
import { DomainError } from "#src/base/errors.ts";
import { inFigures, type Quotas } from "#src/base/limits.ts";
import { currentTenant, type Tenant, workFor } from "#src/runtime/tenant.ts";
import type { ImportFiles } from "#src/features/imports/model/files.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

export class ImportBudget {
  readonly #most: Quotas["ofImport"];
  #bytes = 0;
  #ms = 0;

  constructor({ ofImport }: Pick<Quotas, "ofImport">) {
    this.#most = ofImport;
  }

  /** Runs work, and counts the time that threads take for it. */
  run<Result>(work: () => Result): Result {
    const tenant = currentTenant();
    const takeTime: Tenant["takeTime"] = (ms) => {
      this.#ms += ms;
      tenant.takeTime(ms);
    };
    return workFor({ ...tenant, takeTime }, work);
  }

  /** Counts the bytes of a fetch function, which throws TOO_LARGE beyond the budget. */
  counting(fetch: SafeFetch): SafeFetch {
    return async (url, options) => {
      const answer = await fetch(url, options);
      this.#takeBytes(answer.body.length);
      return answer;
    };
  }

  /** Counts files before they are unpacked. Throws TOO_LARGE beyond the budget. */
  takeFiles({ count, size }: Pick<ImportFiles, "count" | "size">): void {
    if (count > this.#most.files) throw tooLarge(`${inFigures(this.#most.files)} files`, `has ${inFigures(count)}`);
    this.#takeBytes(size);
  }

  /** Throws TOO_LARGE for too many pages, and if reading them has taken too long. */
  check(pages: number): void {
    const { pages: mostPages, seconds } = this.#most;
    if (pages > mostPages) throw tooLarge(`${inFigures(mostPages)} pages`, `has ${inFigures(pages)}`);
    if (this.#ms > 1000 * seconds)
      throw tooLarge(
        `texts and images that take ${inFigures(seconds)} seconds to be read`,
        `has taken ${inFigures(this.#ms / 1000)} so far`,
      );
  }

  #takeBytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes > this.#most.bytes)
      throw tooLarge(`${inFigures(this.#most.bytes)} bytes, fetched and unpacked`, `has ${inFigures(this.#bytes)}`);
  }
}

const tooLarge = (most: string, own: string): DomainError =>
  new DomainError("TOO_LARGE", `An import may have at most ${most}: this one ${own}. Import a part of it at a time.`);
