// The icon of a site: an emoji, or pictures for the two themes.
import { invalidInput } from "#src/base/errors.ts";
import { checkText, checkWebAddress, given, oneOf, type Optional } from "#src/domain/input.ts";
import type { SettingChange } from "#src/events/event.ts";

/** An icon as it is stored. */
export type StoredIcon =
  | { readonly icon: { readonly light?: string; readonly dark?: string } }
  | { readonly emoji: string };

/** An icon as clients give it: exactly one of the two. */
export type GivenSiteIcon = Optional<{ emoji: string; images: Optional<{ light: string; dark: string }> }>;

/**
 * An icon as stored; null for none. INVALID_INPUT unless it is an emoji of at most 50 characters, or one picture or
 * more.
 */
export function checkSiteIcon(icon: GivenSiteIcon | null | undefined): StoredIcon | null | undefined {
  if (icon == null) return icon;
  const { emoji, images } = icon;
  oneOf("icon", { emoji, images });
  if (emoji != null) return { emoji: checkText("icon/emoji", emoji, { min: 1, max: 50 }) };
  const address = (theme: "light" | "dark") =>
    images?.[theme] == null ? undefined : checkWebAddress(`icon/images/${theme}`, images[theme]);
  const pictures = given({ light: address("light"), dark: address("dark") });
  if (Object.keys(pictures).length === 0)
    throw invalidInput("icon/images", "must have a picture for one theme at least.");
  return { icon: pictures };
}

/** What another icon changes, as an event tells it. `before` is as it is stored. */
export function iconChanges(before: unknown, after: StoredIcon | null): SettingChange[] {
  const [old, present] = [told(before as StoredIcon | null), told(after)]; // the column has no other form
  return Object.keys(old).flatMap((name) => {
    const change = { field: `icon.${name}`, before: old[name] ?? null, after: present[name] ?? null };
    return change.before === change.after ? [] : [change];
  });
}

function told(icon: StoredIcon | null): Record<string, string | undefined> {
  const { light, dark } = icon && "icon" in icon ? icon.icon : {};
  return { emoji: icon && "emoji" in icon ? icon.emoji : undefined, "images.light": light, "images.dark": dark };
}
