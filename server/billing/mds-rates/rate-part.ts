import type { MdsRule } from '#contract/mds-policy.ts'
import { currencyDigits } from '#contract/money.ts'
import { hasRate, type RateRecurrence, rateStatus, type RateUnit } from '#contract/policy-types/mds-rates.ts'
import type { ImportedMds, PolicyFields } from '#contract/policy.ts'
import { readMdsRule } from '#server/compliance/mds/read-mds-rule.ts'
import type { Area } from '#server/compliance/rule.ts'
import type { RatePart } from '../charged-facts.ts'
import { Rational } from '../rational.ts'
import type { Rate, RateRule } from './charge-rates.ts'

/** Makes keys of rules among facts: their ids, followed by the position in the list if an id is repeated. */
export function makeRateKeys(rules: readonly Pick<MdsRule, 'rule_id'>[]): string[] {
  const ids = rules.map(({ rule_id: id }) => id)
  return ids.map((id, index) => (ids.indexOf(id) === index ? id : `${id} ${index + 1}`))
}

/** Reads the rate of a rule; null if the rule has none. */
function readRate(rule: MdsRule): Rate | null {
  if (!hasRate(rule)) return null
  const recurrence = rule.rate_recurrence as RateRecurrence
  return { recurrence, unit: recurrence.endsWith('time_unit') ? (rule.rule_units as RateUnit) : null }
}

function describeUnit({ recurrence, unit }: Rate): string {
  switch (recurrence) {
    case 'once_on_match':
      return 'matches'
    case 'once_on_unmatch':
      return 'ended matches'
    case 'each_time_unit':
      return `started ${unit}`
    case 'per_complete_time_unit':
      return `complete ${unit}`
  }
}

/** Reads the rates of imported rules, in major units of the currency. */
export function readRates({ rules, currency }: Pick<ImportedMds, 'rules' | 'currency'>): RatePart['rates'] {
  const keys = makeRateKeys(rules)
  const minorUnit = new Rational(1n, 10n ** BigInt(currencyDigits(currency)))
  return rules.flatMap((rule, index) => {
    const rate = readRate(rule)
    return rate
      ? [
          {
            key: keys[index] as string,
            name: rule.name,
            unit: describeUnit(rate),
            amount: Rational.of(rule.rate_amount ?? 0).times(minorUnit),
          },
        ]
      : []
  })
}

/** Converts an imported policy to a tariff part; null if it has no rates that can be charged exactly. */
export function toRatePart(
  { imported_mds: mds, policy_name: name }: PolicyFields,
  id: string,
): RatePart | null {
  if (!mds || !rateStatus(mds, mds.currency)?.isCharged) return null
  return {
    kind: 'rates',
    id,
    name: name || 'MDS',
    start_date: null,
    end_date: null,
    minimum: null,
    maximum: null,
    rates: readRates(mds),
  }
}

/** A rule with its rate, its key, and the ids of its geographies. */
export type KeyedRule = RateRule & { key: string; geographies: readonly string[]; area: Area }

/** Reads the rules for vehicles, in order. @throws RuleProblem if a rule cannot be evaluated. */
export function readRateRules(
  rules: readonly MdsRule[],
  getArea: (ids: readonly string[]) => Area,
): KeyedRule[] {
  const keys = makeRateKeys(rules)
  return rules.flatMap((rule, index): KeyedRule[] => {
    const vehicleRule = readMdsRule(rule, getArea)
    if (!vehicleRule) return []
    return [
      { ...vehicleRule, rate: readRate(rule), key: keys[index] as string, geographies: rule.geographies },
    ]
  })
}
