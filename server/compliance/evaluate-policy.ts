import { isLost } from '#server/regions/lost-vehicles.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { type Candidate, decideRules } from './decide-rules.ts'
import { inWindow, type Rule, type RulePolicy } from './rule.ts'
import { arrivalOf, isDeployed, isMeant, looksAt, silenceOf, type Standing } from './standing.ts'

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

/** A vehicle that a rule looks at. */
interface FleetCandidate extends Candidate {
  id: string
  /** Of its arrival among all that was told. */
  order: number
}

const byArrival = (a: FleetCandidate, b: FleetCandidate): number =>
  a.since - b.since || a.order - b.order || (a.id < b.id ? -1 : 1)

/**
 * What each rule of a policy finds at a moment. Each provider is looked at by itself.
 * @param fleet Vehicles of the region as they stand then.
 */
export function evaluatePolicy(
  policy: RulePolicy,
  fleet: readonly Standing[],
  moment: Moment,
): RuleFinding[] {
  const found = policy.rules.map(({ ruleId }) => ({
    ruleId,
    measured: 0,
    excess: 0,
    shortfall: 0,
    vehicles: [],
  }))
  for (const provider of new Set(fleet.map(({ track }) => track.providerId))) {
    const own = fleet.filter(({ track }) => track.providerId === provider)
    if (policy.providerIds?.has(provider) ?? true) addFindings(found, policy.rules, own, moment)
  }
  return found
}

function addFindings(
  found: readonly RuleFinding[],
  rules: readonly Rule[],
  fleet: readonly Standing[],
  moment: Moment,
): void {
  const decisions = decideRules<FleetCandidate>(rules, {
    at: moment.at,
    size: fleet.length,
    hasFleet: fleet.some(({ step }) => isDeployed(step.state) && !isLost(step.at, moment.at, moment.lostMs)),
    isOpen: (index) => inWindow((rules[index] as Rule).window, moment.clock, moment.at),
    candidatesOf(index, isLeft) {
      const rule = rules[index] as Rule
      const dwelling = { movedMetres: moment.movedMetres, lostMs: silenceOf(rule, moment.lostMs) }
      const candidateOf = (standing: Standing, vehicle: number): FleetCandidate => {
        const { at: since, order = 0 } = arrivalOf(rule, standing, dwelling)
        return { vehicle, id: standing.track.deviceId, since, order, speed: standing.step.speed }
      }
      return fleet
        .flatMap((standing, vehicle) =>
          isLeft(vehicle) && matches(rule, standing, { ...moment, ...dwelling })
            ? [candidateOf(standing, vehicle)]
            : [],
        )
        .sort(byArrival)
    },
  })
  decisions.forEach(({ measured, excess, shortfall, broken }, index) => {
    const finding = found[index] as RuleFinding
    finding.measured += measured
    finding.excess += excess
    finding.shortfall += shortfall
    finding.vehicles.push(...broken.map(({ id }) => id))
  })
}

function matches(rule: Rule, { track, step }: Standing, { at, lostMs }: Moment): boolean {
  return (
    !isLost(step.at, at, lostMs) && looksAt(rule, step) && isMeant(rule, track) && rule.area.contains(step)
  )
}
