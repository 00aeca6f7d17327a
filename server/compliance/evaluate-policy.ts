import { isLost } from '#server/regions/lost-vehicles.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { type Candidate, decideRules } from './decide-rules.ts'
import { isInWindow, type Rule, type RulePolicy } from './rule.ts'
import {
  findArrival,
  isDeployed,
  appliesToVehicle,
  countsState,
  getLostAfterMs,
  type VehicleAtMoment,
} from './vehicles-at.ts'

export interface RuleResult {
  ruleId: string
  /** Number of vehicles that the rule counts; for a time or speed rule, those out of its bounds. */
  measured: number
  /** Number of vehicles above its upper bound that match no later rule. */
  excess: number
  /** The shortfall of a count, or the number of vehicles below the lower bound of a time or speed. */
  shortfall: number
  /** Device ids of vehicles that violate the rule, earliest arrivals first. */
  vehicles: string[]
}

/** The moment of an evaluation, with the local clock and the limits of dwell times. */
export interface Moment {
  /** Epoch ms. */
  at: number
  clock: CivilClock
  /** Silence after which a vehicle is lost (docs/metrics.md, lostAfterHours). */
  lostMs: number
  /** Distance beyond which a vehicle counts as moved. */
  movedMeters: number
}

/** A vehicle that a rule evaluates. */
interface FleetCandidate extends Candidate {
  id: string
  /** The position of its arrival among all reports. */
  order: number
}

const compareArrivals = (a: FleetCandidate, b: FleetCandidate): number =>
  a.since - b.since || a.order - b.order || (a.id < b.id ? -1 : 1)

/** Evaluates each rule of a policy by provider. @param fleet Vehicles of the region at the same moment. */
export function evaluatePolicy(
  policy: RulePolicy,
  fleet: readonly VehicleAtMoment[],
  moment: Moment,
): RuleResult[] {
  const results = policy.rules.map(({ ruleId }) => ({
    ruleId,
    measured: 0,
    excess: 0,
    shortfall: 0,
    vehicles: [],
  }))
  for (const provider of new Set(fleet.map(({ track }) => track.providerId))) {
    const providerFleet = fleet.filter(({ track }) => track.providerId === provider)
    if (policy.providerIds?.has(provider) ?? true) addResults(results, policy.rules, providerFleet, moment)
  }
  return results
}

/** Adds one provider's result of each rule at a moment. */
function addResults(
  results: readonly RuleResult[],
  rules: readonly Rule[],
  fleet: readonly VehicleAtMoment[],
  moment: Moment,
): void {
  const decisions = decideRules<FleetCandidate>(rules, {
    at: moment.at,
    size: fleet.length,
    hasFleet: fleet.some(({ step }) => isDeployed(step.state) && !isLost(step.at, moment.at, moment.lostMs)),
    isOpen: (index) => isInWindow((rules[index] as Rule).window, moment.clock, moment.at),
    getCandidates(index, isUnmatched) {
      const rule = rules[index] as Rule
      const limits = { movedMeters: moment.movedMeters, lostMs: getLostAfterMs(rule, moment.lostMs) }
      const toCandidate = (current: VehicleAtMoment, vehicle: number): FleetCandidate => {
        const { at: since, order = 0 } = findArrival(rule, current, limits)
        return { vehicle, id: current.track.deviceId, since, order, speed: current.step.speed }
      }
      return fleet
        .flatMap((current, vehicle) =>
          isUnmatched(vehicle) && isCandidate(rule, current, { ...moment, ...limits })
            ? [toCandidate(current, vehicle)]
            : [],
        )
        .sort(compareArrivals)
    },
  })
  decisions.forEach(({ measured, excess, shortfall, broken }, index) => {
    const result = results[index] as RuleResult
    result.measured += measured
    result.excess += excess
    result.shortfall += shortfall
    result.vehicles.push(...broken.map(({ id }) => id))
  })
}

function isCandidate(rule: Rule, { track, step }: VehicleAtMoment, { at, lostMs }: Moment): boolean {
  return (
    !isLost(step.at, at, lostMs) &&
    countsState(rule, step) &&
    appliesToVehicle(rule, track) &&
    rule.area.contains(step)
  )
}
