// The appearance of a site for its visitors: what its admins may choose, and how it is stored.
import { invalidInput } from "#src/base/errors.ts";
import { checkLine, checkText, checkWebAddress, type Optional } from "#src/domain/input.ts";
import { readColor } from "#src/features/sites/model/colors.ts";

/** Fonts by name, as values of `font-family`: families that systems have, so that no page loads one. */
export const fontFamilies = {
  system: "system-ui, sans-serif",
  humanist: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", source-sans-pro, sans-serif',
  geometric: 'Avenir, Montserrat, Corbel, "URW Gothic", source-sans-pro, sans-serif',
  serif: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, serif',
  monospace: 'ui-monospace, "Cascadia Code", "Source Code Pro", Menlo, Consolas, "DejaVu Sans Mono", monospace',
} as const;

export type SiteFont = keyof typeof fontFamilies;

/** The most characters of texts, and the most links. */
export const customizationLimits = { title: 128, linkTitle: 50, links: 10, footer: 500 } as const;

interface Pictures {
  readonly light?: string;
  readonly dark?: string;
}

interface HeaderLink {
  readonly title: string;
  readonly url: string;
}

/** The column `customization`: what is absent is the default. */
export interface StoredCustomization {
  readonly title?: string;
  /** As `#rrggbb`. */
  readonly primaryColor?: string;
  readonly logo?: Pictures;
  readonly font?: SiteFont;
  readonly headerLinks?: readonly HeaderLink[];
  readonly footer?: string;
}

/** Fields of an update: null restores the default, and undefined leaves a field unchanged. */
export type GivenCustomization = Optional<
  Omit<StoredCustomization, "logo"> & { readonly logo: Optional<{ light: string; dark: string }> }
>;

/** Where the input has the fields, for errors. */
export type CustomizationPaths = Readonly<Record<"title" | "primaryColor" | "logo" | "headerLinks" | "footer", string>>;

/** The customization after an update. INVALID_INPUT for values that are too long or malformed. */
export function customized(
  before: StoredCustomization,
  given: GivenCustomization,
  paths: CustomizationPaths,
): StoredCustomization {
  const after = Object.entries({ ...before, ...checked(given, paths) }).filter(([, value]) => value != null);
  return Object.fromEntries(after) as StoredCustomization; // null is the only other value of a field
}

/** The given fields in their stored form. */
function checked(
  { title, primaryColor, logo, font, headerLinks, footer }: GivenCustomization,
  paths: CustomizationPaths,
): object {
  const limits = customizationLimits;
  const all = {
    title: title && checkLine(paths.title, title, { min: 1, max: limits.title }),
    primaryColor: primaryColor && checkColor(paths.primaryColor, primaryColor),
    logo: logo && checkLogo(paths.logo, logo),
    font,
    headerLinks: headerLinks && checkLinks(paths.headerLinks, headerLinks),
    footer: footer && checkText(paths.footer, footer, { max: limits.footer }),
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, isEmpty(value) ? null : value]));
}

const isEmpty = (value: unknown): boolean => value === "" || (Array.isArray(value) && value.length === 0);

function checkColor(path: string, text: string): string {
  const color = readColor(text);
  if (color === null) throw invalidInput(path, "must be a colour such as #2563eb or #26e.");
  return color;
}

function checkLogo(path: string, { light, dark }: Optional<{ light: string; dark: string }>): Pictures {
  if (light == null && dark == null) throw invalidInput(path, "must have a picture for at least one theme.");
  return {
    ...(light != null && { light: checkWebAddress(`${path}/light`, light) }),
    ...(dark != null && { dark: checkWebAddress(`${path}/dark`, dark) }),
  };
}

function checkLinks(path: string, links: readonly HeaderLink[]): HeaderLink[] {
  const { links: most, linkTitle: max } = customizationLimits;
  if (links.length > most) throw invalidInput(path, `must contain at most ${most} links.`);
  return links.map(({ title, url }, index) => ({
    title: checkLine(`${path}/${index}/title`, title, { min: 1, max }),
    url: checkWebAddress(`${path}/${index}/url`, url),
  }));
}

/** The values of a customization by their names in events. */
export function factsOf({ logo, headerLinks, ...plain }: StoredCustomization) {
  return {
    title: plain.title ?? null,
    primaryColor: plain.primaryColor ?? null,
    "logo.light": logo?.light ?? null,
    "logo.dark": logo?.dark ?? null,
    font: plain.font?.toUpperCase() ?? null,
    "headerLinks.title": headerLinks?.map(({ title }) => title) ?? null,
    "headerLinks.url": headerLinks?.map(({ url }) => url) ?? null,
    footer: plain.footer ?? null,
  };
}
