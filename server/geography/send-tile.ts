import { RawAnswer } from '#server/http/route.ts'
import type { Tile } from './layer-tiles.ts'

/** Half an hour is the bucket of the tile address (1-product, section 7). Public tiles end soon after their map. */
const cacheControlByReader = { viewer: 'private, max-age=1800', everybody: 'public, max-age=300' }

/** A tile as it travels: gzip, ETag, 304 where the browser has it, 204 where there is nothing. */
export function sendTile(
  tile: Tile | null,
  headers: Headers,
  readers: keyof typeof cacheControlByReader,
): RawAnswer {
  const cacheControl = { 'cache-control': cacheControlByReader[readers] }
  if (!tile) return new RawAnswer(null, cacheControl, 204)
  const about = {
    ...cacheControl,
    etag: tile.etag,
    ...(readers === 'viewer' ? { vary: 'Cookie, Authorization, Impersonated-User' } : {}),
  }
  if (headers.get('if-none-match') === tile.etag) return new RawAnswer(null, about, 304)
  return new RawAnswer(Buffer.from(tile.gzipped), {
    ...about,
    'content-type': 'application/vnd.mapbox-vector-tile',
    'content-encoding': 'gzip',
  })
}
