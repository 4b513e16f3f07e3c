// A site for tests of its writes, and operations of an admin.
import { addSection, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { done } from "#test/live/kinds.ts";
import type { TestApp } from "#test/support/app.ts";
import type { World } from "#test/support/world.ts";

/** A site with sections "one" and "two" of a space each, spaces "Guide" and "Guide!", and operations of an admin. */
export async function makeScene(app: TestApp, world: World) {
  const scene = await world.organization();
  const organizationId = scene.organization.id;
  const { token } = scene.admin;
  const made = await world.insert((rows) => {
    const [guide, other] = ["Guide", "Guide!"].map((title) => addSpace(rows, { organizationId, title }).id);
    const siteId = addSite(rows, { organizationId, title: "Docs", basename: "docs", published: false }).id;
    const [one, two] = ["one", "two"].map((path) => addSection(rows, { siteId, path, title: `Section ${path}` }).id);
    const place = (sectionId = "") => addSiteSpace(rows, { siteId, sectionId, spaceId: guide ?? "", path: "guide" }).id;
    return { guide, other, siteId, one, two, inOne: place(one), inTwo: place(two) };
  });
  const does = <Answer>(name: string, input: Record<string, unknown>, answer = "__typename") =>
    done<Answer>(app, token, name, { ...input, answer });
  const refused = async (name: string, input: object) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const document = `mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`;
    const { errors } = await app.as(token).graphql(document, { input });
    return [errors?.[0]?.extensions.code, ...(errors?.[0]?.extensions.details?.map(({ path }) => path) ?? [])];
  };
  return { ...scene, organizationId, ...made, does, refused };
}

/** The structure of a site in the payload of a mutation. */
export const whole = /* GraphQL */ `
  site {
    defaultSection {
      path
    }
    defaultSiteSpace {
      path
    }
    sectionGroups {
      nodes {
        title
        sections {
          nodes {
            path
          }
        }
      }
    }
    sections {
      nodes {
        path
        isDefault
        siteSpaces {
          nodes {
            path
            condition
            isDefault
          }
        }
      }
    }
    siteSpaces {
      nodes {
        path
        title
        sectionId: siteSectionId
      }
    }
  }
`;
