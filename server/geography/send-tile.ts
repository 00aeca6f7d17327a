import { RawAnswer } from '#server/http/route.ts'
import type { Tile } from './layer-tiles.ts'

/** Private, as every tile needs a sign-in; half an hour, the bucket of the tile address (1-product, section 7). */
const caching = 'private, max-age=1800'

/** A tile as it travels: gzip, ETag, 304 where the browser has it, 204 where there is nothing. */
export function sendTile(tile: Tile | null, headers: Headers): RawAnswer {
  if (!tile) return new RawAnswer(null, { 'cache-control': caching }, 204)
  const about = { 'cache-control': caching, etag: tile.etag, vary: 'Cookie, Authorization, Impersonated-User' }
  if (headers.get('if-none-match') === tile.etag) return new RawAnswer(null, about, 304)
  return new RawAnswer(Buffer.from(tile.gzipped), { ...about, 'content-type': 'application/vnd.mapbox-vector-tile', 'content-encoding': 'gzip' })
}
