import type { CdsTimeSpan } from '#contract/cds.ts'
import { readHours } from './read-hours.ts'

/** Reads a single amount such as `$1.50`, ` $.50` or `2` in minor units; null for other texts. */
export function readAmount(text: string): number | null {
  const match = /^\s*\$?\s*(\d{0,6})(?:\.(\d{1,4}))?\s*$/.exec(text)
  if (!match || (match[1] === '' && match[2] === undefined)) return null
  const amount = Number(`${match[1] || 0}.${match[2] ?? 0}`) * 100
  // Tolerates the rounding errors of the multiplication, but no fractions of minor units.
  const rounded = Math.round(amount)
  return Math.abs(amount - rounded) < 1e-6 ? rounded : null
}

/** Reads an amount per hour, such as `1.50`, `$1.50/hr` or `1.50 per hour`. Null for other texts. */
export const readHourlyRate = (text: string): number | null =>
  readAmount(text.replace(/\s*(\/|per|an)\s*h((ou)?r)?\.?\s*$/i, ''))

/** Reads a maximum stay in minutes. Null unless the text is a single number of at most a day. */
export function readStay(text: string, unit: 'minute' | 'hour'): number | null {
  if (!/^\s*\d{1,5}(\.\d{1,4})?\s*$/.test(text)) return null
  const minutes = Number(text) * (unit === 'hour' ? 60 : 1)
  return Number.isInteger(minutes) && minutes > 0 && minutes <= 1440 ? minutes : null
}

/** The content of a text about a meter. */
export interface RuleText {
  maxStayMinutes: number | null
  /** Minor units per hour. */
  ratePerHour: number | null
  spans: CdsTimeSpan[]
}

/** Words about payment methods, which do not change the rule. */
const paymentWords = /\((?:NFC|MOBILE PAY|SENSOR)\)|\bMSPM\b|\bPBP\b|\bPAY BY PHONE\b/gi

/** Reads a rule such as `2 Hour Max $1.25 HR 8am-6pm Mon-Sat (NFC)`; null unless every word is clear. */
export function readRuleText(text: string): RuleText | null {
  let remaining = text.replace(paymentWords, ' ')
  /** Removes a match from the remaining text and returns it. */
  const extract = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(remaining)
    if (match)
      remaining = `${remaining.slice(0, match.index)} ${remaining.slice(match.index + match[0].length)}`
    return match
  }
  const stay = extract(
    /\b(\d{1,3}(?:\.\d+)?)[\s-]*(HOURS?|HRS?|MIN(?:UTE)?S?)[\s-]*(?:MAX(?:IMUM)?|LIMIT|PARKING(?: LIMIT)?)\b/i,
  )
  const rate = extract(/\$\s*(\d{0,3}\.?\d{0,2})(?:\s*(?:\/|PER|AN)?\s*(HOUR|HR)\b)?/i)
  const maxStayMinutes = stay ? readStay(stay[1] ?? '', /^H/i.test(stay[2] ?? '') ? 'hour' : 'minute') : null
  const ratePerHour = rate ? readAmount(rate[1] ?? '') : null
  if ((!stay && !rate) || (stay && maxStayMinutes === null)) return null
  // An amount without a unit could be the price of the whole stay.
  if (rate && (ratePerHour === null || !rate[2])) return null
  const hours = remaining.replace(/^[\s,-]+|[\s,-]+$/g, '')
  const spans = hours === '' ? [] : readHours(hours)
  return spans && { maxStayMinutes, ratePerHour, spans }
}
