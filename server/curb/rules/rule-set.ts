import { type CdsPolicy, type CdsRule, type CdsTimeUnit, type CurbActivity, CurbId } from '#contract/cds.ts'
import { curbUses, type CurbUse, type CurbVerdict } from '#contract/curb-rules.ts'
import { type CompiledSpan, compileSpan } from './time-spans.ts'

/** For whom a question is. CDS 1.0 lists purposes among the user classes, so a purpose also matches as a class. */
export interface CurbUser {
  userClasses: readonly string[]
  purposes: readonly string[]
  /** Data source operators of CDS that run the vehicle; a policy may apply to some of them only. */
  operators?: readonly string[]
}

/**
 * What a rule says about a use. `exceeded`: the rule allows less, so that this use is forbidden unless a rule of the same priority allows
 * it.
 */
export type Effect = 'allowed' | 'forbidden' | 'exceeded'

export interface CompiledPolicy {
  id: string
  priority: number
  /** Empty: always. */
  spans: readonly CompiledSpan[]
  /** Data source operators; empty: all. */
  operators: readonly string[]
}

export interface CompiledRule {
  policy: CompiledPolicy
  rule: CdsRule
  /** In the policy. */
  index: number
  effects: Effects
}

/** The policies of a zone: per use of the curb, the rules that say something about it, the deciding ones first. */
export interface CompiledRuleSet {
  rules: readonly CompiledRule[]
  byUse: Readonly<Record<CurbUse, readonly CompiledRule[]>>
}

type Effects = Readonly<Partial<Record<CurbUse, Effect>>>

/** What the activity of a rule says (decision 041). */
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

/** Months and years of a maximum stay are 30 and 365 days. */
const unitSeconds: Readonly<Record<CdsTimeUnit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
  year: 365 * 86_400,
}

/** A duration of a rule in minutes; null: no limit. */
export const ruleMinutes = (amount: number | undefined, unit: CdsTimeUnit = 'minute'): number | null =>
  amount === undefined ? null : (amount * unitSeconds[unit]) / 60

/** Many rule sets have the same policies: compiled once, their times are also computed once (`Span`). */
const compiledPolicies = new WeakMap<CdsPolicy, CompiledPolicy>()

function compilePolicy(policy: CdsPolicy): CompiledPolicy {
  const known = compiledPolicies.get(policy)
  if (known) return known
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

/** Prepares policies for questions. Their order does not matter. */
export function compileRuleSet(policies: readonly CdsPolicy[]): CompiledRuleSet {
  const rules = policies
    .flatMap((each) => {
      const policy = compilePolicy(each)
      return each.rules.map((rule, index) => ({
        policy,
        rule,
        index,
        effects: activityEffects[rule.activity],
      }))
    })
    .sort((a, b) => a.policy.priority - b.policy.priority || byId(a, b) || a.index - b.index)
  const byUse = curbUses.map((use) => [
    use,
    rules
      .filter(({ effects }) => effects[use])
      // Stable: rules of equal priority and effect stay in their order.
      .sort((a, b) => a.policy.priority - b.policy.priority || rankOf(use, a) - rankOf(use, b)),
  ])
  return { rules, byUse: Object.fromEntries(byUse) as CompiledRuleSet['byUse'] }
}

const byId = (a: CompiledRule, b: CompiledRule): number =>
  a.policy.id < b.policy.id ? -1 : a.policy.id > b.policy.id ? 1 : 0

/** Rules of one priority: what is forbidden first, then what is allowed. */
const effectRanks: Readonly<Record<Effect, number>> = { forbidden: 0, allowed: 1, exceeded: 2 }
const rankOf = (use: CurbUse, { effects }: CompiledRule): number => effectRanks[effects[use] ?? 'exceeded']

/** Whether a rule applies to a user at the times of its policy. */
export function appliesTo({ rule, policy }: CompiledRule, user: CurbUser): boolean {
  const isOf = (name: string): boolean => user.userClasses.includes(name) || user.purposes.includes(name)
  return (
    (rule.user_classes ?? []).every(isOf) &&
    !(rule.user_classes_except ?? []).some(isOf) &&
    (!rule.purposes?.length || rule.purposes.some((purpose) => user.purposes.includes(purpose))) &&
    (!policy.operators.length || policy.operators.some((id) => (user.operators ?? []).includes(id)))
  )
}

/** What a rule, or no rule, says about a use. */
export function verdictOf(found: CompiledRule | null, use: CurbUse): CurbVerdict {
  const effect = found?.effects[use]
  if (!found || !effect)
    return { answer: 'not_regulated', decided_by: null, max_stay: null, no_return: null, rates: [] }
  const { rule, policy, index } = found
  const isAllowed = effect === 'allowed'
  return {
    answer: isAllowed ? 'allowed' : 'forbidden',
    decided_by: { curb_policy_id: policy.id, rule: index },
    max_stay: isAllowed ? ruleMinutes(rule.max_stay, rule.max_stay_unit) : null,
    no_return: isAllowed ? ruleMinutes(rule.no_return, rule.no_return_unit) : null,
    rates: isAllowed ? (rule.rate ?? []) : [],
  }
}
