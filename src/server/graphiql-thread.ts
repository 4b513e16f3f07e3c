// What runs in the thread of `graphiql-page.ts`: making the page.
import { renderGraphiQL } from "@graphql-yoga/render-graphiql";
import type { GraphiQLOptions } from "graphql-yoga";
import { serveTasks } from "#src/base/threads.ts";
import type { Page } from "#src/server/graphiql-page.ts";

serveTasks((options: GraphiQLOptions): Page => new TextEncoder().encode(renderGraphiQL(options)));
