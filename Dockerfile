# One image for every role: `api`, `worker`, `dialer`, `migrate`, …; the command says which. `agent` has another.
FROM node:20.20.2-bookworm-slim AS build
WORKDIR /outdial
COPY package.json package-lock.json .npmrc ./
# The build needs no package's install script; the embedded PostgreSQL, which has one, stays out of this image.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts

FROM build AS agent-build
RUN npm ci --ignore-scripts && npm ci --prefix agent && npm run build --prefix agent

# `docker build --target agent`: the voice agents, whose packages are ten times those of everything else.
FROM node:20.20.2-bookworm-slim AS agent
ENV NODE_ENV=production OUTDIAL_METRICS_HOST=0.0.0.0 OUTDIAL_METRICS_PORT=9464
WORKDIR /outdial
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY --from=build /outdial/package.json ./
COPY --from=build /outdial/node_modules ./node_modules
COPY --from=build /outdial/dist ./dist
COPY --from=agent-build /outdial/agent/package.json ./agent/
COPY --from=agent-build /outdial/agent/node_modules ./agent/node_modules
COPY --from=agent-build /outdial/agent/dist ./agent/dist
USER node
EXPOSE 9464
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["agent"]

FROM node:20.20.2-bookworm-slim
ENV NODE_ENV=production OUTDIAL_HOST=0.0.0.0 OUTDIAL_METRICS_HOST=0.0.0.0 OUTDIAL_METRICS_PORT=9464
WORKDIR /outdial
COPY --from=build /outdial/package.json ./
COPY --from=build /outdial/node_modules ./node_modules
COPY --from=build /outdial/dist ./dist
# The simulated carrier's volume takes this folder's owner.
RUN mkdir /ledger && chown node:node /ledger
USER node
EXPOSE 8080 9464
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["--help"]
