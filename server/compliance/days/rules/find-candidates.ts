import { wasLostBetween } from '#server/regions/lost-vehicles.ts'
import { setImmediate as turn } from 'node:timers/promises'
import { movedMeters } from '#server/mobility/fleet/moved-meters.ts'
import type { Candidate } from '../../decide-rules.ts'
import { metersBetween } from '#server/geography/distance.ts'
import { isMeant, looksAt, silenceOf } from '../../standing.ts'
import type { DayMdsRule } from './day-mds-rules.ts'
import { type FullMinutes, minuteFrom } from './full-minutes.ts'
import type { Stay, Traits } from './stay.ts'

/** Others get their turn after so many. */
const staysAtOnce = 4096

/** A vehicle that a rule looks at from one minute to another. */
export interface MinuteCandidate extends Candidate {
  /** Number of the rule. */
  rule: number
  /** Numbers of minutes, the last one not included. */
  from: number
  to: number
  stay: Stay
}

/** What candidates are looked for with. */
export interface Looking {
  rules: readonly DayMdsRule[]
  /** The areas of each rule. */
  areasOf: readonly ReadonlySet<number>[]
  minutes: FullMinutes
  lostMs: number
  traitsOf: (deviceId: string) => Traits
}

/**
 * The candidates of all rules among what an operator's vehicles told, each with the time since which it stands so: the dwell clock of
 * rules at a moment (dwellsSince), carried on from stay to stay.
 * @param stays Of one vehicle after the other, each in order of time. A stay in a state of no rule may be left out.
 */
export async function findCandidates(
  stays: readonly Stay[],
  { rules, areasOf, minutes, lostMs, traitsOf }: Looking,
): Promise<MinuteCandidate[]> {
  const silences = rules.map((rule) => silenceOf(rule, lostMs))
  const since = new Float64Array(rules.length)
  const looked = new Uint8Array(rules.length)
  const candidates: MinuteCandidate[] = []
  let before: Stay | null = null
  for (const [number, stay] of stays.entries()) {
    if (number % staysAtOnce === staysAtOnce - 1) await turn()
    const follows = before !== null && before.vehicle === stay.vehicle && before.until === stay.at
    // A place that is not known has not moved, as at a moment.
    const stood = before !== null && follows && !(metersBetween(before, stay) > movedMeters)
    const traits = traitsOf(stay.deviceId)
    for (const [index, rule] of rules.entries()) {
      const silence = silences[index] as number
      const goesOn =
        stood && looked[index] === 1 && before !== null && !wasLostBetween(before.at, stay.at, silence)
      if (!goesOn) since[index] = stay.at
      const isLooked = looksAt(rule, stay)
      looked[index] = isLooked ? 1 : 0
      if (
        !isLooked ||
        !stay.areas.some((area) => areasOf[index]?.has(area)) ||
        !isMeant(rule, { vehicleType: stay.vehicleType, ...traits })
      )
        continue
      const [from, to] = [
        minuteFrom(minutes, stay.at),
        minuteFrom(minutes, Math.min(stay.until, stay.at + silence)),
      ]
      if (to > from)
        candidates.push({
          rule: index,
          vehicle: stay.vehicle,
          since: since[index] as number,
          speed: NaN,
          from,
          to,
          stay,
        })
    }
    before = stay
  }
  return candidates
}
