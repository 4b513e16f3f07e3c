// Where the gateway is and who asks: a frontend of one's own would have it from its configuration and its sign-in.

const given = (name: string): string => {
  const { content = "" } = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`) ?? {};
  return content;
};

/** The address of the gateway, on another origin than the page. */
export const gateway = given("gateway");
export const organizationId = given("organization");
export const authorization = `Bearer ${given("token")}`;

/** The space that the address of the page names. */
export const spaceId = new URL(location.href).searchParams.get("space") ?? "";

/** The same for subscriptions by graphql-ws. */
export const live = {
  url: gateway.replace(/^http/, "ws") + "/graphql",
  connectionParams: { Authorization: authorization },
};
