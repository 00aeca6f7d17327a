import { type CdsTimeSpan, type CdsWeekday, cdsWeekdays } from '#contract/cds.ts'

/**
 * Reads hours in words, as on meters and signs: `8 AM - 10 PM MON - SAT`, `9AM-4PM & 6PM-10PM`, `8AM-6PM
 * EXCEPT SAT & SUN`, `2ND & 4TH THURSDAY 8AM-12NOON`. Returns the time spans, an empty list if the text means
 * at all times, or null if any part of the text is not certain.
 */
export function readHours(text: string): CdsTimeSpan[] | null {
  const tokens = tokenize(text)
  if (!tokens) return null
  const clauses = parseItems(tokens)
  return clauses && toTimeSpans(clauses)
}

type Token =
  | { is: 'time'; minutes: number; hasMeridiem: boolean }
  | { is: 'day'; day: number }
  | { is: 'days'; days: number[] }
  | { is: 'week'; week: number }
  | { is: 'dash' | 'and' | 'except' | 'always' }
  | { is: 'period'; period: string }

const dayNames =
  'SUN(?:DAY)?S?|MON(?:DAY)?S?|TUE(?:S(?:DAY)?)?S?|WED(?:NESDAY)?S?|THU(?:R(?:S(?:DAY)?)?)?S?|TH|FRI(?:DAY)?S?|SAT(?:URDAY)?S?'

/** Patterns of tokens in the order in which they are tried. */
const patterns: [RegExp, (match: RegExpExecArray) => Token | null][] = [
  [/^(?:24 ?(?:HOURS?|HRS?|\/7)|ANY ?TIME|AT ALL TIMES|ALL TIMES|ALL DAY)\b/, () => ({ is: 'always' })],
  [/^SCHOOL DAYS\b/, () => ({ is: 'period', period: 'school days' })],
  [/^(?:DURING )?SNOW EMERGENC(?:Y|IES)\b/, () => ({ is: 'period', period: 'snow emergency' })],
  [/^(?:EVERY ?DAY|DAILY|7 DAYS(?: A WEEK)?)\b/, () => ({ is: 'days', days: [0, 1, 2, 3, 4, 5, 6] })],
  [/^WEEKDAYS\b/, () => ({ is: 'days', days: [1, 2, 3, 4, 5] })],
  [/^WEEKENDS\b/, () => ({ is: 'days', days: [0, 6] })],
  [/^(?:12 ?NOON|NOON)\b/, () => ({ is: 'time', minutes: 720, hasMeridiem: true })],
  [/^(?:12 ?MIDNIGHT|MIDNIGHT)\b/, () => ({ is: 'time', minutes: 0, hasMeridiem: true })],
  [
    /^(\d{1,2})(?:ST|ND|RD|TH)\b/,
    ([, number]) =>
      Number(number) >= 1 && Number(number) <= 5 ? { is: 'week', week: Number(number) } : null,
  ],
  [/^(\d{1,2})(?::(\d\d)(?::00)?)? ?([AP])(?:\.?M\b\.?|\b)/, (match) => readMeridiemTime(match)],
  [/^(\d{1,2}):(\d\d)(?::00)?\b/, ([, hours, minutes]) => readClockTime(Number(hours), Number(minutes))],
  [new RegExp(`^(${dayNames})\\b\\.?`), ([, name]) => readDayToken(name ?? '')],
  // M is only Monday at the start of a range that ends with an unambiguous day.
  [/^M(?= ?- ?(?:FRI|SAT|SUN))/, () => ({ is: 'day', day: 1 })],
  [/^EXCEPT\b/, () => ({ is: 'except' })],
  [/^(?:-|THRU\b|THROUGH\b|TO\b)/, () => ({ is: 'dash' })],
  [/^(?:,|&|;|\/|\+|AND\b)/, () => ({ is: 'and' })],
]

function readDayToken(name: string): Token {
  const day = cdsWeekdays.findIndex((weekday) => name.startsWith(weekday.slice(0, 2).toUpperCase()))
  return { is: 'day', day }
}

function readMeridiemTime([, hours, minutes, half]: RegExpExecArray): Token | null {
  const hour = Number(hours)
  const minute = Number(minutes ?? 0)
  if (hour < 1 || hour > 12 || minute > 59) return null
  return { is: 'time', minutes: ((hour % 12) + (half === 'P' ? 12 : 0)) * 60 + minute, hasMeridiem: true }
}

const readClockTime = (hour: number, minute: number): Token | null =>
  hour <= 24 && minute <= 59 && hour * 60 + minute <= 1440
    ? { is: 'time', minutes: hour * 60 + minute, hasMeridiem: false }
    : null

/** Longer texts are not about hours. */
const maxTextLength = 300

/** Splits a text into tokens; null if any part of it is not one. */
function tokenize(text: string): Token[] | null {
  let remaining = text
    .toUpperCase()
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[.]+$/, '')
    .trim()
  if (remaining === '' || remaining.length > maxTextLength) return null
  const tokens: Token[] = []
  while (remaining !== '') {
    const firstToken = readFirstToken(remaining)
    if (!firstToken) return null
    tokens.push(firstToken.token)
    remaining = remaining.slice(firstToken.length).trimStart()
  }
  return tokens
}

function readFirstToken(text: string): { token: Token; length: number } | null {
  for (const [pattern, read] of patterns) {
    const match = pattern.exec(text)
    const token = match && read(match)
    if (token) return { token, length: match[0].length }
  }
  return null
}

/** A range of times or days, or another criterion of a text. Times are minutes after midnight; Sunday is 0. */
type Item =
  | { is: 'times'; from: number; until: number }
  | { is: 'days'; days: number[]; weeks: number[] }
  | { is: 'except'; days: number[] }
  | { is: 'always' }
  | { is: 'period'; period: string }

/** Combines tokens to ranges of times and days, in the order of the text. Null if they do not form ranges. */
function parseItems(tokens: readonly Token[]): Item[] | null {
  const items: Item[] = []
  let index = 0
  let weeks: number[] = []
  const peek = (ahead = 0): Token | undefined => tokens[index + ahead]
  while (index < tokens.length) {
    const token = peek() as Token
    if (token.is === 'time') {
      const end = peek(2)
      if (peek(1)?.is !== 'dash' || end?.is !== 'time' || end.hasMeridiem !== token.hasMeridiem) return null
      items.push({ is: 'times', from: token.minutes, until: end.minutes })
      index += 3
    } else if (token.is === 'day') {
      const end = peek(2)
      const isRange = peek(1)?.is === 'dash' && end?.is === 'day'
      items.push({ is: 'days', days: isRange ? listDayRange(token.day, end.day) : [token.day], weeks })
      weeks = []
      index += isRange ? 3 : 1
    } else if (token.is === 'days') {
      items.push({ is: 'days', days: token.days, weeks: [] })
      index++
    } else if (token.is === 'week') {
      weeks = [...weeks, token.week]
      index++
    } else if (token.is === 'except') {
      const days = listExceptedDays(tokens.slice(index + 1))
      if (!days) return null
      items.push({ is: 'except', days })
      index = tokens.length
    } else if (token.is === 'period') {
      items.push(token)
      index++
    } else if (token.is === 'always') {
      items.push({ is: 'always' })
      index++
    } else index++
  }
  return weeks.length || !items.length ? null : items
}

function listDayRange(from: number, until: number): number[] {
  const days: number[] = []
  for (let day = from; ; day = (day + 1) % 7) {
    days.push(day)
    if (day === until) return days
  }
}

/** Returns the days that follow `EXCEPT`. Null if anything else follows. */
function listExceptedDays(tokens: readonly Token[]): number[] | null {
  const days: number[] = []
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token
    const nextToken = tokens[index + 1]
    const end = tokens[index + 2]
    if (token.is === 'day' && nextToken?.is === 'dash' && end?.is === 'day') {
      days.push(...listDayRange(token.day, end.day))
      index += 2
    } else if (token.is === 'day') days.push(token.day)
    else if (token.is === 'days') days.push(...token.days)
    else if (token.is !== 'and') return null
  }
  return days.length ? days : null
}

/** Times on days, and the weeks of the month on which the days are; empty for all. */
interface Clause {
  days: number[]
  weeks: number[]
  times: { from: number; until: number }[]
}

/** Converts the items of a text to time spans. Null if they contradict each other or are ambiguous. */
function toTimeSpans(items: readonly Item[]): CdsTimeSpan[] | null {
  const [period, ...otherPeriods] = items.filter((item) => item.is === 'period')
  const [exception, ...otherExceptions] = items.filter((item) => item.is === 'except')
  const timesAndDays = items.filter((item) => item.is === 'times' || item.is === 'days')
  const isAlways = items.some((item) => item.is === 'always')
  if (otherPeriods.length || otherExceptions.length) return null
  if (isAlways && timesAndDays.some((item) => item.is === 'times')) return null
  const clauses = timesAndDays.length ? matchDays(timesAndDays) : [{ days: [], weeks: [], times: [] }]
  if (!clauses) return null
  const criteria = period ? { designated_period: period.period } : {}
  const spans: CdsTimeSpan[] = []
  for (const clause of clauses) {
    const days = exception
      ? (clause.days.length ? clause.days : everyDay).filter((day) => !exception.days.includes(day))
      : clause.days
    if (exception && !days.length) return null
    const base: CdsTimeSpan = {
      ...(days.length && days.length < 7 ? { days_of_week: toWeekdays(days) } : {}),
      ...(clause.weeks.length ? { weeks_of_month: clause.weeks } : {}),
      ...criteria,
    }
    if (!clause.times.length) spans.push(base)
    for (const times of clause.times) {
      const span = toTimesOfDay(times)
      if (!span) return null
      spans.push({ ...base, ...span })
    }
  }
  return spans.every((span) => Object.keys(span).length === 0) ? [] : spans
}

const everyDay = [0, 1, 2, 3, 4, 5, 6]

/** Returns weekday numbers as distinct CDS weekdays in order. */
export const toWeekdays = (days: readonly number[]): CdsWeekday[] =>
  [...new Set(days)].toSorted((a, b) => a - b).map((day) => cdsWeekdays[day] as CdsWeekday)

const formatClock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Returns a span with these times. An end at 00:00 is the end of the day. Null if the times are equal. */
export function toTimesOfDay({ from, until }: { from: number; until: number }): CdsTimeSpan | null {
  const end = until === 0 ? 1440 : until
  if (from === end) return null
  return from === 0 && end === 1440
    ? {}
    : { time_of_day_start: formatClock(from), time_of_day_end: formatClock(end) }
}

/** Assigns times to days: to the preceding ones if the text begins with days, else to the following ones. */
function matchDays(items: readonly (Item & { is: 'times' | 'days' })[]): Clause[] | null {
  const runs: (Item & { is: 'times' | 'days' })[][] = []
  for (const item of items) {
    const lastRun = runs.at(-1)
    if (lastRun?.[0]?.is === item.is) lastRun.push(item)
    else runs.push([item])
  }
  const hasDays = items.some((item) => item.is === 'days')
  if (!hasDays) return [toClause([], items)]
  const daysFirst = items[0]?.is === 'days'
  // Runs are paired, as in `8AM-4PM MON-FRI 8AM-6PM SAT`. With an odd number, one could belong to either of
  // its neighbors.
  if (runs.length % 2 === 1 && !(runs.length === 1 && daysFirst)) return splitLeftOver(runs)
  const clauses: Clause[] = []
  for (let index = 0; index < runs.length; index += 2) {
    const firstRun = runs[index] ?? []
    const second = runs[index + 1] ?? []
    clauses.push(daysFirst ? toClause(firstRun, second) : toClause(second, firstRun))
  }
  return clauses
}

/** In `8:30AM-6PM MON-FRI/SAT 8AM-6PM`, the last day goes with the times after it; the rest is ambiguous. */
function splitLeftOver(runs: readonly (Item & { is: 'times' | 'days' })[][]): Clause[] | null {
  const [first, middle, last] = runs
  if (runs.length !== 3 || first?.[0]?.is !== 'times' || !middle || !last || middle.length < 2) return null
  return [toClause(middle.slice(0, -1), first), toClause(middle.slice(-1), last)]
}

function toClause(days: readonly Item[], times: readonly Item[]): Clause {
  return {
    days: days.flatMap((item) => (item.is === 'days' ? item.days : [])),
    weeks: days.flatMap((item) => (item.is === 'days' ? item.weeks : [])),
    times: times.flatMap((item) => (item.is === 'times' ? [{ from: item.from, until: item.until }] : [])),
  }
}
