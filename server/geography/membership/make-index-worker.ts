import { handleWork } from '#server/jobs/start-worker.ts'
import { makeIndexLines, type MadeIndexes } from './make-index-lines.ts'
import { type PackedGeometries, unpackGeometries } from './packed-geometries.ts'

/** Builds the indexes of a layer on a worker thread. */
handleWork(
  ({ geometries, ...work }: { content: string; geometries: PackedGeometries; buffer: number }): MadeIndexes =>
    makeIndexLines({ ...work, geometries: unpackGeometries(geometries) }),
  (made) =>
    made.lines
      .flatMap(({ codes, edges, faces }) => [codes, edges, faces])
      .map(({ rows }) => rows.buffer as ArrayBuffer),
)
