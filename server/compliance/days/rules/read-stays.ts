import { deployedStates, type VehicleState, vehicleStateNames } from '#contract/vehicle-states.ts'
import { bind, sql } from '#server/stores/sql.ts'
import { leastOf } from '../../bounds.ts'
import { limits, type Measuring } from '../measuring.ts'
import type { Span } from '../queries/fact-rows.ts'
import { stayOperators, stayRows, type StaysRow, traitRows } from '../queries/stay-rows.ts'
import type { DayMdsRule } from './day-mds-rules.ts'
import type { Stay, Traits } from './stay.ts'

/** Whether vehicles too few break one of the rules: then any vehicle of an operator tells that it has a fleet. */
export const asksForFleet = (rules: readonly DayMdsRule[]): boolean =>
  rules.some(({ kind, bounds }) => kind === 'count' && leastOf(bounds) > 0)

/** States that a rule may look at. */
const statesOf = ({ states }: DayMdsRule): readonly VehicleState[] =>
  states ? [...states.keys()] : deployedStates

/** What is read for some rules: stays in other states, of other vehicles, are in none of them. */
function readFor(rules: readonly DayMdsRule[]): {
  states: VehicleState[]
  types: string[] | null
  withEvents: boolean
} {
  const isFleet = asksForFleet(rules)
  const states = new Set([...rules.flatMap(statesOf), ...(isFleet ? deployedStates : [])])
  const types =
    isFleet || rules.some(({ vehicleTypes }) => vehicleTypes === null)
      ? null
      : [...new Set(rules.flatMap(({ vehicleTypes }) => [...(vehicleTypes ?? [])]))]
  const withEvents = rules.some((rule) =>
    [...(rule.states?.values() ?? [])].some((events) => events.length > 0),
  )
  return { states: vehicleStateNames.filter((state) => states.has(state)), types, withEvents }
}

const numberOf = (value: number | null): number => value ?? NaN

/** Operators of which something began in a span. */
export const findStayOperators = async (
  { facts, scope, asked }: Pick<Measuring, 'facts' | 'scope' | 'asked'>,
  span: Span,
): Promise<string[]> =>
  (await facts.rows<{ operator: string }>(scope, stayOperators(asked.regionId, span), limits)).map(
    ({ operator }) => operator,
  )

/** What an operator's vehicles told in a span, as far as the rules look at it: vehicle by vehicle, each in order of time. */
export async function readStays(
  {
    facts,
    scope,
    asked,
    indexes,
    signal,
  }: Pick<Measuring, 'facts' | 'scope' | 'asked' | 'indexes' | 'signal'>,
  rules: readonly DayMdsRule[],
  operator: string,
  span: Span,
): Promise<{ stays: Stay[]; size: number }> {
  const rows = await facts.rows<StaysRow>(
    scope,
    stayRows({ regionId: asked.regionId, operator, ...readFor(rules) }, span, indexes),
    { ...limits, ...(signal ? { signal } : {}) },
  )
  rows.sort((a, b) => (a.device_id < b.device_id ? -1 : 1))
  const stays = rows.flatMap(({ device_id: deviceId, stays: cells }, vehicle) =>
    cells.map(([at, until, state, types, vehicleType, lon, lat, accuracy, areas]): Stay => ({
      vehicle,
      deviceId,
      vehicleType,
      at: Number(at),
      until: Number(until),
      state,
      types,
      lon: numberOf(lon),
      lat: numberOf(lat),
      accuracy: numberOf(accuracy),
      areas,
    })),
  )
  return { stays, size: rows.length }
}

const noTraits: Traits = { propulsionTypes: [], accessibility: [] }

/** What is known of an operator's vehicles beside their type; nothing is read where no rule asks. */
export async function readTraits(
  { facts, scope, asked }: Pick<Measuring, 'facts' | 'scope' | 'asked'>,
  rules: readonly DayMdsRule[],
  operator: string,
): Promise<(deviceId: string) => Traits> {
  if (!rules.some(({ propulsionTypes, accessibilityOptions }) => propulsionTypes ?? accessibilityOptions))
    return () => noTraits
  const rows = await facts.rows<{ device_id: string; propulsion_types: string[]; accessibility: string[] }>(
    scope,
    sql`select toString(device_id) as device_id, propulsion_types, accessibility from (${traitRows(asked.regionId)}) where operator = ${bind('String', operator)}`,
    limits,
  )
  const traits = new Map(
    rows.map((row): [string, Traits] => [
      row.device_id,
      { propulsionTypes: row.propulsion_types, accessibility: row.accessibility },
    ]),
  )
  return (deviceId) => traits.get(deviceId) ?? noTraits
}
