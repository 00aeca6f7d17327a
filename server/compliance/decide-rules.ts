import { isOver, isWithin, leastOf, mostOf, rounded } from './bounds.ts'
import type { Rule } from './rule.ts'

/** A vehicle that a rule looks at, with when it came to stand so. */
export interface Candidate {
  /** Its number in the fleet, from 0 up. */
  vehicle: number
  /** Epoch ms. */
  since: number
  /** m/s; NaN: unknown. */
  speed: number
}

/** What is decided of one rule. */
export interface Decision<Of extends Candidate> {
  /** Vehicles that the rule counts; of a time or speed rule, those out of its bounds. */
  measured: number
  /** Vehicles over its upper bound that no later rule takes. */
  excess: number
  /** Vehicles too few of a count, or those under the lower bound of a time or speed. */
  shortfall: number
  /** Those that break the rule, the earliest first. */
  broken: Of[]
}

/** A provider's fleet at one moment, as its rules see it. */
export interface Deciding<Of extends Candidate> {
  /** Epoch ms. */
  at: number
  /** How many vehicles there are. */
  size: number
  /** Whether one of them is in the right of way: a shortfall is nobody's who has no fleet there (metrics.md, decision 2). */
  hasFleet: boolean
  isOpen: (rule: number) => boolean
  /** Who a rule looks at, the earliest arrivals first. Those that are not left are passed over: they need not be named. */
  candidatesOf: (rule: number, isLeft: (vehicle: number) => boolean) => readonly Of[]
}

/**
 * What each rule finds of one provider's fleet. Rules go in order, and a vehicle that one takes is passed over by the later ones: a count
 * takes as many as its upper bound allows, the earliest arrivals first; the rest go on and break the policy only where no later rule takes
 * them, charged to the last that would not. A time or speed rule takes those out of its bounds (metrics.md, decisions 1 and 2). A fee on
 * what is within bounds takes that, a count none where it is under them; nothing is broken by it.
 */
export function decideRules<Of extends Candidate>(
  rules: readonly Pick<Rule, 'kind' | 'bounds' | 'chargesWithin'>[],
  { at, size, hasFleet, isOpen, candidatesOf }: Deciding<Of>,
): Decision<Of>[] {
  const decisions = rules.map((): Decision<Of> => ({ measured: 0, excess: 0, shortfall: 0, broken: [] }))
  const taken = new Uint8Array(size)
  /** Refused by a count so far, with the last rule that did. */
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
      const least = leastOf(bounds)
      const isUnder =
        chargesWithin &&
        candidates.reduce((left, { vehicle }) => (taken[vehicle] === 0 ? left + 1 : left), 0) < least
      const most = isUnder ? 0 : mostOf(bounds)
      let place = 0
      for (const candidate of candidates) {
        const { vehicle } = candidate
        if (taken[vehicle] !== 0) continue
        if (place < most) take(vehicle)
        else if (!chargesWithin) refused.set(vehicle, { decision, candidate })
        place++
      }
      decision.measured = place
      if (hasFleet && !chargesWithin) decision.shortfall = Math.max(0, least - place)
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
