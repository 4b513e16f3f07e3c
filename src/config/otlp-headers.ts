// The headers of an OpenTelemetry collector, as OTEL_EXPORTER_OTLP_HEADERS writes them.

/** Reads `name=value,name=value` with percent-encoded values (OTEL_EXPORTER_OTLP_HEADERS); null if invalid. */
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
