// The gateway URL and the token, which a real frontend gets from its configuration and sign-in.

const given = (name: string): string => {
  const { content = "" } = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`) ?? {};
  return content;
};

/** The URL of the gateway, on another origin than the page. */
export const gateway = given("gateway");
export const organizationId = given("organization");
export const authorization = `Bearer ${given("token")}`;

/** The space id in the URL of the page. */
export const spaceId = new URL(location.href).searchParams.get("space") ?? "";

/** The same for subscriptions by graphql-ws. */
export const live = {
  url: gateway.replace(/^http/, "ws") + "/graphql",
  connectionParams: { Authorization: authorization },
};
