// The configuration of docgraph on several machines: what `npm run print -- --deploy` prints, and what is run in its
// tests.
import type { PrintedFile } from "#src/cli/printed.ts";

/** A host and a port, such as `10.0.0.11:4000`. */
type Address = string;

/** HAProxy before gateways. `more` are further lines of what concerns all of them. */
export const haproxyConfig = ({
  listen,
  gateways,
  more = "",
}: {
  readonly listen: Address;
  readonly gateways: readonly Address[];
  readonly more?: string;
}): string => `defaults
  mode http
  timeout connect 2s
  timeout check 3s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
frontend public
  bind ${listen}
  default_backend gateways
backend gateways
  balance leastconn
${more}  option httpchk GET /readyz
  default-server check inter 250ms fall 3 rise 1
${gateways.map((address, index) => `  server gateway${index + 1} ${address}`).join("\n")}
`;

interface PgbouncerSettings {
  readonly database: string;
  /** Where PostgreSQL is, as `[databases]` takes it. */
  readonly server: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly mode: "session" | "transaction";
  /** The file of the names and passwords of who may connect, and how they prove it. */
  readonly users: { readonly file: string; readonly type: string };
  readonly more?: string;
}

/** PgBouncer before PostgreSQL. */
export const pgbouncerConfig = ({
  database,
  server,
  listen,
  mode,
  users,
  more = "",
}: PgbouncerSettings): string => `[databases]
${database} = ${server} dbname=${database}
[pgbouncer]
listen_addr = ${listen.host}
listen_port = ${listen.port}
auth_type = ${users.type}
auth_file = ${users.file}
pool_mode = ${mode}
default_pool_size = 20
max_client_conn = 200
${more}`;

/** Settings of every PostgreSQL of a cluster, whichever of them is the primary. */
export const postgresSettings = (standbys: readonly string[]): Readonly<Record<string, string>> => ({
  wal_level: "replica",
  max_wal_senders: "10",
  wal_keep_size: "1GB",
  hot_standby: "on",
  hot_standby_feedback: "on",
  synchronous_commit: "on",
  synchronous_standby_names: `ANY 1 (${standbys.join(", ")})`,
});

/** How a standby follows its primary. */
export const standbySettings = (primary: string, name: string): Readonly<Record<string, string>> => ({
  primary_conninfo: `${primary} application_name=${name}`,
});

interface Places {
  /** Who connects to PostgreSQL, with the password where one is needed. */
  readonly user: string;
  readonly database: string;
  /** Each before the server of the same index. */
  readonly poolers: readonly Address[];
  readonly servers: readonly Address[];
  readonly redis: string;
  readonly bucket: string;
  readonly s3Endpoint: string;
}

/** The variables that all gateways share. All servers are named everywhere: which one is the primary changes. */
export function gatewayVariables({ user, database, poolers, servers, redis, bucket, s3Endpoint }: Places) {
  const at = (...hosts: readonly Address[]) => `postgres://${user}@${hosts.join(",")}/${database}`;
  return {
    DATABASE_URL: `${at(...poolers)}?target_session_attrs=read-write`,
    DATABASE_DIRECT_URL: `${at(...servers)}?target_session_attrs=read-write`,
    DATABASE_READ_URL: servers.map((server) => at(server)).join(","),
    PREPARED_STATEMENTS: "off",
    REDIS_URL: redis,
    FILES_URL: bucket,
    S3_ENDPOINT: s3Endpoint,
    DRAIN_SECONDS: "2",
  };
}

const inConf = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join("");

const inEnvironment = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

const [gateways, databases] = [
  ["10.0.0.11", "10.0.0.12", "10.0.0.13"],
  ["10.0.0.21", "10.0.0.22", "10.0.0.23"],
];
const names = databases.map((_, index) => `db${index + 1}`);

const postgresConf = `${inConf(postgresSettings(names))}listen_addresses = '*'
max_connections = '200'
`;

const standby = `# On each standby, once: copy the primary, as the account of PostgreSQL. Here db2.
#   pg_basebackup --host=10.0.0.21 --username=replicator --pgdata="$PGDATA" --wal-method=stream
#   touch "$PGDATA/standby.signal"
# When a standby becomes the primary (Patroni does it, or: select pg_promote()), let the others follow that, with
#   alter system set primary_conninfo = 'host=10.0.0.22 ...'; select pg_reload_conf();
${inConf(standbySettings("host=10.0.0.21 port=5432 user=replicator password=PASSWORD", "db2"))}`;

const pgbouncer = pgbouncerConfig({
  database: "docgraph",
  server: "host=127.0.0.1 port=5432",
  listen: { host: "0.0.0.0", port: 6432 },
  mode: "transaction",
  users: { file: "/etc/pgbouncer/userlist.txt", type: "scram-sha-256" },
});

const environment = `# The same on all gateways, but for HOST. From PgBouncer 1.21 on, with max_prepared_statements set there, leave out
# PREPARED_STATEMENTS.
NODE_ENV=production
HOST=10.0.0.11
PORT=4000
PUBLIC_URL=https://docs.example.com
SECRETS_KEY=KEY
AWS_ACCESS_KEY_ID=KEY_ID
AWS_SECRET_ACCESS_KEY=KEY
${inEnvironment(
  gatewayVariables({
    user: "docgraph:PASSWORD",
    database: "docgraph",
    poolers: databases.map((host) => `${host}:6432`),
    servers: databases.map((host) => `${host}:5432`),
    redis: "redis://10.0.0.31:6379",
    bucket: "s3://docgraph-files",
    s3Endpoint: "https://storage.example.com",
  }),
)}METRICS_PORT=9464
METRICS_HOST=10.0.0.11
`;

/** An example: a balancer, three gateways, a primary with two standbys, a PgBouncer before each, Redis and S3. */
export const deployment: readonly PrintedFile[] = [
  {
    path: "balancer/haproxy.cfg",
    content: haproxyConfig({ listen: ":80", gateways: gateways.map((host) => `${host}:4000`) }),
  },
  { path: "gateways/docgraph.env", content: environment },
  { path: "databases/pgbouncer.ini", content: pgbouncer },
  { path: "databases/postgresql.conf", content: postgresConf },
  { path: "databases/standby.conf", content: standby },
];
