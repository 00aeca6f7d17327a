import type { LocalDay } from '#contract/period.ts'
import { type PageSize, pageSizes } from '#web/kit/table/table-state.ts'

/** Parses one value of the URL; undefined, which is not written, if it is absent, invalid or the default. */
export type Param<T> = (value: unknown) => T | undefined
type Params = Record<string, Param<unknown>>

/** The state that a declaration of parameters describes. */
type State<P extends Params> = { [K in keyof P]?: P[K] extends Param<infer T> ? T | undefined : never }
/** The state that a parser of `searchParams` returns. */
export type SearchOf<R extends (search: Record<string, unknown>) => object> = ReturnType<R>

/**
 * Declares the URL state of a screen, and returns its parser for `useSearchState`. The parser never fails;
 * unknown parameters and invalid values are dropped. `rules` are applied in order, for dependencies between
 * parameters.
 *
 * Names are in snake case, as in the API: `start_date`, `end_date`, `search`, `sort`, `page`, `size`.
 */
export const searchParams =
  <P extends Params>(params: P, ...rules: ((state: State<P>) => State<P>)[]) =>
  (search: Record<string, unknown>): State<P> => {
    const state = Object.fromEntries(
      Object.entries(params).map(([key, read]) => [key, read(search[key])]),
    ) as State<P>
    return dropUndefined(rules.reduce((current, rule) => rule(current), state))
  }

const dropUndefined = <S extends object>(state: S): S =>
  Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)) as S

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const slugPattern = /^[a-z0-9][a-z0-9_-]{0,59}$/

const toList = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}
/** Converts a value to a number; NaN if it is not one. Values of URLs written by hand may be texts. */
const toNumber = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
/** Converts a value to a text, empty if it is not one. The router parses a text of digits as a number. */
const toText = (value: unknown): string => {
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
}
const emptyToUndefined = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined)

/** A text without surrounding spaces, cut to `maxLength`. */
export const text =
  (maxLength = 200): Param<string> =>
  (value) =>
    toText(value).trim().slice(0, maxLength) || undefined
/** A text that matches a pattern. */
export const matching =
  (pattern: RegExp): Param<string> =>
  (value) =>
    pattern.test(toText(value)) ? toText(value) : undefined
export const uuid = matching(uuidPattern)
/** Slug of an operator. */
export const slug: Param<string> = (value) =>
  typeof value === 'string' && slugPattern.test(value) ? value : undefined

/** True, or absent. */
export const flag: Param<true> = (value) => (value === true ? true : undefined)

/** One of the options, except the default. */
export const enumParam =
  <const T extends string>(options: readonly T[], defaultOption?: NoInfer<T>): Param<T> =>
  (value) =>
    options.find((option) => option === value && option !== defaultOption)
/** Some of the options, in their order; also accepts a single value. */
export const enumListParam =
  <const T extends string>(options: readonly T[]): Param<T[]> =>
  (value) => {
    const list = toList(value)
    return emptyToUndefined(options.filter((option) => list.includes(option)))
  }
/** A sorted list of values without duplicates; also accepts a single value. */
export const listParam =
  <T extends string>(item: Param<T>): Param<T[]> =>
  (value) =>
    emptyToUndefined([...new Set(toList(value).flatMap((part) => item(part) ?? []))].toSorted())
export const slugs = listParam(slug)
/** A list that distinguishes an empty list (none) from an absent one (all). */
export const distinguishEmpty =
  <T>(list: Param<T[]>): Param<T[]> =>
  (value) =>
    value === undefined || value === null ? undefined : (list(value) ?? [])

/** A number within bounds, rounded to an integer. */
export const integer =
  (min: number, max: number): Param<number> =>
  (value) => {
    const rounded = typeof value === 'number' ? Math.round(value) : Number.NaN
    return rounded >= min && rounded <= max ? rounded : undefined
  }

/** A number within bounds, rounded to two decimals. */
export const decimal =
  (min: number, max: number): Param<number> =>
  (value) => {
    const rounded = typeof value === 'number' ? Math.round(value * 100) / 100 : Number.NaN
    return rounded >= min && rounded <= max ? rounded : undefined
  }

/** Sort key of a list, with a leading `-` for descending. */
export const sort = <Key extends string>(
  keys: readonly Key[],
  defaultSort: NoInfer<Key> | `-${NoInfer<Key>}`,
): Param<Key | `-${Key}`> =>
  enumParam<Key | `-${Key}`>(
    keys.flatMap((key) => [key, `-${key}` as const]),
    defaultSort,
  )
/** Page of a list; the first one is the default. */
export const page = integer(2, 100_000)

/** URL parameters of a table: sort, visible columns, page and rows per page. */
export const tableParams = {
  sort: matching(/^-?[\w:-]{1,80}$/),
  columns: listParam(matching(/^[\w:-]{1,80}$/)),
  page,
  size: ((value) => pageSizes.find((size) => size === value)) satisfies Param<PageSize>,
}

/** A day of the calendar, YYYY-MM-DD. */
export const day: Param<LocalDay> = (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined
  const time = Date.parse(value)
  // Days that do not exist, such as February 30, are parsed as others.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? value : undefined
}
/** Days of the week, Monday 1 to Sunday 7; all seven are the default. */
export const weekdays: Param<number[]> = (value) => {
  const days = new Set(toList(value).map(toNumber))
  const selected = [1, 2, 3, 4, 5, 6, 7].filter((day) => days.has(day))
  return selected.length === 7 ? undefined : emptyToUndefined(selected)
}
/** A range of hours from 0 to 24, end excluded; swapped ends are reordered, and 0 to 24 is the default. */
export const hours: Param<[from: number, to: number]> = (value) => {
  const [first = Number.NaN, second = Number.NaN] = toList(value).map(toNumber)
  const from = Math.min(first, second)
  const to = Math.max(first, second)
  const isRange = Number.isInteger(from) && Number.isInteger(to) && from >= 0 && to <= 24 && from < to
  return isRange && (from > 0 || to < 24) ? [from, to] : undefined
}
/** Longitude, latitude and zoom of a map, within the limits of Web Mercator tiles. */
export const view: Param<[lon: number, lat: number, zoom: number]> = (value) => {
  const [lon = Number.NaN, lat = Number.NaN, zoom = Number.NaN] = toList(value).map(toNumber)
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 85.05 && zoom >= 0 && zoom <= 22
    ? [lon, lat, zoom]
    : undefined
}

/** Rule: orders two days; a single day becomes a range of one day. */
export const orderDays =
  <A extends string, B extends string>(startKey: A, endKey: B) =>
  <S extends Partial<Record<A | B, LocalDay | undefined>>>(state: S): S => {
    const start = state[startKey] ?? state[endKey]
    const end = state[endKey] ?? state[startKey]
    if (start === undefined || end === undefined) return state
    return { ...state, [startKey]: start < end ? start : end, [endKey]: start < end ? end : start }
  }
