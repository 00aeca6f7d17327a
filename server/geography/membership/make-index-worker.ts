import { parentPort } from 'node:worker_threads'
import { givenData } from '#server/jobs/start-worker.ts'
import { makeIndexLines } from './make-index-lines.ts'
import { type PackedGeometries, unpackGeometries } from './packed-geometries.ts'

/** The indexes of a layer, off the serving thread. */
const { geometries, ...work } = givenData<{ content: string; geometries: PackedGeometries; buffer: number }>()
const made = makeIndexLines({ ...work, geometries: unpackGeometries(geometries) })
// Small texts lie in memory that others use too: those are copied.
const whole = made.lines.flatMap(({ codes, edges, faces }) => [codes, edges, faces]).filter(({ lines }) => lines.byteLength === lines.buffer.byteLength)
parentPort?.postMessage(made, whole.map(({ lines }) => lines.buffer as ArrayBuffer))
