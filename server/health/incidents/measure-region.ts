import { ruleHours } from '#contract/incident-rules.ts'
import { tripTimeoutHours, usualWeeks } from '#contract/health-figures.ts'
import { addDays, daysBetween, hourMs, type LocalDay, localDay } from '#contract/period.ts'
import { countTransitions } from '../check-transitions.ts'
import { findEarlierFeeds, type HealthRegion } from '../health-region.ts'
import { findFeedStatuses } from '../feed-statuses.ts'
import { judgeDay } from '../figures/health-days.ts'
import { toHourTable, toReceived, toFeedTrips } from '../merge-facts.ts'
import { receivedCountsSql, type ReceivedRow } from '../queries/received.ts'
import { tripCountsSql, type TripCountRow } from '../queries/trip-counts.ts'
import type { Health } from '../read-data-health.ts'
import type { Span } from '../span.ts'
import { type Measure, measureOperator } from './measure.ts'

/** Less than the five minutes between evaluations of the rules, so that each of them counts changed facts. */
const rulesRecountAfterMs = 4 * 60_000
/** The days of the default period of the data health page, counted in advance if they have records. */
const precountedDays = 7

/** Computes the figures of all rules for a region's operators. Also refreshes recent counts for viewers. */
export async function measureRegion(
  { state, facts, dayCounts }: Health,
  region: HealthRegion,
  at: number,
): Promise<Measure[]> {
  const { regionId, timezone, scope } = region
  const today = localDay(new Date(at), timezone)
  const firstDay = addDays(today, 1 - precountedDays - 7 * usualWeeks)
  const timing = { at, recountAfterMs: rulesRecountAfterMs }
  const records = await dayCounts.find(region, {
    kind: 'records',
    days: daysBetween(firstDay, today),
    ...timing,
  })
  const hasRecords = (day: LocalDay): boolean =>
    records.get(day)?.body.some(({ hours: counts }) => counts.some((count) => count > 0)) === true
  const daysWithRecords = daysBetween(addDays(today, 1 - precountedDays), today).filter(hasRecords)
  await dayCounts.find(region, { kind: 'events', days: daysWithRecords, ...timing })
  await dayCounts.find(region, { kind: 'trips', days: daysWithRecords, ...timing })
  await dayCounts.find(region, { kind: 'vehicles', days: [today], ...timing })
  /** Returns the span that starts and ends the given hours ago. */
  const getSpanOfHours = (from: number, until: number): Span => ({
    regionId,
    from: at - from * hourMs,
    until: at - until * hourMs,
  })
  const [statuses, transitions, received, trips] = await Promise.all([
    findFeedStatuses(state, facts, region, at),
    findEarlierFeeds(state, region).then((earlierFeeds) =>
      countTransitions({ facts, region, earlierFeeds, at }, getSpanOfHours(ruleHours, 0)),
    ),
    facts.rows<ReceivedRow>(scope, receivedCountsSql(getSpanOfHours(ruleHours, 0))),
    facts.rows<TripCountRow>(
      scope,
      tripCountsSql(getSpanOfHours(tripTimeoutHours + ruleHours, tripTimeoutHours), at),
    ),
  ])
  const operators = [...new Set(statuses.flatMap(({ operator }) => operator ?? []))]
  return operators.flatMap((operator) => {
    const feeds = statuses.filter((feed) => feed.operator === operator)
    const table = toHourTable(records, operator)
    const promisedMinutes = Math.max(0, ...feeds.map((feed) => feed.promised_minutes))
    const tripCounts = trips.find((row) => row.operator === operator)
    return measureOperator({
      operator,
      at,
      statuses: feeds,
      table,
      days: daysBetween(addDays(today, -2), today).map((day) =>
        judgeDay(table, day, { timezone, at, promisedMinutes }),
      ),
      transitions: transitions.filter((feed) => feed.operator === operator),
      received: new Map(
        received.filter((row) => row.operator === operator).map((row) => [row.feed_id, toReceived(row)]),
      ),
      trips: tripCounts ? toFeedTrips(tripCounts) : null,
    })
  })
}
