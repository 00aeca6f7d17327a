import { parentPort } from 'node:worker_threads'
import { type PackedGeometries, unpackGeometries } from '#server/geography/membership/packed-geometries.ts'
import { readWorkerData } from '#server/jobs/start-worker.ts'
import type { RouteRow } from '../queries/route-shapes.ts'
import { IntersectionIndex, makeRouteShapeLine } from './intersection-index.ts'
import { growAreas } from './shape-list.ts'

/** Intersects routes with the shapes of a large list on a thread of its own. */
const { geometries, listId, buffer } = readWorkerData<{
  geometries: PackedGeometries
  listId: string
  buffer: number
}>()
const index = growAreas({ geometries: unpackGeometries(geometries), buffer }).then(
  (areas) => new IntersectionIndex(areas),
)

parentPort?.on('message', ({ routes, regionId }: { routes: readonly RouteRow[]; regionId: string }) => {
  void index.then((builtIndex) => {
    const lines = new TextEncoder().encode(
      routes.map((route) => makeRouteShapeLine(route, builtIndex, regionId, listId)).join(''),
    )
    // Only a buffer that the lines fill completely is transferred; others may be shared and are copied.
    parentPort?.postMessage(lines, lines.byteLength === lines.buffer.byteLength ? [lines.buffer] : [])
  })
})
