import { csvLine } from '#contract/csv.ts'
import type { RouteFormat, RouteSegment } from '#contract/routes.ts'
import { writeZip } from '#server/geography/boundary-files/export/write-zip.ts'
import { RawResponse } from '#server/http/route.ts'
import type { StreetSegmentSet } from './route-streets.ts'

/** The content of a download. */
export interface RoutesFile {
  segments: readonly RouteSegment[]
  streets: StreetSegmentSet | null
  /** Filters and totals, included in JSON and GeoJSON. */
  about: Readonly<Record<string, unknown>>
  /** The file name without extension. */
  name: string
}

const columns = [
  'segment_id',
  'street',
  'class',
  'length_m',
  'heading',
  'trips',
  'forward',
  'backward',
] as const

const toCsv = ({ segments }: RoutesFile): string =>
  [columns.join(','), ...segments.map((segment) => csvLine(columns.map((column) => segment[column])))].join(
    '\n',
  ) + '\n'

const toJson = ({ segments, about }: RoutesFile): string => JSON.stringify({ ...about, items: segments })

const toGeoJson = ({ segments, streets, about }: RoutesFile): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    ...about,
    features: segments.map((properties) => ({
      type: 'Feature',
      id: properties.segment_id,
      geometry: {
        type: 'LineString',
        coordinates: streets?.segments.get(properties.segment_id)?.coordinates ?? [],
      },
      properties,
    })),
  })

const writers: Readonly<Record<RouteFormat, { media: string; write: (file: RoutesFile) => Buffer }>> = {
  csv: { media: 'text/csv; charset=utf-8', write: (file) => Buffer.from(toCsv(file)) },
  geojson: { media: 'application/geo+json', write: (file) => Buffer.from(toGeoJson(file)) },
  json: { media: 'application/json; charset=utf-8', write: (file) => Buffer.from(toJson(file)) },
  zip: {
    media: 'application/zip',
    write: (file) =>
      Buffer.concat([
        ...writeZip([
          { name: `${file.name}.csv`, bytes: Buffer.from(toCsv(file)) },
          { name: `${file.name}.geojson`, bytes: Buffer.from(toGeoJson(file)) },
        ]),
      ]),
  },
}

/** Creates a download in the given format. A zip contains CSV and GeoJSON. */
export function writeRoutes(format: RouteFormat, file: RoutesFile): RawResponse {
  const { media, write } = writers[format]
  return new RawResponse(write(file), {
    'content-type': media,
    'content-disposition': `attachment; filename="${file.name}.${format}"`,
  })
}

const acceptedFormats: readonly (readonly [RegExp, RouteFormat])[] = [
  [/^text\/csv\b/i, 'csv'],
  [/^application\/(vnd\.)?geo\+json\b/i, 'geojson'],
  [/^application\/(x-)?zip\b/i, 'zip'],
]

/**
 * Returns the first supported format of an Accept header; null if there is none, or for JSON, which means a
 * page of the list.
 */
export function parseAcceptedFormat(accept: string | null): RouteFormat | null {
  for (const mediaRange of (accept ?? '').split(',')) {
    const media = mediaRange.trim()
    if (/^application\/json\b/i.test(media)) return null
    const [, format] = acceptedFormats.find(([pattern]) => pattern.test(media)) ?? []
    if (format) return format
  }
  return null
}
