// A browser that signs in by SAML: it keeps cookies, does not follow redirects, and posts responses.
import type { TestIdp } from "#test/features/saml/idp.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import type { World } from "#test/support/world.ts";

/** For `useApp`: applications for {@link TestBrowser}s read the client's IP address from its header. */
export const behindProxy = { trustedProxies: ["127.0.0.1"] };

let addresses = 0;

export class TestBrowser {
  readonly #cookies = new Map<string, string>();
  /** A distinct IP address, so that browsers are limited separately. */
  readonly #address = `192.0.2.${++addresses % 256}`;

  get cookies(): string {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Requests a page with the stored cookies, and stores the received ones. */
  async open(url: string, options: RequestInit = {}): Promise<Response> {
    const answer = await fetch(url, {
      ...options,
      headers: {
        cookie: this.cookies,
        "x-forwarded-for": this.#address,
        ...(options.headers as Record<string, string>),
      },
      redirect: "manual",
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }

  post(url: string, fields: Record<string, string>): Promise<Response> {
    return this.open(url, { method: "POST", body: new URLSearchParams(fields) });
  }

  /** Starts a sign-in. Returns the URL to which docgraph redirects the browser. */
  async start(url: string, providerId: string, returnTo = ""): Promise<string> {
    const query = returnTo === "" ? "" : `?${new URLSearchParams({ returnTo }).toString()}`;
    const answer = await this.open(`${url}/saml/${providerId}/start${query}`);
    const location = answer.headers.get("location");
    if (answer.status !== 303 || location === null) throw new Error(`${answer.status}: ${await answer.text()}`);
    return location;
  }

  /** Posts the XML of a response. */
  answer(acsURL: string, xml: string): Promise<Response> {
    return this.post(acsURL, { SAMLResponse: Buffer.from(xml).toString("base64") });
  }
}

/** An organization with this provider. */
export async function setProvider(world: World, idp: TestIdp, given: object = {}) {
  const made = await world.organization({ organization: { emailDomains: ["staff.example.com"] } });
  const { entityID, ssoURL, logoutURL, pair } = idp;
  const settings = { entityID, ssoURL, logoutURL, certificate: pair.certificate, defaultRole: "edit" as const };
  const organizationId = made.organization.id;
  const defaultTeamId = made.team.id;
  const provider = await world.insert((rows) =>
    addSamlProvider(rows, { organizationId, defaultTeamId, ...settings, ...given }),
  );
  return { ...made, provider };
}
