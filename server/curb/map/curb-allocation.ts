import { civilClock } from '#contract/civil-clock.ts'
import type { CurbState } from '#contract/curb-rules.ts'
import { createSpan, computeTimeline } from '../rules/timeline.ts'
import { type CurbView, getCalendar, getSummary, getLocalWeek } from './curb-week.ts'

const hoursPerWeek = 168
/** Offsets from UTC are multiples of 15 minutes, so hours of the clock begin and end at such steps. */
const stepMs = 15 * 60_000

type StateMeters = Partial<Record<CurbState, number>>

/** A span of time that belongs to one hour of the local week (0 to 167). */
interface HourSlot {
  from: number
  to: number
  hour: number
}

/** Sums meters of curb by state for each hour of the week of an instant, averaged over the hour. */
export function summarizeAllocation({ index, at, user }: CurbView): {
  from: number
  hours: StateMeters[]
  length_m: number
} {
  const { from, to } = getLocalWeek(index.timezone, at)
  const epoch = index.at(at)
  const span = createSpan(getCalendar(index), from, to)
  const slots = listHourSlots(index.timezone, from, to)
  // The length of each hour of the local week: 0 if the clock skips it, two hours if it shows it twice.
  const hours = Array.from({ length: hoursPerWeek }, () => ({ ms: 0, meterMs: new Map<CurbState, number>() }))
  for (const slot of slots) hours[slot.hour]!.ms += slot.to - slot.from
  const { sums, length_m } = getSummary(epoch)
  for (const [id, { lengthCm }] of sums) {
    const rules = epoch.ruleSets.get(id)?.rules
    if (!rules) continue
    let slotIndex = 0
    for (const moment of computeTimeline(rules, user, span))
      for (; slotIndex < slots.length; slotIndex++) {
        const slot = slots[slotIndex]!
        const overlap = Math.min(slot.to, moment.until) - Math.max(slot.from, moment.from)
        if (overlap > 0) {
          const { meterMs } = hours[slot.hour]!
          meterMs.set(moment.state, (meterMs.get(moment.state) ?? 0) + (overlap * lengthCm) / 100)
        }
        if (slot.to > moment.until) break
      }
  }
  const toMeters = ({ ms, meterMs }: (typeof hours)[number]): StateMeters =>
    Object.fromEntries([...meterMs].map(([state, sum]) => [state, Math.round((sum / ms) * 100) / 100]))
  return { from, hours: hours.map((hour) => (hour.ms ? toMeters(hour) : {})), length_m }
}

/** Cuts a local week into the hours that the clock shows. */
function listHourSlots(timezone: string, from: number, to: number): HourSlot[] {
  const clock = civilClock(timezone)
  const monday = clock.local(from).day
  const slots: HourSlot[] = []
  for (let start = from; start < to;) {
    const end = Math.min(to, start + stepMs)
    const local = clock.local(start)
    const hour = (local.day - monday) * 24 + local.hour
    const lastSlot = slots.at(-1)
    if (lastSlot?.hour === hour) lastSlot.to = end
    else slots.push({ from: start, to: end, hour })
    start = end
  }
  return slots
}
