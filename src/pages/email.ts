// The layout of all e-mails: each is written once, as paragraphs around one button, and sent as HTML and as text.
import { html } from "#src/http/html.ts";
import type { Email } from "#src/net/mail.ts";

interface Letter extends Pick<Email, "to" | "subject"> {
  readonly title: string;
  /** Paragraphs before the button. Names that users chose are quoted by `quoteInEmail`. */
  readonly says: readonly string[];
  /** A name on a line of its own, after these. */
  readonly quoted?: string;
  /** The only link: the address is shown, too, for readers of the text. */
  readonly button: { readonly label: string; readonly address: string };
  /** Paragraphs after it. */
  readonly after: readonly string[];
}

/** Lays out an e-mail. All values are escaped in its HTML. */
export function layOutEmail({ to, subject, ...letter }: Letter): Email {
  return { to, subject, text: textOf(letter), html: documentOf(letter) };
}

type Content = Omit<Letter, "to" | "subject">;

const textOf = ({ says, quoted, button, after }: Content): string =>
  `${[...says, ...(quoted === undefined ? [] : [`  ${quoted}`]), button.address, ...after].join("\n\n")}\n`;

/** Programs for e-mail ignore styles outside of elements, or remove them. */
const styles = {
  page: "margin:0;padding:24px 12px;background:#f4f2ec;color:#1c2126;font:16px/1.55 system-ui,sans-serif",
  sheet: "max-width:32rem;margin:0 auto;padding:28px;background:#ffffff;border-radius:12px",
  brand: "margin:0 0 20px;color:#0b6b5c;font-weight:700",
  title: "margin:0 0 16px;font-size:22px;line-height:1.25",
  quoted: "margin:0 0 16px;padding-left:14px;border-left:3px solid #0b6b5c;font-size:18px;font-weight:600",
  button: "display:inline-block;padding:12px 22px;border-radius:8px;background:#0b6b5c;color:#ffffff;font-weight:600",
  soft: "margin:0 0 12px;color:#5a6169;font-size:14px;overflow-wrap:anywhere",
};

function documentOf({ title, says, quoted, button, after }: Content): string {
  const { label, address } = button;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
      </head>
      <body style="${styles.page}">
        <div style="${styles.sheet}">
          <p style="${styles.brand}">docgraph</p>
          <h1 style="${styles.title}">${title}</h1>
          ${says.map((paragraph) => html`<p style="margin:0 0 16px">${paragraph}</p>`)}
          ${quoted === undefined ? "" : html`<p style="${styles.quoted}">${quoted}</p>`}
          <p style="margin:24px 0">
            <a href="${address}" style="${styles.button};text-decoration:none">${label}</a>
          </p>
          ${after.map((paragraph) => html`<p style="${styles.soft}">${paragraph}</p>`)}
          <p style="${styles.soft}">If the button does not work, open this address: <br />${address}</p>
        </div>
      </body>
    </html> `;
  return document.text.replaceAll(/\n\s+/g, "\n");
}
