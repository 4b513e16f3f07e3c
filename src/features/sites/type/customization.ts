// The GraphQL type of the appearance of a site.
import { readableColors } from "#src/features/sites/model/colors.ts";
import {
  customizationLimits,
  fontFamilies,
  type SiteFont as SiteFontValue,
  type StoredCustomization,
} from "#src/features/sites/model/customization.ts";
import { SiteIconImages } from "#src/features/sites/type/parts.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineTexts } from "#src/graph/schema/flag-types.ts";
import { limited, ofLength } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const SiteFont = defineEnum("SiteFont", "The font of a site: families that systems have.", {
  system: "The font of the reader's system.",
  humanist: "A sans serif like handwriting.",
  geometric: "A sans serif of circles and straight lines.",
  serif: "A serif.",
  monospace: "A font of fixed width.",
});

const SiteColors = defineTexts("SiteColors", "A colour of a site, as `#rrggbb`.", {
  chosen: "The chosen colour.",
  light: "The colour on light pages: the nearest one with a contrast of at least 4.5.",
  dark: "The colour on dark pages: the nearest one with a contrast of at least 4.5.",
});

const HeaderLink = builder.objectRef<{ title: string; url: string }>("SiteHeaderLink").implement({
  description: "A link in the header of a site.",
  fields: (t) => ({
    title: t.exposeString("title", {
      extensions: ofLength({ min: 1, max: customizationLimits.linkTitle }),
      description: "Its text.",
    }),
    url: t.exposeString("url", { extensions: limited({ format: "uri" }), description: "Its address." }),
  }),
});

interface Customization {
  readonly siteTitle: string;
  readonly stored: StoredCustomization;
}

/** The customization of a site, from its columns. */
export const customizationOf = ({
  title,
  customization,
}: {
  title: string;
  customization: unknown;
}): Customization => ({
  siteTitle: title,
  stored: (customization as StoredCustomization | null) ?? {}, // only ever written in this form
});

/** The title in the header. */
export const shownTitleOf = ({ siteTitle, stored }: Customization): string => stored.title ?? siteTitle;

export const SiteCustomization = builder.objectRef<Customization>("SiteCustomization").implement({
  description: "The appearance of a site for its visitors.",
  fields: (t) => ({
    title: t.value("String", "Title in the header; the title of the site by default.", shownTitleOf),
    primaryColor: t.valueOrNull(SiteColors, "Colour of links and controls; null for the default.", ({ stored }) =>
      stored.primaryColor === undefined
        ? null
        : { chosen: stored.primaryColor, ...readableColors(stored.primaryColor) },
    ),
    logo: t.valueOrNull(
      SiteIconImages,
      "Pictures in the header, in place of icon and title; null without them.",
      ({ stored }) => stored.logo,
    ),
    font: t.value(SiteFont, "Font.", ({ stored }): SiteFontValue => stored.font ?? "system"),
    fontFamily: t.value(
      "String",
      "The font as a value of `font-family` in CSS.",
      ({ stored }) => fontFamilies[stored.font ?? "system"],
    ),
    headerLinks: t.value([HeaderLink], "Links in the header, in their order.", ({ stored }) => [
      ...(stored.headerLinks ?? []),
    ]),
    footer: t.valueOrNull("String", "Text at the end of each page; null without one.", ({ stored }) => stored.footer),
  }),
});
