// Limits that count by the address of a client: an IPv6 subscriber is one client, whatever address of theirs they use.
import { expect, test } from "vitest";
import { trafficLimits } from "#src/base/limits.ts";
import { clientNetwork } from "#src/net/networks.ts";
import { useApp } from "#test/support/app.ts";

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
])("counts %s as %s", (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

test("counts the points of visitors by IPv4 address and by IPv6 /64", async () => {
  /** Points that others of the same network have spent before. */
  const spentBefore = async (address: string) => {
    const answer = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address, cost: "report" },
      body: JSON.stringify({ query: '{ ssoLogins(organizationId: "org_none") { id } }' }),
    });
    const { extensions } = (await answer.json()) as { extensions: { cost: { remaining: number; actual: number } } };
    return trafficLimits.pointsPerMinute - extensions.cost.remaining - extensions.cost.actual;
  };
  const isCounted = [];
  for (const address of ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:3::1", "192.0.2.1", "192.0.2.2"])
    isCounted.push((await spentBefore(address)) > 5); // both numbers are rounded up
  expect(isCounted).toEqual([false, true, false, false, false]);
});
