// Sends events of a space to an address, signed, if the space has switched them on; after its answer.
import { createIntegration, Logger } from "@gitbook/runtime";

const logger = Logger("webhook");

const handle = async (event, { environment, waitUntil }) => {
  const { configuration } = environment.spaceInstallation ?? {};
  if (!configuration?.comments) return logger.debug("comments are off here");
  const body = JSON.stringify(event);
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(configuration.secret), algorithm, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign(algorithm, key, encoder.encode(`${event.eventId}.${body}`)));
  const signature = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const headers = { "x-signature": signature, "content-type": "application/json" };
  waitUntil(
    fetch(configuration.url, { method: "POST", headers, body, signal: AbortSignal.timeout(5_000) }).then((response) => {
      if (!response.ok) throw new Error(`The address answered ${response.status}`);
      logger.info("sent");
    }),
  );
};

export default createIntegration({ events: { comment_created: [handle], space_content_updated: handle } });
