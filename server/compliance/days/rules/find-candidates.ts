import { setImmediate as turn } from 'node:timers/promises'
import type { Candidate } from '../../decide-rules.ts'
import { DwellClocks } from '../../dwell-clocks.ts'
import { appliesToVehicle } from '../../vehicles-at.ts'
import type { DayMdsRule } from './day-mds-rules.ts'
import { type FullMinutes, findMinute } from './full-minutes.ts'
import type { VehicleInterval, Traits } from './interval.ts'

/** Number of intervals processed between yields to the event loop. */
const intervalsPerTurn = 4096

/** A vehicle that a rule counts during a range of minutes. */
export interface MinuteCandidate extends Candidate {
  /** Index of the rule. */
  rule: number
  /** Indices of `FullMinutes`, half open. */
  from: number
  to: number
  interval: VehicleInterval
}

/** The input of `findCandidates` besides the intervals. */
export interface CandidateInput {
  rules: readonly DayMdsRule[]
  /** The area numbers of each rule. */
  ruleAreas: readonly ReadonlySet<number>[]
  minutes: FullMinutes
  /** Silence after which a vehicle is lost. */
  lostMs: number
  findTraits: (deviceId: string) => Traits
}

/**
 * Finds the candidates of all rules among an operator's vehicles, each with the time since when it qualifies
 * (DwellClocks).
 * @param intervals Grouped by vehicle, in order of time. States that no rule counts may be missing.
 */
export async function findCandidates(
  intervals: readonly VehicleInterval[],
  { rules, ruleAreas, minutes, lostMs, findTraits }: CandidateInput,
): Promise<MinuteCandidate[]> {
  const clocks = new DwellClocks(rules, lostMs)
  const candidates: MinuteCandidate[] = []
  for (const [number, interval] of intervals.entries()) {
    if (number % intervalsPerTurn === intervalsPerTurn - 1) await turn()
    clocks.enter(interval)
    const traits = findTraits(interval.deviceId)
    for (const [index, rule] of rules.entries()) {
      if (
        !clocks.countsState(index) ||
        !interval.areas.some((area) => ruleAreas[index]?.has(area)) ||
        !appliesToVehicle(rule, { vehicleType: interval.vehicleType, ...traits })
      )
        continue
      const silenceMs = clocks.silences[index] as number
      const from = findMinute(minutes, interval.at)
      const to = findMinute(minutes, Math.min(interval.until, interval.at + silenceMs))
      if (to > from)
        candidates.push({
          rule: index,
          vehicle: interval.vehicle,
          since: clocks.since(index),
          speed: NaN,
          from,
          to,
          interval,
        })
    }
  }
  return candidates
}
