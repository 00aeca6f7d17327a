import { type CurbState, type CurbUse, curbUses } from '#contract/curb-rules.ts'
import { type CurbCalendar, type DayPart, localDays } from './local-days.ts'
import {
  appliesTo,
  type CompiledPolicy,
  type CompiledRule,
  type CurbUser,
  type CompiledRuleSet,
} from './rule-set.ts'
import { activeTimes } from './time-spans.ts'

/** Days of a range, with the designated periods: made once for many rule sets. */
export interface Span {
  from: number
  until: number
  days: readonly DayPart[]
  periods: CurbCalendar['periods']
}

export const spanOf = ({ zone, periods }: CurbCalendar, from: number, until: number): Span => ({
  from,
  until,
  days: localDays(zone, from, until),
  periods,
})

/** Reads the times of a policy in order. */
class Activity {
  readonly policy: CompiledPolicy
  readonly #times: readonly number[]
  #at = 0

  constructor(policy: CompiledPolicy, { days, periods, until }: Span) {
    this.policy = policy
    this.#times = policy.spans.length ? activeTimes(policy.spans, days, periods) : [-Infinity, until]
  }
  /** Advances to an instant, which must not be before the former. */
  isActiveAt(ms: number): boolean {
    while (this.#at < this.#times.length && this.#times[this.#at]! <= ms) this.#at++
    return this.#at % 2 === 1
  }
  /** The next change after the instant to which this has advanced. */
  get next(): number {
    return this.#times[this.#at] ?? Infinity
  }
}

/** What decides from an instant to the next moment. */
export interface Moment {
  from: number
  until: number
  /** The deciding rule per use; null: none. */
  deciding: Readonly<Record<CurbUse, CompiledRule | null>>
  state: CurbState
}

/** All moments of a span, in order and without gaps: a new one begins when a policy starts or stops to apply. */
export function* timeline(ruleSet: CompiledRuleSet, user: CurbUser, span: Span): Generator<Moment> {
  const own = new Set(ruleSet.rules.filter((rule) => appliesTo(rule, user)))
  const activities = new Map<CompiledPolicy, Activity>()
  for (const { policy } of ruleSet.rules)
    if (!activities.has(policy)) activities.set(policy, new Activity(policy, span))
  const ownByUse = curbUses.map((use) => ruleSet.byUse[use].filter((rule) => own.has(rule)))
  const othersPermissions = ruleSet.byUse.stopping.filter(
    (rule) => rule.effects.stopping === 'allowed' && !own.has(rule),
  )
  for (let from = span.from; from < span.until;) {
    const active = new Set<CompiledPolicy>()
    let until = span.until
    for (const [policy, activity] of activities) {
      if (activity.isActiveAt(from)) active.add(policy)
      until = Math.min(until, activity.next)
    }
    const isActive = ({ policy }: CompiledRule): boolean => active.has(policy)
    const deciding = Object.fromEntries(
      curbUses.map((use, at) => [use, ownByUse[at]!.find(isActive) ?? null]),
    ) as Moment['deciding']
    yield { from, until, deciding, state: stateOf(deciding, othersPermissions.find(isActive)) }
    from = until
  }
}

/** The state of the curb (contract/curb-rules.ts). `other`: the first permission of other users. */
function stateOf(deciding: Moment['deciding'], other: CompiledRule | undefined): CurbState {
  const { parking, loading, unloading, stopping } = deciding
  if (parking?.effects.parking === 'allowed') {
    if (parking.rule.rate?.some(({ rate }) => rate > 0)) return 'paid_parking'
    return parking.rule.max_stay === undefined ? 'free_parking' : 'time_limited'
  }
  if (loading?.effects.loading === 'allowed' || unloading?.effects.unloading === 'allowed') return 'loading'
  if (stopping?.effects.stopping === 'allowed') return 'passenger'
  const against = stopping ?? parking
  if (other && (!against || other.policy.priority < against.policy.priority)) return 'reserved'
  if (stopping) return stopping.rule.activity === 'travel' ? 'travel_lane' : 'no_stopping'
  return parking ? 'no_parking' : 'not_regulated'
}
