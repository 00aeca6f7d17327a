import { makeDailyWeather } from '../daily-weather.ts'
import { hashNumbers } from '../hash-numbers.ts'
import { computeSmoothNoise } from '../smooth-noise.ts'
import type { CurbPlace } from './curb-place.ts'

const msPerDay = 86_400_000

/** Share of occupied spaces by local hour on a street of average demand. */
const weekdayHours = [
  0.22, 0.19, 0.18, 0.18, 0.18, 0.2, 0.26, 0.4, 0.58, 0.72, 0.8, 0.86, 0.92, 0.9, 0.84, 0.79, 0.77, 0.8, 0.85,
  0.78, 0.6, 0.42, 0.28, 0.2,
]
const saturdayHours = [
  0.26, 0.22, 0.2, 0.19, 0.18, 0.19, 0.21, 0.28, 0.4, 0.55, 0.7, 0.82, 0.9, 0.93, 0.92, 0.89, 0.86, 0.87, 0.9,
  0.86, 0.72, 0.56, 0.4, 0.28,
]
const sundayHours = [
  0.3, 0.26, 0.22, 0.2, 0.19, 0.18, 0.2, 0.24, 0.3, 0.4, 0.52, 0.62, 0.68, 0.69, 0.66, 0.62, 0.57, 0.54, 0.5,
  0.45, 0.38, 0.32, 0.27, 0.22,
]
/** Deliveries per hour at a smart zone of average demand. */
const deliveryHours = [
  0.02, 0.02, 0.02, 0.03, 0.1, 0.35, 0.7, 1.05, 1.35, 1.6, 1.7, 1.55, 1.25, 1.3, 1.35, 1.2, 0.95, 0.7, 0.45,
  0.3, 0.2, 0.12, 0.08, 0.04,
]
/** Relative demand by month, January first. */
const monthFactor = [0.92, 0.93, 0.97, 1, 1.02, 1.03, 1.02, 1.01, 1.01, 1.01, 1.03, 1.08]
/** Relative number of deliveries, Sunday first. */
const deliveryWeekday = [0.12, 0.95, 1.05, 1.05, 1.08, 1.12, 0.5]
const holidays = new Set(['01-01', '06-19', '07-04', '11-11', '12-25'])

export interface CurbDay {
  /** 0: Sunday. */
  weekday: number
  /** 0: January. */
  month: number
  isHoliday: boolean
  /** Whether meters and smart zones are in operation. */
  isPaid: boolean
}

/** Returns the weekday, month and holiday of a local day (days since 1970-01-01). */
export function getCurbDay(day: number): CurbDay {
  const date = new Date(day * msPerDay)
  const weekday = date.getUTCDay()
  const isHoliday = holidays.has(date.toISOString().slice(5, 10))
  return { weekday, month: date.getUTCMonth(), isHoliday, isPaid: weekday !== 0 && !isHoliday }
}

const getHourlyShares = ({ weekday, isHoliday }: CurbDay): readonly number[] =>
  weekday === 0 || isHoliday ? sundayHours : weekday === 6 ? saturdayHours : weekdayHours

/**
 * Returns the price per hour of a place at a minute of a local day, in minor
 * units; 0 if it has none. `timeMs` selects the rates in force.
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

/** Streets are cleaned on the first and third Tuesday of a month, from 8 to 10. */
export const cleaningMinutes = [480, 600] as const
export const isCleaningDay = (day: number): boolean => {
  const date = new Date(day * msPerDay)
  return date.getUTCDay() === 2 && [1, 3].includes(Math.ceil(date.getUTCDate() / 7))
}

/**
 * Computes the share of occupied spaces by half hour of a local day. Demand decreases where the price was
 * raised and increases where it was lowered.
 */
export function computeOccupancy(place: CurbPlace, seed: number, day: number): Float64Array {
  const dayKind = getCurbDay(day)
  const hours = getHourlyShares(dayKind)
  const { precipitation } = makeDailyWeather(seed, day)
  const factor =
    place.attraction *
    (monthFactor[dayKind.month] ?? 1) *
    (precipitation > 2 ? 0.95 : 1) *
    (1 + 0.05 * computeSmoothNoise(seed + 81, day / 1.9, place.block / 9))
  // Streets peak at different times: near offices in the morning, near restaurants in the evening. The tilt
  // changes occupancy linearly between 9:00 and 19:00, with no change at 14:00.
  const evening = 0.16 * computeSmoothNoise(seed + 82, place.block / 5, 0.5)
  const isCleaned = place.isCleaned && isCleaningDay(day)
  return Float64Array.from({ length: 48 }, (_, half) => {
    const hour = Math.floor(half / 2)
    const next = hours[(hour + 1) % 24] ?? 0
    const base = half % 2 ? ((hours[hour] ?? 0) + next) / 2 : (hours[hour] ?? 0)
    const tilt = 1 + evening * Math.max(-1, Math.min(1, (half / 2 - 14) / 5))
    if (isCleaned && half >= cleaningMinutes[0] / 30 && half < cleaningMinutes[1] / 30) return 0.03
    return Math.max(0.03, Math.min(0.97, base * factor * tilt * getPriceFactor(place, day, dayKind, half)))
  })
}

/** Returns the factor by which the price changes the demand in a half hour. */
function getPriceFactor(
  { response }: CurbPlace,
  day: number,
  { weekday, isPaid }: CurbDay,
  half: number,
): number {
  if (!response || !isPaid || day < response.from) return 1
  return (weekday === 6 ? response.saturday : response.weekday)[half] ?? 1
}

/** Computes the deliveries of a day at a smart zone, by local hour. */
export function computeDeliveriesPerHour(place: CurbPlace, seed: number, day: number): Float64Array {
  const dayKind = getCurbDay(day)
  const factor =
    (dayKind.isHoliday ? 0.15 : (deliveryWeekday[dayKind.weekday] ?? 1)) *
    place.attraction ** 1.5 *
    // There are more parcels before the holidays.
    (dayKind.month === 11 ? 1.3 : dayKind.month === 10 ? 1.15 : 1) *
    (0.9 + (0.2 * hashNumbers(seed + 83, place.number, day)) / 2 ** 32)
  return Float64Array.from(deliveryHours, (perHour) => perHour * factor)
}
