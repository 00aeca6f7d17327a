import type { CdsRate } from '#contract/cds.ts'
import { getCalendar } from '../map/curb-week.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { chargeStay } from '../rules/charge-stay.ts'
import { type CompiledRule, toVerdict } from '../rules/rule-set.ts'
import { type Moment, createSpan, timeline } from '../rules/timeline.ts'

/** A vehicle that stays at a zone. Times are ms since 1970, half open. */
export interface ChargedStay {
  zoneId: string
  vehicleType: string
  propulsion: readonly string[]
  purpose: string
  /** Data source operator of CDS, by name or id. */
  operator: string
  start: number
  end: number
}

/** A part of a stay in which one rule decides. */
export interface StayPart {
  policyId: string
  /** In the policy. */
  rule: number
  from: number
  until: number
  /** Minor units; null: the rule has no rates. */
  amount: number | null
}

/** What a vehicle can be doing that stays, the longest first (decision 042). */
const stayUses = ['parking', 'loading', 'unloading', 'stopping'] as const

/** The rule that allows the longest use; null: none allows a stay. */
function allowingRule(deciding: Moment['deciding']): CompiledRule | null {
  for (const use of stayUses) {
    const rule = deciding[use]
    if (toVerdict(rule, use).answer === 'allowed') return rule
  }
  return null
}

/** Whether the first of the rates says that the price of the duration that is reached is the price of the whole (proposal #131). */
const applicationOf = (rates: readonly CdsRate[]): 'additive' | 'flat' =>
  rates.some((rate) => rate['rate_application_type'] === 'flat') ? 'flat' : 'additive'

interface Stretch {
  rule: CompiledRule
  from: number
  until: number
}

/** The stretches of a stay in each of which one rule allows it, without those in which none does. */
function stretchesOf(index: CurbIndex, stay: ChargedStay): Stretch[] {
  const question = {
    ...getCalendar(index),
    userClasses: [...(stay.vehicleType ? [stay.vehicleType] : []), ...stay.propulsion],
    purposes: stay.purpose ? [stay.purpose] : [],
    operators: stay.operator ? [stay.operator] : [],
  }
  const found: Stretch[] = []
  for (let at = stay.start; at < stay.end;) {
    const epoch = index.at(at)
    const until = Math.min(stay.end, epoch.to ?? Infinity)
    const rules = epoch.ruleSetByZone.get(stay.zoneId)?.rules
    if (rules)
      for (const moment of timeline(rules, question, createSpan(question, at, until))) {
        const rule = allowingRule(moment.deciding)
        if (!rule) continue
        const last = found.at(-1)
        const isSame =
          last?.until === moment.from &&
          last.rule.policy.id === rule.policy.id &&
          last.rule.index === rule.index
        if (isSame) last.until = moment.until
        else found.push({ rule, from: moment.from, until: moment.until })
      }
    at = until
  }
  return found
}

/**
 * What a stay costs by the rules that allow it, one after the other. Durations of rates count from the moment at which their rule begins to
 * allow the stay, and once more when it does so again. While no rule allows it, nothing is charged.
 */
export function chargeAcross(index: CurbIndex, stay: ChargedStay): StayPart[] {
  return stretchesOf(index, stay).map(({ rule, from, until }): StayPart => {
    const rates = rule.rule.rate ?? []
    return {
      policyId: rule.policy.id,
      rule: rule.index,
      from,
      until,
      amount: rates.length ? chargeStay(rates, from, until, index.timezone, applicationOf(rates)).amount : null,
    }
  })
}
