// Names of integrations, and the hosts and addresses that their blocks unfurl.
import { invalidInput } from "#src/base/errors.ts";

export const namePattern = "^[a-zA-Z0-9-_.]+$";
const form = new RegExp(namePattern);
const longest = 100;

const mustHaveForm = "may contain only letters (A to Z), digits, -, _ and ., and must not be empty.";

/** INVALID_INPUT for an invalid name, for more than 100 characters, and for `.` and `..`, which URLs normalize away. */
export function checkIntegrationName(name: string): string {
  if (!form.test(name)) throw invalidInput("name", mustHaveForm);
  if (name.length > longest)
    throw invalidInput("name", `must have at most ${longest} characters, but has ${name.length}.`);
  if (/^\.\.?$/.test(name)) throw invalidInput("name", "must not be `.` or `..`.");
  return name;
}

/** The hosts of a filter, as they are stored. INVALID_INPUT for an invalid one. */
export function checkBlockDomains(hosts: readonly string[]): string[] {
  return hosts.map((host, index) => {
    if (!form.test(host)) throw invalidInput(`blockDomains/${index}`, mustHaveForm);
    return host.toLowerCase();
  });
}

export const imagesPath = (id: string): string => `/integrations/${id}/images/`;

export const imageAddress = /^\/integrations\/(int_\w+)\/images\/([0-9a-f]{64})$/;

/** `https://*.example.com:8080/ports/`: scheme, `*.` for all hosts below, host, port, and rest. */
const patternForm = /^(https?):\/\/(\*\.)?([a-z0-9-_.]+)(?::(\d+))?(.*)$/i;

/** The host of an address and its parent domains. */
export function hostsAbove({ hostname }: URL): string[] {
  const names = hostname.split(".");
  return names.map((_, index) => names.slice(index).join("."));
}

/** Whether an address begins with a pattern. `*` in its path matches up to the next slash. */
export function unfurls(pattern: string, url: URL): boolean {
  const [, scheme = "", below, host = "", port = "", path = ""] = patternForm.exec(pattern) ?? [];
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
