import type { Geometry } from '#contract/place.ts'
import { answerWork } from '#server/jobs/start-worker.ts'
import type { BoundaryReading, ReadingResult } from './boundary-reading.ts'
import { BoundaryFileError } from './formats/boundary-file-error.ts'
import { readBoundaries } from './formats/read-boundaries.ts'
import { repairShape } from './repair-shape.ts'
import { nameOf, reasonsOf } from './review-features.ts'

/** Formats whose rule is ours: outer rings counter-clockwise (RFC 7946). Shapefiles run the other way by their own. */
const formatsWithRingOrder = ['geojson', 'geojson-lines', 'mds-geography']

/** Reads and repairs a boundary file off the serving thread. */
function readAndRepair({ fileName, bytes }: { fileName: string; bytes: Uint8Array }): ReadingResult {
  try {
    const read = readBoundaries(fileName, bytes)
    const notes = [...read.notes]
    const mended: BoundaryReading['features'] = []
    let turned = 0
    for (const feature of read.features) {
      const { geometry, repairs } = repairShape(feature.geometry)
      for (const repair of repairs) notes.push({ position: feature.position, ...repair })
      if (geometry && geometry !== feature.geometry && !repairs.length) turned += 1
      if (geometry) mended.push({ ...feature, geometry: geometry as Geometry })
    }
    if (!mended.length) {
      const names = new Map(
        read.features.map(({ position, properties }) => [position, nameOf(properties, read.suggestedName)]),
      )
      return { problem: `No feature of the file has a usable geometry. ${reasonsOf(notes, names)}` }
    }
    if (turned && formatsWithRingOrder.includes(read.format))
      notes.push({
        position: null,
        code: 'rings-turned',
        text: `${turned === 1 ? 'One shape had' : `${turned.toLocaleString('en')} shapes had`} borders that ran the wrong way round; they were turned, the outline is the same.`,
      })
    return { reading: { ...read, fileName, features: mended, notes } }
  } catch (error) {
    if (error instanceof BoundaryFileError) return { problem: error.message }
    throw error
  }
}

answerWork(readAndRepair)
