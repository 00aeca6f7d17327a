import { deployedStates } from '#contract/vehicle-states.ts'
import { sql } from '#server/stores/sql.ts'
import { type DayFigure, limits, type Measuring, piecesOf, spanOf } from '../measuring.ts'
import { tripRows } from '../queries/fact-rows.ts'
import { momentsInPieces } from '../queries/pieces.ts'
import { fleets } from './fleet.ts'
import { anywhere, type MeasureType, noValue, withValue } from './measure-type.ts'

interface Row {
  w: number
  operator: string
  trips: string
}

/** Trips that start in each window by the operator's mean fleet over it; who has no fleet is left out. */
async function measure(measuring: Measuring): Promise<DayFigure[]> {
  const { facts, scope, asked, windows, signal } = measuring
  const [rows, whole] = await Promise.all([
    facts.rows<Row>(
      scope,
      sql`select w, operator, count() as trips from (${momentsInPieces(tripRows(asked, spanOf(windows)), piecesOf(windows, asked.now))}) group by w, operator`,
      { ...limits, ...(signal ? { signal } : {}) },
    ),
    fleets(measuring, 'avg', deployedStates),
  ])
  const tripsOf = new Map(rows.map(({ w, operator, trips }) => [`${w - 1} ${operator}`, Number(trips)]))
  return whole.map(({ day, operator, value }) => ({
    day,
    operator,
    ground: 0,
    measured: (tripsOf.get(`${day} ${operator}`) ?? 0) / value,
    vehicles: value,
    uncertain: 0,
    open: false,
  }))
}

export const tripsPerVehicle: MeasureType<'trips_per_vehicle'> = {
  name: () => 'trips_per_vehicle',
  measure,
  facts: ({ asked, windows }) => ({
    kind: 'trip',
    rows: withValue(
      anywhere(momentsInPieces(tripRows(asked, spanOf(windows)), piecesOf(windows, asked.now))),
      noValue,
      sql`0`,
    ),
  }),
  places: 'whole',
  tellsTrips: true,
}
