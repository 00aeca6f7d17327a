import { usualWeeks } from '#contract/health-figures.ts'
import type { getDataHealth, OperatorHealth } from '#contract/health.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { type LocalDay, addDays, daysBetween } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { FeedChecks } from './day-facts.ts'
import { findFeedStatuses } from './feed-statuses.ts'
import { countVolume, type HealthClock, judgeDay } from './figures/health-days.ts'
import { computeFigures } from './figures/compute-figures.ts'
import type { OperatorFacts } from './figures/operator-facts.ts'
import { findHealthRegion, type HealthRegion } from './health-region.ts'
import { readHealthPeriod } from './health-period.ts'
import type { DayCounts } from './day-counts.ts'
import { getSpanOfDays } from './span.ts'
import { toHourTable, toReceived, toFeedTrips } from './merge-facts.ts'
import { type NamedOperator, nameOperators } from './name-operators.ts'
import { receivedCountsSql, type ReceivedRow } from './queries/received.ts'
import { tripCountsSql, type TripCountRow } from './queries/trip-counts.ts'

/** Dependencies of data health. */
export interface Health {
  state: State
  facts: Facts
  dayCounts: DayCounts
}

export interface HealthQuery {
  start_date?: LocalDay | undefined
  end_date?: LocalDay | undefined
  operator?: string | undefined
  feed_id?: string | undefined
}

/** For viewers, changed facts are counted again after this time at the earliest. */
export const recountAfterMs = 10 * 60_000
/** The maximum number of transitions listed per operator. */
const maxTransitions = 20

/** Lists the most frequent illegal transitions of all modes of vehicles, with the sum of their occurrences. */
function listCommonTransitions(checks: readonly FeedChecks[]): OperatorHealth['transitions'] {
  const transitions = new Map<string, OperatorHealth['transitions'][number]>()
  for (const [, from, event_types, to, count] of checks.flatMap(({ ways }) => ways)) {
    const key = `${from} ${event_types.join(' ')} ${to}`
    transitions.set(key, { from, event_types, to, count: (transitions.get(key)?.count ?? 0) + count })
  }
  return [...transitions.values()].toSorted((a, b) => b.count - a.count).slice(0, maxTransitions)
}

/** A request for the data health of a region. `at`: ms since 1970. */
export interface HealthRequest {
  scope: Scope
  regionId: string
  query: HealthQuery
  at: number
}

/** Reads the figures of all operators of a region over the requested days. */
export async function readDataHealth(
  health: Health,
  { scope, regionId, query, at }: HealthRequest,
): Promise<EndpointOutput<typeof getDataHealth>> {
  const region = await findHealthRegion(health.state.as(scope), regionId)
  const { start, end, today, days } = readHealthPeriod(query, region.timezone, at)
  const inputs = await readInputs(health, region, { start, end, days, at })
  const slugs = listSlugs(inputs, start).filter(
    (slug) => (query.operator === undefined || slug === query.operator) && canReadOperator(scope, slug),
  )
  const names = await nameOperators(health.state, region, slugs)
  const clock = { timezone: region.timezone, at }
  return {
    start_date: start,
    end_date: end,
    today,
    timezone: region.timezone,
    lost_after_hours: region.lostAfterHours,
    as_of: new Date(findOldestCount(inputs, start, at)).toISOString(),
    operators: names.map((operator) =>
      createOperatorHealth(operator, inputs, { days, clock, feedId: query.feed_id }),
    ),
  }
}

/** What the figures of a region are computed from. */
type HealthInputs = Awaited<ReturnType<typeof readInputs>>

async function readInputs(
  { state, facts, dayCounts }: Health,
  region: HealthRegion,
  { start, end, days, at }: { start: LocalDay; end: LocalDay; days: readonly LocalDay[]; at: number },
) {
  const { regionId, scope, timezone } = region
  const span = getSpanOfDays(regionId, start, end, timezone)
  const lastDay = days.at(-1)
  const timing = { at, recountAfterMs }
  // Records are compared with those of the weeks before.
  const recordDays = lastDay ? daysBetween(addDays(start, -7 * usualWeeks), lastDay) : []
  const [statuses, records, checks, tripChecks, vehicles, trips, received, incidents] = await Promise.all([
    findFeedStatuses(state, facts, region, at),
    dayCounts.find(region, { kind: 'records', days: recordDays, ...timing }),
    dayCounts.find(region, { kind: 'events', days, ...timing }),
    dayCounts.find(region, { kind: 'trips', days, ...timing }),
    dayCounts.find(region, { kind: 'vehicles', days: lastDay ? [lastDay] : [], ...timing }),
    facts.rows<TripCountRow>(scope, tripCountsSql(span, at)),
    facts.rows<ReceivedRow>(scope, receivedCountsSql(span)),
    countOpenIncidents(state.as(scope), regionId),
  ])
  return { statuses, records, checks, tripChecks, vehicles, trips, received, incidents }
}

const countOpenIncidents = (store: Store, regionId: string) =>
  store
    .selectFrom('incident')
    .select(({ fn }) => ['operator', fn.countAll<string>().as('count')])
    .where('region_id', '=', regionId)
    .where('closed_time', 'is', null)
    .groupBy('operator')
    .execute()

/** Lists the slugs of the operators with a feed or with data in the period. */
function listSlugs({ statuses, records, received }: HealthInputs, start: LocalDay): string[] {
  const recordsInPeriod = [...records].filter(([day]) => day >= start).flatMap(([, { body }]) => body)
  const slugs = new Set([
    ...statuses.flatMap(({ operator }) => operator ?? []),
    ...recordsInPeriod.map(({ operator }) => operator),
    ...received.map(({ operator }) => operator),
  ])
  return [...slugs].filter((slug) => slug !== '')
}

/** Finds the time (ms) until which all counts of the period include what was received. */
const findOldestCount = (
  { records, checks, tripChecks, vehicles }: HealthInputs,
  start: LocalDay,
  at: number,
): number =>
  Math.min(
    at,
    ...[...checks.values(), ...tripChecks.values(), ...vehicles.values()].map(({ asOf }) => asOf),
    ...[...records].filter(([day]) => day >= start).map(([, { asOf }]) => asOf),
  )

interface OperatorPeriod {
  days: readonly LocalDay[]
  clock: Pick<HealthClock, 'timezone' | 'at'>
  /** Only this feed. Trips and vehicles cannot be attributed to a feed, so their figures are then empty. */
  feedId: string | undefined
}

function createOperatorHealth(
  { slug, name, colorHex }: NamedOperator,
  inputs: HealthInputs,
  { days, clock: { timezone, at }, feedId }: OperatorPeriod,
): OperatorHealth {
  const matchesFeed = (feed: string | null): boolean => feedId === undefined || feed === feedId
  const feeds = inputs.statuses.filter((feed) => feed.operator === slug && matchesFeed(feed.feed_id))
  const clock: HealthClock = {
    timezone,
    at,
    promisedMinutes: Math.max(0, ...feeds.map((feed) => feed.promised_minutes)),
  }
  const table = toHourTable(inputs.records, slug, feedId)
  const volumes = days.flatMap((day) => countVolume(table, day, clock) ?? [])
  const healthDays = days.map((day) => judgeDay(table, day, clock))
  const checks = [...inputs.checks.values()]
    .flatMap(({ body }) => body)
    .filter(({ operator, feed }) => operator === slug && matchesFeed(feed))
  return {
    operator: slug,
    name,
    color_hex: colorHex,
    days: healthDays,
    transitions: listCommonTransitions(checks),
    open_incidents: Number(inputs.incidents.find(({ operator }) => operator === slug)?.count ?? 0),
    figures: computeFigures({
      statuses: feeds,
      days: healthDays,
      checks,
      received: inputs.received
        .filter((row) => row.operator === slug && matchesFeed(row.feed_id))
        .map(toReceived),
      volume: volumes.length
        ? volumes.reduce((a, b) => ({ count: a.count + b.count, usual: a.usual + b.usual }))
        : null,
      ...(feedId === undefined
        ? findOperatorCounts(slug, inputs, days.at(-1))
        : { trips: null, tripChecks: [], vehicles: null }),
    }),
  }
}

/** Finds the counts of an operator that belong to no feed. */
function findOperatorCounts(
  slug: string,
  { trips, tripChecks, vehicles }: HealthInputs,
  lastDay: LocalDay | undefined,
): Pick<OperatorFacts, 'trips' | 'tripChecks' | 'vehicles'> {
  const tripCounts = trips.find(({ operator }) => operator === slug)
  const vehiclesOfDay = lastDay === undefined ? [] : (vehicles.get(lastDay)?.body ?? [])
  return {
    trips: tripCounts ? toFeedTrips(tripCounts) : null,
    tripChecks: [...tripChecks.values()].flatMap(({ body }) =>
      body.filter(({ operator }) => operator === slug),
    ),
    vehicles: vehiclesOfDay.find(({ operator }) => operator === slug) ?? null,
  }
}
