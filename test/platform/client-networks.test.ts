// Limits by client address: an IPv6 /64 counts as one client.
import { pino } from "pino";
import { expect, test } from "vitest";
import { trafficLimits } from "#src/base/limits.ts";
import { clientNetwork } from "#src/net/networks.ts";
import { testApp, useApp } from "#test/support/app.ts";

const { app } = await useApp({ trustedProxies: ["127.0.0.1"] });

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["2001:db8:1:3::", "2001:db8:1:3::/64"],
  ["2001:DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80::/64"],
  ["::1", "::/64"],
  ["no:address", "unknown"],
  [null, "unknown"],
])("assigns the address %s to the network %s", (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

/** Sends a visitor's request with the headers of a proxy. */
const askVia = (url: string, headers: Record<string, string>) =>
  fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query: '{ ssoLogins(organizationId: "org_none") { id } }' }),
  });

test("counts the cost of visitors by IPv4 address and by IPv6 /64", async () => {
  /** The cost counted before for the same network. */
  const spentBefore = async (address: string) => {
    const answer = await askVia(app.url, { "x-forwarded-for": address, cost: "report" });
    const { extensions } = (await answer.json()) as { extensions: { cost: { remaining: number; actual: number } } };
    return trafficLimits.pointsPerMinute - extensions.cost.remaining - extensions.cost.actual;
  };
  const isCounted = [];
  for (const address of ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:3::1", "192.0.2.1", "192.0.2.2"])
    isCounted.push((await spentBefore(address)) > 5); // both numbers are rounded up
  expect(isCounted).toEqual([false, true, false, false, false]);
});

test("warns once about a proxy missing from TRUSTED_PROXIES, and never about a listed one", async () => {
  const warnings: string[] = [];
  const write = (line: string) => line.includes("TRUSTED_PROXIES") && warnings.push(line);
  const log = pino({ level: "warn" }, { write });
  await using named = await testApp({ beside: app, log, trustedProxies: ["127.0.0.0/8"] });
  await using unnamed = await testApp({ beside: app, log, trustedProxies: ["192.0.2.1"] });
  await askVia(named.url, { "x-forwarded-for": "198.51.100.1" });
  await askVia(named.url, { forwarded: "for=198.51.100.1" });
  await askVia(unnamed.url, {});
  expect(warnings).toEqual([]);
  for (const name of ["forwarded", "x-forwarded-for", "x-forwarded-for"]) await askVia(unnamed.url, { [name]: "::1" });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain("TRUSTED_PROXIES does not name 127.0.0.1");
});
