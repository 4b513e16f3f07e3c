// The operations on the look of a site in /v1, which are additions, and the form of their body.
import { isRecord } from "#src/base/json.ts";
import { customizationLimits, fontFamilies } from "#src/features/sites/model/customization.ts";
import { sitePath, tagOf } from "#src/features/sites/routes/sites.ts";
import { type JsonForm, readString } from "#src/rest/request/property-forms.ts";
import { enumReader, type Field, type JsonReader, readFields, unlessNull } from "#src/rest/request/values.ts";
import { defineAdditions } from "#src/rest/route.ts";

const field = (name: string, read: JsonReader, of: Partial<Field> = {}): Field => ({
  name,
  required: false,
  read,
  ...of,
});

/** The reader of an object with these properties; `then` makes the value from those that were read. */
const objectOf = (
  fields: readonly Field[],
  then = (given: Readonly<Record<string, unknown>>): unknown => given,
): JsonReader =>
  unlessNull((value, pointer, refused) =>
    isRecord(value)
      ? then(readFields(fields, value, { pointer, refused }))
      : void refused.push({ path: pointer, message: "must be an object." }),
  );

const fonts = new Map(Object.keys(fontFamilies).map((name) => [name.toUpperCase(), name]));
const readFontName = enumReader(fonts);

const readFont: JsonReader = (value, pointer, refused) => {
  const reading = readFontName(value);
  return "value" in reading ? reading.value : void refused.push({ path: pointer, message: reading.refusal });
};

const text = (description: string, of: object = {}) => ({ type: "string", description, ...of });
const object = (properties: object, of: object = {}) => ({
  type: "object",
  additionalProperties: false,
  properties,
  ...of,
});

type Given = Readonly<Record<string, unknown>>;

/** The properties without those that have no effect, because docgraph derives them. */
const without =
  (...derived: readonly string[]) =>
  (given: Given): Given =>
    Object.fromEntries(Object.entries(given).filter(([name]) => !derived.includes(name)));

const readColor = objectOf(
  [field("light", readString, { required: true }), field("dark", readString)],
  ({ light }) => light,
);

const styling: JsonForm = {
  read: objectOf(
    [field("primaryColor", readColor), field("font", readFont), field("fontFamily", readString)],
    without("fontFamily"),
  ),
  schema: object({
    primaryColor: object(
      {
        light: text("The colour, such as `#2563eb`."),
        dark: text("Without effect: docgraph derives the colour of dark pages."),
      },
      { required: ["light"], description: "Colour of links and controls." },
    ),
    font: { type: "string", enum: [...fonts.values()], description: "Font; system by default." },
    fontFamily: text("Without effect: it follows from `font`."),
  }),
};

const readKind: JsonReader = (value, pointer, refused) => {
  if (value !== "url") refused.push({ path: pointer, message: "must be url." });
};

const readTarget = objectOf(
  [field("kind", readKind, { required: true }), field("url", readString, { required: true })],
  ({ url }) => url,
);

const readNoLinks: JsonReader = (value, pointer, refused) => {
  if (!Array.isArray(value) || value.length > 0)
    refused.push({ path: pointer, message: "must be an empty array: docgraph has no menus in the header." });
};

const readLinkFields = objectOf([
  field("title", readString, { required: true }),
  field("url", readString),
  field("to", readTarget),
  field("links", readNoLinks),
]);

/** A link with its address in `url` or in `to`. */
const readLink: JsonReader = (value, pointer, refused) => {
  const { title, url, to } = (readLinkFields(value, pointer, refused) ?? {}) as Given; // it reads an object
  if (isRecord(value) && Object.hasOwn(value, "url") === Object.hasOwn(value, "to"))
    refused.push({ path: pointer, message: "must set exactly one of url, to." });
  return { title, url: url ?? to };
};

const readLinks: JsonReader = (value, pointer, refused) =>
  Array.isArray(value)
    ? value.map((link, index) => readLink(link, `${pointer}/${index}`, refused) as unknown)
    : void refused.push({ path: pointer, message: "must be an array." });

const readLogo = objectOf([field("light", readString), field("dark", readString)]);
const address = { format: "uri" };

const link = object(
  {
    title: text("Its text.", { minLength: 1, maxLength: customizationLimits.linkTitle }),
    url: text("Its address.", address),
    to: object(
      { kind: { type: "string", const: "url" }, url: text("Its address.", address) },
      { required: ["kind", "url"], description: "Its address, instead of `url`." },
    ),
    links: { type: "array", maxItems: 0, items: {}, description: "Always empty: docgraph has no menus in the header." },
  },
  { required: ["title"] },
);

const header: JsonForm = {
  read: objectOf([field("logo", readLogo), field("links", readLinks)]),
  schema: object({
    logo: object(
      { light: text("For the light theme.", address), dark: text("For the dark theme.", address) },
      { description: "Pictures in the header: at least one." },
    ),
    links: { type: "array", maxItems: customizationLimits.links, items: link, description: "Links in their order." },
  }),
};

const lookFields = `
  fragment SiteCustomizationFields on Site {
    title: shownTitle
    styling: customization { primaryColor { light dark } font fontFamily }
    header: customization { logo { light dark } links: headerLinks { title url } }
    footer: customization { text: footer }
  }
`;

export const lookAdditions = defineAdditions(tagOf, {
  getSiteCustomizationById: {
    request: `GET ${sitePath}/customization`,
    summary: "Get the look of a site",
    answer: ["site"],
    fields: lookFields,
  },
  updateSiteCustomizationById: {
    request: `PUT ${sitePath}/customization`,
    summary: "Replace the look of a site by what docgraph has of it; other properties are refused",
    body: {
      title: { description: "Title in the header, 1 to 128 characters; that of the site by default.", notNull: true },
      styling: { description: "Colour and font.", form: styling },
      header: { description: "Logo and links of the header.", form: header },
      footer: { description: "The end of each page.", notNull: true },
    },
    answer: ["setSiteCustomization", "site"],
    fields: lookFields,
  },
});
