import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Layer } from '#contract/geography.ts'
import { originOf, percentile, signIn } from './client.ts'
import type { Bench } from './open-bench.ts'
import type { TilePlace } from './tile-places.ts'

const inFlight = 100

/** Ms of one answer over a connection that is kept, read to its end. */
function ask(agent: http.Agent, address: string, cookie: string): Promise<number> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    http
      .get(address, { agent, headers: { cookie, 'accept-encoding': 'gzip' } }, (response) => {
        response
          .resume()
          .once('end', () =>
            response.statusCode === 200 || response.statusCode === 204
              ? resolve(performance.now() - start)
              : reject(new Error(`A tile was answered with ${response.statusCode}`)),
          )
      })
      .once('error', reject)
  })
}

/** Tiles of a layer over real sockets, a hundred at a time, by somebody who is signed in: each for the first time, and each again; ms, and answers a second. */
export async function benchTileRequests(bench: Bench, layer: Layer, places: readonly TilePlace[]) {
  if (!bench.app.http.server.listening) await bench.app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = bench.app.http.server.address() as AddressInfo
  const cookie = await signIn(bench, port)
  const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight })
  const round = async () => {
    const left = [...places]
    const all: number[] = []
    const start = performance.now()
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        for (let at = left.pop(); at; at = left.pop())
          all.push(
            await ask(
              agent,
              `${originOf(port)}/v2/regions/${bench.regionId}/layers/${layer.shape_layer_uuid}/vector/${at.z}/${at.x}/${at.y}`,
              cookie,
            ),
          )
      }),
    )
    return {
      p50_ms: Math.round(percentile(all, 0.5)),
      p95_ms: Math.round(percentile(all, 0.95)),
      a_second: Math.round((1000 * all.length) / (performance.now() - start)),
    }
  }
  const found = { layer: layer.layer_name, tiles: places.length, fresh: await round(), kept: await round() }
  agent.destroy()
  return found
}
