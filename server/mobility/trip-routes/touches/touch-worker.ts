import { parentPort } from 'node:worker_threads'
import { type PackedGeometries, unpackGeometries } from '#server/geography/membership/packed-geometries.ts'
import { readWorkerData } from '#server/jobs/start-worker.ts'
import type { WayRow } from '../queries/way-shapes.ts'
import { TouchIndex, wayShapeLine } from './touch-index.ts'
import { areasOf } from './way-list.ts'

/** Holds ways against the shapes of a large list, portion by portion, off the serving thread. */
const { geometries, listId, buffer } = readWorkerData<{
  geometries: PackedGeometries
  listId: string
  buffer: number
}>()
const index = areasOf({ geometries: unpackGeometries(geometries), buffer }).then(
  (areas) => new TouchIndex(areas),
)

parentPort?.on('message', ({ ways, regionId }: { ways: readonly WayRow[]; regionId: string }) => {
  void index.then((ready) => {
    const lines = new TextEncoder().encode(
      ways.map((way) => wayShapeLine(way, ready, regionId, listId)).join(''),
    )
    parentPort?.postMessage(lines, lines.byteLength === lines.buffer.byteLength ? [lines.buffer] : [])
  })
})
