import { type IssueFilters, type IssuePoints, maxIssuePoints } from '#contract/issues.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { getRequestedDays, clipDays, requestDayColumn } from './day-span.ts'
import { compareFrequency } from './by-frequency.ts'
import { issueConditions } from './issue-conditions.ts'
import { readIssueDays } from './issue-days.ts'
import type { AliasableExpression, Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'

type IssueExpressions = ExpressionBuilder<StateTables, 'issue'>
type DayColumn = (is: IssueExpressions) => AliasableExpression<number>

/** The issues of a region that match the filters. */
interface MatchingIssues {
  regionId: string
  matches: (is: IssueExpressions) => Expression<SqlBool>
}

/** Counts matching issues by day, and those with a place. Days without issues are missing. */
async function countByDay(
  store: Store,
  { regionId, matches }: MatchingIssues,
  dayColumn: DayColumn,
): Promise<IssuePoints['by_day']> {
  const datedIssues = store
    .selectFrom('issue')
    .where('region_id', '=', regionId)
    .where(matches)
    .select((is) => [dayColumn(is).as('day'), 'lat', 'lon'])
  const rows = await store
    .selectFrom(datedIssues.as('dated'))
    .select((eb) => [
      'day',
      eb.fn.countAll<string>().as('total'),
      eb.fn
        .countAll<string>()
        .filterWhere('lat', 'is not', null)
        .filterWhere('lon', 'is not', null)
        .as('placed'),
    ])
    .groupBy('day')
    .orderBy('day')
    .execute()
  return {
    day: rows.map(({ day }) => day),
    total: rows.map(({ total }) => Number(total)),
    placed: rows.map(({ placed }) => Number(placed)),
  }
}

/** Rounds to a millionth of a degree, about a decimeter. */
const roundDegrees = (degrees: number | undefined): number => Math.round((degrees ?? 0) * 1e6) / 1e6

/** A list of distinct texts, which points refer to by index. */
class TextIndex {
  readonly texts: string[] = []
  readonly #indices = new Map<string, number>()

  /** Returns the index of a text; adds the text if it is new. */
  indexOf(text: string): number {
    const existing = this.#indices.get(text)
    if (existing !== undefined) return existing
    this.#indices.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }
}

/** Lists the points of the newest `limit` matching issues, and counts of all matching issues. */
export async function listIssuePoints(
  state: State,
  scope: Scope,
  { regionId, filters, limit = maxIssuePoints }: { regionId: string; filters: IssueFilters; limit?: number },
): Promise<IssuePoints> {
  const { timezone } = await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const matching: MatchingIssues = { regionId, matches: issueConditions(filters, timezone) }
  const counts = await countByType(store, matching)
  const available = await readIssueDays(state, scope, regionId)
  const days = clipDays(getRequestedDays(filters, available), available)
  if (!days) return { ...counts, ...createPoints(), by_day: { day: [], total: [], placed: [] } }
  const dayColumn = requestDayColumn(days, timezone)
  const byDay = await countByDay(store, matching, dayColumn)
  const columns = await readNewestPlaced(store, matching, dayColumn, limit)
  return { ...counts, ...toPoints(columns, counts.types), by_day: byDay }
}

/** Counts matching issues: all, those with a place, and by type, the most frequent type first. */
async function countByType(
  store: Store,
  { regionId, matches }: MatchingIssues,
): Promise<Pick<IssuePoints, 'total' | 'placed' | 'types'>> {
  const counts = await store
    .selectFrom('issue')
    .where('region_id', '=', regionId)
    .where(matches)
    .select((is) => [
      'service_code',
      is.fn.max('service_name').as('service_name'),
      is.fn.countAll<string>().filterWhere('status', '=', 'open').as('open'),
      is.fn.countAll<string>().filterWhere('status', '=', 'closed').as('closed'),
      is.fn
        .countAll<string>()
        .filterWhere('lat', 'is not', null)
        .filterWhere('lon', 'is not', null)
        .as('placed'),
    ])
    .groupBy('service_code')
    .execute()
  const types = counts
    .map(({ service_code, service_name, open, closed }) => ({
      service_code,
      service_name,
      open: Number(open),
      closed: Number(closed),
    }))
    .sort(compareFrequency)
  return {
    total: types.reduce((sum, { open, closed }) => sum + open + closed, 0),
    placed: counts.reduce((sum, { placed }) => sum + Number(placed), 0),
    types,
  }
}

/** Reads the newest matching issues with a place, as columns. A column is null if there are none. */
function readNewestPlaced(
  store: Store,
  { regionId, matches }: MatchingIssues,
  dayColumn: DayColumn,
  limit: number,
) {
  const newest = store
    .selectFrom('issue')
    .where('region_id', '=', regionId)
    .where(matches)
    .where('lat', 'is not', null)
    .where('lon', 'is not', null)
    .select((is) => ['issue_id', 'source', 'service_code', 'status', 'lon', 'lat', dayColumn(is).as('day')])
    .orderBy('requested_time', 'desc')
    .orderBy('source')
    .orderBy('issue_id')
    .limit(limit)
  // Each column as one JSON text, because a row per point takes several times as long to read.
  return store
    .selectFrom(newest.as('newest'))
    .select(({ fn }) => [
      fn.agg<string[] | null>('json_agg', ['issue_id']).as('id'),
      fn.agg<string[] | null>('json_agg', ['source']).as('source'),
      fn.agg<string[] | null>('json_agg', ['service_code']).as('code'),
      fn.agg<string[] | null>('json_agg', ['status']).as('status'),
      fn.agg<number[] | null>('json_agg', ['day']).as('day'),
      fn.agg<number[] | null>('json_agg', ['lon']).as('lon'),
      fn.agg<number[] | null>('json_agg', ['lat']).as('lat'),
    ])
    .executeTakeFirstOrThrow()
}

type Points = Pick<IssuePoints, 'sources' | 'id' | 'source' | 'type' | 'closed' | 'day' | 'lon' | 'lat'>

const createPoints = (): Points => ({
  sources: [],
  id: [],
  source: [],
  type: [],
  closed: [],
  day: [],
  lon: [],
  lat: [],
})

/** Returns points in which sources and types are indexes of their lists. */
function toPoints(
  columns: Awaited<ReturnType<typeof readNewestPlaced>>,
  types: IssuePoints['types'],
): Points {
  const points = createPoints()
  const sources = new TextIndex()
  const typeIndices = new Map(types.map(({ service_code }, index) => [service_code, index]))
  for (const [index, id] of (columns.id ?? []).entries()) {
    const type = typeIndices.get(columns.code?.[index] ?? '')
    // An issue of a new type that arrived between the two queries is left to the next response.
    if (type === undefined) continue
    points.id.push(id)
    points.source.push(sources.indexOf(columns.source?.[index] ?? ''))
    points.type.push(type)
    points.closed.push(columns.status?.[index] === 'closed' ? 1 : 0)
    points.day.push(columns.day?.[index] ?? 0)
    points.lon.push(roundDegrees(columns.lon?.[index]))
    points.lat.push(roundDegrees(columns.lat?.[index]))
  }
  return { ...points, sources: sources.texts }
}
