// Reads messages of strangers in a thread, within a second: XML can be made to keep its readers busy for long.
import { ThreadPool } from "#src/runtime/threads.ts";
import type { MessageAnswer, MessageReaders, MessageTask } from "#src/features/saml/model/message-worker.ts";
import { SamlError } from "#src/features/saml/model/xml.ts";

const pool = new ThreadPool<MessageTask, MessageAnswer>(new URL("message-worker.ts", import.meta.url), {
  threads: 1,
  megabytes: 128,
  limitsCpu: true,
});

/** For one message, with all certificates of its provider, in milliseconds of CPU time. */
const timeLimit = 1_000;

/**
 * Reads and checks a message by the reader of its kind. Throws a {@link SamlError} if it is not accepted or takes
 * longer than {@link timeLimit}; RATE_LIMITED where too many of the same tenant wait.
 */
export async function readMessage<Kind extends keyof MessageReaders>(
  kind: Kind,
  ...given: Parameters<MessageReaders[Kind]>
): Promise<Awaited<ReturnType<MessageReaders[Kind]>>> {
  const task = { kind, given } as MessageTask; // of one kind
  const { answers, ended } = await pool.run([task], timeLimit);
  const [answer] = answers;
  if (!answer) throw new SamlError(`it takes too ${ended === "out of time" ? "long" : "much memory"} to be checked`);
  if ("problem" in answer) throw new SamlError(answer.problem);
  return answer.read as Awaited<ReturnType<MessageReaders[Kind]>>; // of the reader of this kind
}
