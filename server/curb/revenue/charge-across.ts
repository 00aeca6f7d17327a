import type { CdsRate } from '#contract/cds.ts'
import { getCalendar } from '../map/curb-week.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { chargeStay } from '../rules/charge-stay.ts'
import { type CompiledRule, toVerdict } from '../rules/rule-set.ts'
import { type Moment, createSpan, computeTimeline } from '../rules/timeline.ts'

/** A stay of a vehicle in a zone. Times are ms since 1970; the end is exclusive. */
export interface ChargedStay {
  zoneId: string
  vehicleType: string
  propulsion: readonly string[]
  purpose: string
  /** Name or id of the CDS data source operator. */
  operator: string
  start: number
  end: number
}

/** What one rule charges for the time of a stay that it allows. */
export interface StayCharge {
  policyId: string
  /** Index of the rule in the policy. */
  rule: number
  from: number
  until: number
  /** Minor units; null if the rule has no rates. */
  amount: number | null
}

/** Uses of the curb that a staying vehicle may have, longest first (decision 042). */
const stayUses = ['parking', 'loading', 'unloading', 'stopping'] as const

/** Finds the rule that allows the longest use; null if none allows a stay. */
function findAllowingRule(deciding: Moment['deciding']): CompiledRule | null {
  for (const use of stayUses) {
    const rule = deciding[use]
    if (toVerdict(rule, use).answer === 'allowed') return rule
  }
  return null
}

/**
 * Returns how rates by duration combine. With `flat` rates (CDS proposal #131), the rate of the reached
 * duration is the price of the entire stay; otherwise the prices of all durations are added.
 */
const getRateApplication = (rates: readonly CdsRate[]): 'additive' | 'flat' =>
  rates.some((rate) => rate['rate_application_type'] === 'flat') ? 'flat' : 'additive'

/** A time of a stay that one rule allows. Times are ms since 1970; the end is exclusive. */
interface Stretch {
  rule: CompiledRule
  from: number
  until: number
}

/** Splits a stay into stretches that one rule each allows. Leaves out times at which no rule allows it. */
function findStretches(index: CurbIndex, stay: ChargedStay): Stretch[] {
  const query = {
    ...getCalendar(index),
    userClasses: [...(stay.vehicleType ? [stay.vehicleType] : []), ...stay.propulsion],
    purposes: stay.purpose ? [stay.purpose] : [],
    operators: stay.operator ? [stay.operator] : [],
  }
  const stretches: Stretch[] = []
  for (let start = stay.start; start < stay.end;) {
    const epoch = index.at(start)
    const until = Math.min(stay.end, epoch.to ?? Infinity)
    const rules = epoch.ruleSetByZone.get(stay.zoneId)?.rules
    if (rules)
      for (const moment of computeTimeline(rules, query, createSpan(query, start, until))) {
        const rule = findAllowingRule(moment.deciding)
        if (!rule) continue
        const lastStretch = stretches.at(-1)
        const isSame =
          lastStretch?.until === moment.from &&
          lastStretch.rule.policy.id === rule.policy.id &&
          lastStretch.rule.index === rule.index
        if (isSame) lastStretch.until = moment.until
        else stretches.push({ rule, from: moment.from, until: moment.until })
      }
    start = until
  }
  return stretches
}

/**
 * Charges a stay by each of the rules that allow it in turn. Durations of rates count from the moment at
 * which their rule begins to allow the stay, and restart if it does so again later. Times at which no rule
 * allows the stay cost nothing.
 */
export function chargeAcross(index: CurbIndex, stay: ChargedStay): StayCharge[] {
  return findStretches(index, stay).map(({ rule, from, until }): StayCharge => {
    const rates = rule.rule.rate ?? []
    return {
      policyId: rule.policy.id,
      rule: rule.index,
      from,
      until,
      amount: rates.length
        ? chargeStay(
            rates,
            { startMs: from, endMs: until, timezone: index.timezone },
            getRateApplication(rates),
          ).amount
        : null,
    }
  })
}
