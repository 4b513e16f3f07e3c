// A Pothos plugin that keeps resolvers plain: our reads load rows with all that a selection needs, so plugin-prisma
// only plans. Lists are counted.
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from "@pothos/core";
import { defaultFieldResolver, type GraphQLFieldResolver } from "graphql";
import type { Context } from "#src/domain/context.ts";
import { pausing } from "#src/runtime/yielding.ts";
import { selectedValues } from "#src/graph/run/selection.ts";

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      reader: ReaderPlugin<Types>;
    }
  }
}

type Resolve = GraphQLFieldResolver<unknown, object>;

class ReaderPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  /** Refuses a function as `select`: what a place in a document needs is planned once, and would keep one answer. */
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { select } = field.pothosOptions as { select?: unknown }; // an option of plugin-prisma's
    if (typeof select === "function") throw new Error(`${field.parentType}.${field.name}: \`select\` must be data.`);
    return field;
  }

  /** Takes off what the plugins behind this one have put around a resolver. */
  override wrapResolve(_wrapped: Resolve, field: PothosOutputFieldConfig<Types>): Resolve {
    const own = (field.resolve as Resolve | undefined) ?? defaultFieldResolver;
    if (field.type.kind !== "List") return own;
    return field.parentType.endsWith("Connection") ? (...of) => pausing(own(...of)) : counting(own);
  }
}

/**
 * Counts the values of a list; the reader counts connections. Errors become rejections: a synchronous throw would leave
 * other items' rejections unhandled.
 */
function counting(resolve: Resolve): Resolve {
  return (parent, args, context, info) => {
    const count = (list: unknown): unknown => {
      if (Array.isArray(list)) (context as Context).reader.budget.takeValues(list.length * selectedValues(info).values);
      return pausing(list);
    };
    try {
      const list = resolve(parent, args, context, info);
      return list instanceof Promise ? list.then(count) : count(list);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  };
}

/** The name of the plugin. It must be the first one in the list. */
export const readerPlugin = "reader";

SchemaBuilder.registerPlugin(readerPlugin, ReaderPlugin);
