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
  const compared = { trips: 0, seconds: 0 }
  const [anyHour, night] = [
    [0, 23],
    [22, 5],
  ]
  for (const hour_filters of [anyHour, night])
    for (const filters of [{}, { operators: ['lark'], days: [7, 1] }, { vehicle_types: ['bicycle'] }]) {
      const selected = {
        start_date: days[0],
        end_date: dayFromNumber(dayNumber(days[2]!) + 1),
        hour_filters,
        ...filters,
      }
      const measures = [
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
        MetricsQuestion.parse({ measures, parking_limit: 100, ...selected }),
      )
      const hours = listHours(MetricsQuestion.parse({ measures, ...selected }), timezone, clock.now)
      const elapsedSeconds = hours.reduce((sum, { from, until }) => sum + (until - from) / 1000, 0)
      for (const [index, measure] of measures.entries()) {
        const records = await listMetricRecords(
          facts,
          { viewer, region, at },
          MetricRecordsQuestion.parse({ measure, parking_limit: 100, size: 1000, ...selected }),
        )
        expect(records.items).toHaveLength(records.total)
        const seconds = records.items.reduce((sum, { duration_s }) => sum + (duration_s ?? 0), 0)
        const isCount = ['trips', 'parking_events', 'parking_over_limit'].includes(measure)
        const isTime = ['parked_time', 'low_battery_time'].includes(measure)
        const average = seconds / elapsedSeconds
        const expected = isCount ? records.total : isTime ? seconds : average
        expect([measure, roundFigure(expected)]).toEqual([measure, roundFigure(period.totals[index]!)])
        compared.trips += measure === 'trips' ? expected : 0
        compared.seconds += seconds
      }
      const secondPage = await listMetricRecords(
        facts,
        { viewer, region, at },
        MetricRecordsQuestion.parse({ measure: 'trips', page: 2, size: 2, ...selected }),
      )
      expect(secondPage.items.length).toBeLessThanOrEqual(2)
    }
  expect(compared.trips).toBeGreaterThan(20)
  expect(compared.seconds).toBeGreaterThan(0)
  await expect(
    listMetricRecords(
      facts,
      { viewer: { scope, permissions: [] } as unknown as Viewer, region, at },
      MetricRecordsQuestion.parse({ measure: 'trips', start_date: days[0], end_date: days[0] }),
    ),
  ).rejects.toThrow('only to users who may edit policies')
}, 240_000)

test('a measure reports how many days are being derived for the first time, and returns figures afterward', async () => {
  const timezone = 'America/New_York'
  const city = await makeReportCity(state, facts, timezone)
  const { regionId, scope, days, clock, trips, derivation, reports } = city
  const region = await findRegion(state, scope, regionId)
  const firstDay = dayNumber(days[0]!) - 20
  const earlierDays = Array.from({ length: 20 }, (_, index) => dayFromNumber(firstDay + index))
  const dirtyDays = [...earlierDays, ...days]
  await markReportDaysDirty(state, scope, { regionId, days: dirtyDays, at: new Date(clock.now) })
  const query = () =>
    queryMetrics(
      { facts, reports, cache: new MetricsCache() },
      { scope, region, at: new Date(clock.now) },
      MetricsQuestion.parse({ measures: ['trips'], start_date: earlierDays[0], end_date: days[2] }),
    )
  await expect(query()).rejects.toMatchObject({
    code: 'being_prepared',
    message: 'The figures of 18 of the days are being prepared for the first time, the newest days first.',
  })
  await derivation.idle()
  const begin = startOfDay(earlierDays[0]!, timezone)
  const end = startOfDay(dayFromNumber(dayNumber(days[2]!) + 1), timezone)
  const tripsOfPeriod = trips.filter(({ start }) => start >= begin && start < end)
  expect((await query()).period.totals).toEqual([tripsOfPeriod.length])
})
