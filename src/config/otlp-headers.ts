// The headers that a collector of traces wants, as OpenTelemetry writes them into one variable.

/**
 * Reads `name=value,name=value`, with values as in an address (%2C and such); null for anything else
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables).
 */
export function readOtlpHeaders(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const pair of text.split(",")) {
    const [, name, value] = /^\s*([!#$%&'*+.^`|~\w-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) return null;
    try {
      headers[name] = decodeURIComponent(value);
    } catch {
      return null;
    }
    if (!/^[\x20-\x7E]*$/.test(headers[name])) return null;
  }
  return headers;
}
