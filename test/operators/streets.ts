import { makeStreetSegments } from '#server/routes/street-segments.ts'

export const region_id = 'alder'
const [lon, lat] = [-72.5, 41.49]
const drawn: { name: string; coordinates: [number, number][] }[] = [
  {
    name: 'Long Street',
    coordinates: [
      [lon - 0.01, lat],
      [lon, lat],
      [lon + 0.01, lat],
    ],
  },
  {
    name: 'High Street',
    coordinates: [
      [lon, lat - 0.01],
      [lon, lat],
      [lon, lat + 0.01],
    ],
  },
]
const features = drawn.map(({ name, coordinates }) => ({
  type: 'Feature',
  properties: { name, class: 'local' },
  geometry: { type: 'LineString', coordinates },
}))

/** A boundary file with two crossing streets. */
export const streetsFile = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }))
/** Ids of the segments of the streets. */
export const segments = makeStreetSegments(
  drawn.map(({ name, coordinates }) => ({ shapeUuid: name, coordinates })),
).map(({ id }) => Number(id))
