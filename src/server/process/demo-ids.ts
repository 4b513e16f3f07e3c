// Ids of the demo for the examples of paths of /v1, read by a document whose aliases are the names of parameters.
import type { Viewer } from "#src/access/viewer.ts";
import type { Viewers } from "#src/access/viewers.ts";
import type { Context } from "#src/domain/context.ts";
import { type Executor, isOperation } from "#src/graph/run/execute.ts";

const discussion = "comments(first: 3) { nodes { commentId: id replies(first: 1) { nodes { commentReplyId: id } } } }";

const content = "allPages { pageId pagePath: path } files(first: 1) { nodes { fileId: id } }";

const exampleIds = `query ExampleIds {
  organizations(first: 2) {
    nodes {
      organizationId: id
      members(first: 3) { nodes { userId } }
      teams(first: 2) { nodes { teamId: id members(first: 1) { nodes { user { userId: id } } } } }
      collections(first: 2) { nodes { collectionId: id } }
      openApiSpecs(first: 1) { nodes { specSlug: slug versions(first: 1) { nodes { versionId: id } } } }
      translations(first: 1) { nodes { translationId: id } }
      sites(first: 2) {
        nodes {
          siteId: id
          sectionGroups(first: 1) { nodes { siteSectionGroupId: id sections(first: 1) { nodes { siteSectionId: id } } } }
          sections(first: 1) { nodes { siteSectionId: id } }
          siteSpaces(first: 1) { nodes { siteSpaceId: id } }
        }
      }
      spaces(first: 5) {
        nodes {
          spaceId: id
          content { ${content} }
          ${discussion}
          changeRequests(first: 3) {
            nodes { changeRequestId: id content { ${content} } reviews(first: 1) { nodes { reviewId: id } } ${discussion} }
          }
          revisions(first: 1) { nodes { revisionId: id ${content} } }
        }
      }
      integrations(first: 3) {
        nodes {
          integrationName: name
          installations(first: 1) {
            nodes { installationId: id spaces(first: 1) { nodes { spaceId } } sites(first: 1) { nodes { siteId } } }
          }
          events(first: 1) { nodes { eventId: id } }
        }
      }
    }
  }
}`;

interface Reading {
  readonly executor: Pick<Executor, "prepareOwn">;
  readonly viewers: Pick<Viewers, "byAuthorization">;
  readonly contextFor: (viewer: Viewer, requestId: string) => Context;
}

/** Null unless the token of the demo is shown, too. */
export async function readDemoIds(
  { executor, viewers, contextFor }: Reading,
  { graphiql = false, demoToken }: { readonly graphiql?: boolean; readonly demoToken?: string | undefined },
): Promise<unknown> {
  if (!graphiql || demoToken === undefined) return null;
  const operation = executor.prepareOwn(exampleIds);
  const viewer = await viewers.byAuthorization(`Bearer ${demoToken}`).catch(() => null); // revoked
  if (!isOperation(operation) || !viewer) return null;
  return (await operation.run(contextFor(viewer, "examples"), {})).data;
}
