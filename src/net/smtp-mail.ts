// Sends e-mail through the SMTP server of the operator.
import { createTransport } from "nodemailer";
import type { Mail } from "#src/net/mail.ts";

/** How long each step at the server may take, and all of them together, in milliseconds. */
const [stepMs, emailMs] = [10_000, 30_000];

/**
 * Sends through the server at `url`, with the sender `from`; passwords only over TLS, except to this machine. Addresses
 * and subject are passed separately, so that they cannot add headers or recipients; nothing is read from files.
 */
export function smtpMail(url: string, from: string): Mail {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isHere = ["localhost", "127.0.0.1", "::1"].includes(host);
  const transport = createTransport({
    host,
    port: port === "" ? (protocol === "smtps:" ? 465 : 587) : Number(port),
    secure: protocol === "smtps:",
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    requireTLS: username !== "" && !isHere,
    pool: true,
    maxConnections: 3,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    dnsTimeout: stepMs,
    socketTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, html, unsubscribe }) {
      const signal = AbortSignal.timeout(emailMs);
      const headers = unsubscribe === undefined ? {} : unsubscribeHeaders(unsubscribe);
      await transport.sendMail({ from, to: { name: "", address: to }, subject, text, html, headers, signal });
    },
  };
}

/** By these headers programs for e-mail offer a button that ends e-mails of the kind (RFC 2369 and 8058). */
const unsubscribeHeaders = (address: string) => ({
  "List-Unsubscribe": `<${address}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});
