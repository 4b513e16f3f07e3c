// The Containerfile that `npm run print -- --container` prints: an image of docgraph for a database elsewhere.

/** As Podman and Docker take it, to be built in the folder of the project. */
export const containerfile = `# Build:  podman build -t docgraph -f Containerfile .
# Run:    podman run -p 4000:4000 -e DATABASE_URL=postgres://... -e SECRETS_KEY=... -v docgraph:/data docgraph
# Set up: podman run --rm -it -e DATABASE_URL=postgres://... docgraph npm run -s setup

FROM docker.io/library/node:24-slim AS packages
WORKDIR /docgraph
COPY package.json package-lock.json .npmrc ./
COPY src/run.js src/
COPY src/cli/after-install.ts src/cli/
# Node comes with the image, and PostgreSQL runs elsewhere: both are optional packages.
RUN npm ci --omit=dev --omit=optional

FROM docker.io/library/node:24-slim
WORKDIR /docgraph
COPY --from=packages /docgraph/node_modules node_modules
COPY package.json README.md ./
COPY prisma/migrations prisma/migrations
COPY src src
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/compiled
RUN mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK CMD ["node", "-e", "require('http').get('http://127.0.0.1:4000/readyz', (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "src/run.js", "main"]
`;
