// The e-mails that an application sends in a test, by their recipients.
import type { Page } from "playwright-core";
import type { Email, Mail } from "#src/net/mail.ts";

/** Receives the e-mails of `mail`; `next` waits for the next one to an address with these words in its subject. */
export function openInbox() {
  const came: Email[] = [];
  const waiting = new Set<() => void>();
  const take = (to: string, words: RegExp): Email | undefined => {
    const index = came.findIndex((email) => email.to === to && words.test(email.subject));
    return index === -1 ? undefined : came.splice(index, 1)[0];
  };
  const mail: Mail = {
    async send(email) {
      came.push(email);
      for (const look of waiting) look();
    },
  };
  const next = (to: string, words = /./) =>
    new Promise<Email>((resolve) => {
      const look = () => {
        const email = take(to, words);
        if (!email) return;
        waiting.delete(look);
        resolve(email);
      };
      waiting.add(look);
      look();
    });
  return { mail, next };
}

/** Shows an e-mail as a program for e-mail does, and follows its button. */
export async function followEmail(page: Page, { html }: Email): Promise<void> {
  await page.goto("about:blank");
  await page.setContent(html);
  await page.getByRole("link").click();
  await page.waitForURL(/^http/); // until it is loaded: a click only waits for its first bytes
}
