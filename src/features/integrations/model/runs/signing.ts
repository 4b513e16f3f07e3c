// Signs requests to the addresses of integrations by the Standard Webhooks scheme.
import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** A new signing key in the form for receivers. */
export const newSigningKey = (): string => prefix + randomBytes(32).toString("base64");

/** The headers that sign a body. All attempts have the same `id`, by which receivers detect repeats. */
export function signedHeaders(
  key: string,
  message: { id: string; at: Date; body: string | Uint8Array },
): Record<string, string> {
  const timestamp = Math.floor(message.at.getTime() / 1000);
  const bytes = Buffer.from(key.startsWith(prefix) ? key.slice(prefix.length) : key, "base64");
  const signature = createHmac("sha256", bytes)
    .update(`${message.id}.${timestamp}.`)
    .update(message.body)
    .digest("base64");
  return { "webhook-id": message.id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
}
