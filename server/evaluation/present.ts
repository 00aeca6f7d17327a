import { csvCell } from '#contract/csv.ts'
import type { z } from 'zod'
import { quantileBins } from '#contract/bins.ts'
import { notInShape } from '#contract/evaluation.ts'
import type { LegendValues } from '#contract/layer-figures.ts'
import type { ShapeFigures, SpatialByTime, SpatialResult, TimeBucket } from '#contract/spatial.ts'
import { ALL_SHAPES_ID, NO_SHAPE_ID } from '#server/fleet/cubes/cube-columns.ts'
import { createTimeSlicer } from '#server/stores/time-slices.ts'
import { type Evaluation, methodOf } from './evaluate.ts'
import type { FiguresByDay } from './days-as-features.ts'
import type { SumRow } from './modes/mode.ts'
import { bucketsOf, type Span } from './query-time.ts'

const noRows: readonly SumRow[] = []
const noSpan: Span = { days: 0, ms: 0 }

/** Rows by bucket and shape number. */
function groupRows(rows: readonly SumRow[]): (bucket: string, shape: number) => readonly SumRow[] {
  const groups = new Map<string, Map<number, SumRow[]>>()
  for (const row of rows) {
    let shapes = groups.get(row.bucket)
    if (!shapes) groups.set(row.bucket, (shapes = new Map<number, SumRow[]>()))
    const group = shapes.get(row.shape)
    if (group) group.push(row)
    else shapes.set(row.shape, [row])
  }
  return (bucket, shape) => groups.get(bucket)?.get(shape) ?? noRows
}

/** The figures of each shape without buckets, by shape id and NOT_IN_SHAPE, and those of the region. */
export function figuresByShape({ request, mode, rows, shapeIds, spans }: Evaluation): {
  shapes: Record<string, ShapeFigures>
  region: ShapeFigures
  regionRows: readonly SumRow[]
  span: Span
} {
  const rowsOf = groupRows(rows)
  const span = spans.get('') ?? noSpan
  const regionRows = rowsOf('', ALL_SHAPES_ID)
  const figuresOf = (shape: number): ShapeFigures =>
    mode.figures(request.aggregation, { rows: rowsOf('', shape), regionRows, span })
  const shapes: Record<string, ShapeFigures> = { [notInShape]: figuresOf(NO_SHAPE_ID) }
  for (const [at, id] of shapeIds.entries()) shapes[id] = figuresOf(at + 1)
  return { shapes, region: figuresOf(ALL_SHAPES_ID), regionRows, span }
}

/** Relative tolerance for rounding errors when sums of fractions are compared. */
const roundingTolerance = 1e-9

/** The answer of a map: every shape of the layer, NOT_IN_SHAPE, and the total of the region. */
export function spatialResult(evaluation: Evaluation, milliseconds: number): SpatialResult {
  const { request, mode } = evaluation
  const { shapes, region, regionRows, span } = figuresByShape(evaluation)
  const routeCounts = mode.routeCounts?.(request.aggregation, regionRows)
  const sum = Object.values(shapes).reduce((all, { value }) => all + (value ?? 0), 0)
  const addsUpToMore = sum > (region.value ?? 0) * (1 + roundingTolerance)
  return {
    shape_data: shapes,
    total: region.value,
    mode: request.mode,
    aggregation: request.aggregation,
    unit: mode.unitOf(request.aggregation),
    days: span.days,
    adds_up: mode.isMean(request.aggregation) ? 'never' : addsUpToMore ? 'more' : 'exact',
    ...(routeCounts ? { ways: routeCounts } : {}),
    method: methodOf(evaluation),
    milliseconds,
    from: evaluation.from,
  }
}

/**
 * Values by bucket and shape, of which there may be two million: other requests get turns in between. Buckets
 * outside the question (a filtered hour or weekday) have no values.
 */
export async function spatialByTime(
  evaluation: Evaluation,
  bucket: TimeBucket,
  milliseconds: number,
): Promise<SpatialByTime> {
  const { request, mode, shapeIds, spans } = evaluation
  const rowsOf = groupRows(evaluation.rows)
  const buckets = bucketsOf(request, bucket)
  const valueOf = (name: string, shape: number): number | null => {
    const span = spans.get(name)
    if (!span) return null
    const [rows, regionRows] = [rowsOf(name, shape), rowsOf(name, ALL_SHAPES_ID)]
    return mode.figures(request.aggregation, { rows, regionRows, span }).value
  }
  const routeCounts = mode.routeCounts?.(
    request.aggregation,
    buckets.flatMap((name) => rowsOf(name, ALL_SHAPES_ID)),
  )
  const nextSlice = createTimeSlicer()
  const values: (number | null)[][] = []
  for (const name of buckets) {
    values.push(shapeIds.map((_, at) => valueOf(name, at + 1)))
    await nextSlice()
  }
  return {
    buckets,
    shape_uuids: [...shapeIds],
    values,
    not_in_shape: buckets.map((name) => valueOf(name, NO_SHAPE_ID)),
    total: buckets.map((name) => valueOf(name, ALL_SHAPES_ID)),
    unit: mode.unitOf(request.aggregation),
    ...(routeCounts ? { ways: routeCounts } : {}),
    method: methodOf(evaluation),
    milliseconds,
    from: evaluation.from,
  }
}

/** The figures of an evaluation by day. Days and shapes without facts are omitted. */
export function figuresByDay({
  request,
  mode,
  rows,
  shapeIds,
  spans,
}: Evaluation): FiguresByDay<ShapeFigures> {
  const rowsOf = groupRows(rows)
  const byDay: FiguresByDay<ShapeFigures> = {}
  for (const { bucket: day, shape } of rows) {
    const span = spans.get(day)
    if (shape === ALL_SHAPES_ID || !span) continue
    const id = shapeIds[shape - 1] ?? notInShape
    ;(byDay[day] ??= {})[id] ??= mode.figures(request.aggregation, {
      rows: rowsOf(day, shape),
      regionRows: rowsOf(day, ALL_SHAPES_ID),
      span,
    })
  }
  return byDay
}

/**
 * CSV of an evaluation by day, one chunk per day, with one line per shape in order of names and one for
 * NOT_IN_SHAPE. Days outside the question are omitted.
 */
export function* csvByDay(evaluation: Evaluation, names: ReadonlyMap<string, string>): Generator<string> {
  const { request, mode, shapeIds, spans } = evaluation
  const rowsOf = groupRows(evaluation.rows)
  const unit = mode.unitOf(request.aggregation)
  const shapes = [
    ...shapeIds
      .map((id, at) => ({ id, name: names.get(id) ?? '', shape: at + 1 }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    { id: notInShape, name: notInShape, shape: NO_SHAPE_ID },
  ]
  const noFacts = { rows: [], regionRows: [], span: { days: 1, ms: 0 } }
  const columns = Object.keys(mode.figures(request.aggregation, noFacts).counts)
  yield `${['date', 'shape_uuid', 'shape_name', 'value', 'unit', 'n', ...columns].join(',')}\n`
  for (const day of bucketsOf(request, 'day')) {
    const span = spans.get(day)
    if (!span) continue
    const regionRows = rowsOf(day, ALL_SHAPES_ID)
    let lines = ''
    for (const { id, name, shape } of shapes) {
      const rows = rowsOf(day, shape)
      const { value, n, counts } = mode.figures(request.aggregation, { rows, regionRows, span })
      const sums = columns.map((column) => counts[column] ?? 0)
      lines += `${[day, id, csvCell(name), value ?? '', unit, n, ...sums].join(',')}\n`
    }
    yield lines
  }
}

/** Classes of the values of an answer's shapes, as on the map: zeros and missing values are no class. */
export function legendValues(
  { shape_data, unit }: Pick<SpatialResult, 'shape_data' | 'unit'>,
  version: string | null,
): z.output<typeof LegendValues> {
  const values = Object.entries(shape_data).flatMap(([id, { value }]) => (id === notInShape ? [] : [value]))
  const known = values.filter((value) => value !== null)
  return {
    bins: quantileBins(known.filter((value) => value !== 0)),
    min: known.length ? known.reduce((lowest, value) => Math.min(lowest, value)) : null,
    max: known.length ? known.reduce((highest, value) => Math.max(highest, value)) : null,
    zeros: known.filter((value) => value === 0).length,
    none: values.length - known.length,
    unit,
    ...(version === null ? {} : { v: version }),
  }
}
