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

/** In development, where there is no server: what would be sent stands in the log. */
export function loggedMail(log: Logger): Mail {
  return {
    send: ({ to, text }) => {
      log.info(`SMTP_URL is not set, so this e-mail to ${to} is not sent:\n${text}`);
      return Promise.resolve();
    },
  };
}
