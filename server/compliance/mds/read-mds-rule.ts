import type { MdsRule, mdsSpeedUnits, mdsTimeUnits } from '#contract/mds-policy.ts'
import { dayMs, hourMs, minuteMs } from '#contract/period.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'
import { roundToNineDecimals } from '../bounds.ts'
import type { Area, Bounds, Rule, RuleKind, Window } from '../rule.ts'
import { isDeepStrictEqual } from 'node:util'

/** Thrown if a policy cannot be evaluated. The message names the rule. */
export class RuleProblem extends Error {}

const unitMs: Record<(typeof mdsTimeUnits)[number], number> = {
  seconds: 1000,
  minutes: minuteMs,
  hours: hourMs,
  days: dayMs,
}
/** One unit of speed in m/s. */
const unitSpeed: Record<(typeof mdsSpeedUnits)[number], number> = { mph: 1609.344 / 3600, kph: 1 / 3.6 }
const endOfDaySeconds = 86_400

/** Converts a time of day such as `09:30:00` to seconds. */
const parseSeconds = (time: string): number =>
  time.split(':').reduce((sum, part, index) => sum + Number(part) * (3600 / 60 ** index), 0)

/** Reads the window of a rule. MDS writes the end of the day as 23:59:59. */
function readWindow({ start_time: start, end_time: end, days }: MdsRule): Window {
  return {
    days: days?.length ? new Set(days) : null,
    from: start ? parseSeconds(start) : 0,
    to: !end || end === '23:59:59' ? endOfDaySeconds : parseSeconds(end),
  }
}

/** Returns the factor from the rule's unit to the unit of its kind (vehicles, ms, m/s). */
function readScale({ rule_type: type, rule_units: unit, rule_id: id }: MdsRule): number {
  if (type === 'count') {
    if (unit && unit !== 'devices')
      throw new RuleProblem(`Rule ${id}: a count is of devices, not of ${unit}.`)
    return 1
  }
  const units: Record<string, number> = type === 'time' ? unitMs : unitSpeed
  const scale = Object.hasOwn(units, unit ?? '') ? units[unit ?? ''] : undefined
  if (scale === undefined)
    throw new RuleProblem(
      `Rule ${id}: a rule of ${type} needs rule_units, one of ${Object.keys(units).join(', ')}${unit ? `, not ${unit}` : ''}.`,
    )
  return scale
}

function readBounds(rule: MdsRule): Bounds {
  const scale = readScale(rule)
  const minimum = rule.minimum ?? -Infinity
  const maximum = rule.maximum ?? Infinity
  if (minimum > maximum)
    throw new RuleProblem(`Rule ${rule.rule_id}: its minimum ${minimum} is above its maximum ${maximum}.`)
  return {
    minimum: roundToNineDecimals(minimum * scale),
    maximum: roundToNineDecimals(maximum * scale),
    inclusiveMinimum: rule.inclusive_minimum ?? true,
    inclusiveMaximum: rule.inclusive_maximum ?? true,
  }
}

const toSetOrNull = (values: readonly string[] | null | undefined): ReadonlySet<string> | null =>
  values?.length ? new Set(values) : null

/** Reads the vehicle types of a rule. The only scooter type of MDS 1.2 includes standing and seated ones. */
const readVehicleTypes = (types: MdsRule['vehicle_types']): ReadonlySet<string> | null =>
  toSetOrNull(
    types?.flatMap((type) => (type === 'scooter' ? [type, 'scooter_standing', 'scooter_seated'] : [type])),
  )

function readStates(states: MdsRule['states']): Rule['states'] {
  const eventsByState = Object.entries(states ?? {}).map(
    ([state, events]) => [state as VehicleState, events ?? []] as const,
  )
  return eventsByState.length ? new Map(eventsByState) : null
}

/** Kinds by MDS rule type; null for types that are not evaluated. */
const kindsByType: Record<string, RuleKind | null> = {
  count: 'count',
  time: 'time',
  speed: 'speed',
  user: null,
  /** A fee in MDS 1.2. */
  rate: null,
}

/**
 * Prepares an MDS rule for evaluation; null for a rule that only informs riders or only charges.
 * @param getArea Returns the area of geographies by their ids.
 * @throws RuleProblem if the rule is invalid.
 */
export function readMdsRule(rule: MdsRule, getArea: (ids: readonly string[]) => Area): Rule | null {
  const { rule_id: ruleId, rule_type: type, geographies } = rule
  const kind = Object.hasOwn(kindsByType, type) ? kindsByType[type] : undefined
  if (kind === undefined)
    throw new RuleProblem(`Rule ${ruleId}: ${type} is no kind of rule that is known here.`)
  if (kind === null) return null
  if (!geographies.length) throw new RuleProblem(`Rule ${ruleId} names no geography.`)
  return {
    ruleId,
    name: rule.name,
    kind,
    area: getArea(geographies),
    states: readStates(rule.states),
    vehicleTypes: readVehicleTypes(rule.vehicle_types),
    propulsionTypes: toSetOrNull(rule.propulsion_types),
    accessibilityOptions: toSetOrNull(rule.accessibility_options),
    window: readWindow(rule),
    bounds: readBounds(rule),
    chargesWithin: rule.rate_applies_when === 'in_bounds',
  }
}

/**
 * Removes exact duplicates from records.
 * @param getName Identifies a record.
 * @throws RuleProblem if two records with the same name differ.
 */
export function removeDuplicates<Item>(records: readonly Item[], getName: (record: Item) => string): Item[] {
  const recordsByName = new Map<string, Item>()
  for (const record of records) {
    const name = getName(record)
    const existing = recordsByName.get(name)
    if (existing !== undefined && !isDeepStrictEqual(existing, record))
      throw new RuleProblem(`${name} is there more than once, and not the same.`)
    recordsByName.set(name, existing ?? record)
  }
  return [...recordsByName.values()]
}
