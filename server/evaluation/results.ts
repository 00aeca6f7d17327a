import { csvCell } from '#contract/csv.ts'
import type { z } from 'zod'
import { computeQuantileBins } from '#contract/bins.ts'
import { notInShape } from '#contract/evaluation.ts'
import { appendTo } from '#contract/group-by.ts'
import type { LegendValues } from '#contract/layer-figures.ts'
import type { ShapeFigures, SpatialByTime, SpatialResult, TimeBucket } from '#contract/spatial.ts'
import { ALL_SHAPES_ID, NO_SHAPE_ID } from '#server/fleet/cubes/cube-columns.ts'
import { createTimeSlicer } from '#server/stores/time-slices.ts'
import { type Evaluation, describeMethod } from './evaluate.ts'
import type { FiguresByDay } from './by-day-response.ts'
import type { SumRow } from './modes/mode.ts'
import { listBuckets, type Span } from './query-time.ts'

const noRows: readonly SumRow[] = []
const noSpan: Span = { days: 0, ms: 0 }

/** Returns the number that rows have for a shape by its index: from 1, because other numbers are sentinels. */
const toShapeNumber = (shapeIndex: number): number => shapeIndex + 1

/** Groups rows; returns a function that gets the rows of a bucket ('' without buckets) and shape number. */
function groupRows(rows: readonly SumRow[]): (bucket: string, shapeNumber: number) => readonly SumRow[] {
  const groups = new Map<string, Map<number, SumRow[]>>()
  for (const row of rows) {
    let shapes = groups.get(row.bucket)
    if (!shapes) groups.set(row.bucket, (shapes = new Map<number, SumRow[]>()))
    appendTo(shapes, row.shape, row)
  }
  return (bucket, shapeNumber) => groups.get(bucket)?.get(shapeNumber) ?? noRows
}

/** Returns the figures of shape ids, NOT_IN_SHAPE and the region, for questions without buckets. */
export function toFiguresByShape({ request, mode, rows, shapeIds, spans }: Evaluation): {
  shapes: Record<string, ShapeFigures>
  region: ShapeFigures
  regionRows: readonly SumRow[]
  span: Span
} {
  const getRows = groupRows(rows)
  const span = spans.get('') ?? noSpan
  const regionRows = getRows('', ALL_SHAPES_ID)
  const getFigures = (shapeNumber: number): ShapeFigures =>
    mode.figures(request.aggregation, { rows: getRows('', shapeNumber), regionRows, span })
  const shapes: Record<string, ShapeFigures> = { [notInShape]: getFigures(NO_SHAPE_ID) }
  for (const [index, id] of shapeIds.entries()) shapes[id] = getFigures(toShapeNumber(index))
  return { shapes, region: getFigures(ALL_SHAPES_ID), regionRows, span }
}

/** Relative tolerance for rounding errors when sums of floating-point values are compared. */
const roundingTolerance = 1e-9

/** Returns the response for a map: every shape of the layer, NOT_IN_SHAPE, and the total of the region. */
export function toSpatialResult(evaluation: Evaluation, milliseconds: number): SpatialResult {
  const { request, mode } = evaluation
  const { shapes, region, regionRows, span } = toFiguresByShape(evaluation)
  const routeCounts = mode.routeCounts?.(request.aggregation, regionRows)
  const sum = Object.values(shapes).reduce((total, { value }) => total + (value ?? 0), 0)
  // Shapes may overlap, so that their sum exceeds the total of the region. Means never add up.
  const exceedsTotal = sum > (region.value ?? 0) * (1 + roundingTolerance)
  const addsUp = exceedsTotal ? 'more' : 'exact'
  return {
    shape_data: shapes,
    total: region.value,
    mode: request.mode,
    aggregation: request.aggregation,
    unit: mode.getUnit(request.aggregation),
    days: span.days,
    adds_up: mode.isMean(request.aggregation) ? 'never' : addsUp,
    ...(routeCounts ? { ways: routeCounts } : {}),
    method: describeMethod(evaluation),
    milliseconds,
    from: evaluation.from,
  }
}

/**
 * Returns the values by bucket and shape. There may be two million, so the computation yields to other
 * requests. Buckets that the question excludes (a filtered hour or weekday) have null values.
 */
export async function toSpatialByTime(
  evaluation: Evaluation,
  bucket: TimeBucket,
  milliseconds: number,
): Promise<SpatialByTime> {
  const { request, mode, shapeIds, spans } = evaluation
  const getRows = groupRows(evaluation.rows)
  const buckets = listBuckets(request, bucket)
  const getValue = (bucketName: string, shapeNumber: number): number | null => {
    const span = spans.get(bucketName)
    if (!span) return null
    const rows = getRows(bucketName, shapeNumber)
    const regionRows = getRows(bucketName, ALL_SHAPES_ID)
    return mode.figures(request.aggregation, { rows, regionRows, span }).value
  }
  const routeCounts = mode.routeCounts?.(
    request.aggregation,
    buckets.flatMap((name) => getRows(name, ALL_SHAPES_ID)),
  )
  const nextSlice = createTimeSlicer()
  const values: (number | null)[][] = []
  for (const name of buckets) {
    values.push(shapeIds.map((_, index) => getValue(name, toShapeNumber(index))))
    await nextSlice()
  }
  return {
    buckets,
    shape_uuids: [...shapeIds],
    values,
    not_in_shape: buckets.map((name) => getValue(name, NO_SHAPE_ID)),
    total: buckets.map((name) => getValue(name, ALL_SHAPES_ID)),
    unit: mode.getUnit(request.aggregation),
    ...(routeCounts ? { ways: routeCounts } : {}),
    method: describeMethod(evaluation),
    milliseconds,
    from: evaluation.from,
  }
}

/** Returns the figures by day and shape id. Days and shapes without facts are omitted. */
export function toFiguresByDay({
  request,
  mode,
  rows,
  shapeIds,
  spans,
}: Evaluation): FiguresByDay<ShapeFigures> {
  const getRows = groupRows(rows)
  const byDay: FiguresByDay<ShapeFigures> = {}
  for (const { bucket: day, shape } of rows) {
    const span = spans.get(day)
    if (shape === ALL_SHAPES_ID || !span) continue
    const id = shapeIds[shape - toShapeNumber(0)] ?? notInShape
    ;(byDay[day] ??= {})[id] ??= mode.figures(request.aggregation, {
      rows: getRows(day, shape),
      regionRows: getRows(day, ALL_SHAPES_ID),
      span,
    })
  }
  return byDay
}

/** Yields CSV in chunks of a day: lines of shapes by name, then NOT_IN_SHAPE. Omits excluded days. */
export function* toCsvByDay(evaluation: Evaluation, names: ReadonlyMap<string, string>): Generator<string> {
  const { request, mode, shapeIds, spans } = evaluation
  const getRows = groupRows(evaluation.rows)
  const unit = mode.getUnit(request.aggregation)
  const shapes = [
    ...shapeIds
      .map((id, index) => ({ id, name: names.get(id) ?? '', shapeNumber: toShapeNumber(index) }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    { id: notInShape, name: notInShape, shapeNumber: NO_SHAPE_ID },
  ]
  // The figures of no rows show which columns the mode has.
  const noFacts = { rows: [], regionRows: [], span: { days: 1, ms: 0 } }
  const columns = Object.keys(mode.figures(request.aggregation, noFacts).counts)
  yield `${['date', 'shape_uuid', 'shape_name', 'value', 'unit', 'n', ...columns].join(',')}\n`
  for (const day of listBuckets(request, 'day')) {
    const span = spans.get(day)
    if (!span) continue
    const regionRows = getRows(day, ALL_SHAPES_ID)
    let lines = ''
    for (const { id, name, shapeNumber } of shapes) {
      const rows = getRows(day, shapeNumber)
      const { value, n, counts } = mode.figures(request.aggregation, { rows, regionRows, span })
      const sums = columns.map((column) => counts[column] ?? 0)
      lines += `${[day, id, csvCell(name), value ?? '', unit, n, ...sums].join(',')}\n`
    }
    yield lines
  }
}

/**
 * Returns the classes of the map's legend. Zeros and missing values are counted separately. `version`: the
 * version of the facts that the response names; null omits it.
 */
export function toLegendValues(
  { shape_data, unit }: Pick<SpatialResult, 'shape_data' | 'unit'>,
  version: string | null,
): z.output<typeof LegendValues> {
  const values = Object.entries(shape_data).flatMap(([id, { value }]) => (id === notInShape ? [] : [value]))
  const knownValues = values.filter((value) => value !== null)
  return {
    bins: computeQuantileBins(knownValues.filter((value) => value !== 0)),
    min: knownValues.length ? knownValues.reduce((lowest, value) => Math.min(lowest, value)) : null,
    max: knownValues.length ? knownValues.reduce((highest, value) => Math.max(highest, value)) : null,
    zeros: knownValues.filter((value) => value === 0).length,
    none: values.length - knownValues.length,
    unit,
    ...(version === null ? {} : { v: version }),
  }
}
