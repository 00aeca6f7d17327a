// Figures of days without a feed are unknown, never zero. Coverage is the share of a period with feeds.
import { expect, test } from 'vitest'
import { startOfDay } from '#contract/civil-clock.ts'
import { MetricsQuestion } from '#contract/metrics.ts'
import { dayFromNumber, dayNumber, hourMs } from '#contract/period.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { MetricsCache, queryMetrics } from '#server/reporting/query-metrics.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type Interval, makeReportCity, storeEvents } from './report-city.ts'
import { useStores } from './use-stores.ts'

const timezone = 'America/New_York'

let facts: Facts
let state: State
// oxlint-disable-next-line rules-of-hooks
useStores((...opened) => void ([facts, state] = opened))

test('a day without a feed has no values, and hours without a feed lower the coverage', async () => {
  const city = await makeReportCity(state, facts, timezone)
  const { regionId, scope, clock, derivation, reports } = city
  const [first, last] = ['2026-02-23', '2026-03-01']
  const dayGap = startOfDay('2026-02-25', timezone)
  const fourHourGap = startOfDay('2026-02-26', timezone) + 10 * hourMs
  const isInGap = (at: number): boolean =>
    (at >= dayGap && at < dayGap + 24 * hourMs) || (at >= fourHourGap && at < fourHourGap + 4 * hourMs)
  // Nine weeks of hourly records of two operators. One of them has no records for a day and for four hours.
  const begin = startOfDay(dayFromNumber(dayNumber(first) - 63), timezone)
  const end = startOfDay(dayFromNumber(dayNumber(last) + 1), timezone)
  const hours = Array.from({ length: (end - begin) / hourMs }, (_, index) => begin + index * hourMs)
  const intervals = hours.flatMap((hour) =>
    ['heron', 'lark'].flatMap((operator, operatorIndex) =>
      operator === 'lark' && isInGap(hour)
        ? []
        : Array.from({ length: 6 }, (_, index): Interval => ({
            operator,
            device: `0000000${operatorIndex}-0000-4000-8000-00000000000${index}`,
            type: 'bicycle',
            from: hour + index * 60_000,
            to: hour + hourMs,
            state: 'available',
            isLow: false,
          })),
    ),
  )
  const device = '00000001-0000-4000-8000-000000000000'
  const trip = { operator: 'heron', device, type: 'bicycle', distance: 900, duration: 300, isOutlier: false }
  await city.storeTrips([{ ...trip, start: begin }], 1)
  const events = await storeEvents(facts, scope, regionId, intervals)
  await derivation.idle()
  const { period, coverage } = await queryMetrics(
    { facts, reports, cache: new MetricsCache() },
    { scope, region: await findRegion(state, scope, regionId), at: new Date(clock.now) },
    MetricsQuestion.parse({
      measures: ['trips', 'drop_offs'],
      dimensions: ['day', 'operator'],
      start_date: first,
      end_date: last,
    }),
  )
  const countDropOffs = (operator: string, day: string): number => {
    const from = startOfDay(day, timezone)
    return events.filter(
      (event) =>
        event.operator === operator &&
        event.from >= from &&
        event.from < from + 24 * hourMs &&
        event.eventTypes.some((type) => type.endsWith('_drop_off')),
    ).length
  }
  const days = Array.from({ length: 7 }, (_, index) => dayFromNumber(dayNumber(first) + index))
  expect(period.rows).toEqual(
    days.flatMap((day) =>
      ['heron', 'lark'].map((operator) => ({
        keys: [day, operator],
        values:
          operator === 'lark' && day === '2026-02-25' ? [null, null] : [0, countDropOffs(operator, day)],
      })),
    ),
  )
  expect(countDropOffs('lark', '2026-02-26')).toBeGreaterThan(20)
  expect(coverage).toEqual([
    { operator: 'heron', share: 1 },
    { operator: 'lark', share: (7 * 24 - 24 - 4) / (7 * 24) },
  ])
}, 120_000)
