import { isOver, isWithin, getMinCount, getMaxCount, roundToNineDecimals } from './bounds.ts'
import type { Rule } from './rule.ts'

/** A vehicle that a rule evaluates, with the time since when it qualifies. */
export interface Candidate {
  /** Its index in the fleet. */
  vehicle: number
  /** Epoch ms. */
  since: number
  /** m/s; NaN if unknown. */
  speed: number
}

/** What a rule decides about a provider's fleet at one moment. */
export interface Decision<Item extends Candidate> {
  /** Number of vehicles that the rule counts; for a time or speed rule, those out of its bounds. */
  measured: number
  /** Number of vehicles above its upper bound that match no later rule. */
  excess: number
  /** The shortfall of a count, or the number of vehicles below the lower bound of a time or speed. */
  shortfall: number
  /** Vehicles that violate the rule, earliest arrivals first. */
  broken: Item[]
}

/** A provider's fleet at one moment. */
export interface DecisionInput<Item extends Candidate> {
  /** Epoch ms. */
  at: number
  /** The number of vehicles. */
  size: number
  /** Whether any vehicle is in the right of way, as a shortfall requires (docs/metrics.md, decision 2). */
  hasFleet: boolean
  isOpen: (rule: number) => boolean
  /** The candidates of a rule, earliest arrivals first. May omit vehicles that matched an earlier rule. */
  getCandidates: (rule: number, isUnmatched: (vehicle: number) => boolean) => readonly Item[]
}

/**
 * Evaluates rules for one provider's fleet (docs/metrics.md, decisions 1 and 2). Rules apply in order, and a
 * vehicle that matches a rule is skipped by later ones.
 * - A count matches as many vehicles as its upper bound allows, earliest arrivals first. The others continue
 *   to later rules. Those that match none violate the last count that rejected them.
 * - A time or speed rule matches vehicles out of its bounds, which violate it.
 * - A fee matches vehicles within its bounds; a fee on a count below its minimum matches nothing. Fees are
 *   never violated.
 */
export function decideRules<Item extends Candidate>(
  rules: readonly Pick<Rule, 'kind' | 'bounds' | 'chargesWithin'>[],
  { at, size, hasFleet, isOpen, getCandidates }: DecisionInput<Item>,
): Decision<Item>[] {
  const decisions = rules.map((): Decision<Item> => ({ measured: 0, excess: 0, shortfall: 0, broken: [] }))
  const isMatched = new Uint8Array(size)
  /** Vehicles that counts have rejected so far, with the last count that did. */
  const rejected = new Map<number, { decision: Decision<Item>; candidate: Item }>()
  const isUnmatched = (vehicle: number): boolean => isMatched[vehicle] === 0
  const match = (vehicle: number): void => {
    isMatched[vehicle] = 1
    rejected.delete(vehicle)
  }
  rules.forEach(({ kind, bounds, chargesWithin }, index) => {
    const decision = decisions[index]
    if (!decision || !isOpen(index)) return
    const candidates = getCandidates(index, isUnmatched)
    if (kind === 'count') {
      const minimum = getMinCount(bounds)
      const unmatchedCount = candidates.filter(({ vehicle }) => isUnmatched(vehicle)).length
      const isFeeBelowMinimum = chargesWithin && unmatchedCount < minimum
      const maximum = isFeeBelowMinimum ? 0 : getMaxCount(bounds)
      let count = 0
      for (const candidate of candidates) {
        const { vehicle } = candidate
        if (!isUnmatched(vehicle)) continue
        if (count < maximum) match(vehicle)
        else if (!chargesWithin) rejected.set(vehicle, { decision, candidate })
        count++
      }
      decision.measured = count
      if (hasFleet && !chargesWithin) decision.shortfall = Math.max(0, minimum - count)
      return
    }
    for (const candidate of candidates) {
      if (!isUnmatched(candidate.vehicle)) continue
      const value = kind === 'time' ? at - candidate.since : roundToNineDecimals(candidate.speed)
      if (Number.isNaN(value) || isWithin(bounds, value) !== chargesWithin) continue
      match(candidate.vehicle)
      decision.measured++
      if (!chargesWithin) addViolation(decision, candidate, isOver(bounds, value))
    }
  })
  for (const { decision, candidate } of rejected.values()) addViolation(decision, candidate, true)
  return decisions
}

function addViolation<Item extends Candidate>(
  decision: Decision<Item>,
  candidate: Item,
  isExcess: boolean,
): void {
  if (isExcess) decision.excess++
  else decision.shortfall++
  decision.broken.push(candidate)
}
