// Checks manifests: the published data of integrations except script, secrets and images.
import { type ErrorDetail, invalidInput } from "#src/base/errors.ts";
import { isRecord } from "#src/base/json.ts";
import { isStorable } from "#src/base/text/forms.ts";
import { checkText, checkWebAddress, given, ifGiven, type Length, type Optional } from "#src/domain/input.ts";
import type { IntegrationRuntime, IntegrationTarget, IntegrationVisibility } from "#src/generated/prisma/enums.ts";

type Texts = { readonly title: string; readonly description: string; readonly icon: string };
export type BlockMarkdown = { readonly codeblock?: string | undefined; readonly body?: string | undefined };

export interface Block extends Partial<Texts> {
  readonly id: string;
  /** The prefixes of addresses that turn into this block. */
  readonly urlUnfurl?: readonly string[];
  readonly markdown?: BlockMarkdown;
}

export interface ContentSource extends Partial<Texts> {
  readonly id: string;
  readonly configuration?: { readonly componentId: string };
}

export type ExternalLink = { readonly url: string; readonly label: string };

export interface GivenManifest extends Optional<{
  runtime: IntegrationRuntime;
  description: string;
  summary: string;
  visibility: IntegrationVisibility;
  target: IntegrationTarget;
  scopes: readonly string[];
  categories: readonly string[];
  blocks: readonly ({ readonly id: string } & Optional<
    Texts & { urlUnfurl: readonly string[]; markdown: Optional<BlockMarkdown> }
  >)[];
  contentSources: readonly ({ readonly id: string } & Optional<
    Texts & { configuration: { readonly componentId: string } }
  >)[];
  externalLinks: readonly ExternalLink[];
  contentSecurityPolicy: string;
  /** In place of `contentSecurityPolicy`: a text, or directives by their names. */
  policy: unknown;
}> {
  readonly title: string;
}

const most = { blocks: 100, unfurled: 100, contentSources: 100, links: 20 } as const;

const lengths = {
  id: { min: 1, max: 100 },
  title: { min: 1, max: 128 },
  description: { max: 1024 },
  summary: { max: 100_000 },
  icon: { max: 100 },
  label: { min: 1, max: 128 },
  codeblock: { max: 100 },
  policy: { max: 4000 },
} satisfies Record<string, Length>;

/** INVALID_INPUT, with the path, for texts, addresses and lists beyond their limits, and for repeated ids. */
export function checkManifest(manifest: GivenManifest) {
  const blocks = checkBlocks(manifest.blocks ?? []);
  const contentSources = checkContentSources(manifest.contentSources ?? []);
  return {
    title: checkText("title", manifest.title, lengths.title),
    description: textOrNull("description", manifest.description, lengths.description),
    summary: textOrNull("summary", manifest.summary, lengths.summary),
    runtime: manifest.runtime ?? "v1",
    visibility: manifest.visibility ?? "private",
    target: manifest.target ?? "all",
    scopes: [...new Set(manifest.scopes)],
    categories: [...new Set(manifest.categories)],
    blocks,
    blockDomains: [...new Set(blocks.flatMap(({ urlUnfurl = [] }) => urlUnfurl.map(hostOf)))],
    hasBlocks: blocks.length > 0,
    contentSources,
    hasContentSources: contentSources.length > 0,
    externalLinks: checkLinks(manifest.externalLinks ?? []),
    contentSecurityPolicy:
      manifest.policy == null
        ? checkPolicy("contentSecurityPolicy", manifest.contentSecurityPolicy)
        : checkPolicy("policy", policyText(manifest.policy)),
  };
}

export type Manifest = ReturnType<typeof checkManifest>;

const optionalText = (path: string, text: string | null | undefined, length: Length): string | undefined =>
  ifGiven(path, text, (given) => checkText(path, given, length)) || undefined;

function textOrNull(path: string, text: string | null | undefined, length: Length): string | null {
  return text == null ? null : checkText(path, text, length) || null;
}

/** The given texts that are not empty. INVALID_INPUT for null. */
function textsIn(path: string, given: Optional<Texts>): Partial<Texts> {
  const names = ["title", "description", "icon"] as const;
  const texts = names.map((name) => [name, optionalText(`${path}/${name}`, given[name], lengths[name])] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined)) as Partial<Texts>; // of the names above
}

export function requireAtMost(path: string, list: readonly unknown[], count: number): void {
  if (list.length > count) throw invalidInput(path, `must have at most ${count} entries, but has ${list.length}.`);
}

/** Checks entries with unique ids. */
function eachById<Given extends { readonly id: string }, Made>(
  path: string,
  given: readonly Given[],
  make: (entry: Given, at: string) => Made,
): (Made & { readonly id: string })[] {
  const known = new Set<string>();
  return given.map((entry, index) => {
    const at = `${path}/${index}`;
    const id = checkText(`${at}/id`, entry.id, lengths.id);
    if (known.has(id)) throw invalidInput(`${at}/id`, `must be unique, but another entry has the id ${id}.`);
    known.add(id);
    return { id, ...make(entry, at) };
  });
}

function checkBlocks(blocks: NonNullable<GivenManifest["blocks"]>): Block[] {
  requireAtMost("blocks", blocks, most.blocks);
  return eachById("blocks", blocks, ({ urlUnfurl, markdown, ...texts }, at) => ({
    ...textsIn(at, texts),
    ...given({
      urlUnfurl: ifGiven(`${at}/urlUnfurl`, urlUnfurl, (addresses) => checkUnfurled(`${at}/urlUnfurl`, addresses)),
      markdown: ifGiven(`${at}/markdown`, markdown, (written) => checkMarkdown(`${at}/markdown`, written)),
    }),
  }));
}

function checkMarkdown(path: string, given: Optional<BlockMarkdown>): BlockMarkdown {
  const text = (name: keyof BlockMarkdown) => optionalText(`${path}/${name}`, given[name], lengths.codeblock);
  return { codeblock: text("codeblock"), body: text("body") };
}

/** The prefix of an address: its host may begin with `*.` for all subdomains, and its path may contain `*`. */
const unfurled = /^https?:\/\/(?:\*\.)?([a-z0-9-_.]+)(?::\d+)?(?:[/?#]\S*)?$/i;

const hostOf = (address: string): string => unfurled.exec(address)?.[1]?.toLowerCase() ?? "";

function checkUnfurled(path: string, addresses: readonly string[]): string[] {
  requireAtMost(path, addresses, most.unfurled);
  return addresses.map((address, index) => {
    const text = checkText(`${path}/${index}`, address, { min: 1, max: 2048 });
    if (unfurled.test(text)) return text;
    throw invalidInput(`${path}/${index}`, "must be the prefix of an address, such as https://example.com/.");
  });
}

function checkContentSources(sources: NonNullable<GivenManifest["contentSources"]>): ContentSource[] {
  requireAtMost("contentSources", sources, most.contentSources);
  return eachById("contentSources", sources, ({ configuration, ...texts }, at) => ({
    ...textsIn(at, texts),
    ...given({
      configuration: ifGiven(`${at}/configuration`, configuration, ({ componentId }) => ({
        componentId: checkText(`${at}/configuration/componentId`, componentId, lengths.id),
      })),
    }),
  }));
}

function checkLinks(given: readonly ExternalLink[]): ExternalLink[] {
  requireAtMost("externalLinks", given, most.links);
  return given.map(({ url, label }, index) => ({
    url: checkWebAddress(`externalLinks/${index}/url`, url),
    label: checkText(`externalLinks/${index}/label`, label, lengths.label),
  }));
}

/** A policy as one text. INVALID_INPUT for what is neither a text nor directives by their names. */
function policyText(given: unknown): string {
  if (typeof given === "string") return given;
  const directives = isRecord(given) ? Object.entries(given) : [];
  const texts = directives.map(([name, value]) => {
    const sources = Array.isArray(value) ? value.join(" ") : value;
    const isDirective = /^[a-z][a-z-]*$/.test(name) && typeof sources === "string" && !/[;,]/.test(sources);
    if (!isDirective)
      throw invalidInput("policy", "must have directives by their names, each with its sources as a text.");
    return `${name} ${sources}`.trim();
  });
  if (!isRecord(given)) throw invalidInput("policy", "must be a text, or an object with directives by their names.");
  return texts.join("; ");
}

/** The policy is sent as one header. */
function checkPolicy(path: "policy" | "contentSecurityPolicy", given: string | null | undefined): string | null {
  const policy = textOrNull(path, given, lengths.policy)?.replaceAll(/\s+/g, " ") ?? null;
  if (policy === null || /^[\x20-\x2b\x2d-\x7e]*$/.test(policy)) return policy;
  throw invalidInput(path, "may contain only ASCII characters, without commas.");
}

const secretLimits = { count: 100, value: 10_000 } as const;

/** Checks secrets by name. INVALID_INPUT messages never contain values. */
export function checkSecrets(given: unknown): Readonly<Record<string, string>> {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw invalidInput("secrets", "must be an object with string values.");
  const entries = Object.entries(given);
  requireAtMost("secrets", entries, secretLimits.count);
  const faults = entries.flatMap(([name, value]): ErrorDetail[] => {
    const path = `secrets/${name.slice(0, lengths.id.max)}`;
    if (!/^[A-Za-z_]\w{0,99}$/.test(name) || name === "__proto__")
      return [
        { path, message: "must have a name of at most 100 letters, digits and _ that does not begin with a digit." },
      ];
    if (typeof value !== "string" || !isStorable(value) || value.length > secretLimits.value)
      return [{ path, message: `must be a string of at most ${secretLimits.value} characters.` }];
    return [];
  });
  const [first] = faults;
  if (first) throw invalidInput(first.path, first.message);
  return Object.fromEntries(entries) as Record<string, string>; // checked above
}
