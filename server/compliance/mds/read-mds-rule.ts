import type { MdsRule, mdsSpeedUnits, mdsTimeUnits } from '#contract/mds-policy.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'
import { rounded } from '../bounds.ts'
import type { Area, Bounds, Rule, RuleKind, Window } from '../rule.ts'
import { isDeepStrictEqual } from 'node:util'

/** Why a policy cannot be evaluated; the message names the rule. */
export class RuleProblem extends Error {}

const unitMs: Record<(typeof mdsTimeUnits)[number], number> = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
}
/** m/s in one of the unit. */
const unitSpeed: Record<(typeof mdsSpeedUnits)[number], number> = { mph: 1609.344 / 3600, kph: 1 / 3.6 }
const endOfDay = 86_400

const secondsOf = (time: string): number =>
  time.split(':').reduce((sum, part, index) => sum + Number(part) * (3600 / 60 ** index), 0)

/** MDS writes the end of the day as 23:59:59. */
function windowOf({ start_time: start, end_time: end, days }: MdsRule): Window {
  return {
    days: days?.length ? new Set(days) : null,
    from: start ? secondsOf(start) : 0,
    to: !end || end === '23:59:59' ? endOfDay : secondsOf(end),
  }
}

/** The rule's unit in the unit of its kind (vehicles, ms, m/s). */
function scaleOf({ rule_type: type, rule_units: unit, rule_id: id }: MdsRule): number {
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

function boundsOf(rule: MdsRule): Bounds {
  const scale = scaleOf(rule)
  const minimum = rule.minimum ?? -Infinity
  const maximum = rule.maximum ?? Infinity
  if (minimum > maximum)
    throw new RuleProblem(`Rule ${rule.rule_id}: its minimum ${minimum} is above its maximum ${maximum}.`)
  return {
    minimum: rounded(minimum * scale),
    maximum: rounded(maximum * scale),
    inclusiveMinimum: rule.inclusive_minimum ?? true,
    inclusiveMaximum: rule.inclusive_maximum ?? true,
  }
}

const anyOf = (values: readonly string[] | null | undefined): ReadonlySet<string> | null =>
  values?.length ? new Set(values) : null

/** MDS 1.2 has a single scooter type. */
const vehicleTypesOf = (types: MdsRule['vehicle_types']): ReadonlySet<string> | null =>
  anyOf(
    types?.flatMap((type) => (type === 'scooter' ? [type, 'scooter_standing', 'scooter_seated'] : [type])),
  )

function statesOf(states: MdsRule['states']): Rule['states'] {
  const listed = Object.entries(states ?? {}).map(
    ([state, events]) => [state as VehicleState, events ?? []] as const,
  )
  return listed.length ? new Map(listed) : null
}

const kinds: Record<string, RuleKind | null> = {
  count: 'count',
  time: 'time',
  speed: 'speed',
  user: null,
  /** In 1.2: only a fee. */ rate: null,
}

/**
 * A rule of MDS as the engine evaluates it; null for one that only informs riders or only charges.
 * @param areaOf The area of geographies by their ids.
 * @throws RuleProblem If the rule is invalid.
 */
export function readMdsRule(rule: MdsRule, areaOf: (ids: readonly string[]) => Area): Rule | null {
  const { rule_id: ruleId, rule_type: type, geographies } = rule
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (kind === undefined)
    throw new RuleProblem(`Rule ${ruleId}: ${type} is no kind of rule that is known here.`)
  if (kind === null) return null
  if (!geographies.length) throw new RuleProblem(`Rule ${ruleId} names no geography.`)
  return {
    ruleId,
    name: rule.name,
    kind,
    area: areaOf(geographies),
    states: statesOf(rule.states),
    vehicleTypes: vehicleTypesOf(rule.vehicle_types),
    propulsionTypes: anyOf(rule.propulsion_types),
    accessibilityOptions: anyOf(rule.accessibility_options),
    window: windowOf(rule),
    bounds: boundsOf(rule),
    chargesWithin: rule.rate_applies_when === 'in_bounds',
  }
}

/**
 * Records without exact duplicates.
 * @param nameOf The identity of a record.
 * @throws RuleProblem If two records with one identity differ.
 */
export function onlyOnce<Of>(records: readonly Of[], nameOf: (record: Of) => string): Of[] {
  const found = new Map<string, Of>()
  for (const record of records) {
    const name = nameOf(record)
    const known = found.get(name)
    if (known !== undefined && !isDeepStrictEqual(known, record))
      throw new RuleProblem(`${name} is there more than once, and not the same.`)
    found.set(name, known ?? record)
  }
  return [...found.values()]
}
