// E-mails: a queue in PostgreSQL keeps them until they are sent, by any gateway and also after a restart.
import type { Logger } from "pino";
import type { Background } from "#src/jobs/background.ts";
import type { Job, JobContext } from "#src/jobs/job.ts";
import type { Email, Mail } from "#src/net/mail.ts";
import { untilAborted } from "#src/runtime/waiting.ts";

export interface EmailKind<Data extends object> {
  readonly name: string;
  /** Writes an e-mail when it is sent, so that the queue contains no secrets; null if it must not be sent. */
  readonly write: (context: JobContext, data: Data) => Email | null | Promise<Email | null>;
}

interface Message {
  readonly kind: string;
  readonly data: object;
}

interface Queue {
  readonly send: (job: string, message: object) => Promise<void>;
}

/** See the head of this file. Features that send e-mails limit, in the database, how many an address gets. */
export class Emails {
  readonly #mail: Mail;
  readonly #kinds: ReadonlyMap<string, EmailKind<never>>;
  readonly #opened = Promise.withResolvers<void>();
  #queue: Queue | undefined;

  constructor(mail: Mail, kinds: readonly EmailKind<never>[]) {
    this.#mail = mail;
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
  }

  /** Whether e-mails are only logged, as in development without a mail server. */
  get areLogged(): boolean {
    return this.#mail.isLogged ?? false;
  }

  get job(): Job {
    const run: Job["run"] = (context, message) => this.#send(context, message as Message); // in the form of `post`
    return { name: "email.send", schedule: null, run };
  }

  /** Sends e-mails of a queue from now on. */
  open(queue: Queue): void {
    this.#queue = queue;
    this.#opened.resolve();
  }

  /** Puts an e-mail into the queue, beside the request: the response does not show whether one is sent. */
  post<Data extends object>(
    { background, log }: { readonly background: Background; readonly log: Logger },
    { name }: EmailKind<Data>,
    data: Data,
  ): void {
    const message: Message = { kind: name, data };
    const posting = background.run(async (stopping) => {
      if (!this.#queue) await untilAborted(this.#opened.promise, stopping);
      await this.#queue?.send(this.job.name, message);
    });
    posting.catch((error: unknown) => log.error({ err: error }, `${name} could not be queued as an e-mail`));
  }

  async #send(context: JobContext, { kind, data }: Message): Promise<void> {
    const known = this.#kinds.get(kind);
    if (!known) throw new Error(`This release does not know the e-mail "${kind}".`); // a newer release may
    const email = await known.write(context, data as never); // as passed to `post`
    if (!email) return;
    try {
      await this.#mail.send(email);
    } catch (error) {
      if (!isRefusal(error)) throw error; // the queue repeats it
      context.log.error({ err: error }, `${kind} could not be sent by e-mail`);
    }
  }
}

/** Whether the server rejected this e-mail permanently (RFC 5321, section 4.2.1: codes from 500). */
function isRefusal(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, "responseCode") : null;
  return typeof code === "number" && code >= 500;
}
