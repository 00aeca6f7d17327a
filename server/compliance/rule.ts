import { type MdsDay, mdsDays } from '#contract/mds-policy.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { CivilClock } from '#contract/civil-clock.ts'

/** A place in degrees. */
export interface Place {
  lon: number
  lat: number
}

/** The area of a rule: the union of its shapes (docs/metrics.md, decision 2). */
export interface Area {
  /** Points on the border are inside (decision 3). */
  contains(place: Place): boolean
}

/** What a rule measures: the vehicles in its area, how long one is there (ms), or its speed (m/s). */
export type RuleKind = 'count' | 'time' | 'speed'

/** The local days and times at which a rule applies. If `from` is after `to`, it runs over midnight. */
export interface Window {
  days: ReadonlySet<MdsDay> | null
  /** Seconds after midnight, half open. */
  from: number
  to: number
}

/** Bounds of a rule in the unit of its kind. */
export interface Bounds {
  minimum: number
  maximum: number
  /** Whether the bound itself is included (decision 3). */
  inclusiveMinimum: boolean
  inclusiveMaximum: boolean
}

/** A rule, prepared for evaluation. */
export interface Rule {
  ruleId: string
  name: string
  kind: RuleKind
  area: Area
  /** States that count, by the event types that led to them (empty: any); null: all in the right of way. */
  states: ReadonlyMap<VehicleState, readonly EventType[]> | null
  vehicleTypes: ReadonlySet<string> | null
  propulsionTypes: ReadonlySet<string> | null
  accessibilityOptions: ReadonlySet<string> | null
  window: Window
  bounds: Bounds
  /** Whether the rule is a fee for vehicles within its bounds, which cannot be violated. */
  chargesWithin: boolean
}

/** A policy, prepared for evaluation. Its rules are in order, most specific first. */
export interface RulePolicy {
  policyId: string
  name: string
  /** Null for all providers. */
  providerIds: ReadonlySet<string> | null
  /** Epoch ms, half open; infinite without an end. */
  from: number
  to: number
  /** Ids of policies that this one supersedes when it starts (decision 7). */
  supersedes: readonly string[]
  rules: readonly Rule[]
}

/** Returns the weekday of a day number. Day 0 of 1970 was a Thursday; `mdsDays` begin with Sunday. */
const getDayOfWeek = (day: number): (typeof mdsDays)[number] => mdsDays[(((day + 4) % 7) + 7) % 7] ?? 'sun'

/** Whether a window is open at a local time. After midnight it belongs to its first day (decision 5). */
export function isInWindow(
  { days, from, to }: Window,
  clock: Pick<CivilClock, 'local'>,
  ms: number,
): boolean {
  const { day, seconds } = clock.local(ms)
  const includesDay = (start: number): boolean => days === null || days.has(getDayOfWeek(start))
  if (from < to) return from <= seconds && seconds < to && includesDay(day)
  return (from <= seconds && includesDay(day)) || (seconds < to && includesDay(day - 1))
}
