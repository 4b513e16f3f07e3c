// The host of its own that public endpoints of integrations have, where INTEGRATIONS_URL names one.
import type { IncomingMessage } from "node:http";

/** Whether a value of the header Host names the host of `integrationsUrl`, at any port. */
export function isIntegrationsHost(
  host: IncomingMessage["headers"]["host"],
  integrationsUrl: string | undefined,
): boolean {
  if (host === undefined || integrationsUrl === undefined) return false;
  return URL.parse(`http://${host}`)?.hostname === new URL(integrationsUrl).hostname;
}
