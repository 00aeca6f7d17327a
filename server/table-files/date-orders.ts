import { type DateOrder, dateOrders, readDate } from './read-time.ts'

/**
 * The number of dates of a column and an example, by kind. A kind is a number of six bits: the orders in
 * which the date is invalid (1 ymd, 2 mdy, 4 dmy), and the orderPairs of orders that lead to different days
 * (8 ymd and mdy, 16 ymd and dmy, 32 mdy and dmy).
 */
export type DateEvidence = Record<number, { count: number; example: string }>

/** Pairs of indices of `dateOrders` with the bit of their kind. */
const orderPairs = [
  [0, 1, 8],
  [0, 2, 16],
  [1, 2, 32],
] as const
/** The bits of a kind that mean that no order can read the date. */
const unreadable = 7
const looksLikeDate = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/

/** Caches the kind of texts, because a file has few different dates. */
const kinds = new Map<string, number>()

/** Finds the kind of a date; null if the text is not a date in any order. */
function findKind(text: string): number | null {
  const cached = kinds.get(text)
  if (cached !== undefined) return cached
  if (!looksLikeDate.test(text)) return null
  const days = dateOrders.map((order) => readDate(text, order))
  let kind = 0
  for (const [index, day] of days.entries()) if (day === null) kind |= 1 << index
  for (const [a, b, bit] of orderPairs)
    if (days[a] !== null && days[b] !== null && days[a] !== days[b]) kind |= bit
  if (kinds.size > 20_000) kinds.clear()
  kinds.set(text, kind)
  return (kind & unreadable) === unreadable ? null : kind
}

/** Adds a text of a column to its evidence. Returns whether it begins with a date. */
export function addEvidence(evidence: DateEvidence, text: string): boolean {
  const end = text.search(/[T ]/)
  const date = end < 0 ? text : text.slice(0, end)
  const kind = date.length < 6 || date.length > 10 ? null : findKind(date)
  if (kind === null || (kind & unreadable) === unreadable) return false
  const known = evidence[kind]
  if (known) known.count++
  else evidence[kind] = { count: 1, example: date }
  return true
}

/** The order of the dates of a column, or the possible orders and a date that they read differently. */
export type OrderResult = { order: DateOrder } | { orders: readonly DateOrder[]; example: string }

/**
 * Determines the order of the dates of a column from all of them, ignoring texts that are not dates in any
 * order. If no order reads all dates, as in a file that was combined from several, every order is possible.
 */
export function determineOrder(evidence: DateEvidence): OrderResult {
  const foundKinds = Object.keys(evidence).map(Number)
  const valid = dateOrders.filter((_, index) => foundKinds.every((kind) => !(kind & (1 << index))))
  const possible = valid.length ? valid : dateOrders
  const ambiguous = foundKinds.find((kind) =>
    valid.length === 0
      ? kind & unreadable
      : orderPairs.some(
          ([a, b, bit]) => kind & bit && valid.includes(dateOrders[a]) && valid.includes(dateOrders[b]),
        ),
  )
  if (ambiguous === undefined) return { order: possible[0] ?? 'ymd' }
  return { orders: possible, example: evidence[ambiguous]?.example ?? '' }
}

/**
 * Returns a function that finds the order of dates of a column: that of its dates if it is unambiguous, else
 * the order that the user chose, else year first.
 */
export function createOrderLookup(
  dates: Record<string, DateEvidence>,
  chosen: DateOrder | null,
): (column: string) => DateOrder {
  return (column) => {
    const evidence = dates[column]
    const result = evidence && determineOrder(evidence)
    return result && 'order' in result ? result.order : (chosen ?? 'ymd')
  }
}

/** Finds the first column with an ambiguous order of dates that the user did not choose; null without any. */
export function findAmbiguousColumn(
  dates: Record<string, DateEvidence>,
  columns: readonly string[],
  chosen: DateOrder | null,
) {
  for (const column of columns) {
    const result = determineOrder(dates[column] ?? {})
    if ('orders' in result && !(chosen && result.orders.includes(chosen))) return { column, ...result }
  }
  return null
}
