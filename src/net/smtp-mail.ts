// E-mail through the SMTP server of the operator.
import { createTransport } from "nodemailer";
import type { Mail } from "#src/net/mail.ts";

/** How long each step at the server may take, and all of them together, in milliseconds. */
const stepMs = 10_000;
const emailMs = 30_000;

/** The most connections to the server at a time. */
const maxConnections = 3;

/**
 * Through the server at `url` (`smtp://`, or `smtps://` for TLS from the beginning), in the name of `from`. A password
 * is sent by TLS alone, but on this machine. Addresses and subject are given apart from each other, so that nothing in
 * them can become a header or another recipient; and nothing of an e-mail is read from files or addresses.
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
    maxConnections,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    dnsTimeout: stepMs,
    socketTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      const signal = AbortSignal.timeout(emailMs);
      await transport.sendMail({ from, to: { name: "", address: to }, subject, text, signal });
    },
  };
}
