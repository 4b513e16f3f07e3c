// The way to people by e-mail, in plain text.
import type { Logger } from "pino";

/** An e-mail of plain text. */
export interface Letter {
  /** One address, which is checked. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends e-mail. Rejects when the server does not take it in time, or when `ending` is aborted. */
export interface Mail {
  send(letter: Letter, ending: AbortSignal): Promise<void>;
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
