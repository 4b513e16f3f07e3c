// The worker that reads untrusted messages: a message made to be slow blocks only this thread, which is terminated.
import { serveTasks } from "#src/runtime/threads.ts";
import { readIdpMetadata } from "#src/features/saml/model/idp-metadata.ts";
import { readPostedLogout, readRedirectedLogout } from "#src/features/saml/model/logout.ts";
import { readResponse } from "#src/features/saml/model/response.ts";
import { SamlError } from "#src/features/saml/model/xml.ts";

const readers = {
  response: readResponse,
  postedLogout: readPostedLogout,
  redirectedLogout: readRedirectedLogout,
  metadata: readIdpMetadata,
};

export type MessageReaders = typeof readers;

/** A message with the arguments of its reader. */
export type MessageTask = {
  readonly [Kind in keyof MessageReaders]: { readonly kind: Kind; readonly given: Parameters<MessageReaders[Kind]> };
}[keyof MessageReaders];

export type MessageAnswer = { readonly read: unknown } | { readonly problem: string };

serveTasks(async ({ kind, given }: MessageTask): Promise<MessageAnswer> => {
  try {
    const read = readers[kind] as (...given: MessageTask["given"]) => unknown; // the reader of this kind
    return { read: await read(...given) };
  } catch (error) {
    if (error instanceof SamlError) return { problem: error.message };
    if (error instanceof RangeError) return { problem: "it is nested too deeply" }; // the call stack is full
    throw error;
  }
});
