import type { LayerPlaces, Note } from '#contract/boundary-files.ts'
import type { Box, Geometry } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import { isWithinReach, computeKilometers, regionReachKm } from '#server/regions/region-reach.ts'
import type { BoundaryReading } from './boundary-content.ts'
import { computeBounds } from './geometry-bounds.ts'
import { describeFeature, listLabels } from './review-features.ts'

type Feature = BoundaryReading['features'][number]
export type Center = Pick<Region, 'lon' | 'lat' | 'text'>

/** Wider or higher areas and lines are larger than any district, county or state around a city. */
const maxDegrees = 20
const maxOversizedListed = 5

/** Whether the nearest point of a box is within `regionReachKm` of the center of the region. */
function isNear([west, south, east, north]: Box, center: Center): boolean {
  const lat = Math.min(Math.max(center.lat, south), north)
  const isWithin = center.lon >= west && center.lon <= east
  const lons = isWithin ? [center.lon] : [west, east]
  return lons.some((lon) => computeKilometers(lon, lat, center.lon, center.lat) <= regionReachKm)
}

/**
 * Returns the boxes of the parts of a geometry. Parts on both sides of longitude 180 have two small boxes,
 * not one around the world.
 */
function listPartBoxes({ type, coordinates }: Geometry): Box[] {
  if (type === 'MultiPolygon')
    return coordinates.map((part) => computeBounds([{ type: 'Polygon', coordinates: part }]))
  if (type === 'MultiLineString')
    return coordinates.map((line) => computeBounds([{ type: 'LineString', coordinates: line }]))
  return []
}

/** Returns the larger of the width and height of a box, in degrees. */
const getExtent = ([west, south, east, north]: Box): number => Math.max(east - west, north - south)

/** Returns the box of the largest part of a geometry if it is too large for a city; otherwise null. */
function findOversizedPart(geometry: Geometry, box: Box): Box | null {
  if (geometry.type === 'MultiPoint' || getExtent(box) <= maxDegrees) return null
  const parts = listPartBoxes(geometry)
  const largest = parts.reduce(
    (max, part) => (getExtent(part) > getExtent(max) ? part : max),
    parts[0] ?? box,
  )
  return getExtent(largest) > maxDegrees ? largest : null
}

const formatDegrees = (value: number): string => `${Math.round(value * 10) / 10}°`

function describeOversized([west, south, east, north]: Box): string {
  const reason =
    east - west > 180
      ? ' It covers the world, or crosses longitude 180 and must be cut there into two parts.'
      : ''
  return `is ${formatDegrees(east - west)} wide and ${formatDegrees(north - south)} high: far larger than a city.${reason}`
}

/** Finds features in implausible places: outside of the region, with swapped axes, or continent-sized. */
function findPlaces(features: readonly Feature[], center: Center) {
  const outside: Feature[] = []
  const oversized: { feature: Feature; box: Box }[] = []
  let swapped = 0
  for (const feature of features) {
    const box = computeBounds([feature.geometry])
    const part = findOversizedPart(feature.geometry, box)
    if (part) oversized.push({ feature, box: part })
    else if (!isNear(box, center)) {
      outside.push(feature)
      const [west, south, east, north] = box
      if (isWithinReach((south + north) / 2, (west + east) / 2, center)) swapped++
    }
  }
  return { outside, oversized, swapped }
}

const formatCount = (features: number): string => features.toLocaleString('en')

/** The places of a file's features relative to the region, and the question to confirm before import. */
export interface PlacesReview {
  places: LayerPlaces
  notes: Note[]
  /** Null if nothing needs confirmation. */
  question: string | null
}

/**
 * Compares the features of a file with the region. A few features outside of it get a note. If more than half
 * are outside, or one is far larger than a city, the user must confirm the layer.
 */
export function reviewPlaces(
  features: readonly Feature[],
  center: Center,
  nameProperty: string | null,
): PlacesReview {
  const { outside, oversized, swapped } = findPlaces(features, center)
  const isMajorityOutside = outside.length * 2 > features.length
  const list = listLabels(outside.map((feature) => describeFeature(feature, nameProperty)))
  const outsideFeatures = `${formatCount(outside.length)} of ${formatCount(features.length)} features ${outside.length === 1 ? 'is' : 'are'}`
  const hint =
    swapped * 2 > outside.length
      ? ` ${formatCount(swapped)} of them would be inside if longitude and latitude were swapped.`
      : ''
  const outsideText = `${outsideFeatures} outside the region (more than ${regionReachKm} km from the center of ${center.text}): ${list}${list.endsWith('…') ? '' : '.'}${hint}`
  const oversizedTexts = oversized.slice(0, maxOversizedListed).map(({ feature, box }) => {
    const label = describeFeature(feature, nameProperty)
    return `${label.charAt(0).toUpperCase()}${label.slice(1)} ${describeOversized(box)}`
  })
  if (oversized.length > oversizedTexts.length)
    oversizedTexts.push(
      `${formatCount(oversized.length - oversizedTexts.length)} more features are as large.`,
    )
  const questions = [...(isMajorityOutside ? [outsideText] : []), ...oversizedTexts]
  const notes =
    outside.length > 0 && !isMajorityOutside
      ? [{ position: null, code: 'outside-region', text: outsideText }]
      : []
  return {
    places: { features: features.length, outside: outside.length, swapped, oversized: oversized.length },
    notes,
    question: questions.length ? questions.join(' ') : null,
  }
}

/**
 * Throws the Problem `conflict` for features in implausible places unless the user has confirmed them.
 * Returns the notes on their places.
 */
export function checkPlaces(
  reading: BoundaryReading,
  center: Center,
  nameProperty: string | null,
  isAccepted: boolean | undefined,
): Note[] {
  const { notes, places, question } = reviewPlaces(
    reading.features,
    center,
    nameProperty ?? reading.suggestedName,
  )
  if (question !== null && !isAccepted) {
    throw new Problem(
      'conflict',
      `${question} Check the file, or confirm to store the layer anyway.`,
      undefined,
      { places },
    )
  }
  return notes
}
