import type { CdsTimeSpan } from '#contract/cds.ts'
import { readHours } from './read-hours.ts'

/** An amount of money in minor units; null unless the text is one amount, such as `$1.50`, ` $.50` or `2`. */
export function readAmount(text: string): number | null {
  const match = /^\s*\$?\s*(\d{0,6})(?:\.(\d{1,4}))?\s*$/.exec(text)
  if (!match || (match[1] === '' && match[2] === undefined)) return null
  const minor = Number(`${match[1] || 0}.${match[2] ?? 0}`) * 100
  const rounded = Math.round(minor)
  return Math.abs(minor - rounded) < 1e-6 ? rounded : null
}

/** An amount per hour; null unless the text is one amount, alone or such as `$1.50/hr` or `1.50 per hour`. */
export const readHourlyRate = (text: string): number | null =>
  readAmount(text.replace(/\s*(\/|per|an)\s*h((ou)?r)?\.?\s*$/i, ''))

/** Minutes of a longest stay; null unless the text is one number of at most a day. */
export function readStay(text: string, unit: 'minute' | 'hour'): number | null {
  if (!/^\s*\d{1,5}(\.\d{1,4})?\s*$/.test(text)) return null
  const minutes = Number(text) * (unit === 'hour' ? 60 : 1)
  return Number.isInteger(minutes) && minutes > 0 && minutes <= 1440 ? minutes : null
}

/** What a text about a meter says. */
export interface RuleText {
  maxStayMinutes: number | null
  /** Minor units per hour. */
  ratePerHour: number | null
  spans: CdsTimeSpan[]
}

/** Words about payment that change nothing of the rule. */
const payment = /\((?:NFC|MOBILE PAY|SENSOR)\)|\bMSPM\b|\bPBP\b|\bPAY BY PHONE\b/gi

/**
 * A rule in words: `2 Hour Max $1.25 HR 8am-6pm Mon-Sat (NFC)`. Null unless every word of it is understood and it has a longest stay
 * or a rate.
 */
export function readRuleText(text: string): RuleText | null {
  let rest = text.replace(payment, ' ')
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest)
    if (match) rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`
    return match
  }
  const stay = take(
    /\b(\d{1,3}(?:\.\d+)?)[\s-]*(HOURS?|HRS?|MIN(?:UTE)?S?)[\s-]*(?:MAX(?:IMUM)?|LIMIT|PARKING(?: LIMIT)?)\b/i,
  )
  const rate = take(/\$\s*(\d{0,3}\.?\d{0,2})(?:\s*(?:\/|PER|AN)?\s*(HOUR|HR)\b)?/i)
  const maxStayMinutes = stay ? readStay(stay[1] ?? '', /^H/i.test(stay[2] ?? '') ? 'hour' : 'minute') : null
  const ratePerHour = rate ? readAmount(rate[1] ?? '') : null
  if ((!stay && !rate) || (stay && maxStayMinutes === null)) return null
  // An amount without a unit could be the price of the whole stay.
  if (rate && (ratePerHour === null || !rate[2])) return null
  const hours = rest.replace(/^[\s,-]+|[\s,-]+$/g, '')
  const spans = hours === '' ? [] : readHours(hours)
  return spans && { maxStayMinutes, ratePerHour, spans }
}
