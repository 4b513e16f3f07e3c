// A bundle of about a megabyte: what a script costs before it does anything.
import { createIntegration } from "@gitbook/runtime";
import { GitBookAPI } from "@gitbook/api";
import * as graphql from "graphql";
import gfm from "remark-gfm";
import markdown from "remark-parse";
import { unified } from "unified";
import * as yaml from "yaml";
import * as zod from "zod";

const libraries = { graphql, yaml, zod };

export default createIntegration({
  fetch: async () => {
    const names = Object.values(libraries).map((library) => Object.keys(library).length > 0);
    const { title } = yaml.parse("title: From a large bundle");
    return Response.json({
      names,
      title,
      tree: unified().use(markdown).use(gfm).parse("# A").children[0].type,
      isClient: typeof GitBookAPI,
    });
  },
});
