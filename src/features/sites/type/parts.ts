// The object types and enumerations inside Site: icon, proxy, adaptive content, advertising and features.
import type { StoredIcon } from "#src/features/sites/commands/site.ts";
import { limited, type RestNullExtensions } from "#src/graph/schema/rest-forms.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const SiteType = defineEnum(
  "SiteType",
  "The plan of a site.",
  {
    basic: "Basic.",
    premium: "Premium.",
    ultimate: "Ultimate.",
    sponsored: "Free, with advertising.",
    legacy_basic: "Basic, an earlier version.",
    legacy_premium: "Premium, an earlier version.",
  },
  { hyphens: true },
);

export const SiteVisibility = defineEnum(
  "SiteVisibility",
  "The audience of a site once it is published.",
  {
    public: "Anyone; indexed by search engines.",
    unlisted: "Anyone; not indexed.",
    share_link: "Anyone with the secret key of the link.",
    visitor_auth: "Anyone with a token (JWT) issued by the owner of the site.",
  },
  { hyphens: true },
);

export const AgentsContext = defineEnum("AgentsContext", "Whether agents may access a site.", {
  excluded: "Agents cannot access it: nothing is made for them, and `robots.txt` refuses those known by name.",
  included: "Agents can access it, as its visitors: by `llms.txt`, pages as Markdown, and MCP.",
});

export const SiteIconImages = builder.objectRef<{ light?: string; dark?: string }>("SiteIconImages").implement({
  description: "Addresses of the pictures of a site.",
  fields: (t) => ({
    light: t.exposeString("light", {
      extensions: limited({ format: "uri" }),
      nullable: true,
      description: "For the light theme.",
    }),
    dark: t.exposeString("dark", {
      extensions: limited({ format: "uri" }),
      nullable: true,
      description: "For the dark theme.",
    }),
  }),
});

export const SiteIcon = builder.objectRef<StoredIcon>("SiteIcon").implement({
  description: "The icon of a site: exactly one of its fields is set.",
  extensions: { restNull: true } satisfies RestNullExtensions, // a missing icon is null in the contract
  fields: (t) => ({
    images: t.valueOrNull(SiteIconImages, "Its pictures.", (icon) => ("icon" in icon ? icon.icon : null)),
    emoji: t.valueOrNull("String", "Its emoji.", (icon) => ("emoji" in icon ? icon.emoji : null)),
  }),
});

export const SiteProxy = builder.objectRef<{ origin: string; target: string }>("SiteProxy").implement({
  description: "The address on another server that serves a site.",
  fields: (t) => ({
    origin: t.exposeString("origin", { description: "Host of the other server." }),
    target: t.exposeString("target", { description: "Path on it." }),
  }),
});

/** The proxy of a site, from its columns; null without one. */
export const proxyOf = ({ proxyOrigin: origin, proxyTarget: target }: ProxyColumns) =>
  origin === null || target === null ? null : { origin, target };

type ProxyColumns = { readonly proxyOrigin: string | null; readonly proxyTarget: string | null };

export const SiteAdaptiveContent = builder.objectRef<{ enabled: boolean }>("SiteAdaptiveContent").implement({
  description: "Settings of content that depends on the visitor.",
  fields: (t) => ({ enabled: t.exposeBoolean("enabled", { description: "Whether it is on." }) }),
});
