# syntax=docker/dockerfile:1
# The image of Publicway: docs/operations.md, "Containers". chDB needs glibc, so there is no Alpine variant.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN node scripts/setup/build-image.js

FROM node:20-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
WORKDIR /app
# chDB's queries run on libuv's pool; the others return memory of finished queries to the system.
ENV NODE_ENV=production \
    UV_THREADPOOL_SIZE=16 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=1048576 \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    JE_MALLOC_CONF=prof:false,dirty_decay_ms:1000,tcache_max:4096,tcache_nslots_small_max:40,tcache_nslots_small_min:8 \
    HOST=0.0.0.0 \
    PORT=4870 \
    DATA_DIR=/data \
    DEMO=off \
    BACKUP_HOUR=3
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/package.json /app/tsconfig.base.json /app/tsconfig.json ./
COPY --from=build /app/dist ./dist
COPY --from=build /app/contract ./contract
COPY --from=build /app/server ./server
COPY --from=build /app/demo ./demo
COPY --from=build /app/scripts ./scripts
RUN printf '#!/bin/sh\nexec node --import /app/node_modules/tsx/dist/loader.mjs /app/scripts/publicway.ts "$@"\n' > /usr/local/bin/publicway \
 && chmod 755 /usr/local/bin/publicway \
 && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4870
STOPSIGNAL SIGTERM
# A first start with a large migration may take minutes; /livez answers meanwhile.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=4 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
