// The head of a page for search engines and previews of links: description, canonical address, `og:` and breadcrumbs.
import { html, Html } from "#src/http/html.ts";
import {
  isOpenToAnybody,
  type ShownPage,
  type ShownSpace,
  type SiteProfile,
} from "#src/features/published-sites/views/answer.ts";

interface Described {
  readonly site: SiteProfile;
  readonly space: ShownSpace | null;
  readonly page: ShownPage;
}

export function metadataOf({ site, space, page }: Described): Html {
  const { title, description, cover } = page;
  const address = publicAddressOf(site, page);
  const image = cover?.file?.downloadURL;
  const about = description ?? `${title}: a page of ${site.title}.`;
  return html`<meta name="description" content="${about}" />
    ${address === null ? "" : html`<link rel="canonical" href="${address}" />`}
    ${
      address === null || site.agentsContext !== "INCLUDED"
        ? ""
        : html`<link rel="alternate" type="text/markdown" href="${address}.md" />`
    }
    ${isOpenToAnybody(site) ? alternates(page) : ""}
    <meta property="og:type" content="article" />
    <meta property="og:site_name" content="${site.title}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${about}" />
    ${address === null ? "" : html`<meta property="og:url" content="${address}" />`}
    ${image === undefined ? "" : html`<meta property="og:image" content="${image}" />`}
    <meta name="twitter:card" content="${image === undefined ? "summary" : "summary_large_image"}" />
    <meta name="twitter:title" content="${title}" />
    <meta name="twitter:description" content="${about}" />
    ${iconLink(site)} ${breadcrumbList(site, space, page)}`;
}

/** The address of a page that anybody may read; others may contain a key. */
const publicAddressOf = (site: SiteProfile, { urls }: ShownPage): string | null =>
  isOpenToAnybody(site) ? urls.published : null;

/** The page in its other languages, and in its source language for all others. */
function alternates({ languages }: ShownPage): Html[] {
  const known = languages.flatMap(({ language, page }) =>
    page.urls.published === null ? [] : [{ language, address: page.urls.published }],
  );
  const [source] = known;
  const all = source && known.length > 1 ? [...known, { ...source, language: "x-default" }] : [];
  return all.map(({ language, address }) => html`<link rel="alternate" hreflang="${language}" href="${address}" />`);
}

/** The icon of a site in the tab of the browser; an empty one keeps browsers from asking for `/favicon.ico`. */
export const iconLink = ({ icon, emoji }: SiteProfile): Html => {
  const images = icon?.images;
  const picture = images?.light ?? images?.dark ?? pictureOfText(icon?.emoji ?? emoji ?? null);
  return html`<link rel="icon" href="${picture}" />`;
};

function pictureOfText(emoji: string | null): string {
  if (emoji === null || !/\p{Extended_Pictographic}/u.test(emoji)) return "data:,";
  const picture = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <text y="26" font-size="26">${emoji}</text>
  </svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture.text)}`;
}

/** The breadcrumbs as JSON-LD (schema.org). */
function breadcrumbList(site: SiteProfile, space: ShownSpace | null, page: ShownPage): Html {
  const base = isOpenToAnybody(site) ? site.urls.published : null;
  if (base === null) return html``;
  const item = (path: string) => `${base}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const section = space?.siteSection;
  const steps = [
    { name: site.title, item: base },
    ...(section ? [{ name: section.title, item: item(section.path) }] : []),
    ...page.breadcrumbs.map(({ title, path, type }) => ({
      name: title,
      ...(type !== "GROUP" && { item: item(path) }),
    })),
    { name: page.title, item: item(page.path) },
  ];
  return dataElement({
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: steps.map((step, index) => ({ "@type": "ListItem", position: index + 1, ...step })),
  });
}

/** Data within a page: `<` would end its element. */
const dataElement = (data: object): Html =>
  new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", String.raw`\u003c`)}</script>`);
