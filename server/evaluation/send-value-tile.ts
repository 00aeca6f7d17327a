import type { Tile } from '#server/geography/layer-tiles.ts'
import { RawAnswer } from '#server/http/route.ts'

const vary = 'Cookie, Authorization, Impersonated-User'

/** A tile of values: kept for good where its address names the version that it is of, never otherwise. 304 where the browser has it, 204 where there is nothing. */
export function sendValueTile(tile: Tile | null, isOfVersion: boolean, headers: Headers): RawAnswer {
  const caching = isOfVersion ? 'private, max-age=31536000, immutable' : 'no-store'
  if (!tile) return new RawAnswer(null, { 'cache-control': caching, vary }, 204)
  const about = { 'cache-control': caching, etag: tile.etag, vary }
  if (headers.get('if-none-match') === tile.etag) return new RawAnswer(null, about, 304)
  return new RawAnswer(Buffer.from(tile.gzipped), {
    ...about,
    'content-type': 'application/vnd.mapbox-vector-tile',
    'content-encoding': 'gzip',
  })
}
