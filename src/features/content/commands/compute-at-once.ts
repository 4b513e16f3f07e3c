// Computing the pages that a command has written: before it answers where that is soon done, and else beside it.
import type { Context } from "#src/domain/context.ts";
import { computeContent } from "#src/features/content/commands/compute.ts";
import type { ContentPlace } from "#src/features/content/commands/lock.ts";

/** How long, in milliseconds, an answer waits for its computed pages. */
const patienceMs = 3_000;

/** How many contents one process computes in this way: beyond that they wait for those who follow the events. */
const mostAtATime = 4;

let running = 0;

/**
 * Computes what is new in a content, and answers its revision where that has changed within some seconds. What takes
 * longer goes on: the event of the content tells its end. What fails is logged, and tried again by a job: what was
 * written stays.
 */
export async function computeAtOnce(context: Context, place: ContentPlace): Promise<string | null> {
  const { background, feed, reader } = context;
  if (running >= mostAtATime) {
    feed.wake();
    return null;
  }
  running++;
  const computed = background.run((stopping) => compute(context, place, stopping));
  void computed.finally(() => {
    running--;
    feed.wake();
  });
  const soon = await background.waitFor(computed, patienceMs);
  reader.forget();
  return soon?.revisionId ?? null;
}

async function compute(
  { database, files, clock, log }: Context,
  place: ContentPlace,
  stopping: AbortSignal,
): Promise<{ revisionId: string | null }> {
  try {
    return { revisionId: await computeContent({ database, files, clock, log }, place, stopping) };
  } catch (error) {
    log.error({ err: error, ...place }, "Computed pages could not be made");
    return { revisionId: null };
  }
}
