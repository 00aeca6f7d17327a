// The records of measures, and days that are not derived yet.
import { expect, test } from 'vitest'
import { startOfDay } from '#contract/civil-clock.ts'
import { MetricRecordsQuestion, MetricsQuestion } from '#contract/metrics.ts'
import { dayFromNumber, dayNumber } from '#contract/period.ts'
import { markReportDaysDirty } from '#server/fleet/reports/report-days.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { listMetricRecords } from '#server/reporting/list-metric-records.ts'
import { MetricsCache, queryMetrics } from '#server/reporting/query-metrics.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { listHours, roundFigure } from './metric-hours.ts'
import { makeReportCity } from './report-city.ts'
import { useStores } from './use-stores.ts'

let facts: Facts
let state: State
// oxlint-disable-next-line rules-of-hooks
useStores((...opened) => void ([facts, state] = opened))

test('a measure returns the records that it counts, with the durations that it sums', async () => {
  const timezone = 'America/New_York'
  const { regionId, scope, days, clock, derivation, reports } = await makeReportCity(state, facts, timezone)
  await derivation.idle()
  const region = await findRegion(state, scope, regionId)
  const at = new Date(clock.now)
  const viewer = { scope, permissions: ['edit_policy'] } as unknown as Viewer
  const total = { trips: 0, times: 0 }
  for (const hour_filters of [
    [0, 23],
    [22, 5],
  ])
    for (const filters of [{}, { operators: ['lark'], days: [7, 1] }, { vehicle_types: ['bicycle'] }]) {
      const selected = {
        start_date: days[0],
        end_date: dayFromNumber(dayNumber(days[2]!) + 1),
        hour_filters,
        ...filters,
      }
      const keys = [
        'trips',
        'parking_events',
        'parking_over_limit',
        'parked_time',
        'low_battery_time',
        'vehicles_available',
        'fleet_avg',
      ] as const
      const { period } = await queryMetrics(
        { facts, reports, cache: new MetricsCache() },
        { scope, region, at },
        MetricsQuestion.parse({ measures: keys, parking_limit: 100, ...selected }),
      )
      const elapsed = listHours(
        MetricsQuestion.parse({ measures: keys, ...selected }),
        timezone,
        clock.now,
      ).reduce((sum, { from, until }) => sum + (until - from) / 1000, 0)
      for (const [index, measure] of keys.entries()) {
        const records = await listMetricRecords(
          facts,
          { viewer, region, at },
          MetricRecordsQuestion.parse({ measure, parking_limit: 100, size: 1000, ...selected }),
        )
        expect(records.items).toHaveLength(records.total)
        const time = records.items.reduce((sum, { duration_s: seconds }) => sum + (seconds ?? 0), 0)
        const counted = ['trips', 'parking_events', 'parking_over_limit'].includes(measure)
          ? records.total
          : ['parked_time', 'low_battery_time'].includes(measure)
            ? time
            : time / elapsed
        expect([measure, roundFigure(counted)]).toEqual([measure, roundFigure(period.totals[index]!)])
        total.trips += measure === 'trips' ? counted : 0
        total.times += time
      }
      const second = await listMetricRecords(
        facts,
        { viewer, region, at },
        MetricRecordsQuestion.parse({ measure: 'trips', page: 2, size: 2, ...selected }),
      )
      expect(second.items.length).toBeLessThanOrEqual(2)
    }
  expect(total.trips).toBeGreaterThan(20)
  expect(total.times).toBeGreaterThan(0)
  await expect(
    listMetricRecords(
      facts,
      { viewer: { scope, permissions: [] } as unknown as Viewer, region, at },
      MetricRecordsQuestion.parse({ measure: 'trips', start_date: days[0], end_date: days[0] }),
    ),
  ).rejects.toThrow('only to users who may edit policies')
}, 240_000)

test('a measure reports how many days are being derived for the first time, and returns figures afterward', async () => {
  const { regionId, scope, days, clock, trips, derivation, reports } = await makeReportCity(
    state,
    facts,
    'America/New_York',
  )
  const region = await findRegion(state, scope, regionId)
  const earlier = Array.from({ length: 20 }, (_, i) => dayFromNumber(dayNumber(days[0]!) - 20 + i))
  await markReportDaysDirty(state, scope, { regionId, days: [...earlier, ...days], at: new Date(clock.now) })
  const query = () =>
    queryMetrics(
      { facts, reports, cache: new MetricsCache() },
      { scope, region, at: new Date(clock.now) },
      MetricsQuestion.parse({ measures: ['trips'], start_date: earlier[0], end_date: days[2] }),
    )
  await expect(query()).rejects.toMatchObject({
    code: 'being_prepared',
    message: 'The figures of 18 of the days are being prepared for the first time, the newest days first.',
  })
  await derivation.idle()
  const begin = startOfDay(earlier[0]!, 'America/New_York')
  const end = startOfDay(dayFromNumber(dayNumber(days[2]!) + 1), 'America/New_York')
  expect((await query()).period.totals).toEqual([
    trips.filter(({ start }) => start >= begin && start < end).length,
  ])
})
