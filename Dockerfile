# Recado with a PostgreSQL beside it (deploy/compose.yaml), or anywhere else (DATABASE_URL).
FROM node:24-bookworm-slim AS build
WORKDIR /recado
COPY . .
# Packages as the lock names them, and the web app.
RUN node scripts/prepare.mjs

FROM node:24-bookworm-slim
WORKDIR /recado
COPY --from=build --chown=node:node /recado /recado
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# As `npm start` sets them: little memory, and compiled code kept.
ENV NODE_COMPILE_CACHE=/tmp/recado MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1000000 MALLOC_TRIM_THRESHOLD_=2000000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: the signal that stops it must reach it.
CMD ["node", "--max-semi-space-size=4", "server/src/main.ts"]
