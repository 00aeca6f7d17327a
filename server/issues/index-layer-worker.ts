import { isArea, polygonsOf } from '#contract/place.ts'
import { buildIndexes } from '#server/geography/membership/build-index.ts'
import { buffersOf } from '#server/geography/membership/layer-index.ts'
import { type PackedGeometries, unpackGeometries } from '#server/geography/membership/packed-geometries.ts'
import { handleWork } from '#server/jobs/start-worker.ts'

/** The index of a layer's areas; shape n is the nth of the layer. */
handleWork(
  (packed: PackedGeometries) =>
    buildIndexes(
      unpackGeometries(packed).flatMap((geometry, at) =>
        isArea(geometry) ? [{ number: at + 1, rings: polygonsOf(geometry).flat() }] : [],
      ),
    ),
  buffersOf,
)
