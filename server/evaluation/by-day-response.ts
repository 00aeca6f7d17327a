import type { ByDayFormat } from '#contract/evaluation.ts'
import type { Geometry } from '#contract/place.ts'
import { RawResponse, TypedResponse } from '#server/http/route.ts'

interface DayFigures {
  value: number | null
  n: number
}

/** Local day -> shape id or NOT_IN_SHAPE -> figures. */
export type FiguresByDay<Figures extends DayFigures> = Record<string, Record<string, Figures>>

interface LayerShape {
  shapeId: string
  name: string
  geometry: Geometry
}

/** Returns GeoJSON with one feature per shape. Its property `days` contains the figures by date. */
export function toDayFeatures(byDay: FiguresByDay<DayFigures>, shapes: readonly LayerShape[]): object {
  const days = Object.keys(byDay).toSorted()
  const features = shapes.map(({ shapeId, name, geometry }) => {
    const values: Record<string, DayFigures> = {}
    for (const day of days) {
      const figures = byDay[day]?.[shapeId]
      if (figures) values[day] = { value: figures.value, n: figures.n }
    }
    return {
      type: 'Feature',
      id: shapeId,
      geometry,
      properties: { shape_uuid: shapeId, shape_name: name, days: values },
    }
  })
  return { type: 'FeatureCollection', features }
}

const mediaTypes: Record<ByDayFormat, string> = {
  geojson: 'application/geo+json',
  csv: 'text/csv',
  json: 'application/json',
}
const formats = Object.keys(mediaTypes) as ByDayFormat[]

/** Finds the weight (`q`) of a media type in an Accept header, by the most specific range that covers it. */
function findAcceptWeight(mediaType: string, accept: string): { weight: number; specificity: number } {
  const ranges = [mediaType, `${mediaType.split('/')[0]}/*`, '*/*']
  const matches = accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
    const index = ranges.indexOf(range)
    return index < 0 || Number.isNaN(weight) ? [] : [{ weight, specificity: ranges.length - index }]
  })
  return matches.toSorted((a, b) => b.specificity - a.specificity)[0] ?? { weight: 0, specificity: 0 }
}

/** Returns `format`, else what Accept prefers (named types before wildcards), else GeoJSON. */
export function negotiateByDayFormat(format: ByDayFormat | undefined, headers: Headers): ByDayFormat {
  if (format) return format
  const accept = headers.get('accept') ?? ''
  const [bestFormat] = formats
    .map((candidate) => ({ format: candidate, ...findAcceptWeight(mediaTypes[candidate], accept) }))
    .toSorted((a, b) => b.weight - a.weight || b.specificity - a.specificity)
  return bestFormat?.format ?? 'geojson'
}

interface ByDayContent<Figures extends DayFigures> {
  format: ByDayFormat
  byDay: FiguresByDay<Figures>
  /** Reads the shapes of the layer; not called for JSON. */
  readShapes: () => Promise<readonly LayerShape[]>
  /** Formats the figures as CSV, with the names of shapes by id. */
  formatCsv: (names: ReadonlyMap<string, string>) => string
  fileName: string
}

/** Creates a response by day in the requested format. */
export async function createByDayResponse<Figures extends DayFigures>({
  format,
  byDay,
  readShapes,
  formatCsv,
  fileName,
}: ByDayContent<Figures>): Promise<
  { shape_data_by_day: FiguresByDay<Figures> } | TypedResponse | RawResponse
> {
  if (format === 'json') return { shape_data_by_day: byDay }
  const shapes = await readShapes()
  if (format === 'geojson')
    return new TypedResponse(
      { ...toDayFeatures(byDay, shapes), shape_data_by_day: byDay },
      'application/geo+json',
    )
  const names = new Map(shapes.map(({ shapeId, name }) => [shapeId, name]))
  return new RawResponse(Buffer.from(formatCsv(names)), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
    vary: 'Accept',
  })
}
