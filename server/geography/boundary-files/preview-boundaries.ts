import { maxBoundaryNotes, type BoundaryPreview } from '#contract/boundary-files.ts'
import type { Geometry, Position } from '#contract/place.ts'
import type { BoundaryReading } from './boundary-content.ts'
import { listNotes, reviewNames } from './review-features.ts'
import { type Center, reviewPlaces } from './review-places.ts'

/** Limits of the features and vertices in a preview. */
const maxFeatures = 2000
const maxPositions = 120_000

/** Simplifies coordinates for the preview: every `step`th position and both ends of each line. */
function dropPositions(coordinates: unknown, step: number): unknown {
  if (!Array.isArray(coordinates)) return coordinates
  if (!Array.isArray((coordinates[0] as unknown[] | undefined)?.[0])) {
    const line = coordinates as Position[]
    if (typeof line[0] === 'number') return line
    // A ring needs at least four positions to be drawn.
    const stride = Math.max(1, Math.min(step, Math.floor((line.length - 1) / 3)))
    return line.filter((_, index) => index % stride === 0 || index === line.length - 1)
  }
  return coordinates.map((part) => dropPositions(part, step))
}

function countPositions(coordinates: unknown): number {
  if (!Array.isArray(coordinates)) return 0
  if (typeof coordinates[0] === 'number') return 1
  return coordinates.reduce<number>((sum, nested) => sum + countPositions(nested), 0)
}

/** Builds the preview of a reading: properties, notes, and simplified features. */
export function buildPreview(reading: BoundaryReading, uploadId: string, region: Center): BoundaryPreview {
  const { notes, question } = reviewPlaces(reading.features, region, reading.suggestedName)
  // If there are many features, the preview shows a sample from all parts of the file.
  const sampleStep = Math.max(1, reading.features.length / maxFeatures)
  const sample = reading.features.filter(
    (_, index) => Math.floor(index / sampleStep) !== Math.floor((index - 1) / sampleStep),
  )
  const positionCount = sample.reduce((sum, { geometry }) => sum + countPositions(geometry.coordinates), 0)
  const positionStep = Math.ceil(positionCount / maxPositions)
  return {
    upload_uuid: uploadId,
    file_name: reading.fileName,
    format: reading.format,
    feature_count: reading.features.length,
    properties: reading.properties.map((property) => ({
      ...property,
      notes: reviewNames(reading.features, property.name),
    })),
    suggested_name: reading.suggestedName,
    notes: [...notes, ...listNotes(reading, reading.suggestedName)].slice(0, maxBoundaryNotes),
    question,
    bbox: reading.bbox,
    features: sample.map(({ geometry, properties }) => ({
      type: 'Feature' as const,
      geometry: (positionStep > 1
        ? { ...geometry, coordinates: dropPositions(geometry.coordinates, positionStep) }
        : geometry) as Geometry,
      properties,
    })),
  }
}
