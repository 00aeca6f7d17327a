import { RawResponse } from '#server/http/route.ts'
import type { Tile } from './draw-tile.ts'

/**
 * Cache headers by who may see a tile and by its URL. URLs of viewers change every half hour. Public tiles
 * expire soon, in case their map is withdrawn. A versioned URL contains the version of the content, so its
 * tile never changes. Tiles that change with time are not cached.
 */
const cacheControlBy = {
  viewer: 'private, max-age=1800',
  everybody: 'public, max-age=300',
  versioned: 'private, max-age=31536000, immutable',
  changing: 'no-store',
}

/** Sends a tile with gzip and ETag: 304 if the browser has it, 204 if it is empty. */
export function sendTile(
  tile: Tile | null,
  headers: Headers,
  caching: keyof typeof cacheControlBy,
): RawResponse {
  const cacheHeaders = {
    'cache-control': cacheControlBy[caching],
    ...(caching === 'everybody' ? {} : { vary: 'Cookie, Authorization, Impersonated-User' }),
  }
  if (!tile) return new RawResponse(null, cacheHeaders, 204)
  const tileHeaders = { ...cacheHeaders, etag: tile.etag }
  if (headers.get('if-none-match') === tile.etag) return new RawResponse(null, tileHeaders, 304)
  return new RawResponse(Buffer.from(tile.gzipped), {
    ...tileHeaders,
    'content-type': 'application/vnd.mapbox-vector-tile',
    'content-encoding': 'gzip',
  })
}
