// Addresses of PostgreSQL, with one server or several.
import { userInfo } from "node:os";

/** Splits a libpq address of several hosts (manual, 34.1.1.3). Null if invalid, or not for the primary. */
export function serversOf(address: string): string[] | null {
  const [, start = "", hosts = "", end = ""] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(address) ?? [];
  const servers = hosts.split(",").map((host) => `${start}${host}${end}`);
  if (!servers.every((server) => URL.canParse(server))) return null;
  if (servers.length > 1 && hosts.split(",").includes("")) return null;
  const wanted = new URL(servers[0] ?? "").searchParams.get("target_session_attrs") ?? "read-write";
  return ["read-write", "primary"].includes(wanted) ? servers : null;
}

/** The hosts of an address, with unusual ports, and its database, for logs; without the user and password. */
export function describeServers(address: string): string {
  const servers = (serversOf(address) ?? []).map((server) => new URL(server));
  return `${servers.map(({ host }) => host.replace(/:5432$/, "")).join(", ")}${databasePathOf(address)}`;
}

/** The path of an address, which names the database. */
export const databasePathOf = (address: string): string => new URL(serversOf(address)?.[0] ?? "").pathname;

/** The address with a user: by default, as for psql, `PGUSER` or the account of the process. */
export function withUser(address: string, account = userInfo().username): string {
  const [, scheme = "", user = "", rest = ""] = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?(.*)$/s.exec(address) ?? [];
  const isNamed = user !== "" && user !== "@" && !user.startsWith(":");
  if (isNamed || /[?&]user=/.test(rest)) return address;
  return `${scheme}${encodeURIComponent(account)}${user === "" ? "@" : user}${rest}`;
}
