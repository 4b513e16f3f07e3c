// The settings of the embedded server: sane for a machine of two cores, reachable by its socket only.
import { socketFolderFromData } from "#src/db/embedded/place.ts";

/** For `initdb`. The built-in locale makes text sort alike on every system. */
export function initArguments(data: string, durable: boolean): string[] {
  const account = ["--username=docgraph", "--auth=trust"];
  const text = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  return ["-D", data, ...account, ...text, ...(durable ? [] : ["--no-sync"])];
}

/** `trust` is safe here: no TCP port is opened, and only the server's account may enter the folder of the socket. */
const server = {
  listen_addresses: "",
  port: "5432", // only a part of the socket's name
  unix_socket_permissions: "0700",
  max_connections: "100",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  random_page_cost: "1.1",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_statement: "none",
  log_checkpoints: "off",
};

/** A crash of the machine may destroy the data: for tests. */
const forgetful = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_prepared_transactions: "5", // as other programs on the server may use them
  autovacuum: "off", // what is thrown away soon need not be tidied; and statistics stay as a test has made them
};

/** For `postgres`. */
export function serverArguments(data: string, durable: boolean): string[] {
  const settings = { ...server, unix_socket_directories: socketFolderFromData, ...(durable ? {} : forgetful) };
  return ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}
