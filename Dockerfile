# syntax=docker/dockerfile:1.7
# One target per service, one for the auditor, one for the operator's commands and one for the migration job. Everything is
# built once, in `build`; libs/images then puts apart what each image needs: its own program, and a manifest of its own
# dependencies in the versions of package-lock.json. `npm run compose:check` carries these steps out without Docker: keep the
# paths in RUN relative to WORKDIR.
#
#   docker compose build          all of them
#   docker build --target gateway .

FROM node:24.21.0-bookworm-slim AS base
ENV NODE_ENV=production NPM_CONFIG_UPDATE_NOTIFIER=false
WORKDIR /app

FROM base AS build
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY .swcrc tsconfig.base.json ./
COPY tools ./tools
COPY prisma ./prisma
COPY libs ./libs
COPY apps ./apps
COPY docs/openapi.json ./docs/openapi.json
RUN node tools/build.mjs && node dist/libs/images/src/main.js

# The files belong to root and the process is not root: what is in an image can't be changed by what runs in it.

FROM base AS gateway
COPY --from=build /app/dist/images/gateway/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/gateway/program ./
USER node
CMD ["node", "--enable-source-maps", "apps/gateway/src/main.js"]

FROM base AS customer
COPY --from=build /app/dist/images/customer/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/customer/program ./
# As in the operator's image: the first to mount the volume gives it its rights.
RUN mkdir -m 0777 erasures
USER node
CMD ["node", "--enable-source-maps", "apps/customer/src/main.js"]

FROM base AS wallet-ledger
COPY --from=build /app/dist/images/wallet-ledger/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/wallet-ledger/program ./
# Volumes take these folders' rights: the only places where the process writes, beside /tmp.
RUN mkdir -m 0777 memory witness
USER node
CMD ["node", "--enable-source-maps", "apps/wallet-ledger/src/main.js"]

FROM base AS swap-pricing
COPY --from=build /app/dist/images/swap-pricing/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/swap-pricing/program ./
USER node
CMD ["node", "--enable-source-maps", "apps/swap-pricing/src/main.js"]

FROM base AS payout
COPY --from=build /app/dist/images/payout/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/payout/program ./
USER node
CMD ["node", "--enable-source-maps", "apps/payout/src/main.js"]

FROM base AS signer
COPY --from=build /app/dist/images/signer/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/signer/program ./
# A volume takes this folder's rights: the one place where the process writes, beside /tmp.
RUN mkdir -m 0777 journal
USER node
CMD ["node", "--enable-source-maps", "apps/signer/src/main.js"]

FROM base AS chain
COPY --from=build /app/dist/images/chain/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/chain/program ./
USER node
CMD ["node", "--enable-source-maps", "apps/chain/src/main.js"]

FROM base AS backoffice
COPY --from=build /app/dist/images/backoffice/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/backoffice/program ./
USER node
CMD ["node", "--enable-source-maps", "apps/backoffice/src/main.js"]

FROM base AS auditor
COPY --from=build /app/dist/images/auditor/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/auditor/program ./
# As in the ledger's image: the first to mount the volume gives it its rights.
RUN mkdir -m 0777 witness
USER node
ENTRYPOINT ["node", "--enable-source-maps", "apps/auditor/src/main.js"]
CMD ["verify"]

FROM base AS witness
COPY --from=build /app/dist/images/witness/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/witness/program ./
# A volume takes this folder's rights: the one place where the process writes, beside /tmp.
RUN mkdir -m 0777 seen
USER node
ENTRYPOINT ["node", "--enable-source-maps", "apps/witness/src/main.js"]

FROM base AS operator
COPY --from=build /app/dist/images/operator/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/operator/program ./
# A volume takes this folder's rights: the one place where the process writes, beside /tmp.
RUN mkdir -m 0777 erasures
USER node
ENTRYPOINT ["node", "--enable-source-maps", "apps/operator/src/deployment.main.js"]
CMD ["--help"]

FROM base AS migrate
COPY --from=build /app/dist/images/migrate/manifest ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
COPY --from=build /app/dist/images/migrate/program ./
USER node
CMD ["node", "--enable-source-maps", "libs/migrations/src/migrate-job.js"]
