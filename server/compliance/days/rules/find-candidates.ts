import { setImmediate as turn } from 'node:timers/promises'
import type { Candidate } from '../../decide-rules.ts'
import { DwellClocks } from '../../dwell-clocks.ts'
import { appliesToVehicle } from '../../vehicles-at.ts'
import type { DayMdsRule } from './day-mds-rules.ts'
import { type FullMinutes, minuteFrom } from './full-minutes.ts'
import type { VehicleInterval, Traits } from './interval.ts'

/** Intervals that are processed before other work gets a turn. */
const intervalsPerTurn = 4096

/** A vehicle that a rule counts from one minute to another. */
export interface MinuteCandidate extends Candidate {
  /** Number of the rule. */
  rule: number
  /** Numbers of minutes, half open. */
  from: number
  to: number
  interval: VehicleInterval
}

/** The input of the search. */
export interface CandidateInput {
  rules: readonly DayMdsRule[]
  /** The areas of each rule. */
  areasOf: readonly ReadonlySet<number>[]
  minutes: FullMinutes
  lostMs: number
  traitsOf: (deviceId: string) => Traits
}

/**
 * The candidates of all rules among an operator's vehicles, each with the time since when it qualifies: the dwell clock of the rules
 * (DwellClocks), continued from interval to interval.
 * @param intervals Vehicle by vehicle, each in order of time. Intervals in a state of no rule may be left out.
 */
export async function findCandidates(
  intervals: readonly VehicleInterval[],
  { rules, areasOf, minutes, lostMs, traitsOf }: CandidateInput,
): Promise<MinuteCandidate[]> {
  const clocks = new DwellClocks(rules, lostMs)
  const candidates: MinuteCandidate[] = []
  for (const [number, interval] of intervals.entries()) {
    if (number % intervalsPerTurn === intervalsPerTurn - 1) await turn()
    clocks.enter(interval)
    const traits = traitsOf(interval.deviceId)
    for (const [index, rule] of rules.entries()) {
      if (
        !clocks.countsState(index) ||
        !interval.areas.some((area) => areasOf[index]?.has(area)) ||
        !appliesToVehicle(rule, { vehicleType: interval.vehicleType, ...traits })
      )
        continue
      const [from, to] = [
        minuteFrom(minutes, interval.at),
        minuteFrom(minutes, Math.min(interval.until, interval.at + (clocks.silences[index] as number))),
      ]
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
