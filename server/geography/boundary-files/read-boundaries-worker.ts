import type { Geometry } from '#contract/place.ts'
import { serveWorker } from '#server/jobs/start-worker.ts'
import type { BoundaryReading, ReadingResult } from './boundary-content.ts'
import { BoundaryFileError } from './boundary-file-error.ts'
import { readBoundaries } from './read-boundaries.ts'
import { repairShape } from '../geometry/repair-shape.ts'
import { getFeatureName, describeReasons } from './review-features.ts'

/** Formats in which outer rings are counterclockwise (RFC 7946). In shapefiles they are clockwise. */
const formatsWithRingOrder = ['geojson', 'geojson-lines', 'mds-geography']

async function readAndRepair({
  fileName,
  bytes,
}: {
  fileName: string
  bytes: Uint8Array
}): Promise<ReadingResult> {
  try {
    const read = await readBoundaries(fileName, bytes)
    const notes = [...read.notes]
    const repaired: BoundaryReading['features'] = []
    let reversedCount = 0
    for (const feature of read.features) {
      const { geometry, repairs } = repairShape(feature.geometry)
      for (const repair of repairs) notes.push({ position: feature.position, ...repair })
      if (geometry && geometry !== feature.geometry && !repairs.length) reversedCount += 1
      if (geometry) repaired.push({ ...feature, geometry: geometry as Geometry })
    }
    if (!repaired.length) {
      const names = new Map(
        read.features.map(({ position, properties }) => [
          position,
          getFeatureName(properties, read.suggestedName),
        ]),
      )
      return { problem: `No feature of the file has a usable geometry. ${describeReasons(notes, names)}` }
    }
    if (reversedCount && formatsWithRingOrder.includes(read.format))
      notes.push({
        position: null,
        code: 'rings-turned',
        text: `${reversedCount === 1 ? 'One shape had' : `${reversedCount.toLocaleString('en')} shapes had`} borders that ran the wrong way round; they were turned, the outline is the same.`,
      })
    return { reading: { ...read, fileName, features: repaired, notes } }
  } catch (error) {
    if (error instanceof BoundaryFileError) return { problem: error.message }
    throw error
  }
}

serveWorker(readAndRepair)
