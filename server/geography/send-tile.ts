import { RawAnswer } from '#server/http/route.ts'
import type { Tile } from './layer-tiles.ts'

/**
 * Tile URLs change every half an hour (specification 1, section 7). Public tiles expire soon after their map
 * is withdrawn.
 */
const cacheControlByAudience = { viewer: 'private, max-age=1800', everybody: 'public, max-age=300' }

/** Sends a tile with gzip and ETag: 304 if the browser has it, 204 if it is empty. */
export function sendTile(
  tile: Tile | null,
  headers: Headers,
  audience: keyof typeof cacheControlByAudience,
): RawAnswer {
  const cacheControl = { 'cache-control': cacheControlByAudience[audience] }
  if (!tile) return new RawAnswer(null, cacheControl, 204)
  const tileHeaders = {
    ...cacheControl,
    etag: tile.etag,
    ...(audience === 'viewer' ? { vary: 'Cookie, Authorization, Impersonated-User' } : {}),
  }
  if (headers.get('if-none-match') === tile.etag) return new RawAnswer(null, tileHeaders, 304)
  return new RawAnswer(Buffer.from(tile.gzipped), {
    ...tileHeaders,
    'content-type': 'application/vnd.mapbox-vector-tile',
    'content-encoding': 'gzip',
  })
}
