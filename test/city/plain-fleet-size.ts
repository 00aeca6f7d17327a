// Reference implementation of fleet sizes, by each minute, hour and second of each interval.
import { hourMs, minuteMs } from '#contract/period.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'
import { vehicleStates } from '#contract/vehicle-states.ts'

/** Times are milliseconds. */
export interface PlainInterval {
  operator: string
  from: number
  to: number
  state: VehicleState
}
interface FleetQuestion {
  from: number
  until: number
  timezone: string
  operatingFrom: string
  operatingUntil: string
  lostAfterHours: number
}

const listSpans = (
  intervals: readonly PlainInterval[],
  { from, until, lostAfterHours }: FleetQuestion,
): [number, number][] =>
  intervals
    .filter(({ state }) => vehicleStates[state].deployed)
    .map((interval): [number, number] => [
      Math.max(interval.from, from),
      Math.min(interval.to, interval.from + lostAfterHours * hourMs, until),
    ])
    .filter(([a, b]) => b > a)

const measureOverlap = (spans: readonly [number, number][], from: number, until: number): number =>
  spans.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, until) - Math.max(a, from)), 0)

const formats = new Map<string, Intl.DateTimeFormat>()
const clocksByMinute = new Map<string, { hour: string; time: string }>()

function getClock(ms: number, zone: string): { hour: string; time: string } {
  const key = `${zone} ${ms}`
  const cached = clocksByMinute.get(key)
  if (cached) return cached
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'shortOffset',
    })
  formats.set(zone, format)
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
  const clock = {
    hour: `${parts['year']}-${parts['month']}-${parts['day']} ${parts['hour']} ${parts['timeZoneName']}`,
    time: `${parts['hour']}:${parts['minute']}`,
  }
  clocksByMinute.set(key, clock)
  return clock
}

/** Returns the number of deployed vehicles of a span by one of the methods, counted minute by minute. */
export function plainFleetSize(
  method: 'avg' | 'max' | 'sae_max' | 'daytime_avg',
  intervals: readonly PlainInterval[],
  question: FleetQuestion,
): number {
  const spans = listSpans(intervals, question)
  const { from, until, timezone } = question
  if (method === 'avg') return measureOverlap(spans, from, until) / (until - from)
  let max = 0
  const hours = new Map<string, { vehicleMs: number; lengthMs: number }>()
  let [openVehicleMs, openMs] = [0, 0]
  // Ranges of the tests begin and end at full minutes.
  for (let time = from; time < until; time += minuteMs) {
    max = Math.max(max, spans.filter(([a, b]) => a <= time && time < b).length)
    const { hour, time: timeOfDay } = getClock(time, timezone)
    const overlapping = measureOverlap(spans, time, time + minuteMs)
    const sum = hours.get(hour) ?? { vehicleMs: 0, lengthMs: 0 }
    hours.set(hour, { vehicleMs: sum.vehicleMs + overlapping, lengthMs: sum.lengthMs + minuteMs })
    const isOpen =
      question.operatingUntil > question.operatingFrom
        ? timeOfDay >= question.operatingFrom && timeOfDay < question.operatingUntil
        : timeOfDay >= question.operatingFrom || timeOfDay < question.operatingUntil
    if (isOpen) [openVehicleMs, openMs] = [openVehicleMs + overlapping, openMs + minuteMs]
  }
  if (method === 'max') return max
  if (method === 'sae_max')
    return Math.max(0, ...[...hours.values()].map(({ vehicleMs, lengthMs }) => vehicleMs / lengthMs))
  return openMs ? openVehicleMs / openMs : 0
}
