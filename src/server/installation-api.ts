// context.api of scripts: GraphQL and /v1 in this process, as the installation, without a connection or a token. Calls
// keep to limits as those of people do, charged to the installation.
import type { Clock } from "#src/base/time.ts";
import { isRecord } from "#src/base/json.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";
import type { Allowance } from "#src/db/connection/budget.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { TimeLimit } from "#src/db/connection/time-limit.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { Viewers } from "#src/access/viewers.ts";
import type { Context } from "#src/domain/context.ts";
import type { Identity } from "#src/domain/scripts.ts";
import { publicError } from "#src/graph/run/errors.ts";
import { type Executor, isOperation } from "#src/graph/run/execute.ts";
import { runWithinLimits } from "#src/graph/run/within-limits.ts";
import { ByteWriter } from "#src/plan/byte-writer.ts";
import type { Rest } from "#src/rest/rest.ts";
import type { CallAnswer, ScriptCall } from "#src/sandbox/messages.ts";

interface Options {
  readonly executor: Executor;
  readonly rest: Rest;
  readonly database: Database;
  readonly clock: Clock;
  readonly contextFor: (viewer: Viewer, requestId: string, allowance: Allowance) => Context;
}

const answerLength = 1_000_000;
/** What one call may read: no more than an answer of that length can hold. */
const allowance: Allowance = { rows: 10_000, values: 50_000, characters: answerLength };
/** How many calls of one installation run at a time; further ones wait for them. */
const callsAtOnce = 2;
const refused = (message: string): CallAnswer => ({ ok: false, message: `context.api: ${message}` });

/** Renews the one viewer that is no person's token: by the rows of its installation. */
class InstallationViewers extends Viewers {
  readonly #renew: Identity["renew"];

  constructor(options: Pick<Options, "database" | "clock">, renew: Identity["renew"]) {
    super(options.database, options.clock, { maxAge: 0 });
    this.#renew = renew;
  }

  override renew(): Promise<Viewer | null> {
    return this.#renew();
  }
}

/** Makes what answers the calls of scripts to the gateway. Nothing of a call is done after its signal is aborted. */
export function createInstallationApi(options: Options) {
  const calls = new FairSemaphore({ perOwner: callsAtOnce });
  const contextOf = ({ viewer, allowedMutations, renew }: Identity): Context => ({
    ...options.contextFor(viewer, `script of ${viewer.userId}`, allowance),
    allowedMutations,
    viewers: new InstallationViewers(options, renew),
  });
  return async (identity: Identity, { kind, request }: ScriptCall, signal: AbortSignal): Promise<CallAnswer> => {
    const asked: unknown = JSON.parse(request);
    if (!isRecord(asked)) return refused("an object is needed.");
    const run = kind === "graphql" ? runGraphql : runRest;
    const json = await calls.run(identity.viewer.userId, async () => {
      const context = contextOf(identity);
      return untilAborted(signal, context.limit, () => run(options, context, asked));
    });
    if (json === null) return refused("subscriptions cannot be asked for.");
    if (json.length > answerLength) return refused(`the answer has more than ${answerLength} characters.`);
    return { ok: true, json, body: null };
  };
}

/** Does work whose time ends with the signal, and none where that is aborted already. */
async function untilAborted<Result>(signal: AbortSignal, limit: TimeLimit, work: () => Promise<Result>) {
  signal.throwIfAborted();
  const abandon = (): void => limit.abandon();
  signal.addEventListener("abort", abandon, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener("abort", abandon);
  }
}

type Asked = Readonly<Record<string, unknown>>;

async function runGraphql({ executor }: Options, context: Context, { query, variables }: Asked) {
  const operation = executor.prepare(String(query));
  if (!isOperation(operation)) return JSON.stringify({ errors: operation });
  if (operation.kind === "subscription") return null;
  try {
    const answer = await runWithinLimits(context, operation, isRecord(variables) ? variables : {});
    return answer instanceof ByteWriter ? textOf(answer) : JSON.stringify(answer);
  } catch (error) {
    return JSON.stringify({ errors: [publicError(error, context)] });
  }
}

function textOf(out: ByteWriter): string {
  const text = out.bytes.toString();
  out.free();
  return text;
}

async function runRest({ rest }: Options, context: Context, { method, path, body }: Asked): Promise<string> {
  const [place = "", ...searches] = String(path).split("?");
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const answer = await rest({
    method: String(method),
    path: place,
    search: searches.join("?"),
    headers: bytes ? { "content-type": "application/json", "content-length": String(bytes.length) } : {},
    readBody: (limit) => {
      if (bytes && limit !== undefined && bytes.length > limit) throw new DomainError("TOO_LARGE");
      return Promise.resolve(bytes ?? Buffer.alloc(0));
    },
    contextFor: () => Promise.resolve(context),
  });
  const { body: written } = answer;
  const text = written instanceof ByteWriter ? textOf(written) : (written ?? "null");
  return `{"status":${answer.status},"body":${text}}`;
}
