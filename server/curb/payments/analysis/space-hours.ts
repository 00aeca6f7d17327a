import type { PaymentDimension, PaymentQuestion } from '#contract/curb-payments.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import {
  dayFromNumber,
  dayNumber,
  hourMs,
  hoursOfRange,
  type LocalDay,
  localDay,
  startOfMonth,
  getWeekday,
  addDays,
} from '#contract/period.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { hoursOfDay, HourFrame, type SlotTimes } from '../../occupancy/hour-frame.ts'
import { findCapacity, readCapacities, ZoneTerms } from '../../occupancy/zone-terms.ts'
import type { CapacityStep } from '../../occupancy/zone-sums.ts'
import type { CurbIndex } from '../../store/curb-index.ts'
import { listLocations } from '../locations.ts'

/** The zones at which payments are made, with their spaces. */
export interface PaidSpaces {
  index: CurbIndex
  /** Numbers of spaces by zone, each from an instant on. */
  capacities: ReadonlyMap<string, readonly CapacityStep[]>
  /** Later hours do not count, ms. */
  at: number
}

/** Reads which zones have paid spaces, and how many. */
export async function readPaidSpaces(
  state: State,
  scope: Scope,
  index: CurbIndex,
  at: Date,
): Promise<PaidSpaces> {
  const [locations, capacities] = await Promise.all([
    listLocations(state.as(scope), index.regionId),
    readCapacities(state, scope, index.regionId),
  ])
  const paidZones = new Set(locations.flatMap(({ curb_zone_id: id }) => id ?? []))
  return { index, capacities: new Map([...capacities].filter(([id]) => paidZones.has(id))), at: at.getTime() }
}

/** The paid hours of the zones in a month. */
interface PaidMonth {
  terms: ZoneTerms
  /** Day number of the first day. */
  first: number
  /** Paid seconds by hour of the month, by the paid times of a zone. */
  seconds: Map<SlotTimes, Uint16Array>
}
const paidMonths = new WeakMap<CurbIndex, Map<LocalDay, PaidMonth>>()

function computePaidMonth(index: CurbIndex, month: LocalDay, at: number): PaidMonth {
  const months = paidMonths.get(index) ?? new Map<LocalDay, PaidMonth>()
  paidMonths.set(index, months)
  const cached = months.get(month)
  if (cached) return cached
  const firstDay = dayNumber(month)
  const days: LocalDay[] = []
  for (let day = month; startOfMonth(day) === month; day = addDays(day, 1)) days.push(day)
  const frame = new HourFrame(days, index.timezone, at)
  const created: PaidMonth = {
    terms: new ZoneTerms(index, frame, new Map()),
    first: firstDay,
    seconds: new Map(),
  }
  // The current month is not cached, because its hours increase.
  if (at >= startOfDay(dayFromNumber(firstDay + days.length), index.timezone)) months.set(month, created)
  return created
}

/** Returns, by hour of a month, the seconds in which a zone's rules require payment; null if they never do. */
function getPaidSeconds({ terms, seconds }: PaidMonth, index: CurbIndex, zoneId: string): Uint16Array | null {
  const zone = index.findZone(zoneId)
  if (!zone) return null
  // Payments may be older than the inventory, so its first rules are also applied to earlier times.
  const { paid } = terms.getSlotTimes(zone, true)
  if (paid.isEmpty) return null
  let perHour = seconds.get(paid)
  if (!perHour) seconds.set(paid, (perHour = Uint16Array.from(paid.lengths, (ms) => Math.round(ms / 1000))))
  return perHour
}

/** Returns the key of a day and hour for a dimension of time. */
function makeTimeKey(dimension: PaymentDimension, day: LocalDay, hour: number): string {
  switch (dimension) {
    case 'day':
      return day
    case 'week':
      return addDays(day, 1 - getWeekday(day))
    case 'month':
      return startOfMonth(day)
    case 'day_of_week':
      return String(getWeekday(day))
    default:
      return String(hour)
  }
}

/** Space-hours by key, and the zones that have any. */
export interface SpaceHours {
  hours: ReadonlyMap<string, number>
  zones: readonly string[]
}

/**
 * Returns the space-hours by the keys of dimensions: the spaces of zones times the selected hours in which
 * their rules require payment. Vendors and payment types share the spaces, so they are not part of the keys.
 */
export function computePaidSpaceHours(
  { index, capacities, at }: PaidSpaces,
  question: Pick<PaymentQuestion, 'zones' | 'days' | 'hour_filters' | 'start_date' | 'end_date'>,
  dimensions: readonly PaymentDimension[],
): SpaceHours {
  const chosenZones = new Set(question.zones)
  const zones = [...capacities.keys()].filter((zone) => !chosenZones.size || chosenZones.has(zone))
  const hours = hoursOfRange(question.hour_filters)
  const spaceDimensions = dimensions.filter(
    (dimension) => dimension !== 'vendor' && dimension !== 'payment_type',
  )
  const isByHour = spaceDimensions.includes('hour_of_day')
  const isByZone = spaceDimensions.includes('zone')
  const sums = new Map<string, number>()
  const zonesWithHours = new Set<string>()
  const today = localDay(new Date(at), index.timezone)
  const lastDay = dayNumber(question.end_date < today ? question.end_date : today)
  for (let dayIndex = dayNumber(question.start_date); dayIndex <= lastDay; dayIndex++) {
    const day = dayFromNumber(dayIndex)
    if (question.days.length && !question.days.includes(getWeekday(day))) continue
    // The spaces of a day are those at noon.
    const noon = startOfDay(day, index.timezone) + 12 * hourMs
    const month = computePaidMonth(index, startOfMonth(day), at)
    const offset = (dayIndex - month.first) * hoursOfDay
    const add = (zone: string, hour: number, spaceSeconds: number): void => {
      const key = spaceDimensions
        .map((dimension) => (dimension === 'zone' ? zone : makeTimeKey(dimension, day, hour)))
        .join('\t')
      sums.set(key, (sums.get(key) ?? 0) + spaceSeconds / 3600)
    }
    /** Space-seconds by hour of the day, of the current zone or of all zones. */
    const spaceSecondsByHour = new Float64Array(hoursOfDay)
    const flush = (zone: string): void => {
      if (isByHour) for (const hour of hours) add(zone, hour, spaceSecondsByHour[hour]!)
      else
        add(
          zone,
          0,
          spaceSecondsByHour.reduce((sum, value) => sum + value, 0),
        )
      spaceSecondsByHour.fill(0)
    }
    for (const zone of zones) {
      const seconds = getPaidSeconds(month, index, zone)
      const spaces = seconds ? (findCapacity(capacities.get(zone) ?? [], noon)?.spaces ?? 0) : 0
      if (!seconds || !spaces) continue
      let sum = 0
      for (const hour of hours) {
        const spaceSeconds = seconds[offset + hour]! * spaces
        spaceSecondsByHour[hour]! += spaceSeconds
        sum += spaceSeconds
      }
      if (sum > 0) zonesWithHours.add(zone)
      if (isByZone) flush(zone)
    }
    if (!isByZone) flush('')
  }
  return { hours: sums, zones: [...zonesWithHours] }
}
