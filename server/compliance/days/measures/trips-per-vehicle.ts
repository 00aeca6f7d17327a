import { deployedStates } from '#contract/vehicle-states.ts'
import { sql } from '#server/stores/sql.ts'
import { type DayFigure, getSpan, limitQuery, type MeasureInput, toWindowSlots } from '../measure-input.ts'
import { tripRows } from '../queries/fact-rows.ts'
import { momentsInSlots } from '../queries/time-slots.ts'
import { countFleets } from './fleet.ts'
import { withoutShapes, type MeasureType, noValue, withValue } from './measure-type.ts'

interface TripCountRow {
  w: number
  operator: string
  trips: string
}

/**
 * Measures trips that start in each window per vehicle of the operator's mean fleet. Operators without a
 * fleet are omitted.
 */
async function measure(input: MeasureInput): Promise<DayFigure[]> {
  const { facts, scope, filter, windows, signal } = input
  const [rows, meanFleets] = await Promise.all([
    facts.rows<TripCountRow>(
      scope,
      sql`
        select w, operator, count() as trips
        from (${momentsInSlots(tripRows(filter, getSpan(windows)), toWindowSlots(windows, filter.now))})
        group by w, operator`,
      limitQuery(signal),
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

export const tripsPerVehicle: MeasureType<'trips_per_vehicle'> = {
  name: () => 'trips_per_vehicle',
  measure,
  facts: ({ filter, windows }) => ({
    kind: 'trip',
    rows: withValue(
      withoutShapes(momentsInSlots(tripRows(filter, getSpan(windows)), toWindowSlots(windows, filter.now))),
      noValue,
      sql`0`,
    ),
  }),
  places: 'whole',
  listsTrips: true,
}
