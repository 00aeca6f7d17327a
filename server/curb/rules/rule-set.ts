import { type CdsPolicy, type CdsRule, type CdsTimeUnit, type CurbActivity, CurbId } from '#contract/cds.ts'
import { curbUses, type CurbUse, type CurbVerdict } from '#contract/curb-rules.ts'
import { type Effects, sortByPrecedence, sortByPriority } from './precedence.ts'
import { type CompiledSpan, compileSpan } from './time-spans.ts'

/** A vehicle and its purpose. A purpose also matches as a user class, as in CDS 1.0. */
export interface CurbUser {
  userClasses: readonly string[]
  purposes: readonly string[]
  /** Ids of the CDS data source operators that run the vehicle. A policy may apply to some operators only. */
  operators?: readonly string[]
}

/** The fields of a policy that rules need, prepared for questions. */
export interface CompiledPolicy {
  id: string
  priority: number
  /** When the policy applies; always if empty. */
  spans: readonly CompiledSpan[]
  /** Ids of the data source operators to which the policy applies; all if empty. */
  operators: readonly string[]
}

/** A rule with its policy and what it says about the uses of the curb. */
export interface CompiledRule {
  policy: CompiledPolicy
  rule: CdsRule
  /** Position in the policy. */
  index: number
  effects: Effects
}

/** The policies of a zone, prepared for questions. */
export interface CompiledRuleSet {
  /** All rules by priority. */
  rules: readonly CompiledRule[]
  /** For each use of the curb, the rules that say something about it, in order of precedence. */
  byUse: Readonly<Record<CurbUse, readonly CompiledRule[]>>
}

/** What the activity of a rule says about each use (decision 041). */
export const activityEffects: Readonly<Record<CurbActivity, Effects>> = {
  parking: { parking: 'allowed', loading: 'allowed', unloading: 'allowed', stopping: 'allowed' },
  'no parking': { parking: 'forbidden' },
  loading: { loading: 'allowed', stopping: 'allowed', parking: 'exceeded' },
  'no loading': { loading: 'forbidden', parking: 'forbidden' },
  unloading: { unloading: 'allowed', stopping: 'allowed', parking: 'exceeded' },
  'no unloading': { unloading: 'forbidden', parking: 'forbidden' },
  stopping: { stopping: 'allowed', loading: 'exceeded', unloading: 'exceeded', parking: 'exceeded' },
  'no stopping': {
    stopping: 'forbidden',
    loading: 'forbidden',
    unloading: 'forbidden',
    parking: 'forbidden',
  },
  travel: {
    travel: 'allowed',
    stopping: 'forbidden',
    loading: 'forbidden',
    unloading: 'forbidden',
    parking: 'forbidden',
  },
  'no travel': { travel: 'forbidden' },
}

/** Lengths of time units. For a maximum stay, a month is 30 days and a year is 365 days. */
const unitSeconds: Readonly<Record<CdsTimeUnit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
  year: 365 * 86_400,
}

/** Returns a duration of a rule in minutes; null if it has no limit. */
export const getRuleMinutes = (amount: number | undefined, unit: CdsTimeUnit = 'minute'): number | null =>
  amount === undefined ? null : (amount * unitSeconds[unit]) / 60

/**
 * Compiled policies by their source. Many rule sets contain the same policies. Compiling each only once lets
 * rule sets also share the computed times of a policy (`Span.times`).
 */
const compiledPolicies = new WeakMap<CdsPolicy, CompiledPolicy>()

function compilePolicy(policy: CdsPolicy): CompiledPolicy {
  const cached = compiledPolicies.get(policy)
  if (cached) return cached
  const operators = CurbId.array().safeParse(policy['data_source_operator_id'])
  const compiled = {
    id: policy.curb_policy_id,
    priority: policy.priority,
    spans: (policy.time_spans ?? []).map(compileSpan),
    operators: operators.success ? operators.data : [],
  }
  compiledPolicies.set(policy, compiled)
  return compiled
}

/** Prepares policies for questions. The order of the policies does not matter. */
export function compileRuleSet(policies: readonly CdsPolicy[]): CompiledRuleSet {
  const rules = sortByPriority(
    policies.flatMap((source): CompiledRule[] => {
      const policy = compilePolicy(source)
      return source.rules.map((rule, index) => ({
        policy,
        rule,
        index,
        effects: activityEffects[rule.activity],
      }))
    }),
  )
  const byUse = curbUses.map((use) => [use, sortByPrecedence(rules, use)])
  return { rules, byUse: Object.fromEntries(byUse) as CompiledRuleSet['byUse'] }
}

/** Whether a rule applies to a user at the times of its policy. */
export function appliesTo({ rule, policy }: CompiledRule, user: CurbUser): boolean {
  const hasName = (name: string): boolean => user.userClasses.includes(name) || user.purposes.includes(name)
  return (
    (rule.user_classes ?? []).every(hasName) &&
    !(rule.user_classes_except ?? []).some(hasName) &&
    (!rule.purposes?.length || rule.purposes.some((purpose) => user.purposes.includes(purpose))) &&
    (!policy.operators.length || policy.operators.some((id) => (user.operators ?? []).includes(id)))
  )
}

/** Returns the verdict of the deciding rule about a use. Without a rule, the use is not regulated. */
export function toVerdict(decidingRule: CompiledRule | null, use: CurbUse): CurbVerdict {
  const effect = decidingRule?.effects[use]
  if (!decidingRule || !effect)
    return { answer: 'not_regulated', decided_by: null, max_stay: null, no_return: null, rates: [] }
  const { rule, policy, index } = decidingRule
  const isAllowed = effect === 'allowed'
  return {
    answer: isAllowed ? 'allowed' : 'forbidden',
    decided_by: { curb_policy_id: policy.id, rule: index },
    max_stay: isAllowed ? getRuleMinutes(rule.max_stay, rule.max_stay_unit) : null,
    no_return: isAllowed ? getRuleMinutes(rule.no_return, rule.no_return_unit) : null,
    rates: isAllowed ? (rule.rate ?? []) : [],
  }
}
