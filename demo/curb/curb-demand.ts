import { dayMs } from '#contract/period.ts'
import { makeDailyWeather } from '../daily-weather.ts'
import { hashToShare, salts } from '../hash-numbers.ts'
import { computeSmoothNoise } from '../smooth-noise.ts'
import type { CurbPlace } from './curb-place.ts'

/** Share of occupied spaces by local hour on a street of average demand. */
const weekdayOccupancy = [
  0.22, 0.19, 0.18, 0.18, 0.18, 0.2, 0.26, 0.4, 0.58, 0.72, 0.8, 0.86, 0.92, 0.9, 0.84, 0.79, 0.77, 0.8, 0.85,
  0.78, 0.6, 0.42, 0.28, 0.2,
]
const saturdayOccupancy = [
  0.26, 0.22, 0.2, 0.19, 0.18, 0.19, 0.21, 0.28, 0.4, 0.55, 0.7, 0.82, 0.9, 0.93, 0.92, 0.89, 0.86, 0.87, 0.9,
  0.86, 0.72, 0.56, 0.4, 0.28,
]
const sundayOccupancy = [
  0.3, 0.26, 0.22, 0.2, 0.19, 0.18, 0.2, 0.24, 0.3, 0.4, 0.52, 0.62, 0.68, 0.69, 0.66, 0.62, 0.57, 0.54, 0.5,
  0.45, 0.38, 0.32, 0.27, 0.22,
]
/** Deliveries by local hour at a smart zone of average demand. */
const deliveriesByHour = [
  0.02, 0.02, 0.02, 0.03, 0.1, 0.35, 0.7, 1.05, 1.35, 1.6, 1.7, 1.55, 1.25, 1.3, 1.35, 1.2, 0.95, 0.7, 0.45,
  0.3, 0.2, 0.12, 0.08, 0.04,
]
/** Relative demand by month, January first. */
const factorByMonth = [0.92, 0.93, 0.97, 1, 1.02, 1.03, 1.02, 1.01, 1.01, 1.01, 1.03, 1.08]
/** Relative number of deliveries by weekday, Sunday first. */
const deliveriesByWeekday = [0.12, 0.95, 1.05, 1.05, 1.08, 1.12, 0.5]
/** Holidays with a fixed date in the United States, as month and day. */
export const holidays: readonly string[] = ['01-01', '06-19', '07-04', '11-11', '12-25']

/** The calendar of a local day. */
export interface CalendarDay {
  /** 0: Sunday. */
  weekday: number
  /** 0: January. */
  month: number
  isHoliday: boolean
  /** Whether meters and smart zones are in operation. */
  isPaid: boolean
}

/** Returns the weekday, month and holiday of a local day (days since 1970-01-01). */
export function getCalendarDay(day: number): CalendarDay {
  const date = new Date(day * dayMs)
  const weekday = date.getUTCDay()
  const isHoliday = holidays.includes(date.toISOString().slice(5, 10))
  return { weekday, month: date.getUTCMonth(), isHoliday, isPaid: weekday !== 0 && !isHoliday }
}

const getOccupancyByHour = ({ weekday, isHoliday }: CalendarDay): readonly number[] =>
  weekday === 0 || isHoliday ? sundayOccupancy : weekday === 6 ? saturdayOccupancy : weekdayOccupancy

/**
 * Returns the price per hour of a place at a minute of a local day, in minor
 * units; 0 if it has none. `timeMs` is any time of that day: it selects the rates in force.
 */
export function getRate(
  { rates }: Pick<CurbPlace, 'rates'>,
  { timeMs, weekday, minute }: { timeMs: number; weekday: number; minute: number },
): number {
  const current = rates.findLast(({ from }) => from <= timeMs) ?? rates[0]
  const band = current?.bands.find(
    ({ weekdays, opens, closes }) => weekdays.includes(weekday) && minute >= opens && minute < closes,
  )
  return band?.rate ?? 0
}

/** Start and end of street cleaning, in minutes of the local day. */
export const cleaningMinutes = [480, 600] as const
/** Returns whether streets are cleaned: on the first and third Tuesday of a month. */
export const isCleaningDay = (day: number): boolean => {
  const date = new Date(day * dayMs)
  return date.getUTCDay() === 2 && [1, 3].includes(Math.ceil(date.getUTCDate() / 7))
}

/** Computes the share of occupied spaces by half hour of a local day. Higher prices lower the demand. */
export function computeOccupancy(place: CurbPlace, seed: number, day: number): Float64Array {
  const calendarDay = getCalendarDay(day)
  const occupancyByHour = getOccupancyByHour(calendarDay)
  const { precipitation } = makeDailyWeather(seed, day)
  const factor =
    place.attraction *
    (factorByMonth[calendarDay.month] ?? 1) *
    (precipitation > 2 ? 0.95 : 1) *
    (1 + 0.05 * computeSmoothNoise(seed + salts.curbOccupancy, day / 1.9, place.block / 9))
  // Streets peak at different times: near offices in the morning (negative), near restaurants in the evening.
  const eveningSurplus = 0.16 * computeSmoothNoise(seed + salts.eveningPeak, place.block / 5, 0.5)
  const isCleaned = place.isCleaned && isCleaningDay(day)
  return Float64Array.from({ length: 48 }, (_, half) => {
    const hour = Math.floor(half / 2)
    const current = occupancyByHour[hour] ?? 0
    const next = occupancyByHour[(hour + 1) % 24] ?? 0
    const occupancy = half % 2 ? (current + next) / 2 : current
    // Changes linearly from 9:00 to 19:00: the surplus is subtracted before 14:00 and added after it.
    const peakFactor = 1 + eveningSurplus * Math.max(-1, Math.min(1, (half / 2 - 14) / 5))
    if (isCleaned && half >= cleaningMinutes[0] / 30 && half < cleaningMinutes[1] / 30) return 0.03
    return Math.max(
      0.03,
      Math.min(0.97, occupancy * factor * peakFactor * getPriceFactor(place, day, calendarDay, half)),
    )
  })
}

/** Returns the factor by which the price changes the demand in a half hour. */
function getPriceFactor(
  { response }: CurbPlace,
  day: number,
  { weekday, isPaid }: CalendarDay,
  half: number,
): number {
  if (!response || !isPaid || day < response.from) return 1
  return (weekday === 6 ? response.saturday : response.weekday)[half] ?? 1
}

/** Computes the deliveries of a day at a smart zone, by local hour. */
export function computeDeliveriesPerHour(place: CurbPlace, seed: number, day: number): Float64Array {
  const calendarDay = getCalendarDay(day)
  const factor =
    (calendarDay.isHoliday ? 0.15 : (deliveriesByWeekday[calendarDay.weekday] ?? 1)) *
    place.attraction ** 1.5 *
    // There are more parcels before the holidays.
    (calendarDay.month === 11 ? 1.3 : calendarDay.month === 10 ? 1.15 : 1) *
    (0.9 + 0.2 * hashToShare(seed + salts.deliveriesPerDay, place.number, day))
  return Float64Array.from(deliveriesByHour, (perHour) => perHour * factor)
}
