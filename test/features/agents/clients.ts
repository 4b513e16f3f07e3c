// Two clients of MCP, of different code, with the same interface: the client of the SDK whose server docgraph uses, and
// the client of the SDK before it.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly texts: string[];
  readonly isError: boolean;
}

interface Listed {
  readonly uri: string;
  readonly name: string;
}

/** A client that is connected to an MCP server. */
interface Agent extends AsyncDisposable {
  readonly server: { readonly name?: string | undefined; readonly title?: string | undefined };
  readonly instructions: string | undefined;
  tools(): Promise<{ name: string; isReadOnly: boolean | undefined }[]>;
  call(name: string, input?: Record<string, unknown>): Promise<Answer>;
  /** All resources, by as many requests as the server needs. */
  resources(): Promise<Listed[]>;
  read(uri: string): Promise<unknown>;
}

type Connect = (address: string, headers?: Headers) => Promise<Agent>;

type AnyClient = Pick<Client, "close"> & {
  listTools(): Promise<{ tools: { name: string; annotations?: { readOnlyHint?: boolean | undefined } | undefined }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(page: { cursor?: string }): Promise<{ resources: Listed[]; nextCursor?: string | undefined }>;
  readResource(of: { uri: string }): Promise<{ contents: unknown[] }>;
  getServerVersion(): { name: string; title?: string | undefined } | undefined;
  getInstructions(): string | undefined;
};

const agentOf = (client: AnyClient): Agent => ({
  server: client.getServerVersion() ?? {},
  instructions: client.getInstructions(),
  async tools() {
    const { tools } = await client.listTools();
    return tools.map(({ name, annotations }) => ({ name, isReadOnly: annotations?.readOnlyHint }));
  },
  async call(name, input = {}) {
    const result = (await client.callTool({ name, arguments: input })) as {
      content: { text: string }[];
      isError?: boolean;
    };
    return { texts: result.content.map(({ text }) => text), isError: result.isError ?? false };
  },
  async resources() {
    const all: Listed[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const page: Awaited<ReturnType<AnyClient["listResources"]>> = await client.listResources(
        cursor === "" ? {} : { cursor },
      );
      all.push(...page.resources);
      cursor = page.nextCursor;
    }
    return all;
  },
  read: async (uri) => (await client.readResource({ uri })).contents[0],
  [Symbol.asyncDispose]: () => client.close(),
});

const info = { name: "test", version: "1.0.0" };

const connect: Connect = async (address, headers = {}) => {
  const client = new Client(info);
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
  return agentOf(client);
};

const connectEarlier: Connect = async (address, headers = {}) => {
  const client = new EarlierClient(info);
  // Its types do not allow undefined for optional properties.
  const transport = new EarlierTransport(new URL(address), { requestInit: { headers } }) as unknown as Parameters<
    EarlierClient["connect"]
  >[0];
  await client.connect(transport);
  return agentOf(client as unknown as AnyClient);
};

export const clients = [
  ["@modelcontextprotocol/client", connect],
  ["@modelcontextprotocol/sdk", connectEarlier],
] as const;
