import { ruleHours } from '#contract/incident-rules.ts'
import { tripTimeoutHours, usualWeeks } from '#contract/health-figures.ts'
import { type LocalDay, localDay } from '#contract/period.ts'
import { countTransitions } from '../check-transitions.ts'
import { earlierFeeds, type HealthRegion } from '../health-region.ts'
import { feedStatuses } from '../feed-statuses.ts'
import { healthDay } from '../figures/health-days.ts'
import { dayAfter, daysBetween } from '../local-hours.ts'
import { hourTable, readReceived, readTrips } from '../merge-facts.ts'
import { receivedCounts, type ReceivedRow } from '../queries/received.ts'
import { tripCounts, type TripCountRow } from '../queries/trip-counts.ts'
import type { Health } from '../read-data-health.ts'
import { hourMs } from '../span.ts'
import { type Measure, measuresOf } from './measure.ts'

/** Changed facts are counted again at every evaluation of the rules, which runs every five minutes; ms. */
const recountAfterMs = 4 * 60_000
/** Days that readers request first are counted in advance, if anything happened on them. */
const precountedDays = 7

/** Every current figure of the rules, of all operators of a region with feeds. Counts that readers request first are refreshed too. */
export async function measureRegion(
  { state, facts, dayCounts }: Health,
  region: HealthRegion,
  at: number,
): Promise<Measure[]> {
  const { regionId, timezone, scope } = region
  const today = localDay(new Date(at), timezone)
  const first = dayAfter(today, 1 - precountedDays - 7 * usualWeeks)
  const records = await dayCounts.find(region, 'records', daysBetween(first, today), at, recountAfterMs)
  const hasRecords = (day: LocalDay): boolean =>
    records.get(day)?.body.some(({ hours: counts }) => counts.some((count) => count > 0)) === true
  const ready = daysBetween(dayAfter(today, 1 - precountedDays), today).filter(hasRecords)
  await dayCounts.find(region, 'events', ready, at, recountAfterMs)
  await dayCounts.find(region, 'trips', ready, at, recountAfterMs)
  await dayCounts.find(region, 'vehicles', [today], at, recountAfterMs)
  const hours = (from: number, until: number) => ({
    regionId,
    from: at - from * hourMs,
    until: at - until * hourMs,
  })
  const [statuses, transitions, received, trips] = await Promise.all([
    feedStatuses(state, facts, region, at),
    earlierFeeds(state, region).then((earlier) =>
      countTransitions({ facts, region, earlierFeeds: earlier, at }, hours(ruleHours, 0)),
    ),
    facts.rows<ReceivedRow>(scope, receivedCounts(hours(ruleHours, 0))),
    facts.rows<TripCountRow>(scope, tripCounts(hours(tripTimeoutHours + ruleHours, tripTimeoutHours), at)),
  ])
  const operators = [...new Set(statuses.flatMap(({ operator }) => operator ?? []))]
  return operators.flatMap((operator) => {
    const own = statuses.filter((feed) => feed.operator === operator)
    const table = hourTable(records, operator)
    const promisedMinutes = Math.max(0, ...own.map((feed) => feed.promised_minutes))
    const trip = trips.find((row) => row.operator === operator)
    return measuresOf({
      operator,
      at,
      statuses: own,
      table,
      days: daysBetween(dayAfter(today, -2), today).map((day) =>
        healthDay(table, day, { timezone, at, promisedMinutes }),
      ),
      transitions: transitions.filter((each) => each.operator === operator),
      received: new Map(
        received.filter((row) => row.operator === operator).map((row) => [row.feed_id, readReceived(row)]),
      ),
      trips: trip ? readTrips(trip) : null,
    })
  })
}
