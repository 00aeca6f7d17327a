import { z } from 'zod'
import type { CivilClock } from '#contract/civil-clock.ts'
import { MdsGeography, MdsPolicy } from '#contract/mds-policy.ts'
import { hourMs } from '#contract/period.ts'
import { rateFaultTexts, rateStatus } from '#contract/policy-types/mds-rates.ts'
import { findOpenTimes } from '#server/compliance/days/rules/open-times.ts'
import { readFleet } from '#server/compliance/mds/fleet-case.ts'
import { createMdsAreas } from '#server/compliance/mds/mds-areas.ts'
import { upgradePolicyStates } from '#server/compliance/mds/upgrade-mds.ts'
import type { VehicleTrack } from '#server/compliance/vehicle-track.ts'
import { upgradePolicy } from '#server/policies/import/upgrade-policy.ts'
import { defaultLostAfterHours } from '#server/regions/lost-vehicles.ts'
import type { RateCount, RatePart, Span } from '../charged-facts.ts'
import { Rational } from '../rational.ts'
import { chargeRates, findEvaluationStart, type RatedStay } from './charge-rates.ts'
import { type KeyedRule, readRates, readRateRules } from './rate-part.ts'

/** Policies with rates and the fleet of one payer, in the MDS format that `npm run -s evaluate` reads. */
export const RateCase = z.object({
  policies: z.array(z.preprocess((policy) => upgradePolicy(upgradePolicyStates(policy)), MdsPolicy)).min(1),
  geographies: z.array(MdsGeography),
  vehicles: z.array(z.unknown()),
  events: z.array(z.unknown()),
})
type RateCase = z.output<typeof RateCase>

const lostMs = defaultLostAfterHours * hourMs
/** The MDS default for policies without a mode. */
const defaultMode = 'micromobility'

/** Returns the end of a policy: its end date, or the start of a policy that replaces it. */
const getPolicyEnd = ({ policy_id: id, end_date: end }: MdsPolicy, policies: readonly MdsPolicy[]): number =>
  Math.min(
    end ?? Infinity,
    ...policies
      .filter((other) => other.policy_id !== id && other.prev_policies?.includes(id))
      .map(({ start_date: start }) => start),
  )

/** Returns the stays of a vehicle. Whether a rule's geographies contain a stay is computed on first use. */
const toStays = ({ steps }: VehicleTrack, rules: readonly KeyedRule[]): RatedStay[] =>
  steps.map((step, index) => {
    const isInByRule = new Map<number, boolean>()
    return {
      ...step,
      vehicle: 0,
      until: steps[index + 1]?.at ?? Infinity,
      isIn: (rule) => {
        const isIn = isInByRule.get(rule) ?? rules[rule]?.area.contains(step) ?? false
        isInByRule.set(rule, isIn)
        return isIn
      },
    }
  })

/**
 * Returns the rates of a case as parts of a tariff, with a function that counts how often they apply, and
 * notes about records and rates that are left out.
 * @throws Error that names the policy and rule if a rate cannot be charged exactly.
 */
export function openRateCase({ policies, geographies, vehicles, events }: RateCase, currency: string) {
  const areas = createMdsAreas(geographies)
  const { tracks, aside } = readFleet(vehicles, events)
  const notes = aside.map(({ record, reason }) => `${record}: ${reason}`)
  const ratedPolicies = policies.flatMap((policy) => {
    const { policy_id: id, name, rules, provider_ids: providers, mode_id: mode } = policy
    const mds = { rules, currency: policy.currency ?? 'USD' }
    const status = rateStatus(mds, currency)
    if (!status) return []
    for (const { rule_id: rule, fault } of status.faults) {
      const note = `Policy ${id}: Rule ${rule}: ${rateFaultTexts[fault]}`
      // A rate that never applies changes no amount.
      if (fault !== 'never') throw new Error(note)
      notes.push(note)
    }
    const part: RatePart = {
      kind: 'rates',
      id,
      name: name || id,
      start_date: null,
      end_date: null,
      minimum: null,
      maximum: null,
      rates: readRates(mds),
    }
    const fleet = tracks.filter(
      (track) =>
        (!providers?.length || providers.includes(track.providerId)) &&
        (track.mode ?? defaultMode) === (mode ?? defaultMode),
    )
    return [{ part, policy, fleet, rules: readRateRules(rules, areas) }]
  })

  /** Counts how often the rates of a part apply within a span. */
  function count(part: RatePart, span: Span, clock: CivilClock): RateCount[] {
    const ratedPolicy = ratedPolicies.find((policy) => policy.part === part)
    if (!ratedPolicy) return []
    const { policy, rules, fleet } = ratedPolicy
    const from = Math.max(span.from, policy.start_date)
    const until = Math.min(span.until, getPolicyEnd(policy, policies))
    if (until <= from) return []
    const begin = findEvaluationStart({ from, clock })
    const openTimes = rules.map(({ window }) => findOpenTimes(window, clock, begin, until))
    const counts = new Map<string, RateCount>()
    for (const track of fleet)
      for (const { rule, quantity } of chargeRates(
        { ...track, stays: toStays(track, rules) },
        { rules, openTimes, clock, lostMs, from, until },
      )) {
        const { key } = rules[rule] as KeyedRule
        const { vehicleType } = track
        const quantitySoFar = counts.get(`${key}\t${vehicleType}`)?.quantity ?? Rational.of(0)
        counts.set(`${key}\t${vehicleType}`, {
          key,
          vehicleType,
          quantity: quantitySoFar.plus(Rational.of(BigInt(quantity))),
        })
      }
    return [...counts.values()]
  }

  return { parts: ratedPolicies.map(({ part }) => part), count, notes }
}
