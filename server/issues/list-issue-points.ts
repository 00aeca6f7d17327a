import { type IssueFilters, type IssuePoints, maxIssuePoints } from '#contract/issues.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { requestedDays, daysWithin, requestDay } from './day-span.ts'
import { byFrequency } from './by-frequency.ts'
import { issueConditions } from './issue-conditions.ts'
import { issueDays } from './issue-days.ts'
import type { AliasableExpression, Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'

type Row = ExpressionBuilder<StateTables, 'issue'>

/** How many issues of a region match on each day with any, and how many of them have a place, in order of day. */
async function countByDay(
  store: Store,
  regionId: string,
  matches: (is: Row) => Expression<SqlBool>,
  dayOf: (is: Row) => AliasableExpression<number>,
): Promise<IssuePoints['by_day']> {
  const dated = store
    .selectFrom('issue')
    .where('region_id', '=', regionId)
    .where(matches)
    .select((is) => [dayOf(is).as('day'), 'lat', 'lon'])
  const rows = await store
    .selectFrom(dated.as('dated'))
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

/** A millionth of a degree is a decimeter. */
const steps = 1_000_000
const rounded = (degrees: number | undefined): number => Math.round((degrees ?? 0) * steps) / steps

/** Numbers texts in the order of first use. */
class Numbers {
  readonly texts: string[] = []
  readonly #of = new Map<string, number>()

  of(text: string): number {
    const known = this.#of.get(text)
    if (known !== undefined) return known
    this.#of.set(text, this.texts.length)
    return this.texts.push(text) - 1
  }
}

/** Places of the newest `limit` matching issues, with the counts of all. */
export async function listIssuePoints(
  state: State,
  scope: Scope,
  regionId: string,
  filters: IssueFilters,
  limit = maxIssuePoints,
): Promise<IssuePoints> {
  const { timezone } = await findRegion(state, scope, regionId)
  const found = state
    .as(scope)
    .selectFrom('issue')
    .where('region_id', '=', regionId)
    .where(issueConditions(filters, timezone))
  const counts = await found
    .select((eb) => [
      'service_code',
      eb.fn.max('service_name').as('service_name'),
      eb.fn.countAll<string>().filterWhere('status', '=', 'open').as('open'),
      eb.fn.countAll<string>().filterWhere('status', '=', 'closed').as('closed'),
      eb.fn
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
    .sort(byFrequency)
  const points: IssuePoints = {
    total: types.reduce((sum, { open, closed }) => sum + open + closed, 0),
    placed: counts.reduce((sum, { placed }) => sum + Number(placed), 0),
    types,
    sources: [],
    id: [],
    source: [],
    type: [],
    closed: [],
    day: [],
    lon: [],
    lat: [],
    by_day: { day: [], total: [], placed: [] },
  }
  const held = await issueDays(state, scope, regionId)
  const days = daysWithin(requestedDays(filters, held), held)
  if (!days) return points
  const dayOf = requestDay(days, timezone)
  const byDay = await countByDay(state.as(scope), regionId, issueConditions(filters, timezone), dayOf)
  const atPlace = found.where('lat', 'is not', null).where('lon', 'is not', null)
  const newest = atPlace
    .select((is) => ['issue_id', 'source', 'service_code', 'status', 'lon', 'lat', dayOf(is).as('day')])
    .orderBy('requested_time', 'desc')
    .orderBy('source')
    .orderBy('issue_id')
    .limit(limit)
  // Columns as JSON texts: several times as fast as reading a row per point.
  const columns = await state
    .as(scope)
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
  const sources = new Numbers()
  const numberOf = new Map(types.map(({ service_code }, index) => [service_code, index]))
  for (const [index, id] of (columns.id ?? []).entries()) {
    const type = numberOf.get(columns.code?.[index] ?? '')
    // An issue that arrived between the two queries is in the next response.
    if (type === undefined) continue
    points.id.push(id)
    points.source.push(sources.of(columns.source?.[index] ?? ''))
    points.type.push(type)
    points.closed.push(columns.status?.[index] === 'closed' ? 1 : 0)
    points.day.push(columns.day?.[index] ?? 0)
    points.lon.push(rounded(columns.lon?.[index]))
    points.lat.push(rounded(columns.lat?.[index]))
  }
  return { ...points, sources: sources.texts, by_day: byDay }
}
