import { notInShape } from '#contract/evaluation.ts'
import type {
  IssueFigures,
  IssueFilters,
  IssueMeasure,
  IssuesByShape,
  IssuesByShapeAndDay,
} from '#contract/issues.ts'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import { maxTimeValues } from '#contract/spatial.ts'
import { findLayer } from '#server/geography/find-layer.ts'
import type { LayerIndex } from '#server/geography/membership/layer-index.ts'
import { readLayerShapes } from '#server/geography/membership/read-layer-shapes.ts'
import { buffersOfPacked, packGeometries } from '#server/geography/membership/packed-geometries.ts'
import { shapesAt } from '#server/geography/membership/shapes-at.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { askedDays, type DaySpan, daysWithin, requestDay } from './asked-days.ts'
import { issueConditions } from './issue-conditions.ts'
import { issueDays } from './issue-days.ts'

interface CountedIssue {
  status: string
  resolution_hours: number | null
}

/** How many issues, how many of them are open, and the hours to their closing where these are known. The median of an even number is the middle of the two in the middle. */
export function figuresOfIssues(issues: readonly CountedIssue[]): IssueFigures {
  const open = issues.filter(({ status }) => status === 'open').length
  const hours = issues
    .flatMap(({ status, resolution_hours: each }) => (status === 'closed' && each !== null ? [each] : []))
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
    mean_hours: hours.length ? hours.reduce((sum, each) => sum + each, 0) / hours.length : null,
  }
}

interface PlacedIssue extends CountedIssue {
  /** 0 is the first day. */
  day: number
  /** Numbers of its shapes, from 1 on; 0 where it lies in none. */
  places: readonly number[]
}

const keys = { count: 'count', open: 'open', median: 'median_hours', mean: 'mean_hours' } as const

/** A measure of issues by day and shape. A day without issues has a number of none, but no time. */
export function figuresByDay(
  issues: readonly PlacedIssue[],
  days: number,
  shapes: number,
  measure: IssueMeasure,
): Pick<IssuesByShapeAndDay, 'values' | 'not_in_shape' | 'total'> {
  const valueOf = (of: readonly CountedIssue[]): number | null => figuresOfIssues(of)[keys[measure]]
  const none = valueOf([])
  const byDay: PlacedIssue[][] = Array.from({ length: days }, () => [])
  for (const issue of issues) byDay[issue.day]?.push(issue)
  const cells = byDay.map((of) => {
    const members = new Map<number, PlacedIssue[]>()
    for (const issue of of)
      for (const place of issue.places) {
        const there = members.get(place)
        if (there) there.push(issue)
        else members.set(place, [issue])
      }
    const row = Array<number | null>(shapes + 1).fill(none)
    for (const [place, each] of members) row[place] = valueOf(each)
    return row
  })
  return {
    values: cells.map((row) => row.slice(1)),
    not_in_shape: cells.map((row) => row[0] ?? null),
    total: byDay.map(valueOf),
  }
}

/** Issues that are laid into shapes at once: some 100 MB. */
const mostAtOnce = 1_000_000

const worker = new URL('./index-layer-worker.ts', import.meta.url)

/** A layer ready to be asked: shape `number` n is `shapeIds[n - 1]`. */
interface Ready {
  shapeIds: string[]
  indexes: LayerIndex[]
}

/** An issue in the shapes of a layer. */
interface Laid {
  status: string
  resolution_hours: number | null
  /** Days since 1970-01-01, where they were asked for. */
  day: number
  /** Their numbers; none where it lies in no shape, or its place is not known. */
  shapes: number[]
}

type AskedOfLayer = IssueFilters & { shape_layer_uuid: string }

/** Where an issue counts: in each of its shapes, or in none, which is number 0. */
const placesOf = ({ shapes }: Pick<Laid, 'shapes'>): readonly number[] =>
  shapes.length > 0 ? shapes : outsideOnly
const outsideOnly = [0]

/** Issues by shape of a layer. Issues are few beside trips: they are laid into shapes here, by the same index. */
export class IssuesInShapes {
  readonly #state: State
  readonly #most: number
  readonly #ready = new ComputedCache<Ready>({ max: 8 })
  constructor(state: State, most = mostAtOnce) {
    this.#state = state
    this.#most = most
  }

  async ask(
    scope: Scope,
    regionId: string,
    { shape_layer_uuid: layerId, ...filters }: AskedOfLayer,
  ): Promise<IssuesByShape> {
    const start = performance.now()
    const { shapeIds, rows } = await this.#lay(scope, regionId, layerId, filters, null)
    const members: Laid[][] = Array.from({ length: shapeIds.length + 1 }, () => [])
    for (const row of rows) for (const shape of placesOf(row)) members[shape]?.push(row)
    const [outside = [], ...inside] = members
    const shapeData: Record<string, IssueFigures> = Object.fromEntries(
      inside.map((of, at) => [shapeIds[at], figuresOfIssues(of)]),
    )
    return {
      shape_data: { ...shapeData, [notInShape]: figuresOfIssues(outside) },
      total: figuresOfIssues(rows),
      overlaps: rows.some(({ shapes }) => shapes.length > 1),
      method: { name: 'issues_by_shape', version: 1, buffer: 0 },
      milliseconds: Math.round(performance.now() - start),
    }
  }

  /** One measure of the same issues, each day of the question for itself. */
  async askByDay(
    scope: Scope,
    regionId: string,
    { shape_layer_uuid: layerId, measure, ...filters }: AskedOfLayer & { measure: IssueMeasure },
  ): Promise<IssuesByShapeAndDay> {
    const start = performance.now()
    const held = await issueDays(this.#state, scope, regionId)
    const asked = askedDays(filters, held)
    const first = asked ? dayNumber(asked.first) : 0
    const count = asked ? dayNumber(asked.last) - first + 1 : 0
    const { shape_count } = await findLayer(this.#state, scope, regionId, layerId)
    const values = count * (shape_count + 2)
    if (values > maxTimeValues)
      throw new Problem(
        'validation_error',
        `That would be ${values.toLocaleString('en-US')} values, and one answer holds ${maxTimeValues.toLocaleString('en-US')}. Ask for fewer days, or for a layer with fewer shapes.`,
      )
    const { shapeIds, rows } = await this.#lay(scope, regionId, layerId, filters, daysWithin(asked, held))
    const byDay = figuresByDay(
      rows.map(({ day, ...row }) => ({ ...row, day: day - first, places: placesOf(row) })),
      count,
      shapeIds.length,
      measure,
    )
    return {
      days: Array.from({ length: count }, (_, at) => dayFromNumber(first + at)),
      shape_uuids: shapeIds,
      ...byDay,
      method: { name: 'issues_by_shape', version: 1, buffer: 0 },
      milliseconds: Math.round(performance.now() - start),
    }
  }

  /** The issues of a question with the numbers of the shapes that each is in; with their days where these are given. */
  async #lay(
    scope: Scope,
    regionId: string,
    layerId: string,
    filters: IssueFilters,
    days: DaySpan | null,
  ): Promise<{ shapeIds: string[]; rows: Laid[] }> {
    const { timezone } = await findRegion(this.#state, scope, regionId)
    const layer = await findLayer(this.#state, scope, regionId, layerId)
    const { shapeIds, indexes } = await this.#ready.get(`${layerId} ${layer.content_hash}`, () =>
      this.#make(scope, layerId, layer.content_hash),
    )
    const found = this.#state
      .as(scope)
      .selectFrom('issue')
      .where('region_id', '=', regionId)
      .where(issueConditions(filters, timezone))
    const { count } = await found
      .select((of) => of.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) > this.#most)
      throw new Problem(
        'validation_error',
        `start_date: ${count} issues match. At most ${this.#most} can be counted by shape at once: choose a shorter period or fewer types.`,
      )
    const dayOf = days && requestDay(days, timezone)
    const dated = found.select((is) => [
      'status',
      'resolution_hours',
      'lon',
      'lat',
      (dayOf ? dayOf(is) : is.lit(0)).as('day'),
    ])
    const {
      lon: lons,
      lat: lats,
      status,
      hours,
      day,
    } = await this.#state
      .as(scope)
      .selectFrom(dated.as('dated'))
      // Columns as JSON texts, as of the points: a row for each issue would take several times as long to read.
      .select(({ fn }) => [
        fn.agg<string[] | null>('json_agg', ['status']).as('status'),
        fn.agg<(number | null)[] | null>('json_agg', ['resolution_hours']).as('hours'),
        fn.agg<number[] | null>('json_agg', ['day']).as('day'),
        fn.agg<(number | null)[] | null>('json_agg', ['lon']).as('lon'),
        fn.agg<(number | null)[] | null>('json_agg', ['lat']).as('lat'),
      ])
      .executeTakeFirstOrThrow()
    const rows = (status ?? []).map((each, at): Laid => {
      const [lon, lat] = [lons?.[at] ?? null, lats?.[at] ?? null]
      return {
        status: each,
        resolution_hours: hours?.[at] ?? null,
        day: day?.[at] ?? 0,
        shapes: lon === null || lat === null ? [] : indexes.flatMap((index) => shapesAt(index, lon, lat)),
      }
    })
    return { shapeIds, rows }
  }

  /** Building takes a second for a city's neighbourhoods: not on the thread that serves. */
  async #make(scope: Scope, layerId: string, content: string): Promise<Ready> {
    const shapes = await readLayerShapes(this.#state, scope, layerId, content)
    const packed = packGeometries(shapes.map(({ geometry }) => geometry))
    return {
      shapeIds: shapes.map(({ shapeId }) => shapeId),
      indexes: await runInWorker<LayerIndex[]>(worker, packed, buffersOfPacked(packed)),
    }
  }
}
