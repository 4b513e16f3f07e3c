// The page of the settings of a site: its title and icon, whether agents may read it, and its deletion.
import { type SiteAnswer, siteAdminPage } from "#src/features/sites/views/site-frame.ts";
import { confirmed } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface SettingsSite {
  readonly agentsContext: "EXCLUDED" | "INCLUDED";
  readonly icon: { readonly images: { readonly light: string | null; readonly dark: string | null } | null } | null;
}

export type SettingsAnswer = SiteAnswer<SettingsSite>;

export const settingsView = (answer: SettingsAnswer, asked: Asked): Shown =>
  siteAdminPage(answer, asked, () => ({
    tab: "Settings",
    main: html`${problemOf(asked, "settings")} ${formOf("settings", fieldsOf(answer, asked), { style: "stacked" })}
    ${problemOf(asked, "delete")} ${deletion(answer)}`,
  }));

function fieldsOf({ site: { title, icon, agentsContext } }: SettingsAnswer, asked: Asked): Html {
  const value = (name: string, known: string | null) => filled(asked, "settings", name, known ?? "");
  const isSent = asked.problem?.form === "settings";
  const hasAgents = isSent ? asked.problem?.fields.has("agents") : agentsContext === "INCLUDED";
  return html`<label>
      Title
      <input name="title" required minlength="2" maxlength="128" value="${value("title", title)}" />
    </label>
    <label>
      Icon, as an emoji
      <input name="emoji" maxlength="50" value="${value("emoji", icon?.emoji ?? null)}" />
    </label>
    <label>
      Icon, as the address of a picture in place of the emoji
      <input name="light" type="url" value="${value("light", icon?.images?.light ?? null)}" />
    </label>
    <label>
      The picture on dark pages, if it is another one
      <input name="dark" type="url" value="${value("dark", icon?.images?.dark ?? null)}" />
    </label>
    <label class="check">
      <input type="checkbox" name="agents" ${hasAgents ? html`checked` : ""} />
      Agents may read it: by llms.txt, as Markdown and by MCP, with the rights of its visitors
    </label>
    <button>Save</button>`;
}

const deletion = ({ site: { title } }: SettingsAnswer): Html =>
  confirmed(
    "Delete this site…",
    formOf(
      "delete",
      html`<p>Its structure, look and addresses are lost. The spaces that it shows stay as they are.</p>
        <button>Delete ${title}</button>`,
      { style: "danger" },
    ),
  );
