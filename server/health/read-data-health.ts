import { usualWeeks } from '#contract/health-figures.ts'
import type { getDataHealth, OperatorHealth } from '#contract/health.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { FeedChecks } from './day-facts.ts'
import { feedStatuses } from './feed-statuses.ts'
import { countVolume, type HealthClock, healthDay } from './figures/health-days.ts'
import { computeFigures } from './figures/compute-figures.ts'
import { findHealthRegion } from './health-region.ts'
import { healthPeriod } from './health-period.ts'
import type { DayCounts } from './day-counts.ts'
import { dayAfter, daysBetween, spanOfDays } from './local-hours.ts'
import { hourTable, toReceived, toFeedTrips } from './merge-facts.ts'
import { nameOperators } from './name-operators.ts'
import { receivedCounts, type ReceivedRow } from './queries/received.ts'
import { tripCounts, type TripCountRow } from './queries/trip-counts.ts'

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

/**
 * For viewers, changed facts are counted again after this time at the earliest; the rules count them every
 * five minutes.
 */
export const recountAfterMs = 10 * 60_000
/** The maximum number of transitions listed per operator. */
const maxTransitions = 20

/** The most frequent illegal transitions. */
function commonTransitions(checks: readonly FeedChecks[]): OperatorHealth['transitions'] {
  const transitions = new Map<string, OperatorHealth['transitions'][number]>()
  for (const [, from, event_types, to, count] of checks.flatMap(({ ways }) => ways)) {
    const key = `${from} ${event_types.join(' ')} ${to}`
    transitions.set(key, { from, event_types, to, count: (transitions.get(key)?.count ?? 0) + count })
  }
  return [...transitions.values()].toSorted((a, b) => b.count - a.count).slice(0, maxTransitions)
}

/** The figures of all operators of a region over the requested days. */
export async function readDataHealth(
  { state, facts, dayCounts }: Health,
  viewer: Scope,
  regionId: string,
  query: HealthQuery,
  at: number,
): Promise<EndpointOutput<typeof getDataHealth>> {
  const region = await findHealthRegion(state.as(viewer), regionId)
  const { start, end, today, days } = healthPeriod(query, region.timezone, at)
  const span = spanOfDays(regionId, start, end, region.timezone)
  const lastDay = days.at(-1)
  const [statuses, records, checks, tripChecks, vehicles, trips, received, incidents] = await Promise.all([
    feedStatuses(state, facts, region, at),
    dayCounts.find(
      region,
      'records',
      lastDay ? daysBetween(dayAfter(start, -7 * usualWeeks), lastDay) : [],
      at,
      recountAfterMs,
    ),
    dayCounts.find(region, 'events', days, at, recountAfterMs),
    dayCounts.find(region, 'trips', days, at, recountAfterMs),
    dayCounts.find(region, 'vehicles', lastDay ? [lastDay] : [], at, recountAfterMs),
    facts.rows<TripCountRow>(region.scope, tripCounts(span, at)),
    facts.rows<ReceivedRow>(region.scope, receivedCounts(span)),
    state
      .as(region.scope)
      .selectFrom('incident')
      .select(({ fn }) => ['operator', fn.countAll<string>().as('count')])
      .where('region_id', '=', regionId)
      .where('closed_time', 'is', null)
      .groupBy('operator')
      .execute(),
  ])
  const matchesFeed = (feed: string | null): boolean => query.feed_id === undefined || feed === query.feed_id
  const recordsInPeriod = [...records].filter(([day]) => day >= start).flatMap(([, { body }]) => body)
  const slugs = [
    ...new Set([
      ...statuses.flatMap(({ operator }) => operator ?? []),
      ...recordsInPeriod.map(({ operator }) => operator),
      ...received.map(({ operator }) => operator),
    ]),
  ].filter(
    (slug) =>
      slug !== '' &&
      (query.operator === undefined || slug === query.operator) &&
      canReadOperator(viewer, slug),
  )
  const names = await nameOperators(state, region, slugs)
  const allChecks = [...checks.values()].flatMap(({ body }) => body)
  const operators = names.map(({ slug, name, colorHex }): OperatorHealth => {
    const feeds = statuses.filter((feed) => feed.operator === slug && matchesFeed(feed.feed_id))
    const clock: HealthClock = {
      timezone: region.timezone,
      at,
      promisedMinutes: Math.max(0, ...feeds.map((feed) => feed.promised_minutes)),
    }
    const table = hourTable(records, slug, query.feed_id)
    const volumes = days.flatMap((day) => countVolume(table, day, clock) ?? [])
    const operatorChecks = allChecks.filter((each) => each.operator === slug && matchesFeed(each.feed))
    const trip = query.feed_id === undefined ? trips.find((row) => row.operator === slug) : undefined
    const healthDays = days.map((day) => healthDay(table, day, clock))
    return {
      operator: slug,
      name,
      color_hex: colorHex,
      days: healthDays,
      transitions: commonTransitions(operatorChecks),
      open_incidents: Number(incidents.find((row) => row.operator === slug)?.count ?? 0),
      figures: computeFigures({
        statuses: feeds,
        days: healthDays,
        checks: operatorChecks,
        trips: trip ? toFeedTrips(trip) : null,
        received: received.filter((row) => row.operator === slug && matchesFeed(row.feed_id)).map(toReceived),
        volume: volumes.length
          ? volumes.reduce((a, b) => ({ count: a.count + b.count, usual: a.usual + b.usual }))
          : null,
        tripChecks:
          query.feed_id === undefined
            ? [...tripChecks.values()].flatMap(({ body }) => body.filter((each) => each.operator === slug))
            : [],
        vehicles:
          query.feed_id === undefined && lastDay
            ? (vehicles.get(lastDay)?.body.find((each) => each.operator === slug) ?? null)
            : null,
      }),
    }
  })
  const oldestCount = Math.min(
    at,
    ...[...checks.values(), ...tripChecks.values(), ...vehicles.values()].map(({ asOf }) => asOf),
    ...[...records].filter(([day]) => day >= start).map(([, { asOf }]) => asOf),
  )
  return {
    start_date: start,
    end_date: end,
    today,
    timezone: region.timezone,
    lost_after_hours: region.lostAfterHours,
    as_of: new Date(oldestCount).toISOString(),
    operators,
  }
}
