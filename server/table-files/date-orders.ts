import { type DateOrder, dateOrders, readDate } from './read-time.ts'

/**
 * What the dates of one column say about their order: how many of them there are of each kind, and one of each. A kind is
 * a number of six bits: which orders cannot read the date (1 ymd, 2 mdy, 4 dmy), and which pairs of orders read different
 * days in it (8 ymd and mdy, 16 ymd and dmy, 32 mdy and dmy).
 */
export type DateEvidence = Record<number, { count: number; example: string }>

const pairs = [
  [0, 1, 8],
  [0, 2, 16],
  [1, 2, 32],
] as const
const unreadable = 7
const looksLikeDate = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/

const memo = new Map<string, number>()

/** The kind of a date's text; null for a text that is a date in no order. */
function kindOf(text: string): number | null {
  const known = memo.get(text)
  if (known !== undefined) return known
  if (!looksLikeDate.test(text)) return null
  const days = dateOrders.map((order) => readDate(text, order))
  let kind = 0
  for (const [at, day] of days.entries()) if (day === null) kind |= 1 << at
  for (const [a, b, bit] of pairs)
    if (days[a] !== null && days[b] !== null && days[a] !== days[b]) kind |= bit
  if (memo.size > 20_000) memo.clear()
  memo.set(text, kind)
  return (kind & unreadable) === unreadable ? null : kind
}

/** Counts one text of a column; true where it begins with a date. */
export function addEvidence(evidence: DateEvidence, text: string): boolean {
  const end = text.search(/[T ]/)
  const date = end < 0 ? text : text.slice(0, end)
  const kind = date.length < 6 || date.length > 10 ? null : kindOf(date)
  if (kind === null || (kind & unreadable) === unreadable) return false
  const known = evidence[kind]
  if (known) known.count++
  else evidence[kind] = { count: 1, example: date }
  return true
}

/** An order that the dates of a column settle, or the orders that remain and a date that they read differently. */
export type OrderFound = { order: DateOrder } | { orders: readonly DateOrder[]; example: string }

/**
 * The order of a column's dates, from all of them. Dates that no order reads count for nothing. Where no order reads all
 * of the others (a file put together from several), every order remains.
 */
export function orderFrom(evidence: DateEvidence): OrderFound {
  const kinds = Object.keys(evidence).map(Number)
  const fits = dateOrders.filter((_, at) => kinds.every((kind) => !(kind & (1 << at))))
  const remaining = fits.length ? fits : dateOrders
  const doubtful = kinds.find((kind) =>
    fits.length === 0
      ? kind & unreadable
      : pairs.some(
          ([a, b, bit]) => kind & bit && fits.includes(dateOrders[a]) && fits.includes(dateOrders[b]),
        ),
  )
  if (doubtful === undefined) return { order: remaining[0] ?? 'ymd' }
  return { orders: remaining, example: evidence[doubtful]?.example ?? '' }
}

/** Orders of the columns of a file by their dates; where those settle nothing by what a person answered, else year first. */
export function ordersOf(
  dates: Record<string, DateEvidence>,
  answered: DateOrder | null,
): (column: string) => DateOrder {
  return (column) => {
    const evidence = dates[column]
    const found = evidence && orderFrom(evidence)
    return found && 'order' in found ? found.order : (answered ?? 'ymd')
  }
}

/** The first of some columns of which nobody knows the order of dates. */
export function openOrder(
  dates: Record<string, DateEvidence>,
  columns: readonly string[],
  answered: DateOrder | null,
) {
  for (const column of columns) {
    const found = orderFrom(dates[column] ?? {})
    if ('orders' in found && !(answered && found.orders.includes(answered))) return { column, ...found }
  }
  return null
}
