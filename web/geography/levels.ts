/** Levels with a meaning of their own; any other text is allowed. */
export const knownLevels = [
  'l1',
  'basemap:water',
  'basemap:park',
  'basemap:land',
  'basemap:street',
  'basemap:rail',
  'basemap:place',
] as const

/** `City wards.geojson` -> `City wards` */
export const nameOfFile = (fileName: string): string =>
  fileName
    .replace(/\.(zip|geojson|json|kml|shp)$/i, '')
    .replaceAll('_', ' ')
    .trim()
