// The way to people by e-mail, in plain text.
import type { Logger } from "pino";
import { cutLine } from "#src/base/text/cut-line.ts";

/** An e-mail of plain text. */
export interface Email {
  /** One address, which is checked. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The most characters of a user's text in an e-mail. */
const longestQuote = 100;

/**
 * A user's text as an e-mail to others quotes it: one line without control characters, cut, and without addresses,
 * which mail programs turn into links. So nobody sends strangers a link in the name of docgraph.
 */
export function quoteInEmail(text: string): string {
  const words = text
    .normalize("NFKC")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, " ")
    .replaceAll('"', "'")
    .split(/\s+/)
    .map((word) => (/:\/\/|www\./i.test(word) ? "…" : word.replaceAll(/[.。](?=[\p{L}\p{N}])/gu, "$& ")));
  return `"${cutLine(words.join(" "), longestQuote)}"`;
}

/** Sends e-mail. Rejects when the server does not take it in time. */
export interface Mail {
  send(email: Email): Promise<void>;
}

/**
 * In development, where there is no server: the log has what would be sent. It has the text, with links that sign in,
 * only where a person reads it, and not where it is kept in a file.
 */
export function loggedMail(log: Pick<Logger, "info">, { showsText }: { readonly showsText: boolean }): Mail {
  return {
    send: ({ to, text }) => {
      const shown = showsText ? `:\n${text}` : `. A link to sign in: npm run -s login -- ${to}`;
      log.info(`SMTP_URL is not set, so this e-mail to ${to} is not sent${shown}`);
      return Promise.resolve();
    },
  };
}
