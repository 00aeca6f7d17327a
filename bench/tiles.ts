import { listLayers } from '#server/geography/find-layer.ts'
import { LayerTiles } from '#server/geography/layer-tiles.ts'
import { median, timed } from './median.ts'
import type { Bench } from './open-bench.ts'
import { tileAt, tilesAround } from './tile-places.ts'
import { benchTileRequests } from './tile-requests.ts'

/** Milliseconds and bytes of the tiles around the city's centre, of every layer: the first tile of a layer, further ones, and kept ones; and of a hundred at a time as they are asked for. */
export async function benchTiles(bench: Bench) {
  const { app, scope, regionId, city } = bench
  const layers = await listLayers(app.state, scope, regionId)
  const figures = []
  for (const layer of layers) {
    const tiles = new LayerTiles(app.state)
    const ask = async (z: number, dx = 0, dy = 0) => {
      const { x, y } = tileAt(city.lon, city.lat, z)
      return tiles.tile(scope, layer, z, x + dx, y + dy)
    }
    const first = await timed(() => ask(12))
    const fresh: number[] = []
    let bytes = 0
    for (const z of [11, 12, 13, 14])
      for (const [dx, dy] of [
        [1, 0],
        [0, 1],
        [1, 1],
      ] as const) {
        fresh.push(
          await timed(async () => (bytes = Math.max(bytes, (await ask(z, dx, dy))?.gzipped.length ?? 0))),
        )
      }
    const kept = await timed(() => ask(12))
    figures.push({
      layer: layer.layer_name,
      shapes: layer.shape_count,
      first_ms: median([first]),
      fresh_ms: median(fresh),
      kept_ms: median([kept]),
      largest_kb: Math.round(bytes / 102.4) / 10,
    })
  }
  const requests = []
  for (const layer of layers.slice(0, 2))
    requests.push(await benchTileRequests(bench, layer, tilesAround(city.lon, city.lat, [12, 13, 14, 15], 4)))
  return { figures, requests }
}
