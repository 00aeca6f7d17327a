import { type MdsDay, mdsDays } from '#contract/mds-policy.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { CivilClock } from '#contract/civil-clock.ts'

/** A place on the ground in degrees. */
export interface Place {
  lon: number
  lat: number
}

/** The ground a rule covers: its shapes together (metrics.md, decision 2). */
export interface Area {
  /** Touching the border is inside (decision 3). */
  contains(place: Place): boolean
}

/** What a rule measures: vehicles in its area, the ms that one stands there, or how fast one goes in m/s. */
export type RuleKind = 'count' | 'time' | 'speed'

/** When a rule holds by the region's clock: on these days, from one second of the day to another; over midnight when `from` is after `to`. */
export interface Window {
  days: ReadonlySet<MdsDay> | null
  /** Seconds after midnight, from included, to not. */
  from: number
  to: number
}

/** What is within bounds, in the unit of the rule's kind. */
export interface Bounds {
  minimum: number
  maximum: number
  /** Whether the bound itself is within (decision 3). */
  inclusiveMinimum: boolean
  inclusiveMaximum: boolean
}

/** One rule, ready to be evaluated. */
export interface Rule {
  ruleId: string
  name: string
  kind: RuleKind
  area: Area
  /** States that count, each with the event types that must have led there (empty: any); null: every state in the right of way. */
  states: ReadonlyMap<VehicleState, readonly EventType[]> | null
  vehicleTypes: ReadonlySet<string> | null
  propulsionTypes: ReadonlySet<string> | null
  accessibilityOptions: ReadonlySet<string> | null
  window: Window
  bounds: Bounds
  /** A fee for what is within bounds: it takes the vehicle, and nothing is broken by it. */
  chargesWithin: boolean
}

/** One policy, ready to be evaluated: rules in order, from the most special on. */
export interface RulePolicy {
  policyId: string
  name: string
  /** Null: all. */
  providerIds: ReadonlySet<string> | null
  /** Epoch ms, from included, to not; infinite without an end. */
  from: number
  to: number
  /** Policies that this one takes the place of from its own start on (decision 7). */
  supersedes: readonly string[]
  rules: readonly Rule[]
}

/** 1 January 1970, day number 0, was a Thursday. */
const dayOfWeek = (day: number): (typeof mdsDays)[number] => mdsDays[(((day + 4) % 7) + 7) % 7] ?? 'sun'

/** Whether a window is open at an instant, by the clock on the wall; past midnight it belongs to the day on which it began (metrics.md, decision 5). */
export function inWindow({ days, from, to }: Window, clock: Pick<CivilClock, 'local'>, at: number): boolean {
  const { day, seconds } = clock.local(at)
  const holdsOn = (start: number): boolean => days === null || days.has(dayOfWeek(start))
  if (from < to) return from <= seconds && seconds < to && holdsOn(day)
  return (from <= seconds && holdsOn(day)) || (seconds < to && holdsOn(day - 1))
}
