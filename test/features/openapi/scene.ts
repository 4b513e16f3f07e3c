// A space with an OpenAPI specification in its organization, for tests of computed pages.
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";
import { type Edit, editAs, editDocument } from "#test/features/content/edits.ts";
import { smallDocument } from "#test/features/openapi/factory.ts";
import { giveSpec } from "#test/features/openapi/specs.ts";

type TestContext = Parameters<typeof giveSpec>[0];

/** The small document with another operation, or none, instead of the first one's description. */
export const documentWith = (description: string, more: object = {}): SpecDocument =>
  ({ ...smallDocument, info: { ...smallDocument.info, description }, ...more }) as SpecDocument;

const readDocument = /* GraphQL */ `
  query ($id: ID!, $path: String!) {
    space(id: $id) {
      revisionId
      content {
        page(by: { path: $path }) {
          id
          pageId
          type
          markdown
          updatedAt
          computedSeed
          computed {
            props {
              doc
            }
          }
          document
          children {
            slug
          }
        }
      }
    }
  }
`;

interface ComputedPage {
  readonly id: string;
  readonly pageId: string;
  readonly type: string;
  readonly markdown: string;
  readonly updatedAt: string;
  readonly computedSeed: string;
  readonly computed: { props: { doc: string | null } };
  readonly document: { nodes: readonly object[] };
  readonly children: readonly { slug: string }[];
}

/** A space, its users, and a specification with one version in its organization. */
export const fixtureMaker =
  ({ app, world }: TestContext) =>
  async (document: SpecDocument = smallDocument) => {
    const made = await world.space();
    const { organization, space, editor } = made;
    const spec = await giveSpec({ app, world }, { organizationId: organization.id, slug: "harbour" }, document);
    const as = app.as(editor.token);
    const edit = (...edits: Edit[]) => editAs(as, { spaceId: space.id }, ...edits);
    const refuse = async (...edits: Edit[]) => {
      const { errors } = await as.graphql(editDocument, { input: { contentOf: { spaceId: space.id }, edits } });
      const { code, details } = errors?.[0]?.extensions ?? { code: "none" };
      return [code, ...(details ?? []).map(({ path }) => path)].join(" ");
    };
    const read = async (path = "api") => {
      const answer = await as.query<{ space: { revisionId: string; content: { page: ComputedPage } } }>(readDocument, {
        id: space.id,
        path,
      });
      return { revisionId: answer.space.revisionId, ...answer.space.content.page };
    };
    return { ...made, spec, as, edit, refuse, read };
  };
