import type { ComplianceFact } from '#contract/compliance.ts'
import { deployedStates } from '#contract/vehicle-states.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import type { DayRule } from './day-rule.ts'
import { placedEvents } from './measures/count-events.ts'
import { longestRest } from './measures/parking.ts'
import { fastest, perMetreSecond } from './measures/speeding.ts'
import { type Measuring, piecesOf, spanOf } from './measuring.ts'
import { dropOffRows, parkingRows, standingRows, tripRows } from './queries/fact-rows.ts'
import { byGround, inAreas } from './queries/in-grounds.ts'
import { momentsInPieces, spansInPieces } from './queries/pieces.ts'
import { ridesWithSpeed } from './speeds/known-speeds.ts'

/** Facts that were counted, to be listed: rows with `w`, `ground`, `begins`, `ends` (0: none), `value` and `breaks`, each with the columns of a fact. */
interface FactQuestion {
  kind: ComplianceFact['kind']
  rows: Sql
}

const minutes = sql`(ends - begins) / 60000`
const anywhere = (rows: Sql): Sql => sql`select *, toUInt32(0) as ground from (${rows})`
/** Facts with what they are in the rule's own words. */
const told = (rows: Sql, value: Sql, breaks: Sql): Sql =>
  sql`select *, ${value} as value, ${breaks} as breaks from (${rows})`
const unknown = sql`nan`

function standing(measuring: Measuring, isInShape: boolean): Sql {
  const { asked, rule, windows, indexes } = measuring
  const states = (rule.policy.vehicle_states ?? deployedStates).filter(
    (state) => !isInShape || (state !== 'on_trip' && state !== 'stopped'),
  )
  const spans = sql`select * except(begins, ends), part_begins as begins, part_ends as ends from (${spansInPieces(standingRows(asked, spanOf(windows), states), piecesOf(windows, asked.now))})`
  return told(isInShape ? byGround(inAreas(spans, indexes), false) : anywhere(spans), minutes, sql`0`)
}

function parking(measuring: Measuring, breaks: Sql): Sql {
  return told(
    placedEvents(measuring, parkingRows(measuring.asked, spanOf(measuring.windows))),
    minutes,
    breaks,
  )
}

/** The facts that a measure counts; null: those of ways, which no question of the store tells. */
export async function factQuestion(measuring: Measuring): Promise<FactQuestion | null> {
  const { asked, rule, windows, indexes } = measuring
  const span = spanOf(windows)
  const kind: DayRule['measure']['kind'] = rule.measure.kind
  switch (kind) {
    case 'fleet':
      return { kind: 'interval', rows: standing(measuring, false) }
    case 'fleet_in_shape':
      return { kind: 'interval', rows: standing(measuring, true) }
    case 'drop_offs':
      return {
        kind: 'drop_off',
        rows: told(placedEvents(measuring, dropOffRows(asked, span)), unknown, sql`0`),
      }
    case 'trips_per_vehicle':
      return {
        kind: 'trip',
        rows: told(
          anywhere(momentsInPieces(tripRows(asked, span), piecesOf(windows, asked.now))),
          unknown,
          sql`0`,
        ),
      }
    case 'parked':
      return { kind: 'parking_event', rows: parking(measuring, sql`1`) }
    case 'parked_longer': {
      const longest = longestRest(rule)
      return {
        kind: 'parking_event',
        rows: parking(
          measuring,
          longest === Infinity ? sql`0` : sql`length > ${bind('Int64', String(Math.round(longest)))}`,
        ),
      }
    }
    case 'parked_share': {
      const events = inAreas(momentsInPieces(parkingRows(asked, span), piecesOf(windows, asked.now)), indexes)
      return { kind: 'parking_event', rows: told(anywhere(events), minutes, sql`empty(areas)`) }
    }
    case 'speeding': {
      const [places, limit] = [await ridesWithSpeed(measuring, span), fastest(rule)]
      return {
        kind: 'segment',
        rows: told(
          placedEvents(measuring, places),
          sql`speed * ${bind('Float64', perMetreSecond(rule.policy.unit))}`,
          limit === null ? sql`0` : sql`toFloat32(speed) > toFloat32(${bind('Float64', limit)})`,
        ),
      }
    }
    default:
      return null
  }
}
