import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Layer } from '#contract/geography.ts'
import { listLayers } from '#server/geography/layers/find-layer.ts'
import { LayerTiles } from '#server/geography/tiles/layer-tiles.ts'
import { getOrigin, signIn } from './client.ts'
import type { Bench } from './open-bench.ts'
import { type Report, measureMs, measureRuns } from './table.ts'

interface Tile {
  z: number
  x: number
  y: number
}

/** Number of calls that are open at a time. */
const concurrency = 100

/** Finds the tile that contains a place. */
export function findTile(lon: number, lat: number, zoom: number): Tile {
  const rad = (lat * Math.PI) / 180
  return {
    z: zoom,
    x: Math.floor(((lon + 180) / 360) * 2 ** zoom),
    y: Math.floor(((1 - Math.asinh(Math.tan(rad)) / Math.PI) / 2) * 2 ** zoom),
  }
}

/** Lists the tiles around a place at several zooms, `reach` tiles to each side. */
const listTilesAround = (lon: number, lat: number, zooms: readonly number[], reach: number): Tile[] =>
  zooms.flatMap((z) => {
    const { x, y } = findTile(lon, lat, z)
    const steps = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach)
    return steps.flatMap((dx) => steps.map((dy) => ({ z, x: x + dx, y: y + dy })))
  })

/** Measures vector tiles of two layers around the city's center: in the process, and over sockets. */
export async function benchTiles(bench: Bench, report: Report): Promise<void> {
  const { app, scope, regionId, city } = bench
  const layers = (await listLayers(app.state, scope, regionId)).slice(0, 2)
  for (const layer of layers) {
    const name = `of a layer of ${layer.shape_count.toLocaleString('en-US')} shapes (${layer.layer_name})`
    const getCenterTile = (z: number): Tile => findTile(city.lon, city.lat, z)
    const first: number[] = []
    let tiles = new LayerTiles(app.state)
    for (let run = 0; run < 3; run++) {
      tiles = new LayerTiles(app.state)
      first.push(
        await measureMs(() =>
          tiles.getTile(scope, layer, { z: 12, x: getCenterTile(12).x, y: getCenterTile(12).y }),
        ),
      )
    }
    report.add(`first tile ${name}`, 'ms', first)
    const others = [11, 12, 13, 14].flatMap((z) =>
      [1, 2, 3].map((dx) => ({ ...getCenterTile(z), x: getCenterTile(z).x + dx })),
    )
    report.add(
      `further tiles ${name}`,
      'ms',
      await measureRuns(others.length, (run) => {
        const { z, x, y } = others[run] ?? getCenterTile(12)
        return tiles.getTile(scope, layer, { z, x, y })
      }),
    )
  }
  for (const layer of layers) await benchRequests(bench, layer, report)
}

/** Measures tiles per second over real sockets for a signed-in user, uncached in the first round only. */
async function benchRequests(bench: Bench, layer: Layer, report: Report): Promise<void> {
  if (!bench.app.http.server.listening) await bench.app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = bench.app.http.server.address() as AddressInfo
  const cookie = await signIn(bench, port)
  const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency })
  const tiles = listTilesAround(bench.city.lon, bench.city.lat, [12, 13, 14, 15], 4)
  const path = `${getOrigin(port)}/v2/regions/${bench.regionId}/layers/${layer.shape_layer_uuid}/vector`
  const requestAll = async (): Promise<number> => {
    const waiting = [...tiles]
    const ms = await measureMs(() =>
      Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (let tile = waiting.pop(); tile; tile = waiting.pop())
            await requestTile(agent, `${path}/${tile.z}/${tile.x}/${tile.y}`, cookie)
        }),
      ),
    )
    return (1000 * tiles.length) / ms
  }
  const name = `tiles of ${layer.layer_name} over sockets, ${concurrency} at a time`
  report.add(`${name}, first time`, 'requests/s', [await requestAll()])
  const cached: number[] = []
  for (let run = 0; run < 5; run++) cached.push(await requestAll())
  report.add(`${name}, cached`, 'requests/s', cached)
  agent.destroy()
}

/** Requests a tile and reads it to its end. */
const requestTile = (agent: http.Agent, url: string, cookie: string): Promise<void> =>
  new Promise((resolve, reject) => {
    http
      .get(url, { agent, headers: { cookie, 'accept-encoding': 'gzip' } }, (response) => {
        response
          .resume()
          .once('end', () =>
            response.statusCode === 200 || response.statusCode === 204
              ? resolve()
              : reject(new Error(`A tile returned status ${response.statusCode}`)),
          )
      })
      .once('error', reject)
  })
