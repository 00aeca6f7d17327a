import type { Format } from './format.ts'
import { geojsonFormat } from './geojson-format.ts'
import { geojsonLinesFormat } from './geojson-lines-format.ts'
import { geopackageFormat } from './geopackage-format.ts'
import { kmlFormat } from './kml-format.ts'
import { mdsGeographyFormat } from './mds-geography-format.ts'
import { zipFormat } from './zip-format.ts'

/** Every kind of boundary file, the more particular first: MDS and lines are JSON too. */
export const formats: readonly Format[] = [
  zipFormat,
  geopackageFormat,
  mdsGeographyFormat,
  geojsonLinesFormat,
  geojsonFormat,
  kmlFormat,
]
