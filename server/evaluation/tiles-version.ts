import { createHash } from 'node:crypto'
import type { Scope } from '#server/stores/scope.ts'

/** What the addresses of tiles name as their version: another for each choice of operators, so that no browser keeps the tiles of all for who sees some. */
export const tilesVersion = ({ operators }: Pick<Scope, 'operators'>, version: string): string =>
  operators
    ? createHash('sha256')
        .update(JSON.stringify([version, operators]))
        .digest('base64url')
        .slice(0, 22)
    : version
