// The fields of an OpenID provider in forms.
import { roleIn, type RoleName, roleOptions } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

export interface OpenIdFields {
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly hasClientSecret: boolean;
  readonly defaultRole: RoleName;
}

/** The fields of the form with this name. */
export function openIdFields(form: string, settings: OpenIdFields, asked: Asked): Html {
  const value = (name: "label" | "issuer" | "clientId") => filled(asked, form, name, settings[name]);
  return html`<label>
      Name on the sign-in page
      <input name="label" required maxlength="30" value="${value("label")}" />
    </label>
    <label>
      Issuer
      <input name="issuer" type="url" required value="${value("issuer")}" />
    </label>
    <label>
      Client id
      <input name="clientId" required value="${value("clientId")}" />
    </label>
    <label>
      ${settings.hasClientSecret ? "New client secret; empty keeps the present one" : "Client secret, if it has one"}
      <input name="clientSecret" type="password" autocomplete="off" />
    </label>
    <label>
      Role at the first sign-in
      <select name="role">
        ${roleOptions(filled(asked, form, "role", settings.defaultRole ?? "GUEST"))}
      </select>
    </label>`;
}

/** The settings that such a form contains. */
export function settingsIn(fields: URLSearchParams) {
  const secret = fields.get("clientSecret")?.trim() ?? "";
  return {
    label: fields.get("label")?.trim(),
    issuer: fields.get("issuer")?.trim(),
    clientId: fields.get("clientId")?.trim(),
    ...(secret !== "" && { clientSecret: secret }),
    defaultRole: roleIn(fields),
  };
}
