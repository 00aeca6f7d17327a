import { parentPort } from 'node:worker_threads'
import type { Geometry } from '#contract/place.ts'
import { givenData } from '#server/jobs/start-worker.ts'
import type { BoundaryReading, ReadingAnswer } from './boundary-reading.ts'
import { BoundaryFileError } from './formats/boundary-file-error.ts'
import { readBoundaries } from './formats/read-boundaries.ts'
import { repairShape } from './repair-shape.ts'

/** Reads and repairs a boundary file off the serving thread. */
function answer({ fileName, bytes }: { fileName: string; bytes: Uint8Array }): ReadingAnswer {
  try {
    const read = readBoundaries(fileName, bytes)
    const notes = [...read.notes]
    const features: BoundaryReading['features'] = []
    for (const feature of read.features) {
      const { geometry, repairs } = repairShape(feature.geometry)
      for (const repair of repairs) notes.push({ position: feature.position, ...repair })
      if (geometry) features.push({ ...feature, geometry: geometry as Geometry })
    }
    if (!features.length) return { problem: 'No feature of the file has a usable geometry.' }
    return { reading: { ...read, fileName, features, notes } }
  } catch (error) {
    if (error instanceof BoundaryFileError) return { problem: error.message }
    throw error
  }
}

parentPort?.postMessage(answer(givenData()))
