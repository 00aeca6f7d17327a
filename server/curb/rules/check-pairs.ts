import { type CurbUse, curbUses } from '#contract/curb-rules.ts'
import type { Found } from './check-rates.ts'
import type { DayPart } from './local-days.ts'
import type { CompiledPolicy, CompiledRule, CompiledRuleSet } from './rule-set.ts'
import { activeTimes, type CompiledSpan } from './time-spans.ts'

/** A vehicle is of one of these classes of CDS. */
const vehicleTypes = new Set([
  'bicycle',
  'bus',
  'cargo_bicycle',
  'car',
  'moped',
  'motorcycle',
  'scooter',
  'shuttle',
  'truck',
  'van',
])

/** Findings about two rules: contradictions, equal priorities, rules of a policy that are not disjoint, rules that never apply. */
export function checkPairs({ rules, byUse }: CompiledRuleSet, days: readonly DayPart[]): Found[] {
  const times = new PolicyTimes(days)
  const found: Found[] = []
  rules.forEach((rule, i) => {
    for (const other of rules.slice(i + 1)) {
      if (rule.policy.priority !== other.policy.priority) break
      const code = conflictOf(rule, other)
      if (code && times.overlap(rule.policy, other.policy)) found.push(conflict(code, other, rule))
    }
  })
  for (const rule of rules) {
    const covering = coveringRule(rule, byUse, times)
    if (covering)
      found.push({
        code: 'never_applies',
        ...placeOf(rule),
        field: 'priority',
        message:
          'Rules with a lower priority number decide at all times of this rule. Remove it, or change the priorities.',
        other: placeOf(covering),
      })
  }
  return found
}

const placeOf = ({ policy, index }: CompiledRule) => ({ curb_policy_id: policy.id, rule: index })

function conflict(
  code: 'contradiction' | 'equal_priority' | 'rules_not_disjoint',
  rule: CompiledRule,
  other: CompiledRule,
): Found {
  const messages = {
    contradiction:
      'This rule and another of the same priority contradict each other for some vehicles. The prohibition applies; change a priority.',
    equal_priority:
      'This rule and another of the same priority apply to the same vehicles at the same time. Change a priority, or make their user classes differ.',
    rules_not_disjoint:
      'Two rules of the policy apply to the same vehicles. Make their user classes differ, or use two policies.',
  }
  return {
    code,
    ...placeOf(rule),
    field: code === 'rules_not_disjoint' ? 'user_classes' : 'priority',
    message: messages[code],
    other: placeOf(other),
  }
}

/** What is wrong with two rules of one priority if they apply at the same time. */
function conflictOf(
  a: CompiledRule,
  b: CompiledRule,
): 'contradiction' | 'equal_priority' | 'rules_not_disjoint' | null {
  const says = ({ effects }: CompiledRule, use: CurbUse): boolean =>
    effects[use] === 'allowed' || effects[use] === 'forbidden'
  const uses = curbUses.filter((use) => says(a, use) && says(b, use))
  const isContradiction = uses.some((use) => a.effects[use] !== b.effects[use])
  // Loading and unloading both permit stopping, and prohibitions add up: neither leaves anything open.
  const isSameActivity =
    a.rule.activity === b.rule.activity ||
    uses.some((use) => use !== 'stopping' && a.effects[use] === 'allowed')
  if ((!isContradiction && !isSameActivity) || !canBothMatch(a, b)) return null
  if (a.policy === b.policy) return 'rules_not_disjoint'
  return isContradiction ? 'contradiction' : 'equal_priority'
}

/** Whether one vehicle may match two rules. */
export function canBothMatch(a: CompiledRule, b: CompiledRule): boolean {
  const classes = new Set([...(a.rule.user_classes ?? []), ...(b.rule.user_classes ?? [])])
  const except = new Set([...(a.rule.user_classes_except ?? []), ...(b.rule.user_classes_except ?? [])])
  const isPossible = (purposes: readonly string[] | undefined): boolean =>
    !purposes?.length || purposes.some((purpose) => !except.has(purpose))
  const [operators, others] = [a.policy.operators, b.policy.operators]
  return (
    [...classes].every((name) => !except.has(name)) &&
    [...classes].filter((name) => vehicleTypes.has(name)).length <= 1 &&
    isPossible(a.rule.purposes) &&
    isPossible(b.rule.purposes) &&
    (!operators.length || !others.length || operators.some((id) => others.includes(id)))
  )
}

/** A rule that, with others, decides all that a rule says at all of its times; null: the rule applies at some time. */
function coveringRule(
  rule: CompiledRule,
  byUse: CompiledRuleSet['byUse'],
  times: PolicyTimes,
): CompiledRule | null {
  const own = times.atMost(rule.policy)
  if (own.length === 0) return null
  let covering: CompiledRule | null = null
  for (const use of Object.keys(rule.effects) as CurbUse[]) {
    const before = byUse[use].slice(0, byUse[use].indexOf(rule))
    const deciding = before.filter((each) => each.policy !== rule.policy && coversUsers(each, rule))
    if (
      !covers(
        deciding.map((each) => times.atLeast(each.policy)),
        own,
      )
    )
      return null
    covering ??= deciding[0] ?? null
  }
  return covering
}

/** Whether a rule matches every vehicle that another matches. */
function coversUsers({ rule: a, policy }: CompiledRule, { rule: b, policy: own }: CompiledRule): boolean {
  const [purposes, operators] = [a.purposes ?? [], policy.operators]
  return (
    (a.user_classes ?? []).every((name) => b.user_classes?.includes(name)) &&
    (a.user_classes_except ?? []).every((name) => b.user_classes_except?.includes(name)) &&
    (!purposes.length || (!!b.purposes?.length && b.purposes.every((name) => purposes.includes(name)))) &&
    (!operators.length || (own.operators.length > 0 && own.operators.every((id) => operators.includes(id))))
  )
}

/** Whether times together cover all of `own`; all are `[start, end, …]`. */
function covers(times: readonly (readonly number[])[], own: readonly number[]): boolean {
  const pairs = times.flatMap((each) => pairsOf(each)).sort((a, b) => a[0] - b[0])
  let next = 0
  return pairsOf(own).every(([from, until]) => {
    let covered = from
    while (next < pairs.length && pairs[next]![1] <= from) next++
    for (let i = next; i < pairs.length && pairs[i]![0] <= covered; i++)
      covered = Math.max(covered, pairs[i]![1])
    return covered >= until
  })
}

const pairsOf = (times: readonly number[]): [number, number][] =>
  Array.from({ length: times.length / 2 }, (_, i) => [times[2 * i]!, times[2 * i + 1]!])

const always: CompiledSpan = {
  start: 0,
  end: 1440,
  weekdays: -1,
  daysOfMonth: -1,
  weeksOfMonth: -1,
  months: -1,
  startDate: -Infinity,
  endDate: Infinity,
  period: null,
  isExcept: false,
}

/** When policies apply from now on, whatever days their designated periods will have. */
class PolicyTimes {
  readonly #days: readonly DayPart[]
  readonly #ofSpans = new Map<CompiledSpan, number[]>()
  readonly #atLeast = new Map<CompiledPolicy, number[]>()

  constructor(days: readonly DayPart[]) {
    this.#days = days
  }

  /** Times of a span if every day were in its period. */
  #ofSpan(span: CompiledSpan): number[] {
    let times = this.#ofSpans.get(span)
    if (!times)
      this.#ofSpans.set(span, (times = activeTimes([{ ...span, period: null }], this.#days, new Map())))
    return times
  }

  #spansOf = ({ spans }: CompiledPolicy): readonly CompiledSpan[] => (spans.length ? spans : [always])

  /** All times at which a policy may apply. */
  atMost(policy: CompiledPolicy): number[] {
    const spans = this.#spansOf(policy).map((span) => ({ ...span, period: null }))
    return activeTimes(spans, this.#days, new Map())
  }

  /** The times at which a policy applies with any days of periods. */
  atLeast(policy: CompiledPolicy): number[] {
    let times = this.#atLeast.get(policy)
    if (!times) {
      const spans = this.#spansOf(policy).filter(({ period }) => period === null)
      this.#atLeast.set(policy, (times = activeTimes(spans, this.#days, new Map())))
    }
    return times
  }

  /** Whether two policies may apply at the same time. */
  overlap(a: CompiledPolicy, b: CompiledPolicy): boolean {
    return (
      a === b ||
      this.#spansOf(a).some((span) =>
        this.#spansOf(b).some(
          (other) => !areExclusive(span, other) && intersect(this.#ofSpan(span), this.#ofSpan(other)),
        ),
      )
    )
  }
}

/** In a period, and except in the same period. */
const areExclusive = (a: CompiledSpan, b: CompiledSpan): boolean =>
  a.period !== null && a.period === b.period && a.isExcept !== b.isExcept

function intersect(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (Math.max(a[i]!, b[j]!) < Math.min(a[i + 1]!, b[j + 1]!)) return true
    if (a[i + 1]! <= b[j + 1]!) i += 2
    else j += 2
  }
  return false
}
