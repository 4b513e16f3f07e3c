// E-mail domains of organizations: their form, excluded domains, and the TXT record that verifies their owner.

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const form = new RegExp(`^(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`);
const maxLength = 253;

/** Top-level domains that the public DNS does not have (RFC 2606, 6761, 6762, 7686, 9476; ICANN for `internal`). */
const reserved = /\.(?:alt|arpa|example|internal|invalid|local|localhost|onion|test)$/;

/** Domains at which anybody can get an address. */
const publicMail: ReadonlySet<string> = new Set(
  `126.com 139.com 163.com aol.com bluewin.ch btinternet.com comcast.net cox.net duck.com fastmail.com free.fr gmail.com
  gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr
  hotmail.it icloud.com inbox.com laposte.net libero.it live.com live.fr live.nl mac.com mail.com mail.ru me.com
  msn.com naver.com orange.fr outlook.com outlook.de outlook.fr pm.me posteo.de proton.me protonmail.com qq.com
  rediffmail.com sina.com t-online.de tuta.com tutanota.com verizon.net virgilio.it wanadoo.fr web.de yahoo.co.in
  yahoo.co.jp yahoo.co.uk yahoo.com yahoo.de yahoo.es yahoo.fr yahoo.it yandex.com yandex.ru ymail.com zoho.com`.split(
    /\s+/,
  ),
);

/** The fault of a domain in lower case; null if an organization may claim it. */
export function problemOf(domain: string): string | null {
  if (domain.length > maxLength || !form.test(domain)) return "must be an e-mail domain such as example.com.";
  if (reserved.test(domain)) return "is a reserved domain, which has no e-mail addresses.";
  if (publicMail.has(domain)) return "is a public mail domain, at which anybody can get an e-mail address.";
  return null;
}

/** The TXT record that assigns a domain to an organization. Records of several organizations may coexist. */
export const recordOf = ({ organizationId, domain }: { organizationId: string; domain: string }) => ({
  name: `_docgraph.${domain}`,
  value: `docgraph-organization=${organizationId}`,
});
