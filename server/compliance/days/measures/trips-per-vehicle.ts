import { deployedStates } from '#contract/vehicle-states.ts'
import { sql } from '#server/stores/sql.ts'
import {
  type DayFigure,
  getSpan,
  createQueryOptions,
  type MeasureInput,
  toWindowSlots,
} from '../measure-input.ts'
import { tripRows } from '../queries/fact-rows.ts'
import { momentRowsInSlots } from '../queries/time-slots.ts'
import { countFleets } from './fleet.ts'
import { unshapedRows, type MeasureType, noValue, valueRows } from './measure-type.ts'

interface TripCountRow {
  w: number
  operator: string
  trips: string
}

/** Measures trips that start in each window per vehicle of the mean fleet. Omitted without a fleet. */
async function measure(input: MeasureInput): Promise<DayFigure[]> {
  const { facts, scope, filter, windows, signal } = input
  const [rows, meanFleets] = await Promise.all([
    facts.rows<TripCountRow>(
      scope,
      sql`
        select w, operator, count() as trips
        from (${momentRowsInSlots(tripRows(filter, getSpan(windows)), toWindowSlots(windows, filter.now))})
        group by w, operator`,
      createQueryOptions(signal),
    ),
    countFleets(input, 'avg', deployedStates),
  ])
  const tripsByKey = new Map(rows.map(({ w, operator, trips }) => [`${w - 1} ${operator}`, Number(trips)]))
  return meanFleets.map(({ day, operator, value }) => ({
    day,
    operator,
    shape: 0,
    measured: (tripsByKey.get(`${day} ${operator}`) ?? 0) / value,
    vehicles: value,
    uncertain: 0,
    open: false,
  }))
}

/** Measures trips per vehicle of each operator. */
export const tripsPerVehicle: MeasureType<'trips_per_vehicle'> = {
  name: () => 'trips_per_vehicle',
  measure,
  facts: ({ filter, windows }) => ({
    kind: 'trip',
    rows: valueRows(
      unshapedRows(momentRowsInSlots(tripRows(filter, getSpan(windows)), toWindowSlots(windows, filter.now))),
      noValue,
      sql`0`,
    ),
  }),
  places: 'whole',
  listsTrips: true,
}
