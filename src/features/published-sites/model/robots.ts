// The rules of a published site for robots: its `robots.txt` (RFC 9309), and the header `X-Robots-Tag` of its pages.

interface SiteRules {
  readonly visibility: "PUBLIC" | "UNLISTED" | "SHARE_LINK" | "VISITOR_AUTH";
  readonly agentsContext: "EXCLUDED" | "INCLUDED";
}

/** The names by which agents, and crawlers that collect texts for models, identify themselves to `robots.txt`. */
export const knownAgents = [
  "AI2Bot",
  "Amazonbot",
  "Applebot-Extended",
  "Bytespider",
  "CCBot",
  "ChatGPT-User",
  "Claude-SearchBot",
  "Claude-User",
  "ClaudeBot",
  "Diffbot",
  "DuckAssistBot",
  "FacebookBot",
  "GPTBot",
  "Google-CloudVertexBot",
  "Google-Extended",
  "ImagesiftBot",
  "MistralAI-User",
  "OAI-SearchBot",
  "PanguBot",
  "Perplexity-User",
  "PerplexityBot",
  "PetalBot",
  "Timpibot",
  "Webzio-Extended",
  "YouBot",
  "anthropic-ai",
  "cohere-ai",
  "cohere-training-data-crawler",
  "meta-externalagent",
  "meta-externalfetcher",
  "omgili",
] as const;

/** Search engines may read public sites only; a site that excludes agents refuses those that are known by name. */
export function robotsOf({
  visibility,
  agentsContext,
  sitemap,
}: SiteRules & { readonly sitemap: string | null }): string {
  const isPublic = visibility === "PUBLIC";
  const everybody = ["User-agent: *", isPublic ? "Allow: /" : "Disallow: /"];
  const agents = [...knownAgents.map((name) => `User-agent: ${name}`), "Disallow: /"];
  const groups = [
    everybody,
    ...(agentsContext === "EXCLUDED" ? [agents] : []),
    ...(isPublic && sitemap !== null ? [[`Sitemap: ${sitemap}`]] : []),
  ];
  return groups.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

/** The header `X-Robots-Tag` of a page; null if it restricts nothing. */
export function robotsTagOf({
  agentsContext,
  isListed,
}: Pick<SiteRules, "agentsContext"> & { readonly isListed: boolean }): string | null {
  const rules = [...(isListed ? [] : ["noindex"]), ...(agentsContext === "EXCLUDED" ? ["noai", "noimageai"] : [])];
  return rules.length === 0 ? null : rules.join(", ");
}
