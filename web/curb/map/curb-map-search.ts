import { curbStates } from '#contract/curb-rules.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { dayFromNumber } from '#contract/period.ts'
import {
  enumListParam,
  flag,
  integer,
  matching,
  type SearchOf,
  searchParams,
  tableParams,
  text,
  view,
} from '#web/shell/search-params.ts'

/** URL parameters of the map of curb regulations. */
export const curbMapSearch = searchParams({
  /** Local date and time, YYYY-MM-DDTHH:MM; absent for now. */
  at: matching(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/),
  /** User class of CDS; absent for a car. */
  vehicle: matching(/^[\p{L}\d _-]{1,60}$/u),
  purpose: matching(/^[\p{L}\d _-]{1,60}$/u),
  /** Visible states; absent for all. */
  states: enumListParam(curbStates),
  /** Required length of stay, in minutes. */
  stay: integer(1, 100_000),
  /** Maximum price of the first hour, in minor units. */
  price: integer(0, 1_000_000),
  zone: text(200),
  search: text(),
  results: flag,
  ...tableParams,
  view,
})
export type CurbMapSearch = SearchOf<typeof curbMapSearch>

const dayMs = 86_400_000

/** Returns the instant (ms) of a local date and time such as `2026-03-08T12:30`; null if invalid. */
export function toInstant(local: string, timezone: string): number | null {
  const [day = '', time = ''] = local.split('T')
  const start = Date.parse(day)
  if (Number.isNaN(start)) return null
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return civilClock(timezone).instant(start / dayMs, hours * 3600 + minutes * 60).ms
}

/** Returns an instant (ms) as local date and time such as `2026-03-08T12:30`, for the URL. */
export function toLocalTime(ms: number, timezone: string): string {
  const { day, seconds } = civilClock(timezone).local(ms)
  const hours = String(Math.floor(seconds / 3600)).padStart(2, '0')
  const minutes = String(Math.floor(seconds / 60) % 60).padStart(2, '0')
  return `${dayFromNumber(day)}T${hours}:${minutes}`
}
