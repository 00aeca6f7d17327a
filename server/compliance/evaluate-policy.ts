import type { CivilClock } from '#contract/civil-clock.ts'
import { isOver, isWithin, leastOf, mostOf, rounded } from './bounds.ts'
import { inWindow } from './in-window.ts'
import type { Rule, RulePolicy } from './rule.ts'
import { dwellsSince, isDeployed, looksAt, type Standing } from './standing.ts'

/** What is found of a rule at one moment. */
export interface RuleFinding {
  ruleId: string
  /** Vehicles that the rule counts; of a time or speed rule, those out of its bounds. */
  measured: number
  /** Vehicles over its upper bound that no later rule takes. */
  excess: number
  /** Vehicles too few of a count, or those under the lower bound of a time or speed. */
  shortfall: number
  /** Those that break the rule, by device_id, the earliest first. */
  vehicles: string[]
}

/** The moment and the place of an evaluation. */
export interface Moment {
  /** Epoch ms. */
  at: number
  clock: CivilClock
  /** Ms of silence after which a vehicle is lost (metrics.md, lostAfterHours). */
  lostMs: number
  movedMetres: number
}

/** A vehicle that a rule looks at, with when it came to stand so. */
interface Candidate {
  standing: Standing
  since: number
}

const idOf = ({ standing }: Candidate): string => standing.track.deviceId
const byArrival = (a: Candidate, b: Candidate): number => a.since - b.since || (idOf(a) < idOf(b) ? -1 : 1)

/**
 * What each rule of a policy finds at a moment. Each provider is looked at by itself. Rules go in order, and a vehicle that one takes is
 * passed over by the later ones: a count takes as many as its upper bound allows, the earliest arrivals first; the rest go on and break
 * the policy only where no later rule takes them, charged to the last that would not. A time or speed rule takes those out of its bounds
 * (metrics.md, decisions 1 and 2).
 * @param fleet Vehicles of the region as they stand then.
 */
export function evaluatePolicy(policy: RulePolicy, fleet: readonly Standing[], moment: Moment): RuleFinding[] {
  const found = policy.rules.map(({ ruleId }) => ({ ruleId, measured: 0, excess: 0, shortfall: 0, vehicles: [] }))
  for (const provider of new Set(fleet.map(({ track }) => track.providerId))) {
    const own = fleet.filter(({ track }) => track.providerId === provider)
    if (policy.providerIds?.has(provider) ?? true) addFindings(found, policy.rules, own, moment)
  }
  return found
}

function addFindings(found: readonly RuleFinding[], rules: readonly Rule[], fleet: readonly Standing[], moment: Moment): void {
  const left = new Set(fleet)
  /** Refused by a count so far, with the last rule that did. */
  const refused = new Map<Standing, RuleFinding>()
  // A shortfall is nobody's who has no fleet there (metrics.md, decision 2).
  const hasFleet = fleet.some(({ step }) => isDeployed(step.state) && !isLost(step.at, moment))
  const take = (standing: Standing): void => {
    left.delete(standing)
    refused.delete(standing)
  }
  rules.forEach((rule, index) => {
    const finding = found[index]
    if (!finding || !inWindow(rule.window, moment.clock, moment.at)) return
    const dwelling = { movedMetres: moment.movedMetres, lostMs: silenceOf(rule, moment) }
    const candidates = [...left].filter((standing) => matches(rule, standing, { ...moment, ...dwelling })).map((standing) => ({ standing, since: dwellsSince(rule, standing, dwelling) })).sort(byArrival)
    if (rule.kind === 'count') {
      const most = mostOf(rule.bounds)
      candidates.forEach(({ standing }, place) => (place < most ? take(standing) : refused.set(standing, finding)))
      finding.measured += candidates.length
      if (hasFleet) finding.shortfall += Math.max(0, leastOf(rule.bounds) - candidates.length)
      return
    }
    for (const { standing, since } of candidates) {
      const value = rule.kind === 'time' ? moment.at - since : rounded(standing.step.speed)
      if (Number.isNaN(value) || isWithin(rule.bounds, value) !== rule.chargesWithin) continue
      take(standing)
      finding.measured += 1
      if (!rule.chargesWithin) charge(finding, standing, isOver(rule.bounds, value))
    }
  })
  for (const [standing, finding] of refused) charge(finding, standing, true)
}

function charge(finding: RuleFinding, { track }: Standing, isExcess: boolean): void {
  if (isExcess) finding.excess += 1
  else finding.shortfall += 1
  finding.vehicles.push(track.deviceId)
}

const isLost = (told: number, { at, lostMs }: Pick<Moment, 'at' | 'lostMs'>): boolean => at - told >= lostMs

/** A vehicle at rest says little. A time limit that is longer than the silence after which it is lost could never be broken: for it, the vehicle stands on. */
const silenceOf = ({ kind, bounds }: Rule, { lostMs }: Moment): number => (kind === 'time' && bounds.maximum >= lostMs && bounds.maximum < Infinity ? Infinity : lostMs)

function matches(rule: Rule, { track, step }: Standing, moment: Moment): boolean {
  if (isLost(step.at, { at: moment.at, lostMs: silenceOf(rule, moment) })) return false
  if (!looksAt(rule, step)) return false
  if (rule.vehicleTypes && !rule.vehicleTypes.has(track.vehicleType)) return false
  if (rule.propulsionTypes && !track.propulsionTypes.some((each) => rule.propulsionTypes?.has(each))) return false
  if (rule.accessibilityOptions && !track.accessibility.some((each) => rule.accessibilityOptions?.has(each))) return false
  return rule.area.contains(step)
}
