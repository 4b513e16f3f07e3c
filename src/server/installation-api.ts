// context.api of scripts: GraphQL and /v1 in this process, as the installation, without a connection or a token.
import type { Clock } from "#src/base/time.ts";
import { isRecord } from "#src/base/json.ts";
import type { Database } from "#src/db/database.ts";
import { DomainError } from "#src/base/errors.ts";
import { trafficLimits } from "#src/base/limits.ts";
import { type Payer, workFor } from "#src/base/payer.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { Viewers } from "#src/access/viewers.ts";
import type { Context } from "#src/domain/context.ts";
import type { Identity } from "#src/domain/scripts.ts";
import { type Executor, isOperation } from "#src/graph/execute.ts";
import { Out } from "#src/plan/out.ts";
import type { Rest } from "#src/rest/rest.ts";
import type { CallAnswer, ScriptCall } from "#src/sandbox/messages.ts";

interface Options {
  readonly executor: Executor;
  readonly rest: Rest;
  readonly database: Database;
  readonly clock: Clock;
  readonly contextFor: (viewer: Viewer, requestId: string) => Context;
}

const answerLength = 1_000_000;
const refused = (message: string): CallAnswer => ({ ok: false, message });

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

/** Makes what answers the calls of scripts to the gateway. */
export function createInstallationApi(options: Options) {
  const contextOf = ({ viewer, allowedMutations, renew }: Identity): Context => ({
    ...options.contextFor(viewer, `script of ${viewer.userId}`),
    allowedMutations,
    viewers: new InstallationViewers(options, renew),
  });
  return async (identity: Identity, { kind, request }: ScriptCall): Promise<CallAnswer> => {
    const asked: unknown = JSON.parse(request);
    if (!isRecord(asked)) return refused("context.api: an object is needed.");
    const run = kind === "graphql" ? runGraphql : runRest;
    const json = await workFor(payerOf(identity), () => run(options, contextOf(identity), asked));
    if (json === null) return refused("context.api: subscriptions cannot be asked for.");
    if (json.length > answerLength) return refused(`context.api: the answer has more than ${answerLength} characters.`);
    return { ok: true, json, body: null };
  };
}

/** Threads work for the installation, which has no account. */
const payerOf = ({ viewer: { userId: user } }: Identity): Payer => {
  const nothing = (): void => {};
  return { user, mostWaiting: trafficLimits.workWaitingPerUser, takeTime: nothing, countRefusal: nothing };
};

type Asked = Readonly<Record<string, unknown>>;

async function runGraphql({ executor }: Options, context: Context, { query, variables }: Asked) {
  const operation = executor.prepare(String(query));
  if (!isOperation(operation)) return JSON.stringify({ errors: operation });
  if (operation.kind === "subscription") return null;
  return JSON.stringify(await operation.run(context, isRecord(variables) ? variables : {}));
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
  const text = written instanceof Out ? written.bytes.toString() : (written ?? "null");
  if (written instanceof Out) written.free();
  return `{"status":${answer.status},"body":${text}}`;
}
