// The mutations that change the appearance of a site.
import { setSiteCustomization, updateSiteCustomization } from "#src/features/sites/commands/customization.ts";
import { customizationLimits } from "#src/features/sites/model/customization.ts";
import { onSite, rights } from "#src/features/sites/mutations/structure.ts";
import { sites } from "#src/features/sites/reads.ts";
import { SiteFont } from "#src/features/sites/type/customization.ts";
import { SiteIconImagesInput } from "#src/features/sites/type/inputs.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";
import { ofLength } from "#src/graph/schema/rest-forms.ts";

const HeaderLinkInput = builder.inputType("SiteHeaderLinkInput", {
  description: "A link in the header of a site.",
  fields: (t) => ({
    title: t.string({
      required: true,
      extensions: ofLength({ min: 1, max: customizationLimits.linkTitle }),
      description: "Its text, 1 to 50 characters.",
    }),
    url: t.string({ required: true, description: "An address that starts with https:// or http://." }),
  }),
});

const maxLinks = customizationLimits.links;
const about = {
  title: "Title in the header, 1 to 128 characters; the title of the site by default.",
  primaryColor:
    "Colour of links and controls, such as `#2563eb`. Pages use the nearest colour that is readable on their background.",
  logo: "Pictures in the header.",
  font: "Font; SYSTEM by default.",
  links: `Links in the header, in their order, at most ${maxLinks}.`,
  footer: "Text at the end of each page, at most 500 characters.",
};

const titleLength = ofLength({ min: 1, max: customizationLimits.title });
const footerLength = ofLength({ max: customizationLimits.footer });

const SiteStylingInput = builder.inputType("SiteStylingInput", {
  description: "Colour and font of a site.",
  fields: (t) => ({
    primaryColor: t.string({ description: about.primaryColor }),
    font: t.field({ type: SiteFont, description: about.font }),
  }),
});

const SiteHeaderInput = builder.inputType("SiteHeaderInput", {
  description: "The header of a site.",
  fields: (t) => ({
    logo: t.field({ type: SiteIconImagesInput, description: about.logo }),
    links: t.field({ type: [HeaderLinkInput], description: about.links }),
  }),
});

const SiteFooterInput = builder.inputType("SiteFooterInput", {
  description: "The end of each page of a site.",
  fields: (t) => ({ text: t.string({ extensions: footerLength, description: about.footer }) }),
});

defineMutation({
  name: "setSiteCustomization",
  description: `Replaces the appearance of a site for its visitors: omitted fields and null restore the default. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    title: t.string({ extensions: titleLength, description: about.title }),
    styling: t.field({ type: SiteStylingInput, description: "Colour and font." }),
    header: t.field({ type: SiteHeaderInput, description: "Header." }),
    footer: t.field({ type: SiteFooterInput, description: "End of each page." }),
  }),
  run: (input, context) => setSiteCustomization(context, input),
  payload: rowPayload("site", sites, "The site."),
});

defineMutation({
  name: "updateSiteCustomization",
  description: `Changes the appearance of a site for its visitors. Omitted fields stay unchanged, and null restores the default. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    title: t.string({ extensions: titleLength, description: about.title }),
    primaryColor: t.string({ description: about.primaryColor }),
    logo: t.field({ type: SiteIconImagesInput, description: about.logo }),
    font: t.field({ type: SiteFont, description: about.font }),
    headerLinks: t.field({ type: [HeaderLinkInput], description: about.links }),
    footer: t.string({ extensions: footerLength, description: about.footer }),
  }),
  run: (input, context) => updateSiteCustomization(context, input),
  payload: rowPayload("site", sites, "The site."),
});
