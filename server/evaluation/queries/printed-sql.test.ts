import { expect, test } from 'vitest'
import { SpatialQuestion } from '#contract/evaluation.ts'
import type { Region } from '#contract/regions.ts'
import { regionScope } from '#server/identity/scope.ts'
import { renderSql, type Sql } from '#server/stores/sql.ts'
import { readQueryTime } from '../query-time.ts'
import { readFleetQuery } from '../fleet/fleet-query-context.ts'
import type { QueryContext } from '../modes/mode.ts'
import { deployedByHourSql } from '../fleet/fleet-by-hour.ts'
import { dropOffsByShapeSql } from '../modes/drop-offs.ts'
import { recentParkingPlacesSql, recentTripPlacesSql } from './recent-places.ts'
import { newestNonOperationalSql } from '../fleet/non-operational.ts'
import { parkingByShapeSql } from '../modes/parking.ts'
import { stationaryByShapeSql } from '../modes/distribution.ts'
import { tripsByPeriodSql } from './trips-by-period.ts'
import { tripsByShapeSql } from '#server/fleet/trips-by-shape.ts'
import { modes } from '../modes/modes.ts'
import { tripsByIntersectedShapeSql } from '../modes/trips.ts'

const filters = SpatialQuestion.parse({
  region_id: 'here',
  start_date: '2026-01-01',
  end_date: '2026-01-31',
  operators: ['zephyr'],
  vehicle_type: 'bicycle',
  days: [1, 7],
  hour_filters: [7, 18],
  shape_layer_uuid: '00000000-0000-4000-8000-000000000001',
})
const grid = { west: -1, south: -1, east: 1, north: 1, nx: 4, ny: 4, dx: 0.5, dy: 0.5 }
const indexes = [{ name: 'mi_0', grid }]
const scope = regionScope('00000000-0000-4000-8000-000000000002', 'here')

const context: QueryContext = {
  aggregation: 'total_parking_events',
  filters: { ...filters, start_date: '2026-01-01', end_date: '2026-01-31' },
  time: readQueryTime(filters, 'America/New_York'),
  bucket: null,
  parkedMinutes: 60,
  lostAfterHours: 48,
  now: Date.UTC(2026, 1, 15),
}
const lookup = { indexes, selected: null }
const region = { regionId: 'here', timezone: 'America/New_York', lostAfterHours: 48 } as Region
const fleet = readFleetQuery(
  { scope, at: new Date(context.now), signal: new AbortController().signal },
  region,
  { start_date: '2026-01-01', end_date: '2026-01-31', operators: 'zephyr', vehicle_type: 'bicycle' },
)

const questions: [name: string, question: Sql][] = [
  ['trips-by-shape', tripsByShapeSql({ filters, indexes, selected: null, byDay: false })],
  ['trips-by-shape-and-day-selected', tripsByShapeSql({ filters, indexes, selected: 3, byDay: true })],
  [
    'trips-by-intersected-shape',
    tripsByIntersectedShapeSql({
      filters,
      indexes,
      selected: null,
      byDay: false,
      listId: '00000000-0000-4000-8000-000000000003',
    }),
  ],
  [
    'trips-by-intersected-shape-and-hour-selected',
    tripsByIntersectedShapeSql({
      filters,
      indexes,
      selected: 3,
      byDay: false,
      byHour: true,
      listId: '00000000-0000-4000-8000-000000000003',
    }),
  ],
  ['recent-trip-places', recentTripPlacesSql(filters, 'origin')],
  ['trips-extent', modes.trips.extent('here', 'UTC')],
  ['parking-by-shape', parkingByShapeSql(context, lookup)],
  [
    'parking-by-shape-and-hour-selected',
    parkingByShapeSql({ ...context, bucket: 'hour_of_day' }, { ...lookup, selected: 3 }),
  ],
  [
    'stationary-by-shape',
    stationaryByShapeSql(
      {
        ...context,
        time: readQueryTime({ ...filters, days: [], hour_filters: [0, 23] }, 'America/New_York'),
      },
      lookup,
    ),
  ],
  ['drop-offs-by-shape-and-day', dropOffsByShapeSql({ ...context, bucket: 'day' }, lookup)],
  [
    'recent-parking-places',
    recentParkingPlacesSql({
      regionId: 'here',
      operators: ['zephyr'],
      vehicleTypes: ['bicycle'],
      time: context.time,
      parkedMinutes: 30,
      now: context.now,
    }),
  ],
  ['deployed-by-hour', deployedByHourSql(fleet)],
  ['newest-non-operational', newestNonOperationalSql(fleet)],
  ['trips-by-period', tripsByPeriodSql(fleet.filters, 'week')],
]

test.each(questions)('The query %s matches its file in test/sql', async (name, question) => {
  const { text, parameters } = renderSql(question, scope)
  const values = Object.entries(parameters).map(([key, value]) => `-- ${key} = ${JSON.stringify(value)}`)
  await expect(`${text.trim()}\n\n${values.join('\n')}\n`).toMatchFileSnapshot(
    `../../../test/sql/${name}.sql`,
  )
})

test('All values that users type are bound', () => {
  for (const [, question] of questions) {
    const { text } = renderSql(question, scope)
    for (const typed of ['zephyr', 'bicycle', '2026-01', "'here'"]) expect(text).not.toContain(typed)
  }
})
