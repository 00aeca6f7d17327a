import { isArea, getPolygons } from '#contract/place.ts'
import { buildIndexes } from '#server/geography/membership/build-index.ts'
import { listBuffers } from '#server/geography/membership/layer-index.ts'
import { type PackedGeometries, unpackGeometries } from '#server/geography/membership/packed-geometries.ts'
import { serveWorker } from '#server/jobs/start-worker.ts'

/** Builds the index of a layer's areas. The number of a shape is its position in the layer, starting at 1. */
serveWorker(
  (packed: PackedGeometries) =>
    buildIndexes(
      unpackGeometries(packed).flatMap((geometry, index) =>
        isArea(geometry) ? [{ number: index + 1, rings: getPolygons(geometry).flat() }] : [],
      ),
    ),
  listBuffers,
)
