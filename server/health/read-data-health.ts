import { usualWeeks } from '#contract/health-figures.ts'
import type { getDataHealth, OperatorHealth } from '#contract/health.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { FeedChecks } from './day-facts.ts'
import { feedStandings } from './feed-standings.ts'
import { healthDay, volumeOf } from './figures/health-days.ts'
import { makeFigures } from './figures/make-figures.ts'
import { findHealthRegion } from './health-region.ts'
import { healthPeriod } from './health-period.ts'
import type { KeptDays } from './kept-days.ts'
import { dayAfter, daysBetween, spanOfDays } from './local-hours.ts'
import { hourTable, readReceived, readTrips } from './merge-facts.ts'
import { nameOperators } from './name-operators.ts'
import { receivedCounts, type ReceivedRow } from './queries/received.ts'
import { tripCounts, type TripCountRow } from './queries/trip-counts.ts'

/** What data health is read with. */
export interface Health {
  state: State
  facts: Facts
  kept: KeptDays
}

export interface HealthAsked {
  start_date?: LocalDay | undefined
  end_date?: LocalDay | undefined
  operator?: string | undefined
  feed_id?: string | undefined
}

/** What changed is counted again for a reader after this time, ms; rules count it every five minutes. */
export const readerRestMs = 10 * 60_000
/** Ways told of an operator at most. */
const mostWays = 20

function commonWays(checks: readonly FeedChecks[]): OperatorHealth['transitions'] {
  const found = new Map<string, OperatorHealth['transitions'][number]>()
  for (const [, from, event_types, to, count] of checks.flatMap(({ ways }) => ways)) {
    const key = `${from} ${event_types.join(' ')} ${to}`
    found.set(key, { from, event_types, to, count: (found.get(key)?.count ?? 0) + count })
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count).slice(0, mostWays)
}

/** The figures of every operator of a region over some days. */
export async function readDataHealth(
  { state, facts, kept }: Health,
  viewer: Scope,
  regionId: string,
  asked: HealthAsked,
  at: number,
): Promise<EndpointOutput<typeof getDataHealth>> {
  const region = await findHealthRegion(state, viewer, regionId)
  const { start, end, today, days } = healthPeriod(asked, region.timezone, at)
  const span = spanOfDays(regionId, start, end, region.timezone)
  const last = days.at(-1)
  const [standings, records, checks, told, vehicles, trips, received, incidents] = await Promise.all([
    feedStandings(state, facts, region, at),
    kept.find(
      region,
      'records',
      last ? daysBetween(dayAfter(start, -7 * usualWeeks), last) : [],
      at,
      readerRestMs,
    ),
    kept.find(region, 'events', days, at, readerRestMs),
    kept.find(region, 'trips', days, at, readerRestMs),
    kept.find(region, 'vehicles', last ? [last] : [], at, readerRestMs),
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
  const ofFeed = (feed: string | null): boolean => asked.feed_id === undefined || feed === asked.feed_id
  const inPeriod = [...records].filter(([day]) => day >= start).flatMap(([, { body }]) => body)
  const slugs = [
    ...new Set([
      ...standings.flatMap(({ operator }) => operator ?? []),
      ...inPeriod.map(({ operator }) => operator),
      ...received.map(({ operator }) => operator),
    ]),
  ].filter(
    (slug) =>
      slug !== '' &&
      (asked.operator === undefined || slug === asked.operator) &&
      canReadOperator(viewer, slug),
  )
  const names = await nameOperators(state, region, slugs)
  const allChecks = [...checks.values()].flatMap(({ body }) => body)
  const operators = names.map(({ slug, name, colorHex }): OperatorHealth => {
    const own = standings.filter((feed) => feed.operator === slug && ofFeed(feed.feed_id))
    const judging = {
      timezone: region.timezone,
      at,
      promisedMinutes: Math.max(0, ...own.map((feed) => feed.promised_minutes)),
    }
    const table = hourTable(records, slug, asked.feed_id)
    const volumes = days.flatMap((day) => volumeOf(table, day, judging) ?? [])
    const ownChecks = allChecks.filter((each) => each.operator === slug && ofFeed(each.feed))
    const trip = asked.feed_id === undefined ? trips.find((row) => row.operator === slug) : undefined
    const healthDays = days.map((day) => healthDay(table, day, judging))
    return {
      operator: slug,
      name,
      color_hex: colorHex,
      days: healthDays,
      transitions: commonWays(ownChecks),
      open_incidents: Number(incidents.find((row) => row.operator === slug)?.count ?? 0),
      figures: makeFigures({
        standings: own,
        days: healthDays,
        checks: ownChecks,
        trips: trip ? readTrips(trip) : null,
        received: received.filter((row) => row.operator === slug && ofFeed(row.feed_id)).map(readReceived),
        volume: volumes.length
          ? volumes.reduce((a, b) => ({ count: a.count + b.count, usual: a.usual + b.usual }))
          : null,
        told:
          asked.feed_id === undefined
            ? [...told.values()].flatMap(({ body }) => body.filter((each) => each.operator === slug))
            : [],
        vehicles:
          asked.feed_id === undefined && last
            ? (vehicles.get(last)?.body.find((each) => each.operator === slug) ?? null)
            : null,
      }),
    }
  })
  const oldest = Math.min(
    at,
    ...[...checks.values(), ...told.values(), ...vehicles.values()].map(({ asOf }) => asOf),
    ...[...records].filter(([day]) => day >= start).map(([, { asOf }]) => asOf),
  )
  return {
    start_date: start,
    end_date: end,
    today,
    timezone: region.timezone,
    lost_after_hours: region.lostAfterHours,
    as_of: new Date(oldest).toISOString(),
    operators,
  }
}
