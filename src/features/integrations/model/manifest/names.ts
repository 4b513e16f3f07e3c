// Names of integrations and of the hosts that their blocks unfurl, and the addresses of their images.
import { invalidInput } from "#src/base/errors.ts";

/** The form of both. */
export const namePattern = "^[a-zA-Z0-9-_.]+$";
const form = new RegExp(namePattern);
const longest = 100;

const mustHaveForm = "must be made of letters (A to Z), digits, -, _ and ., and not be empty.";

/**
 * A name of an integration. Throws INVALID_INPUT for one of another form or of more than 100 characters, and for `.`
 * and `..`, which addresses leave out.
 */
export function checkIntegrationName(name: string): string {
  if (!form.test(name)) throw invalidInput("name", mustHaveForm);
  if (name.length > longest)
    throw invalidInput("name", `must have at most ${longest} characters, and has ${name.length}.`);
  if (/^\.\.?$/.test(name)) throw invalidInput("name", "must be more than dots.");
  return name;
}

/** The hosts that a list is filtered by, as they are stored. Throws INVALID_INPUT for one of another form. */
export function checkBlockDomains(hosts: readonly string[]): string[] {
  return hosts.map((host, index) => {
    if (!form.test(host)) throw invalidInput(`blockDomains/${index}`, mustHaveForm);
    return host.toLowerCase();
  });
}

/** Where the images of an integration are, below the address of the gateway. */
export const imagesPath = (id: string): string => `/integrations/${id}/images/`;

/** `/integrations/<id>/images/<sha>`. */
export const imageAddress = /^\/integrations\/(int_\w+)\/images\/([0-9a-f]{64})$/;
