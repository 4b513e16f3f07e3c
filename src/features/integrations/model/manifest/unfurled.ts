// Matches addresses with the patterns of blocks that unfurl them.

/** `https://*.example.com:8080/ports/`: scheme, `*.` for all hosts below, host, port, and rest. */
const form = /^(https?):\/\/(\*\.)?([a-z0-9-_.]+)(?::(\d+))?(.*)$/i;

/** The host of an address and those above it. */
export function hostsAbove({ hostname }: URL): string[] {
  const names = hostname.split(".");
  return names.map((_, index) => names.slice(index).join("."));
}

/** Whether an address begins with a pattern. `*` in its path matches up to the next slash. */
export function unfurls(pattern: string, url: URL): boolean {
  const [, scheme = "", below, host = "", port = "", path = ""] = form.exec(pattern) ?? [];
  if (`${scheme.toLowerCase()}:` !== url.protocol || url.username !== "" || url.password !== "") return false;
  const wanted = host.toLowerCase();
  const isHost = below === undefined ? url.hostname === wanted : url.hostname.endsWith(`.${wanted}`);
  const usual = { http: "80", https: "443" }[scheme.toLowerCase()];
  return isHost && url.port === (port === usual ? "" : port) && beginsAs(path, url.pathname + url.search + url.hash);
}

/** Searches the pieces between stars one after the other, without backtracking. */
function beginsAs(pattern: string, text: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0 || text.slice(at, found).includes("/")) return false;
    at = found + piece.length;
  }
  return true;
}
