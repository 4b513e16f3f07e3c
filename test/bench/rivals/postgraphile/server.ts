// PostGraphile 5 over the same database: the amber preset on grafserv and node:http, set for production as its
// documentation says.
import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { pgSmartTags } from "postgraphile/utils";

// The database ties a comment to its change request by two columns, which have no common index, so PostGraphile offers
// no such list. This names the one column that is enough, as its smart tags are for.
const commentsOfChangeRequest = pgSmartTags([
  {
    kind: "class",
    match: "Comment",
    tags: {
      foreignKey: `("changeRequestId") references public."ChangeRequest" (id)|@foreignFieldName comments|@fieldName changeRequest`,
    },
  },
]);

const preset: GraphileConfig.Preset = {
  extends: [PostGraphileAmberPreset],
  plugins: [commentsOfChangeRequest],
  pgServices: [
    makePgService({ connectionString: process.env["DATABASE_URL"], schemas: ["public"], poolConfig: { max: 10 } }),
  ],
  grafserv: { graphqlPath: "/graphql", graphiql: false, watch: false },
  grafast: { explain: false },
};

const server = createServer();
const instance = postgraphile(preset);
await instance.createServ(grafserv).addTo(server);
await instance.getSchema();
server.listen(Number(process.env["PORT"]), "127.0.0.1");
