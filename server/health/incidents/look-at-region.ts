import { ruleHours } from '#contract/incident-rules.ts'
import { tripTimeoutHours, usualWeeks } from '#contract/health-figures.ts'
import { localDay } from '#contract/period.ts'
import { countWays } from '#server/health/count-ways.ts'
import { earlierFeeds, type HealthRegion } from '#server/health/health-region.ts'
import { feedStandings } from '#server/health/feed-standings.ts'
import { healthDay } from '#server/health/figures/health-days.ts'
import { dayAfter, daysBetween } from '#server/health/local-hours.ts'
import { hourTable, readReceived, readTrips } from '#server/health/merge-facts.ts'
import { receivedCounts, type ReceivedRow } from '#server/health/queries/received.ts'
import { tripCounts, type TripCountRow } from '#server/health/queries/trip-counts.ts'
import type { Health } from '#server/health/read-data-health.ts'
import { hourMs } from '#server/health/span.ts'
import { type Measure, measuresOf } from './measure.ts'

/** What changed is counted again at every look, which comes each five minutes; ms. */
const restMs = 4 * 60_000
/** Days that readers see first are counted before they ask. */
const readyDays = 7

/** Every figure of now that the rules look at, of all operators of a region with feeds. What readers ask first is counted along the way. */
export async function lookAtRegion(
  { state, facts, kept }: Health,
  region: HealthRegion,
  at: number,
): Promise<Measure[]> {
  const { regionId, timezone, scope } = region
  const today = localDay(new Date(at), timezone)
  const first = dayAfter(today, 1 - readyDays - 7 * usualWeeks)
  const records = await kept.find(region, 'records', daysBetween(first, today), at, restMs)
  const ready = daysBetween(dayAfter(today, 1 - readyDays), today)
  await kept.find(region, 'events', ready, at, restMs)
  await kept.find(region, 'trips', ready, at, restMs)
  await kept.find(region, 'vehicles', [today], at, restMs)
  const hours = (from: number, until: number) => ({
    regionId,
    from: at - from * hourMs,
    until: at - until * hourMs,
  })
  const [standings, ways, received, trips] = await Promise.all([
    feedStandings(state, facts, region, at),
    earlierFeeds(state, region).then((earlier) =>
      countWays({ facts, region, earlierFeeds: earlier, at }, hours(ruleHours, 0)),
    ),
    facts.rows<ReceivedRow>(scope, receivedCounts(hours(ruleHours, 0))),
    facts.rows<TripCountRow>(scope, tripCounts(hours(tripTimeoutHours + ruleHours, tripTimeoutHours), at)),
  ])
  const operators = [...new Set(standings.flatMap(({ operator }) => operator ?? []))]
  return operators.flatMap((operator) => {
    const own = standings.filter((feed) => feed.operator === operator)
    const table = hourTable(records, operator)
    const promisedMinutes = Math.max(0, ...own.map((feed) => feed.promised_minutes))
    const trip = trips.find((row) => row.operator === operator)
    return measuresOf({
      operator,
      at,
      standings: own,
      table,
      days: daysBetween(dayAfter(today, -2), today).map((day) =>
        healthDay(table, day, { timezone, at, promisedMinutes }),
      ),
      ways: ways.filter((each) => each.operator === operator),
      received: new Map(
        received.filter((row) => row.operator === operator).map((row) => [row.feed_id, readReceived(row)]),
      ),
      trips: trip ? readTrips(trip) : null,
    })
  })
}
