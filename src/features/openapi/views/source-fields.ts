// The fields for the source of a specification: the address that it is fetched from, or its text.
import { html, type Html } from "#src/http/html.ts";
import { filled } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

/** The fields of the form with this name; `sourceURL` is the present address. */
export const sourceFields = (form: string, sourceURL: string | null, asked: Asked): Html =>
  html`<label>
      Address of its JSON or YAML, which is checked for changes
      <input
        name="url"
        type="url"
        maxlength="2048"
        placeholder="https://"
        value="${filled(asked, form, "url", sourceURL ?? "")}"
      />
    </label>
    <label>
      Or its text
      <textarea name="text" rows="8" spellcheck="false">${"\n"}${filled(asked, form, "text")}</textarea>
    </label>`;

/** The source that such a form contains: a text has precedence over an address. */
export function sourceIn(fields: URLSearchParams): { readonly text: string } | { readonly url: string } {
  const text = fields.get("text") ?? "";
  return text.trim() === "" ? { url: fields.get("url")?.trim() ?? "" } : { text };
}
