import { setImmediate as turn } from 'node:timers/promises'
import type { Candidate } from '../../decide-rules.ts'
import { DwellClocks } from '../../dwell-clocks.ts'
import { isMeant } from '../../standing.ts'
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
  const clocks = new DwellClocks(rules, lostMs)
  const candidates: MinuteCandidate[] = []
  for (const [number, stay] of stays.entries()) {
    if (number % staysAtOnce === staysAtOnce - 1) await turn()
    clocks.enter(stay)
    const traits = traitsOf(stay.deviceId)
    for (const [index, rule] of rules.entries()) {
      if (
        !clocks.looksAt(index) ||
        !stay.areas.some((area) => areasOf[index]?.has(area)) ||
        !isMeant(rule, { vehicleType: stay.vehicleType, ...traits })
      )
        continue
      const [from, to] = [
        minuteFrom(minutes, stay.at),
        minuteFrom(minutes, Math.min(stay.until, stay.at + (clocks.silences[index] as number))),
      ]
      if (to > from)
        candidates.push({
          rule: index,
          vehicle: stay.vehicle,
          since: clocks.since(index),
          speed: NaN,
          from,
          to,
          stay,
        })
    }
  }
  return candidates
}
