import { notInShape } from '#contract/evaluation.ts'
import { appendTo } from '#contract/group-by.ts'
import type {
  IssueFigures,
  IssueFilters,
  IssueMeasure,
  IssuesByShape,
  IssuesByShapeAndDay,
} from '#contract/issues.ts'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import { maxTimeValues } from '#contract/spatial.ts'
import { findLayer } from '#server/geography/layers/find-layer.ts'
import type { LayerIndex } from '#server/geography/membership/layer-index.ts'
import { readLayerShapes } from '#server/geography/membership/read-layer-shapes.ts'
import { listPackedBuffers, packGeometries } from '#server/geography/membership/packed-geometries.ts'
import { findShapesAt } from '#server/geography/membership/shapes-at.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { getRequestedDays, type DaySpan, clipDays, requestDayColumn } from './day-span.ts'
import { issueConditions } from './issue-conditions.ts'
import { readIssueDays } from './issue-days.ts'

interface CountedIssue {
  status: string
  resolution_hours: number | null
}

/** Counts issues, open and closed, and computes mean and median hours from request to closing. */
export function computeIssueFigures(issues: readonly CountedIssue[]): IssueFigures {
  const open = issues.filter(({ status }) => status === 'open').length
  const hours = issues
    .flatMap(({ status, resolution_hours: value }) => (status === 'closed' && value !== null ? [value] : []))
    .toSorted((a, b) => a - b)
  const middle = hours.length / 2
  const median = hours.length
    ? ((hours[Math.ceil(middle) - 1] ?? 0) + (hours[Math.floor(middle)] ?? 0)) / 2
    : null
  return {
    count: issues.length,
    open,
    closed: issues.length - open,
    resolved: hours.length,
    median_hours: median,
    mean_hours: hours.length ? hours.reduce((sum, value) => sum + value, 0) / hours.length : null,
  }
}

interface PlacedIssue extends CountedIssue {
  /** Index of the day in the request. */
  day: number
  /** Numbers of the shapes that contain it, starting at 1; only 0 if none does. */
  shapeNumbers: readonly number[]
}

/** The figure of each measure. */
const figureKeys = { count: 'count', open: 'open', median: 'median_hours', mean: 'mean_hours' } as const

/** Returns a measure by day and shape. Without issues, counts are zero and times are null. */
export function computeFiguresByDay(
  issues: readonly PlacedIssue[],
  dayCount: number,
  shapeCount: number,
  measure: IssueMeasure,
): Pick<IssuesByShapeAndDay, 'values' | 'not_in_shape' | 'total'> {
  const measureIssues = (list: readonly CountedIssue[]): number | null =>
    computeIssueFigures(list)[figureKeys[measure]]
  const emptyValue = measureIssues([])
  const byDay: PlacedIssue[][] = Array.from({ length: dayCount }, () => [])
  for (const issue of issues) byDay[issue.day]?.push(issue)
  // Column 0 is for issues outside of all shapes.
  const cells = byDay.map((issuesOfDay) => {
    const byShape = new Map<number, PlacedIssue[]>()
    for (const issue of issuesOfDay) for (const shape of issue.shapeNumbers) appendTo(byShape, shape, issue)
    const row = Array<number | null>(shapeCount + 1).fill(emptyValue)
    for (const [shape, members] of byShape) row[shape] = measureIssues(members)
    return row
  })
  return {
    values: cells.map((row) => row.slice(1)),
    not_in_shape: cells.map((row) => row[0] ?? null),
    total: byDay.map(measureIssues),
  }
}

/** Maximum number of issues in memory, about 100 MB. */
const maxIssues = 1_000_000

const worker = new URL('./index-layer-worker.ts', import.meta.url)

/** The index of a layer. The shape with number n has the id `shapeIds[n - 1]`. */
interface IndexedLayer {
  shapeIds: string[]
  indexes: LayerIndex[]
}

/** An issue with its shapes. */
interface IssueInShapes {
  status: string
  resolution_hours: number | null
  /** Days since 1970-01-01; 0 if days were not requested. */
  day: number
  /** Numbers of the shapes that contain it; empty if none does or its place is unknown. */
  shapes: number[]
}

type LayerFilters = IssueFilters & { shape_layer_uuid: string }

const outsideOnly = [0]
/** Returns the numbers of the shapes in which an issue counts; only 0 if it is in none. */
const listCountedShapes = ({ shapes }: Pick<IssueInShapes, 'shapes'>): readonly number[] =>
  shapes.length > 0 ? shapes : outsideOnly

/** Counts issues by shape of a layer, in memory, by the same index that the fact store uses for trips. */
export class IssuesInShapes {
  readonly #state: State
  readonly #limit: number
  readonly #indexes = new ComputedCache<IndexedLayer>({ max: 8 })
  constructor(state: State, limit = maxIssues) {
    this.#state = state
    this.#limit = limit
  }

  /** Returns the figures of the matching issues by shape. */
  async evaluate(
    scope: Scope,
    regionId: string,
    { shape_layer_uuid: layerId, ...filters }: LayerFilters,
  ): Promise<IssuesByShape> {
    const start = performance.now()
    const { shapeIds, rows } = await this.#matchShapes(scope, { regionId, layerId, filters, days: null })
    const members: IssueInShapes[][] = Array.from({ length: shapeIds.length + 1 }, () => [])
    for (const row of rows) for (const shape of listCountedShapes(row)) members[shape]?.push(row)
    const [outside = [], ...inside] = members
    const shapeData: Record<string, IssueFigures> = Object.fromEntries(
      inside.map((issues, i) => [shapeIds[i], computeIssueFigures(issues)]),
    )
    return {
      shape_data: { ...shapeData, [notInShape]: computeIssueFigures(outside) },
      total: computeIssueFigures(rows),
      overlaps: rows.some(({ shapes }) => shapes.length > 1),
      method: { name: 'issues_by_shape', version: 1, buffer: 0 },
      milliseconds: Math.round(performance.now() - start),
    }
  }

  /** Returns the values of one measure by shape for each day of the request. */
  async evaluateByDay(
    scope: Scope,
    regionId: string,
    { shape_layer_uuid: layerId, measure, ...filters }: LayerFilters & { measure: IssueMeasure },
  ): Promise<IssuesByShapeAndDay> {
    const start = performance.now()
    const available = await readIssueDays(this.#state, scope, regionId)
    const requested = getRequestedDays(filters, available)
    const firstDay = requested ? dayNumber(requested.first) : 0
    const dayCount = requested ? dayNumber(requested.last) - firstDay + 1 : 0
    const { shape_count } = await findLayer(this.#state, scope, regionId, layerId)
    // Each day has a value for each shape, outside of all shapes, and in total.
    const valueCount = dayCount * (shape_count + 2)
    if (valueCount > maxTimeValues)
      throw new Problem(
        'validation_error',
        `That would be ${valueCount.toLocaleString('en-US')} values; the maximum is ${maxTimeValues.toLocaleString('en-US')}. Choose fewer days or a layer with fewer shapes.`,
      )
    const { shapeIds, rows } = await this.#matchShapes(scope, {
      regionId,
      layerId,
      filters,
      days: clipDays(requested, available),
    })
    const byDay = computeFiguresByDay(
      rows.map(({ day, ...row }) => ({ ...row, day: day - firstDay, shapeNumbers: listCountedShapes(row) })),
      dayCount,
      shapeIds.length,
      measure,
    )
    return {
      days: Array.from({ length: dayCount }, (_, i) => dayFromNumber(firstDay + i)),
      shape_uuids: shapeIds,
      ...byDay,
      method: { name: 'issues_by_shape', version: 1, buffer: 0 },
      milliseconds: Math.round(performance.now() - start),
    }
  }

  /** Finds the matching issues with the numbers of their shapes, and their days if `days` is not null. */
  async #matchShapes(
    scope: Scope,
    {
      regionId,
      layerId,
      filters,
      days,
    }: { regionId: string; layerId: string; filters: IssueFilters; days: DaySpan | null },
  ): Promise<{ shapeIds: string[]; rows: IssueInShapes[] }> {
    const { timezone } = await findRegion(this.#state, scope, regionId)
    const layer = await findLayer(this.#state, scope, regionId, layerId)
    const { shapeIds, indexes } = await this.#indexes.get(`${layerId} ${layer.content_hash}`, () =>
      this.#buildIndex(scope, layerId, layer.content_hash),
    )
    const matchingIssues = this.#state
      .as(scope)
      .selectFrom('issue')
      .where('region_id', '=', regionId)
      .where(issueConditions(filters, timezone))
    const { count } = await matchingIssues
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) > this.#limit)
      throw new Problem(
        'validation_error',
        `start_date: ${count} issues match. At most ${this.#limit} can be counted by shape at once: choose a shorter period or fewer types.`,
      )
    const dayColumn = days && requestDayColumn(days, timezone)
    const datedIssues = matchingIssues.select((is) => [
      'status',
      'resolution_hours',
      'lon',
      'lat',
      (dayColumn ? dayColumn(is) : is.lit(0)).as('day'),
    ])
    const columns = await this.#state
      .as(scope)
      .selectFrom(datedIssues.as('dated'))
      // Each column as one JSON text, because a row per issue takes several times as long to read.
      .select(({ fn }) => [
        fn.agg<string[] | null>('json_agg', ['status']).as('status'),
        fn.agg<(number | null)[] | null>('json_agg', ['resolution_hours']).as('hours'),
        fn.agg<number[] | null>('json_agg', ['day']).as('day'),
        fn.agg<(number | null)[] | null>('json_agg', ['lon']).as('lon'),
        fn.agg<(number | null)[] | null>('json_agg', ['lat']).as('lat'),
      ])
      .executeTakeFirstOrThrow()
    return { shapeIds, rows: toIssuesInShapes(columns, indexes) }
  }

  /** Builds the index of a layer. This takes a second for a city's neighborhoods, so it runs on a thread. */
  async #buildIndex(scope: Scope, layerId: string, content: string): Promise<IndexedLayer> {
    const shapes = await readLayerShapes(this.#state, scope, layerId, content)
    const packed = packGeometries(shapes.map(({ geometry }) => geometry))
    return {
      shapeIds: shapes.map(({ shapeId }) => shapeId),
      indexes: await runInWorker<LayerIndex[]>(worker, packed, listPackedBuffers(packed)),
    }
  }
}

/** The columns of matching issues; null if there are none. */
interface IssueColumns {
  status: string[] | null
  hours: (number | null)[] | null
  day: number[] | null
  lon: (number | null)[] | null
  lat: (number | null)[] | null
}

/** Finds the shapes of each issue. Issues without a place have none. */
const toIssuesInShapes = (
  { status, hours, day, lon: lons, lat: lats }: IssueColumns,
  indexes: readonly LayerIndex[],
): IssueInShapes[] =>
  (status ?? []).map((statusOfIssue, i) => {
    const lon = lons?.[i] ?? null
    const lat = lats?.[i] ?? null
    return {
      status: statusOfIssue,
      resolution_hours: hours?.[i] ?? null,
      day: day?.[i] ?? 0,
      shapes: lon === null || lat === null ? [] : indexes.flatMap((index) => findShapesAt(index, lon, lat)),
    }
  })
