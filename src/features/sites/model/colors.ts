// Colours of a site that stay readable: the contrast of WCAG 2.2, and the nearest colour that has enough of it.

/** The contrast of text with its background that WCAG 2.2 asks for (success criterion 1.4.3, level AA). */
const leastContrast = 4.5;

/** The backgrounds of pages: the lightest of the light and of the dark scheme, so that others have more contrast. */
const backgrounds = { light: "#ffffff", dark: "#24262b" } as const;

/** The steps in which a colour is mixed with black or white. */
const steps = 50;

const hexForm = /^#(?:[\da-f]{3}){1,2}$/i;

/** A colour as `#rrggbb` in lower case; null unless it is `#rgb` or `#rrggbb`. */
export function readColor(text: string): string | null {
  if (!hexForm.test(text)) return null;
  const digits = text.slice(1).toLowerCase();
  return `#${digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits}`;
}

/** The colour for text on a light and on a dark page: the nearest one towards black or white that is readable there. */
export const readableColors = (color: string): { readonly light: string; readonly dark: string } => ({
  light: readableOn(backgrounds.light, color, 0),
  dark: readableOn(backgrounds.dark, color, 255),
});

function readableOn(background: string, color: string, towards: number): string {
  const [from, against] = [channelsOf(color), luminanceOf(channelsOf(background))];
  for (let step = 0; step < steps; step += 1) {
    const mixed = from.map((channel) => Math.round(channel + ((towards - channel) * step) / steps));
    if (contrastOf(luminanceOf(mixed), against) >= leastContrast) return hexOf(mixed);
  }
  return hexOf([towards, towards, towards]);
}

/** The contrast of a colour, as `#rrggbb`, with a page in this scheme, from 1 to 21. */
export const contrastIn = (scheme: keyof typeof backgrounds, color: string): number =>
  contrastOf(luminanceOf(channelsOf(color)), luminanceOf(channelsOf(backgrounds[scheme])));

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));

const hexOf = (channels: readonly number[]): string =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;

/** The relative luminance, from 0 to 1. */
function luminanceOf(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two luminances, from 1 to 21. */
const contrastOf = (one: number, other: number): number =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
