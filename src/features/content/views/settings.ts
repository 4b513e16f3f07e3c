// The settings of a space: its title and emoji, who may read it, and how it is edited.
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { placeOf } from "#src/features/content/views/place.ts";
import { spacePage } from "#src/features/content/views/space-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

export type SettingsAnswer = SpaceAnswer & { readonly space: { readonly visibility: string } };

const visibilities = [
  ["IN_COLLECTION", "Like the collection it is in"],
  ["PRIVATE", "People who were given access"],
  ["PUBLIC", "Everybody, and search engines list it"],
  ["UNLISTED", "Everybody who knows the address"],
  ["SHARE_LINK", "Everybody with a secret link"],
  ["VISITOR_AUTH", "Visitors of a site who have signed in"],
] as const;

const modes = [
  ["LIVE", "Directly, and in change requests"],
  ["LOCKED", "In change requests only"],
] as const;

/** Null for people who may not change them. */
export function settingsView(answer: SettingsAnswer, asked: Asked): Shown {
  const place = placeOf(answer);
  const { space } = answer;
  if (!place || !space.permissions.admin) return null;
  return spacePage(answer, place, {
    title: "Settings",
    part: "settings",
    main: html`<h1>Settings</h1>
      ${problemOf(asked, "settings")}
      ${formOf(
        "settings",
        html`<label
            >Title
            <input name="title" value="${filled(asked, "settings", "title", space.title)}" required maxlength="50"
          /></label>
          <label
            >Emoji <input name="emoji" value="${filled(asked, "settings", "emoji", space.emoji)}" maxlength="50"
          /></label>
          ${choice("Who may read it", "visibility", visibilities, filled(asked, "settings", "visibility", space.visibility))}
          ${choice("How it is edited", "editMode", modes, filled(asked, "settings", "editMode", space.editMode))}
          <button>Save</button>`,
        { style: "stacked" },
      )}
      <details class="removal" ${asked.problem?.form === "delete" ? html`open` : ""}>
        <summary>Delete this space</summary>
        ${problemOf(asked, "delete")}
        <p>It disappears for everybody. An admin can restore it within seven days.</p>
        ${formOf("delete", html`<button class="danger">Delete ${space.title}</button>`)}
      </details>`,
  });
}

type Options = readonly (readonly [value: string, text: string])[];

const choice = (label: string, name: string, options: Options, chosen: string): Html =>
  html`<label
    >${label}
    <select name="${name}">
      ${options.map(
        ([value, text]) => html`<option value="${value}" ${value === chosen ? html`selected` : ""}>${text}</option>`,
      )}
    </select></label
  >`;
