// A real SMTP server on this machine, and the e-mails that it received.
import { SMTPServer } from "smtp-server";
import type { AddressInfo } from "node:net";

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

export interface Mailbox extends AsyncDisposable {
  readonly url: string;
  /** The next e-mail that was not returned yet; waits for it. */
  next(): Promise<Received>;
  /** The received e-mails that were not returned yet. */
  readonly waiting: readonly Received[];
}

/** Starts one. `refuse` returns the code with which a recipient is refused; null accepts it. */
export async function openMailbox(refuse: (to: string) => number | null = () => null): Promise<Mailbox> {
  const waiting: Received[] = [];
  const asked: ((received: Received) => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 1, // milliseconds: clients keep their connections
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      const responseCode = refuse(address);
      done(responseCode === null ? null : Object.assign(new Error("There is no such mailbox"), { responseCode }));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        const to = rcptTo.map(({ address }) => address);
        const received = { from, to, text: Buffer.concat(chunks).toString("utf8") };
        const reader = asked.shift();
        if (reader) reader(received);
        else waiting.push(received);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    waiting,
    next: () => {
      const received = waiting.shift();
      return received ? Promise.resolve(received) : new Promise((resolve) => asked.push(resolve));
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
