import { type DateOrder, dateOrders, readDate } from './read-time.ts'

/**
 * The number of dates of a column and an example, by kind. A kind is a number of six bits: the orders in
 * which the date is invalid (1 ymd, 2 mdy, 4 dmy), and the pairs of orders that lead to different days
 * (8 ymd and mdy, 16 ymd and dmy, 32 mdy and dmy).
 */
export type DateEvidence = Record<number, { count: number; example: string }>

/** Pairs of indices of `dateOrders` with the bit of their kind. */
const orderPairs = [
  [0, 1, 8],
  [0, 2, 16],
  [1, 2, 32],
] as const
/** The kind of a date that no order can read: its three lowest bits are set. */
const unreadableBits = 7
const datePattern = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/

/** Caches the kind of texts, because a file has few different dates. */
const maxCachedTexts = 20_000
const kinds = new Map<string, number>()

/** Finds the kind of a date; null if the text is not a date in any order. */
function findKind(text: string): number | null {
  const cached = kinds.get(text)
  if (cached !== undefined) return cached
  if (!datePattern.test(text)) return null
  const days = dateOrders.map((order) => readDate(text, order))
  let kind = 0
  for (const [index, day] of days.entries()) if (day === null) kind |= 1 << index
  for (const [a, b, bit] of orderPairs)
    if (days[a] !== null && days[b] !== null && days[a] !== days[b]) kind |= bit
  if (kinds.size > maxCachedTexts) kinds.clear()
  kinds.set(text, kind)
  return (kind & unreadableBits) === unreadableBits ? null : kind
}

/** Adds a text of a column to its evidence. Returns whether it begins with a date. */
export function addEvidence(evidence: DateEvidence, text: string): boolean {
  const end = text.search(/[T ]/)
  const date = end < 0 ? text : text.slice(0, end)
  // The shortest date is 1/1/24, the longest 01/01/2024.
  const kind = date.length < 6 || date.length > 10 ? null : findKind(date)
  if (kind === null || (kind & unreadableBits) === unreadableBits) return false
  const dateCount = evidence[kind]
  if (dateCount) dateCount.count++
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
  const validOrders = dateOrders.filter((_, index) => foundKinds.every((kind) => !(kind & (1 << index))))
  const possibleOrders = validOrders.length ? validOrders : dateOrders
  const ambiguousKind = foundKinds.find((kind) =>
    validOrders.length === 0
      ? kind & unreadableBits
      : orderPairs.some(
          ([a, b, bit]) =>
            kind & bit && validOrders.includes(dateOrders[a]) && validOrders.includes(dateOrders[b]),
        ),
  )
  if (ambiguousKind === undefined) return { order: possibleOrders[0] ?? 'ymd' }
  return { orders: possibleOrders, example: evidence[ambiguousKind]?.example ?? '' }
}

/** Returns a function that finds the order of a column: of its dates if clear, else the chosen, else ymd. */
export function createOrderLookup(
  dates: Record<string, DateEvidence>,
  chosenOrder: DateOrder | null,
): (column: string) => DateOrder {
  return (column) => {
    const evidence = dates[column]
    const result = evidence && determineOrder(evidence)
    return result && 'order' in result ? result.order : (chosenOrder ?? 'ymd')
  }
}

/** Finds the first column with an ambiguous order of dates that the user did not choose; null without any. */
export function findAmbiguousColumn(
  dates: Record<string, DateEvidence>,
  columns: readonly string[],
  chosenOrder: DateOrder | null,
) {
  for (const column of columns) {
    const result = determineOrder(dates[column] ?? {})
    if ('orders' in result && !(chosenOrder && result.orders.includes(chosenOrder)))
      return { column, ...result }
  }
  return null
}
