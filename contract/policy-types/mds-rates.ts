import { type MdsRule, mdsSpeedUnits, mdsTimeUnits } from '#contract/mds-policy.ts'
import type { ImportedMds } from '#contract/policy.ts'

export const rateRecurrences = [
  'once_on_match',
  'once_on_unmatch',
  'each_time_unit',
  'per_complete_time_unit',
] as const
export type RateRecurrence = (typeof rateRecurrences)[number]
export type RateUnit = (typeof mdsTimeUnits)[number]

/** Why a rate is not charged, in the words of the API. */
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

/** A rule because of which rates are not charged. */
export interface UnchargedRule {
  rule_id: string
  rule_name: string
  fault: RateFault
}

const maxAmount = 1_000_000_000
const isTimeUnit = (unit: string | null | undefined): unit is RateUnit =>
  mdsTimeUnits.some((each) => each === unit)
export const hasRate = ({ rate_amount: amount }: Pick<MdsRule, 'rate_amount'>): boolean =>
  amount != null && amount !== 0
const hasBounds = ({ minimum, maximum }: MdsRule): boolean => maximum != null || (minimum ?? 0) > 0

function isUnderstood({ rule_type: type, rule_units: unit, minimum, maximum, geographies }: MdsRule) {
  const units: Record<string, boolean> = {
    count: unit == null || unit === 'devices',
    time: isTimeUnit(unit),
    speed: mdsSpeedUnits.some((each) => each === unit),
    user: true,
    rate: true,
  }
  return units[type] === true && geographies.length > 0 && (minimum ?? 0) <= (maximum ?? Infinity)
}

/** Whether a count takes some of the vehicles that it looks at and not others. A prohibition looks at each by itself. */
const dependsOnOthers = (rule: MdsRule): boolean => {
  if (rule.rule_type !== 'count') return false
  const { maximum, minimum, inclusive_maximum: isInclusive = true } = rule
  const isBan = maximum != null && (isInclusive ? Math.floor(maximum) : Math.ceil(maximum) - 1) <= 0
  return (maximum != null && !isBan) || ((minimum ?? 0) > 0 && hasRate(rule))
}

function faultOf(rule: MdsRule): RateFault | null {
  if (!isUnderstood(rule)) return 'not_understood'
  if (rule.value_url) return 'value_url'
  if (dependsOnOthers(rule)) return 'count_bounds'
  if (!hasRate(rule)) return null
  const { rule_type: type, rate_amount: amount, rate_recurrence: recurrence, rule_units: unit } = rule
  if (type !== 'count' && type !== 'time') return 'rule_type'
  if (Math.abs(amount ?? 0) > maxAmount || Number((amount ?? 0).toFixed(6)) !== amount) return 'amount'
  if (!rateRecurrences.some((each) => each === recurrence)) return 'recurrence'
  if (recurrence?.endsWith('time_unit') && !isTimeUnit(unit)) return 'unit'
  return rule.rate_applies_when !== 'in_bounds' && !hasBounds(rule) ? 'never' : null
}

/**
 * Whether the rates of imported rules are charged. A policy is charged whole or not at all: each rule takes vehicles from the next. Null: it
 * has no rates.
 */
export function rateStatus(
  { rules, currency: own }: Pick<ImportedMds, 'rules' | 'currency'>,
  currency: string,
): { isCharged: boolean; faults: UnchargedRule[] } | null {
  if (!rules.some(hasRate)) return null
  const faults = rules.flatMap((rule): UnchargedRule[] => {
    const fault = hasRate(rule) && own !== currency ? 'currency' : faultOf(rule)
    return fault ? [{ rule_id: rule.rule_id, rule_name: rule.name, fault }] : []
  })
  const isCharged =
    faults.every(({ fault }) => fault === 'never') && faults.length < rules.filter(hasRate).length
  return { isCharged, faults }
}
