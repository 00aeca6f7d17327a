import type { ByDayFormat } from '#contract/evaluation.ts'
import type { Geometry } from '#contract/place.ts'
import { RawResponse, TypedResponse } from '#server/http/route.ts'

/** Figures of one day and shape. */
interface DayFigures {
  value: number | null
  n: number
}

/** Local day -> shape id or NOT_IN_SHAPE -> figures. */
export type FiguresByDay<Figures extends DayFigures> = Record<string, Record<string, Figures>>

/** A shape of a layer. */
interface LayerShape {
  shapeId: string
  name: string
  geometry: Geometry
}

/** GeoJSON with one feature per shape; its property `days` has the figures under each date. */
export function daysAsFeatures(byDay: FiguresByDay<DayFigures>, shapes: readonly LayerShape[]): object {
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

const medias: Record<ByDayFormat, string> = {
  geojson: 'application/geo+json',
  csv: 'text/csv',
  json: 'application/json',
}
const formats = Object.keys(medias) as ByDayFormat[]

/** The most specific range of an Accept header that covers a media type, with its weight. */
function acceptedAs(media: string, accept: string): { weight: number; specificity: number } {
  const ranges = [media, `${media.split('/')[0]}/*`, '*/*']
  const found = accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
    const at = ranges.indexOf(range)
    return at < 0 || Number.isNaN(weight) ? [] : [{ weight, specificity: ranges.length - at }]
  })
  return found.toSorted((a, b) => b.specificity - a.specificity)[0] ?? { weight: 0, specificity: 0 }
}

/** The form that a call by day is answered in: `format`, else what Accept prefers (a named type before a wildcard), else GeoJSON. */
export function byDayFormat(format: ByDayFormat | undefined, headers: Headers): ByDayFormat {
  if (format) return format
  const accept = headers.get('accept') ?? ''
  const [best] = formats
    .map((each) => ({ format: each, ...acceptedAs(medias[each], accept) }))
    .toSorted((a, b) => b.weight - a.weight || b.specificity - a.specificity)
  return best?.format ?? 'geojson'
}

interface ByDayAnswer<Figures extends DayFigures> {
  format: ByDayFormat
  byDay: FiguresByDay<Figures>
  /** Reads the shapes of the layer; not called for JSON. */
  shapes: () => Promise<readonly LayerShape[]>
  csv: (names: ReadonlyMap<string, string>) => string
  fileName: string
}

/** An answer by day in the requested format. */
export async function answerByDay<Figures extends DayFigures>({
  format,
  byDay,
  shapes: readShapes,
  csv,
  fileName,
}: ByDayAnswer<Figures>): Promise<
  { shape_data_by_day: FiguresByDay<Figures> } | TypedResponse | RawResponse
> {
  if (format === 'json') return { shape_data_by_day: byDay }
  const shapes = await readShapes()
  if (format === 'geojson')
    return new TypedResponse(
      { ...daysAsFeatures(byDay, shapes), shape_data_by_day: byDay },
      'application/geo+json',
    )
  const names = new Map(shapes.map(({ shapeId, name }) => [shapeId, name]))
  return new RawResponse(Buffer.from(csv(names)), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
    vary: 'Accept',
  })
}
