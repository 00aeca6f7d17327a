import { type CurbState, type CurbUse, curbUses } from '#contract/curb-rules.ts'
import { type CurbCalendar, type DayPart, listLocalDays } from './local-days.ts'
import {
  appliesTo,
  type CompiledPolicy,
  type CompiledRule,
  type CurbUser,
  type CompiledRuleSet,
} from './rule-set.ts'
import { findActiveTimes } from './time-spans.ts'

/** A time span with its local days and the designated periods. One object serves many rule sets. */
export interface Span {
  /** Milliseconds since 1970. */
  from: number
  until: number
  days: readonly DayPart[]
  periods: CurbCalendar['periods']
  /** When policies apply (`findActiveTimes`), cached by policy. */
  times: Map<CompiledPolicy, readonly number[]>
}

/** Creates a time range with its local days and designated periods. */
export const createSpan = ({ timezone, periods }: CurbCalendar, from: number, until: number): Span => ({
  from,
  until,
  days: listLocalDays(timezone, from, until),
  periods,
  times: new Map(),
})

function findPolicyTimes(policy: CompiledPolicy, { days, periods, until, times }: Span): readonly number[] {
  let policyTimes = times.get(policy)
  if (!policyTimes) {
    policyTimes = policy.spans.length ? findActiveTimes(policy.spans, days, periods) : [-Infinity, until]
    times.set(policy, policyTimes)
  }
  return policyTimes
}

/** Iterates over the times of a policy. */
class PolicyActivity {
  readonly #times: readonly number[]
  #index = 0
  isActive = false
  /** The next change after the current instant. */
  next = -Infinity

  constructor(policy: CompiledPolicy, span: Span) {
    this.#times = findPolicyTimes(policy, span)
  }
  /** Advances to an instant, which must not be before the previous one. */
  advance(ms: number): void {
    if (ms < this.next) return
    while (this.#index < this.#times.length && this.#times[this.#index]! <= ms) this.#index++
    // Starts and ends alternate, so after an odd number of them the policy applies.
    this.isActive = this.#index % 2 === 1
    this.next = this.#times[this.#index] ?? Infinity
  }
}

interface TimedRule {
  rule: CompiledRule
  activity: PolicyActivity
}

function findFirstActive(rules: readonly TimedRule[]): CompiledRule | null {
  for (const { rule, activity } of rules) if (activity.isActive) return rule
  return null
}

/** A time span in which the same rules decide. */
export interface Moment {
  from: number
  until: number
  /** The deciding rule of each use; null if there is none. */
  deciding: Readonly<Record<CurbUse, CompiledRule | null>>
  state: CurbState
  /** The rule from which the state follows. For `reserved`, it is the permission of the other users. */
  stateBy: CompiledRule | null
}

/** Yields all moments of a span without gaps. A new one begins when a policy starts or stops applying. */
export function* computeTimeline(ruleSet: CompiledRuleSet, user: CurbUser, span: Span): Generator<Moment> {
  const activities = new Map<CompiledPolicy, PolicyActivity>()
  for (const { policy } of ruleSet.rules)
    if (!activities.has(policy)) activities.set(policy, new PolicyActivity(policy, span))
  const addActivities = (rules: readonly CompiledRule[]): TimedRule[] =>
    rules.map((rule) => ({ rule, activity: activities.get(rule.policy)! }))
  const matching = new Set(ruleSet.rules.filter((rule) => appliesTo(rule, user)))
  const matchingByUse = curbUses.map((use) =>
    addActivities(ruleSet.byUse[use].filter((rule) => matching.has(rule))),
  )
  const othersPermissions = addActivities(
    ruleSet.byUse.stopping.filter((rule) => rule.effects.stopping === 'allowed' && !matching.has(rule)),
  )
  const policyActivities = [...activities.values()]
  for (let from = span.from; from < span.until;) {
    let until = span.until
    for (const activity of policyActivities) {
      activity.advance(from)
      if (activity.next < until) until = activity.next
    }
    const deciding = {} as Record<CurbUse, CompiledRule | null>
    for (let index = 0; index < curbUses.length; index++)
      deciding[curbUses[index]!] = findFirstActive(matchingByUse[index]!)
    yield { from, until, deciding, ...deriveState(deciding, findFirstActive(othersPermissions)) }
    from = until
  }
}

/**
 * Derives the state of the curb (contract/curb-rules.ts). `othersPermission` is the permission of other users
 * that precedes, if any.
 */
function deriveState(
  { parking, loading, unloading, stopping }: Moment['deciding'],
  othersPermission: CompiledRule | null,
): Pick<Moment, 'state' | 'stateBy'> {
  if (parking?.effects.parking === 'allowed') {
    if (parking.rule.rate?.some(({ rate }) => rate > 0)) return { state: 'paid_parking', stateBy: parking }
    return { state: parking.rule.max_stay === undefined ? 'free_parking' : 'time_limited', stateBy: parking }
  }
  if (loading?.effects.loading === 'allowed') return { state: 'loading', stateBy: loading }
  if (unloading?.effects.unloading === 'allowed') return { state: 'loading', stateBy: unloading }
  if (stopping?.effects.stopping === 'allowed') return { state: 'passenger', stateBy: stopping }
  const prohibition = stopping ?? parking
  if (othersPermission && (!prohibition || othersPermission.policy.priority < prohibition.policy.priority))
    return { state: 'reserved', stateBy: othersPermission }
  if (stopping)
    return { state: stopping.rule.activity === 'travel' ? 'travel_lane' : 'no_stopping', stateBy: stopping }
  return { state: parking ? 'no_parking' : 'not_regulated', stateBy: parking }
}
