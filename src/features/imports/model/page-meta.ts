// The settings of a page in its front matter: those that pages have, and those of other tools that place, name and
// address it.
import { z } from "zod";
import { isStorable } from "#src/base/text/forms.ts";
import type { PageFields, PageLayout } from "#src/features/content/model/page.ts";

/** What other tools write about the place, the names and the addresses of a page. */
export interface PageMeta {
  /** Its name in a table of contents. */
  readonly label: string | null;
  readonly order: number | null;
  /** Its own address, as written. */
  readonly slug: string | null;
  /** All its addresses: its slug, former ones, and ids. */
  readonly routes: readonly string[];
  /** The number of former addresses of the page. */
  readonly formerAddresses: number;
  readonly isDraft: boolean;
  /** The title of the page above it. */
  readonly parent: string | null;
}

export const noMeta: PageMeta = {
  label: null,
  order: null,
  slug: null,
  routes: [],
  formerAddresses: 0,
  isDraft: false,
  parent: null,
};

/** The front matter of a page. */
export interface PageSettings {
  readonly title?: string;
  /** The URL of an image, as written. */
  readonly cover?: string;
  readonly coverY?: number;
  readonly fields: PageFields;
  readonly meta: PageMeta;
  readonly problems: readonly string[];
}

/** Maximum length of front matter, in UTF-16 code units. */
export const longest = 64 * 1024;

/** A text; an empty one counts as missing. */
const textOf = (max: number) =>
  z
    .union([z.string(), z.number(), z.boolean()])
    .transform((value) => String(value).trim() || undefined)
    .refine((value = "") => isStorable(value) && Array.from(value).length <= max);

const yes = z.boolean().transform((value) => value || undefined);

/** Whether to show a part of the layout, in the short form or in that of other tools. */
const shown = z.union([z.boolean(), z.object({ visible: z.boolean() }).transform(({ visible }) => visible)]);

const layout = {
  width: z.enum(["default", "wide"]),
  coverSize: z.enum(["hero", "full", "background"]),
  cover: shown,
  title: shown,
  description: shown,
  tableOfContents: shown,
  outline: shown,
  pagination: shown,
  metadata: shown,
} satisfies Record<keyof PageLayout, z.ZodType>;

const ownNames = { title: textOf(longest), cover: textOf(2048), coverY: z.number().min(-100_000).max(100_000) };

const fields = {
  description: textOf(1000),
  icon: textOf(100),
  emoji: textOf(50),
  hidden: yes,
  noIndex: yes,
  noRobotsIndex: yes,
} satisfies Partial<Record<keyof PageFields, z.ZodType>>;

type Taken<Schemas extends Record<string, z.ZodType>> = {
  [Name in keyof Schemas]?: Exclude<z.output<Schemas[Name]>, undefined>;
};

/** Takes the fields of pages and the places of other tools; tools write many more into front matter. */
export function settingsOf(value: object): PageSettings {
  const problems: string[] = [];
  function take<Schemas extends Record<string, z.ZodType>>(from: object, schemas: Schemas, at = ""): Taken<Schemas> {
    const taken: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(schemas)) {
      const given: unknown = Object.hasOwn(from, name) ? Reflect.get(from, name) : undefined;
      if (given === undefined || given === null) continue;
      const { data, success } = schema.safeParse(given);
      if (!success) problems.push(`The value of ${at}${name} in the front matter is not valid and is ignored.`);
      else if (data !== undefined) taken[name] = data;
    }
    return taken as Taken<Schemas>; // each checked by its own schema
  }
  const laidOut: unknown = Reflect.get(value, "layout");
  const taken = typeof laidOut === "object" && laidOut !== null ? take(laidOut, layout, "layout.") : {};
  const own = take(value, ownNames);
  const meta = metaOf(value, own.title ?? null);
  const hides =
    meta.isDraft ||
    yesIn(value, ["unlisted", "nav_exclude", "sidebar.hidden"]) ||
    readIn(value, ["display"]) === "hidden";
  return {
    ...own,
    fields: {
      ...take(value, fields),
      ...(hides && { hidden: true }),
      ...(Object.keys(taken).length > 0 && { layout: taken }),
    },
    meta,
    problems,
  };
}

/** The first value at one of these places, such as `sidebar.label`. */
function readIn(value: object, places: readonly string[]): unknown {
  for (const place of places) {
    let at: unknown = value;
    for (const name of place.split("."))
      at = typeof at === "object" && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined;
    if (at !== undefined && at !== null) return at;
  }
  return undefined;
}

const textIn = (value: object, places: readonly string[]): string | null => {
  const { data } = textOf(500).safeParse(readIn(value, places));
  return data ?? null;
};

const yesIn = (value: object, places: readonly string[]): boolean => readIn(value, places) === true;

const places = {
  label: [
    "sidebar_label",
    "sidebar.label",
    "linkTitle",
    "linktitle",
    "nav_title",
    "navtitle",
    "sidebarTitle",
    "shortTitle",
    "short_title",
    "menu_title",
    "navigation_title",
  ],
  order: [
    "sidebar_position",
    "sidebar.order",
    "weight",
    "nav_order",
    "order",
    "position",
    "sidebar_order",
    "menu_order",
    "ordering",
    "nav.order",
    "navigation.order",
    "menu.main.weight",
  ],
  slug: ["slug", "permalink", "url"],
  former: ["aliases", "alias", "redirect_from", "redirects"],
  names: ["id", "path"],
};

function metaOf(value: object, title: string | null): PageMeta {
  const order = readIn(value, places.order);
  const listed = (at: readonly string[]): unknown[] =>
    at.flatMap((place) => readIn(value, [place]) ?? []).slice(0, 100);
  const former = listed(places.former);
  const own = places.slug.flatMap((place) => textIn(value, [place]) ?? []);
  const number = typeof order === "string" && order.trim() !== "" ? Number(order) : order;
  return {
    label: textIn(value, places.label),
    order: typeof number === "number" && Number.isFinite(number) ? number : null,
    slug: own[0] ?? null,
    routes: [
      ...own,
      ...[...former, ...listed(places.names)].filter((route) => typeof route === "string" && route.length <= 500),
      title ?? [],
    ].flat() as string[],
    formerAddresses: former.filter((route) => typeof route === "string" && route.includes("/")).length,
    isDraft: yesIn(value, ["draft"]) || readIn(value, ["published"]) === false,
    parent: textIn(value, ["parent"]),
  };
}
