import { type CurbUse, curbUses } from '#contract/curb-rules.ts'
import type { RuleFinding } from './check-rates.ts'
import type { DayPart } from './local-days.ts'
import type { CompiledPolicy, CompiledRule, CompiledRuleSet } from './rule-set.ts'
import { findActiveTimes, type CompiledSpan } from './time-spans.ts'

/** User classes of CDS of which a vehicle has only one. */
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

/** Finds contradictions, equal priorities, rules of a policy that are not disjoint, and unused rules. */
export function checkPairs({ rules, byUse }: CompiledRuleSet, days: readonly DayPart[]): RuleFinding[] {
  const times = new PolicyTimes(days)
  const findings: RuleFinding[] = []
  rules.forEach((rule, i) => {
    for (const other of rules.slice(i + 1)) {
      if (rule.policy.priority !== other.policy.priority) break
      const code = findConflict(rule, other)
      if (code && times.canOverlap(rule.policy, other.policy)) findings.push(toFinding(code, other, rule))
    }
  })
  for (const rule of rules) {
    const covering = findCoveringRule(rule, byUse, times)
    if (covering)
      findings.push({
        code: 'never_applies',
        ...makeRuleReference(rule),
        field: 'priority',
        message:
          'Rules with a lower priority number decide at all times of this rule. Remove it, or change the priorities.',
        other: makeRuleReference(covering),
      })
  }
  return findings
}

const makeRuleReference = ({ policy, index }: CompiledRule) => ({ curb_policy_id: policy.id, rule: index })

function toFinding(
  code: 'contradiction' | 'equal_priority' | 'rules_not_disjoint',
  rule: CompiledRule,
  other: CompiledRule,
): RuleFinding {
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
    ...makeRuleReference(rule),
    field: code === 'rules_not_disjoint' ? 'user_classes' : 'priority',
    message: messages[code],
    other: makeRuleReference(other),
  }
}

/** Finds a problem of two rules of equal priority that apply at the same time; null if there is none. */
function findConflict(
  a: CompiledRule,
  b: CompiledRule,
): 'contradiction' | 'equal_priority' | 'rules_not_disjoint' | null {
  const decides = ({ effects }: CompiledRule, use: CurbUse): boolean =>
    effects[use] === 'allowed' || effects[use] === 'forbidden'
  const uses = curbUses.filter((use) => decides(a, use) && decides(b, use))
  const isContradiction = uses.some((use) => a.effects[use] !== b.effects[use])
  // Rules may agree without being redundant: loading and unloading both permit stopping, and prohibitions
  // complement each other.
  const isSameActivity =
    a.rule.activity === b.rule.activity ||
    uses.some((use) => use !== 'stopping' && a.effects[use] === 'allowed')
  if ((!isContradiction && !isSameActivity) || !canBothMatch(a, b)) return null
  if (a.policy === b.policy) return 'rules_not_disjoint'
  return isContradiction ? 'contradiction' : 'equal_priority'
}

/** Whether there can be a vehicle that matches both rules. */
export function canBothMatch(a: CompiledRule, b: CompiledRule): boolean {
  const classes = new Set([...(a.rule.user_classes ?? []), ...(b.rule.user_classes ?? [])])
  const except = new Set([...(a.rule.user_classes_except ?? []), ...(b.rule.user_classes_except ?? [])])
  const hasPossiblePurpose = (purposes: readonly string[] | undefined): boolean =>
    !purposes?.length || purposes.some((purpose) => !except.has(purpose))
  const operatorsA = a.policy.operators
  const operatorsB = b.policy.operators
  return (
    [...classes].every((name) => !except.has(name)) &&
    [...classes].filter((name) => vehicleTypes.has(name)).length <= 1 &&
    hasPossiblePurpose(a.rule.purposes) &&
    hasPossiblePurpose(b.rule.purposes) &&
    (!operatorsA.length || !operatorsB.length || operatorsA.some((id) => operatorsB.includes(id)))
  )
}

/** Returns a rule that, alone or with others, always precedes another one; null if that one ever decides. */
function findCoveringRule(
  rule: CompiledRule,
  byUse: CompiledRuleSet['byUse'],
  times: PolicyTimes,
): CompiledRule | null {
  const ruleTimes = times.findPossibleTimes(rule.policy)
  if (ruleTimes.length === 0) return null
  let covering: CompiledRule | null = null
  for (const use of Object.keys(rule.effects) as CurbUse[]) {
    const preceding = byUse[use].slice(0, byUse[use].indexOf(rule))
    const deciding = preceding.filter((other) => other.policy !== rule.policy && coversUsers(other, rule))
    if (
      !covers(
        deciding.map((other) => times.findCertainTimes(other.policy)),
        ruleTimes,
      )
    )
      return null
    covering ??= deciding[0] ?? null
  }
  return covering
}

/** Whether the first rule matches every vehicle that the second one matches. */
function coversUsers(
  { rule: a, policy: policyA }: CompiledRule,
  { rule: b, policy: policyB }: CompiledRule,
): boolean {
  const purposes = a.purposes ?? []
  const { operators } = policyA
  return (
    (a.user_classes ?? []).every((name) => b.user_classes?.includes(name)) &&
    (a.user_classes_except ?? []).every((name) => b.user_classes_except?.includes(name)) &&
    (!purposes.length || (!!b.purposes?.length && b.purposes.every((name) => purposes.includes(name)))) &&
    (!operators.length ||
      (policyB.operators.length > 0 && policyB.operators.every((id) => operators.includes(id))))
  )
}

/** Whether the union of `lists` covers all of `times`. All are lists `[start, end, start, end, …]`. */
function covers(lists: readonly (readonly number[])[], times: readonly number[]): boolean {
  const ranges = lists.flatMap(toRanges).sort((a, b) => a.start - b.start)
  let nextRange = 0
  return toRanges(times).every(({ start, end }) => {
    let coveredUntil = start
    while (nextRange < ranges.length && ranges[nextRange]!.end <= start) nextRange++
    for (let i = nextRange; i < ranges.length && ranges[i]!.start <= coveredUntil; i++)
      coveredUntil = Math.max(coveredUntil, ranges[i]!.end)
    return coveredUntil >= end
  })
}

const toRanges = (times: readonly number[]): { start: number; end: number }[] =>
  Array.from({ length: times.length / 2 }, (_, i) => ({ start: times[2 * i]!, end: times[2 * i + 1]! }))

/** A span of 24 hours without criteria: all bits are set. */
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

/** When policies apply from now on. Days of designated periods are not known yet, so any days are considered. */
class PolicyTimes {
  readonly #days: readonly DayPart[]
  readonly #timesBySpan = new Map<CompiledSpan, number[]>()
  readonly #certainTimes = new Map<CompiledPolicy, number[]>()

  constructor(days: readonly DayPart[]) {
    this.#days = days
  }

  /** Returns the times of a span if every day is in its period. */
  #findSpanTimes(span: CompiledSpan): number[] {
    let times = this.#timesBySpan.get(span)
    if (!times)
      this.#timesBySpan.set(
        span,
        (times = findActiveTimes([{ ...span, period: null }], this.#days, new Map())),
      )
    return times
  }

  #getSpans = ({ spans }: CompiledPolicy): readonly CompiledSpan[] => (spans.length ? spans : [always])

  /** Returns all times at which a policy can apply, depending on the days of periods. */
  findPossibleTimes(policy: CompiledPolicy): number[] {
    const spans = this.#getSpans(policy).map((span) => ({ ...span, period: null }))
    return findActiveTimes(spans, this.#days, new Map())
  }

  /** Returns the times at which a policy applies in any case, whatever the days of periods. */
  findCertainTimes(policy: CompiledPolicy): number[] {
    let times = this.#certainTimes.get(policy)
    if (!times) {
      const spans = this.#getSpans(policy).filter(({ period }) => period === null)
      this.#certainTimes.set(policy, (times = findActiveTimes(spans, this.#days, new Map())))
    }
    return times
  }

  /** Whether two policies can apply at the same time. */
  canOverlap(a: CompiledPolicy, b: CompiledPolicy): boolean {
    return (
      a === b ||
      this.#getSpans(a).some((span) =>
        this.#getSpans(b).some(
          (other) =>
            !areExclusive(span, other) && intersect(this.#findSpanTimes(span), this.#findSpanTimes(other)),
        ),
      )
    )
  }
}

/** Whether one span applies in a period and the other except in the same period. */
const areExclusive = (a: CompiledSpan, b: CompiledSpan): boolean =>
  a.period !== null && a.period === b.period && a.isExcept !== b.isExcept

/** Whether two lists `[start, end, …]` have a time in common. */
function intersect(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (Math.max(a[i]!, b[j]!) < Math.min(a[i + 1]!, b[j + 1]!)) return true
    if (a[i + 1]! <= b[j + 1]!) i += 2
    else j += 2
  }
  return false
}
