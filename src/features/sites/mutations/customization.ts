// The mutation that changes the appearance of a site.
import { updateSiteCustomization } from "#src/features/sites/commands/customization.ts";
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

defineMutation({
  name: "updateSiteCustomization",
  description: `Changes the appearance of a site for its visitors. Omitted fields stay unchanged, and null restores the default. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    title: t.string({
      extensions: ofLength({ min: 1, max: customizationLimits.title }),
      description: "Title in the header, 1 to 128 characters; the title of the site by default.",
    }),
    primaryColor: t.string({
      description:
        "Colour of links and controls, such as `#2563eb`. Pages use the nearest colour that is readable on their background.",
    }),
    logo: t.field({ type: SiteIconImagesInput, description: "Pictures in the header." }),
    font: t.field({ type: SiteFont, description: "Font; SYSTEM by default." }),
    headerLinks: t.field({ type: [HeaderLinkInput], description: "Links in the header, in their order, at most 10." }),
    footer: t.string({
      extensions: ofLength({ max: customizationLimits.footer }),
      description: "Text at the end of each page, at most 500 characters.",
    }),
  }),
  run: (input, context) => updateSiteCustomization(context, input),
  payload: rowPayload("site", sites, "The site."),
});
