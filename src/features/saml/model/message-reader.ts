// Reads untrusted messages in a thread, within a second, since hostile XML can keep its parsers busy.
import { ThreadPool } from "#src/runtime/threads.ts";
import type { MessageAnswer, MessageReaders, MessageTask } from "#src/features/saml/model/message-worker.ts";
import { SamlError } from "#src/features/saml/model/xml.ts";

const pool = new ThreadPool<MessageTask, MessageAnswer>(new URL("message-worker.ts", import.meta.url), {
  threads: 1,
  megabytes: 128,
  limitsCpu: true,
});

/** The limit for one message, with all certificates of its provider, in milliseconds of CPU time. */
const timeLimit = 1_000;

/**
 * Reads and checks a message by the reader of its kind. Throws a {@link SamlError} if it is not accepted or takes
 * longer than {@link timeLimit}; RATE_LIMITED if too many of the same tenant wait.
 */
export async function readMessage<Kind extends keyof MessageReaders>(
  kind: Kind,
  ...given: Parameters<MessageReaders[Kind]>
): Promise<Awaited<ReturnType<MessageReaders[Kind]>>> {
  const task = { kind, given } as MessageTask; // `given` matches `kind`
  const { answers, ended } = await pool.run([task], timeLimit);
  const [answer] = answers;
  if (!answer) throw new SamlError(`checking it takes too ${ended === "out of time" ? "long" : "much memory"}`);
  if ("problem" in answer) throw new SamlError(answer.problem);
  return answer.read as Awaited<ReturnType<MessageReaders[Kind]>>; // the result of the reader of this kind
}
