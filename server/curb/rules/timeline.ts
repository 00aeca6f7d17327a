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
  /** When policies apply, within the requested time (`activeTimes`). */
  times: Map<CompiledPolicy, readonly number[]>
}

export const spanOf = ({ zone, periods }: CurbCalendar, from: number, until: number): Span => ({
  from,
  until,
  days: localDays(zone, from, until),
  periods,
  times: new Map(),
})

function timesOf(policy: CompiledPolicy, { days, periods, until, times }: Span): readonly number[] {
  let known = times.get(policy)
  if (!known) {
    known = policy.spans.length ? activeTimes(policy.spans, days, periods) : [-Infinity, until]
    times.set(policy, known)
  }
  return known
}

/** Reads the times of a policy in order. */
class Activity {
  readonly #times: readonly number[]
  #at = 0
  isActive = false
  /** The next change after the instant to which this has advanced. */
  next = -Infinity

  constructor(policy: CompiledPolicy, span: Span) {
    this.#times = timesOf(policy, span)
  }
  /** Advances to an instant, which must not be before the former. */
  advance(ms: number): void {
    if (ms < this.next) return
    while (this.#at < this.#times.length && this.#times[this.#at]! <= ms) this.#at++
    this.isActive = this.#at % 2 === 1
    this.next = this.#times[this.#at] ?? Infinity
  }
}

interface TimedRule {
  rule: CompiledRule
  activity: Activity
}

function firstActive(rules: readonly TimedRule[]): CompiledRule | null {
  for (const { rule, activity } of rules) if (activity.isActive) return rule
  return null
}

/** What decides from an instant to the next moment. */
export interface Moment {
  from: number
  until: number
  /** The deciding rule per use; null: none. */
  deciding: Readonly<Record<CurbUse, CompiledRule | null>>
  state: CurbState
  /** The rule that makes the state; for `reserved`, the permission of the other users. */
  stateBy: CompiledRule | null
}

/** All moments of a span, in order and without gaps: a new one begins when a policy starts or stops to apply. */
export function* timeline(ruleSet: CompiledRuleSet, user: CurbUser, span: Span): Generator<Moment> {
  const activities = new Map<CompiledPolicy, Activity>()
  for (const { policy } of ruleSet.rules)
    if (!activities.has(policy)) activities.set(policy, new Activity(policy, span))
  const timed = (rules: readonly CompiledRule[]): TimedRule[] =>
    rules.map((rule) => ({ rule, activity: activities.get(rule.policy)! }))
  const own = new Set(ruleSet.rules.filter((rule) => appliesTo(rule, user)))
  const ownByUse = curbUses.map((use) => timed(ruleSet.byUse[use].filter((rule) => own.has(rule))))
  const othersPermissions = timed(
    ruleSet.byUse.stopping.filter((rule) => rule.effects.stopping === 'allowed' && !own.has(rule)),
  )
  const all = [...activities.values()]
  for (let from = span.from; from < span.until;) {
    let until = span.until
    for (const activity of all) {
      activity.advance(from)
      if (activity.next < until) until = activity.next
    }
    const deciding = {} as Record<CurbUse, CompiledRule | null>
    for (let index = 0; index < curbUses.length; index++) deciding[curbUses[index]!] = firstActive(ownByUse[index]!)
    const [state, stateBy] = stateOf(deciding, firstActive(othersPermissions))
    yield { from, until, deciding, state, stateBy }
    from = until
  }
}

/** The state of the curb (contract/curb-rules.ts). `other`: the first permission of other users. */
function stateOf(
  { parking, loading, unloading, stopping }: Moment['deciding'],
  other: CompiledRule | null,
): [CurbState, CompiledRule | null] {
  if (parking?.effects.parking === 'allowed') {
    if (parking.rule.rate?.some(({ rate }) => rate > 0)) return ['paid_parking', parking]
    return [parking.rule.max_stay === undefined ? 'free_parking' : 'time_limited', parking]
  }
  if (loading?.effects.loading === 'allowed') return ['loading', loading]
  if (unloading?.effects.unloading === 'allowed') return ['loading', unloading]
  if (stopping?.effects.stopping === 'allowed') return ['passenger', stopping]
  const against = stopping ?? parking
  if (other && (!against || other.policy.priority < against.policy.priority)) return ['reserved', other]
  if (stopping) return [stopping.rule.activity === 'travel' ? 'travel_lane' : 'no_stopping', stopping]
  return parking ? ['no_parking', parking] : ['not_regulated', null]
}
