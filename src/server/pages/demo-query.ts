// The GraphQL document that GraphiQL shows at first: one request across the demo's organizations, spaces and sites.
export const demoQuery = `# The spaces of your organizations, with what is proposed there, and what is published.
{
  organizations {
    nodes {
      title
      spaces(first: 5) {
        nodes {
          emoji
          title
          changeRequests(first: 3) {
            totalCount
            nodes { number subject status comments { totalCount } }
          }
        }
      }
      sites {
        nodes {
          title
          sections {
            nodes {
              title
              siteSpaces { nodes { title path } }
            }
          }
        }
      }
    }
  }
}
`;
