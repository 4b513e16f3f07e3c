// The mailer: sends e-mail to people.
import type { Logger } from "pino";
import { cutLine } from "#src/base/text/cut.ts";

export interface Email {
  /** One address, validated. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as HTML. */
  readonly html: string;
  /** The address that ends e-mails of this kind, also by a POST without anything else (RFC 8058). */
  readonly unsubscribe?: string;
}

/** A user's text quoted in e-mail: one cut line without addresses, so that nobody sends links in docgraph's name. */
export function quoteInEmail(text: string): string {
  const words = text
    .normalize("NFKC")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, " ")
    .replaceAll('"', "'")
    .split(/\s+/)
    .map((word) => (/:\/\/|www\./i.test(word) ? "…" : word.replaceAll(/[.。](?=[\p{L}\p{N}])/gu, "$& ")));
  return `"${cutLine(words.join(" "), 100)}"`;
}

/** Sends e-mail. Rejects if the server does not accept it in time. */
export interface Mail {
  /** Set if e-mails are only logged, and reach nobody. */
  readonly isLogged?: true;
  send(email: Email): Promise<void>;
}

/** Logs e-mail in development; its text, with sign-in links, only on a terminal. */
export function loggedMail(log: Pick<Logger, "info">, { showsText }: { readonly showsText: boolean }): Mail {
  return {
    isLogged: true,
    send: ({ to, text }) => {
      const shown = showsText ? `:\n${text}` : `. A link to sign in: npm run -s login -- ${to}`;
      log.info(`SMTP_URL is not set, so this e-mail to ${to} was not sent${shown}`);
      return Promise.resolve();
    },
  };
}
