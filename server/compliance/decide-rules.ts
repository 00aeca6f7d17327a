import { isOver, isWithin, minCount, maxCount, rounded } from './bounds.ts'
import type { Rule } from './rule.ts'

/** A vehicle that a rule evaluates, with the time since when it qualifies. */
export interface Candidate {
  /** Its number in the fleet, starting at 0. */
  vehicle: number
  /** Epoch ms. */
  since: number
  /** m/s; NaN: unknown. */
  speed: number
}

/** The decision of one rule. */
export interface Decision<Of extends Candidate> {
  /** Vehicles that the rule counts; for a time or speed rule, those out of its bounds. */
  measured: number
  /** Vehicles over its upper bound that no later rule takes. */
  excess: number
  /** The shortfall of a count, or the vehicles under the lower bound of a time or speed. */
  shortfall: number
  /** Vehicles that break the rule, earliest first. */
  broken: Of[]
}

/** A provider's fleet at one moment. */
export interface DecisionInput<Of extends Candidate> {
  /** Epoch ms. */
  at: number
  /** The number of vehicles. */
  size: number
  /** Whether one of them is in the right of way: providers without a fleet there have no shortfall (docs/metrics.md, decision 2). */
  hasFleet: boolean
  isOpen: (rule: number) => boolean
  /** The candidates of a rule, earliest arrivals first. Vehicles that an earlier rule took may be omitted. */
  candidatesOf: (rule: number, isLeft: (vehicle: number) => boolean) => readonly Of[]
}

/**
 * Decides the rules for one provider's fleet. Rules apply in order, and a vehicle that one takes is skipped by the later ones. A count
 * takes as many as its upper bound allows, earliest arrivals first; the others go on to later rules and break the policy only if none
 * takes them, charged to the last rule that refused them. A time or speed rule takes those out of its bounds (docs/metrics.md, decisions 1
 * and 2). A fee takes what is within its bounds, a count nothing if it is under them; fees are never broken.
 */
export function decideRules<Of extends Candidate>(
  rules: readonly Pick<Rule, 'kind' | 'bounds' | 'chargesWithin'>[],
  { at, size, hasFleet, isOpen, candidatesOf }: DecisionInput<Of>,
): Decision<Of>[] {
  const decisions = rules.map((): Decision<Of> => ({ measured: 0, excess: 0, shortfall: 0, broken: [] }))
  const taken = new Uint8Array(size)
  /** Refused by a count so far, with the last rule that refused them. */
  const refused = new Map<number, { decision: Decision<Of>; candidate: Of }>()
  const isLeft = (vehicle: number): boolean => taken[vehicle] === 0
  const take = (vehicle: number): void => {
    taken[vehicle] = 1
    refused.delete(vehicle)
  }
  rules.forEach(({ kind, bounds, chargesWithin }, index) => {
    const decision = decisions[index]
    if (!decision || !isOpen(index)) return
    const candidates = candidatesOf(index, isLeft)
    if (kind === 'count') {
      const minimum = minCount(bounds)
      const isUnder =
        chargesWithin &&
        candidates.reduce((left, { vehicle }) => (taken[vehicle] === 0 ? left + 1 : left), 0) < minimum
      const maximum = isUnder ? 0 : maxCount(bounds)
      let place = 0
      for (const candidate of candidates) {
        const { vehicle } = candidate
        if (taken[vehicle] !== 0) continue
        if (place < maximum) take(vehicle)
        else if (!chargesWithin) refused.set(vehicle, { decision, candidate })
        place++
      }
      decision.measured = place
      if (hasFleet && !chargesWithin) decision.shortfall = Math.max(0, minimum - place)
      return
    }
    for (const candidate of candidates) {
      if (taken[candidate.vehicle] !== 0) continue
      const value = kind === 'time' ? at - candidate.since : rounded(candidate.speed)
      if (Number.isNaN(value) || isWithin(bounds, value) !== chargesWithin) continue
      take(candidate.vehicle)
      decision.measured++
      if (!chargesWithin) charge(decision, candidate, isOver(bounds, value))
    }
  })
  for (const { decision, candidate } of refused.values()) charge(decision, candidate, true)
  return decisions
}

function charge<Of extends Candidate>(decision: Decision<Of>, candidate: Of, isExcess: boolean): void {
  if (isExcess) decision.excess++
  else decision.shortfall++
  decision.broken.push(candidate)
}
