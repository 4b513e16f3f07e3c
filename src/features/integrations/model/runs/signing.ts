// Signing what goes to the addresses of integrations, by the Standard Webhooks scheme.
import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** A new key to sign with, as the receiver is told it. */
export const newSigningKey = (): string => prefix + randomBytes(32).toString("base64");

/** The headers that sign a body. `id` stays the same from one try to the next, so that a receiver knows it again. */
export function signedHeaders(key: string, message: { id: string; at: Date; body: string }): Record<string, string> {
  const timestamp = Math.floor(message.at.getTime() / 1000);
  const bytes = Buffer.from(key.startsWith(prefix) ? key.slice(prefix.length) : key, "base64");
  const signature = createHmac("sha256", bytes).update(`${message.id}.${timestamp}.${message.body}`).digest("base64");
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
  };
}
