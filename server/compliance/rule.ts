import { type MdsDay, mdsDays } from '#contract/mds-policy.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { CivilClock } from '#contract/civil-clock.ts'

/** A place in degrees. */
export interface Place {
  lon: number
  lat: number
}

/** The area of a rule: its shapes together (docs/metrics.md, decision 2). */
export interface Area {
  /** Points on the border are inside (decision 3). */
  contains(place: Place): boolean
}

/** What a rule measures: vehicles in its area, the ms that one is there, or its speed in m/s. */
export type RuleKind = 'count' | 'time' | 'speed'

/** When a rule holds by local time: on these days, from one second of the day to another, over midnight if `from` is after `to`. */
export interface Window {
  days: ReadonlySet<MdsDay> | null
  /** Seconds after midnight, half open. */
  from: number
  to: number
}

/** Bounds in the unit of the rule's kind. */
export interface Bounds {
  minimum: number
  maximum: number
  /** Whether the bound itself is included (decision 3). */
  inclusiveMinimum: boolean
  inclusiveMaximum: boolean
}

/** One rule, ready to be evaluated. */
export interface Rule {
  ruleId: string
  name: string
  kind: RuleKind
  area: Area
  /** States that count, each with the event types that must have led there (empty for any); null for every state in the right of way. */
  states: ReadonlyMap<VehicleState, readonly EventType[]> | null
  vehicleTypes: ReadonlySet<string> | null
  propulsionTypes: ReadonlySet<string> | null
  accessibilityOptions: ReadonlySet<string> | null
  window: Window
  bounds: Bounds
  /** A fee for what is within bounds: it takes the vehicle, and cannot be broken. */
  chargesWithin: boolean
}

/** One policy, ready to be evaluated, with its rules in order, most specific first. */
export interface RulePolicy {
  policyId: string
  name: string
  /** Null: all. */
  providerIds: ReadonlySet<string> | null
  /** Epoch ms, half open; infinite without an end. */
  from: number
  to: number
  /** Policies that this one supersedes from its own start on (decision 7). */
  supersedes: readonly string[]
  rules: readonly Rule[]
}

/** 1 January 1970, day number 0, was a Thursday. */
const dayOfWeek = (day: number): (typeof mdsDays)[number] => mdsDays[(((day + 4) % 7) + 7) % 7] ?? 'sun'

/** Whether a window is open at an instant of local time; after midnight it belongs to the day on which it began (docs/metrics.md, decision 5). */
export function inWindow({ days, from, to }: Window, clock: Pick<CivilClock, 'local'>, at: number): boolean {
  const { day, seconds } = clock.local(at)
  const holdsOn = (start: number): boolean => days === null || days.has(dayOfWeek(start))
  if (from < to) return from <= seconds && seconds < to && holdsOn(day)
  return (from <= seconds && holdsOn(day)) || (seconds < to && holdsOn(day - 1))
}
