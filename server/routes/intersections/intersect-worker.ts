import { parentPort } from 'node:worker_threads'
import { type PackedGeometries, unpackGeometries } from '#server/geography/membership/packed-geometries.ts'
import { readWorkerData } from '#server/jobs/start-worker.ts'
import type { RouteRow } from '../queries/route-shapes.ts'
import { IntersectionIndex, routeShapeLine } from './intersection-index.ts'
import { growAreas } from './shape-list.ts'

/** Holds routes against the shapes of a large list, portion by portion, off the serving thread. */
const { geometries, listId, buffer } = readWorkerData<{
  geometries: PackedGeometries
  listId: string
  buffer: number
}>()
const index = growAreas({ geometries: unpackGeometries(geometries), buffer }).then(
  (areas) => new IntersectionIndex(areas),
)

parentPort?.on('message', ({ ways, regionId }: { ways: readonly RouteRow[]; regionId: string }) => {
  void index.then((ready) => {
    const lines = new TextEncoder().encode(
      ways.map((way) => routeShapeLine(way, ready, regionId, listId)).join(''),
    )
    parentPort?.postMessage(lines, lines.byteLength === lines.buffer.byteLength ? [lines.buffer] : [])
  })
})
