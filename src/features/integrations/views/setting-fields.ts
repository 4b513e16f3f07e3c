// Fields for the settings that an integration declares. The name of a field says the type of its value, so that a form
// is read without the declaration.
import type { Settings } from "#src/features/integrations/model/manifest/configurations.ts";
import { optionsOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import type { Asked } from "#src/pages/page.ts";

type Property = NonNullable<Settings["properties"]>[string];

/** Values by the names of properties. */
export type Values = Readonly<Record<string, string | number | boolean>>;

/** A configuration, and what identifies its form among those of the page with the same name. */
interface Configured {
  readonly settings: Settings | undefined;
  readonly values: Values;
  readonly form: string;
  /** The value of the hidden field `of`. */
  readonly of: string;
}

const prefix = "setting";

/** The fields of all declared properties. They keep what was sent when the form was refused. */
export function settingFields({ settings, values, form, of }: Configured, { problem }: Asked): Html {
  const sent = problem?.form === form && problem.fields.get("of") === of ? problem.fields : null;
  const required = new Set(settings?.required);
  return html`<input type="hidden" name="of" value="${of}" /> ${Object.entries(settings?.properties ?? {}).map(
      ([name, property]) => {
        const field = `${prefix}:${property.type}:${name}`;
        const value = sent ? (sent.get(field) ?? "") : String(values[name] ?? property.default ?? "");
        return fieldOf(name, property, { field, value, isRequired: required.has(name) });
      },
    )}`;
}

interface Field {
  readonly field: string;
  readonly value: string;
  readonly isRequired: boolean;
}

function fieldOf(name: string, { title, description, type, enum: among }: Property, of: Field): Html {
  const hint = description === undefined ? "" : html`<span class="hint">${description}</span>`;
  const control = type === "boolean" ? choiceOf(["true", "false"], of) : among ? choiceOf(among.map(String), of) : null;
  return html`<label>
    ${title ?? name}${of.isRequired ? "" : " (optional)"} ${hint} ${control ?? textField(type, of)}
  </label>`;
}

const choiceNames: Readonly<Record<string, string>> = { true: "Yes", false: "No" };

const choiceOf = (among: readonly string[], { field, value, isRequired }: Field): Html =>
  html`<select name="${field}" ${isRequired ? html`required` : ""}>
    ${optionsOf([["", "—"] as const, ...among.map((one) => [one, choiceNames[one] ?? one] as const)], value)}
  </select>`;

const textField = (type: Property["type"], { field, value, isRequired }: Field): Html =>
  value.includes("\n")
    ? html`<textarea name="${field}" ${isRequired ? html`required` : ""}>${"\n"}${value}</textarea>`
    : html`<input
        name="${field}"
        ${type === "number" ? html`type="number" step="any"` : ""}
        ${isRequired ? html`required` : ""}
        autocomplete="off"
        maxlength="10000"
        value="${value}"
      />`;

/** The values that such a form contains; empty fields are left out. The schema refuses a number that is not one. */
export function settingsIn(fields: URLSearchParams): Values {
  const values: [string, Values[string]][] = [];
  for (const [field, text] of fields) {
    const [start, type, ...name] = field.split(":");
    if (start !== prefix || text === "") continue;
    values.push([name.join(":"), valueOf(type, text.replaceAll("\r\n", "\n"))]);
  }
  return Object.fromEntries(values);
}

function valueOf(type: string | undefined, text: string): Values[string] {
  if (type === "boolean") return text === "true";
  const number = type === "number" ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}
