import { type MdsRule, mdsSpeedUnits, mdsTimeUnits } from '#contract/mds-policy.ts'
import { hasTooManyDecimals, maxAmount } from '#contract/money.ts'
import type { ImportedMds } from '#contract/policy.ts'

/** When a rate is charged (MDS Policy, rate_recurrence). `isPerTimeUnit` says which have a unit of time. */
export const rateRecurrences = [
  'once_on_match',
  'once_on_unmatch',
  'each_time_unit',
  'per_complete_time_unit',
] as const
export type RateRecurrence = (typeof rateRecurrences)[number]
export type RateUnit = (typeof mdsTimeUnits)[number]

/** Why a rate is not charged, by the code that the API returns. See also `preventsCharging`. */
export const rateFaultTexts = {
  currency: 'The policy uses a different currency than the region.',
  amount: 'The amount has more than 6 decimals, or is above 1,000,000,000.',
  recurrence: 'The rule does not say how often its rate is charged (rate_recurrence).',
  unit: 'The rate is charged by a unit of time, but the rule has none (rule_units).',
  rule_type: 'MDS does not define rates on this type of rule.',
  count_bounds: 'The rule counts up to a limit, and MDS does not define which vehicles pay.',
  value_url: 'The limit of the rule comes from another server at each moment (value_url).',
  not_understood: 'The rule cannot be understood, so vehicles cannot be assigned to the rules after it.',
  never: 'The rate applies out of bounds, but the rule has no bounds.',
} as const
export type RateFault = keyof typeof rateFaultTexts

/** A rule with a rate that is not charged, or that prevents charging the other rates of its policy. */
export interface UnchargedRule {
  rule_id: string
  rule_name: string
  fault: RateFault
}

/** The fault `never` is harmless: the rate applies to nothing, so other rates can be charged without it. */
const preventsCharging = (fault: RateFault): boolean => fault !== 'never'

/** Returns whether a recurrence charges per unit of time, so that the rule must have one. */
const isPerTimeUnit = (recurrence: RateRecurrence): boolean =>
  recurrence === 'each_time_unit' || recurrence === 'per_complete_time_unit'
const isRecurrence = (recurrence: string | null | undefined): recurrence is RateRecurrence =>
  rateRecurrences.some((rateRecurrence) => rateRecurrence === recurrence)
const isTimeUnit = (unit: string | null | undefined): unit is RateUnit =>
  mdsTimeUnits.some((mdsTimeUnit) => mdsTimeUnit === unit)
export const hasRate = ({ rate_amount: amount }: Pick<MdsRule, 'rate_amount'>): boolean =>
  amount != null && amount !== 0
const hasBounds = ({ minimum, maximum }: MdsRule): boolean => maximum != null || (minimum ?? 0) > 0

function isUnderstood({ rule_type: type, rule_units: unit, minimum, maximum, geographies }: MdsRule) {
  const units: Record<string, boolean> = {
    count: unit == null || unit === 'devices',
    time: isTimeUnit(unit),
    speed: mdsSpeedUnits.some((mdsSpeedUnit) => mdsSpeedUnit === unit),
    user: true,
    rate: true,
  }
  return units[type] === true && geographies.length > 0 && (minimum ?? 0) <= (maximum ?? Infinity)
}

/** Returns whether a count rule limits vehicles, and so matches some only. A maximum of 0 matches all. */
const matchesOnlySome = (rule: MdsRule): boolean => {
  if (rule.rule_type !== 'count') return false
  const { maximum, minimum, inclusive_maximum: isInclusive = true } = rule
  const isProhibition = maximum != null && (isInclusive ? Math.floor(maximum) : Math.ceil(maximum) - 1) <= 0
  return (maximum != null && !isProhibition) || ((minimum ?? 0) > 0 && hasRate(rule))
}

function findFault(rule: MdsRule): RateFault | null {
  if (!isUnderstood(rule)) return 'not_understood'
  if (rule.value_url) return 'value_url'
  if (matchesOnlySome(rule)) return 'count_bounds'
  if (!hasRate(rule)) return null
  const { rule_type: type, rate_amount, rate_recurrence: recurrence, rule_units: unit } = rule
  const amount = rate_amount ?? 0
  if (type !== 'count' && type !== 'time') return 'rule_type'
  if (Math.abs(amount) > maxAmount || hasTooManyDecimals(amount)) return 'amount'
  if (!isRecurrence(recurrence)) return 'recurrence'
  if (isPerTimeUnit(recurrence) && !isTimeUnit(unit)) return 'unit'
  return rule.rate_applies_when !== 'in_bounds' && !hasBounds(rule) ? 'never' : null
}

/**
 * Returns whether the rates of an imported policy are charged in a region with `currency`, and the rules with
 * faults. A policy is charged entirely or not at all, because each rule takes vehicles from the rules after
 * it. Returns null if the policy has no rates.
 */
export function rateStatus(
  { rules, currency: policyCurrency }: Pick<ImportedMds, 'rules' | 'currency'>,
  currency: string,
): { isCharged: boolean; faults: UnchargedRule[] } | null {
  if (!rules.some(hasRate)) return null
  const faults = rules.flatMap((rule): UnchargedRule[] => {
    const fault = hasRate(rule) && policyCurrency !== currency ? 'currency' : findFault(rule)
    return fault ? [{ rule_id: rule.rule_id, rule_name: rule.name, fault }] : []
  })
  const isPrevented = faults.some(({ fault }) => preventsCharging(fault))
  const hasChargedRate = faults.length < rules.filter(hasRate).length
  return { isCharged: !isPrevented && hasChargedRate, faults }
}
