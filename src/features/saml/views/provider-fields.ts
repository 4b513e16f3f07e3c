// The fields of a SAML provider, for a new one and for one that exists.
import { roleIn, type RoleName, roleOptions } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

/** What identifies a provider, and the role of people who first sign in by it. */
export interface ProviderSettings {
  readonly label: string;
  readonly entityID: string | null;
  readonly ssoURL: string | null;
  readonly logoutURL: string | null;
  readonly certificate: string | null;
  readonly defaultRole: RoleName;
}

/** The fields of the form with this name. */
export function providerFields(form: string, settings: ProviderSettings, asked: Asked): Html {
  const value = (name: keyof ProviderSettings) => filled(asked, form, name, settings[name] ?? "");
  return html`<label>
      Name on the sign-in page
      <input name="label" required maxlength="30" value="${value("label")}" />
    </label>
    <label>
      Entity id
      <input name="entityID" value="${value("entityID")}" />
    </label>
    <label>
      Sign-in address
      <input name="ssoURL" type="url" value="${value("ssoURL")}" />
    </label>
    <label>
      Sign-out address, if it has one
      <input name="logoutURL" type="url" value="${value("logoutURL")}" />
    </label>
    <label>
      Certificates as PEM
      <textarea name="certificate" spellcheck="false">${value("certificate")}</textarea>
    </label>
    <label>
      Role at the first sign-in
      <select name="role">
        ${roleOptions(filled(asked, form, "role", settings.defaultRole ?? "GUEST"))}
      </select>
    </label>`;
}

/** The settings that such a form contains; empty fields are null. */
export function settingsIn(fields: URLSearchParams) {
  const text = (name: string) => fields.get(name)?.trim() || null;
  return {
    label: fields.get("label")?.trim(),
    entityID: text("entityID"),
    ssoURL: text("ssoURL"),
    logoutURL: text("logoutURL"),
    certificate: text("certificate"),
    defaultRole: roleIn(fields),
  };
}
