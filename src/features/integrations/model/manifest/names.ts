// Names of integrations and of the hosts that their blocks unfurl, and the addresses of their images.
import { invalidInput } from "#src/base/errors.ts";

export const namePattern = "^[a-zA-Z0-9-_.]+$";
const form = new RegExp(namePattern);
const longest = 100;

const mustHaveForm = "must be made of letters (A to Z), digits, -, _ and ., and not be empty.";

/** INVALID_INPUT for an invalid name, for more than 100 characters, and for `.` and `..`, which URLs normalize away. */
export function checkIntegrationName(name: string): string {
  if (!form.test(name)) throw invalidInput("name", mustHaveForm);
  if (name.length > longest)
    throw invalidInput("name", `must have at most ${longest} characters, and has ${name.length}.`);
  if (/^\.\.?$/.test(name)) throw invalidInput("name", "must be more than dots.");
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
