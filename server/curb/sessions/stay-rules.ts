import type { CurbUse } from '#contract/curb-rules.ts'
import { localDay } from '#contract/period.ts'
import { verdictOf } from '../rules/rule-set.ts'
import { type Moment, spanOf, timeline } from '../rules/timeline.ts'
import { calendarOf } from '../map/curb-week.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import type { AwayTime } from './away-times.ts'

/** A vehicle that stops at a zone. */
export interface Stay {
  zoneId: string
  vehicleType: string
  propulsion: readonly string[]
  purpose: string
  /** Ms since 1970. */
  start: number
}

/** What a zone allowed a vehicle when it stopped; minutes, null without a limit. */
export interface StayRule {
  use: CurbUse
  maxStay: number | null
  noReturn: number | null
  policyId: string
  rule: number
}

/** What a vehicle can be doing that stays, the longest first. */
const stayUses = ['parking', 'loading', 'unloading', 'stopping'] as const

/**
 * The rule under which a vehicle stays: of parking, or of the first shorter use that is allowed. Null where no rule decides or none
 * allows a stay: the standard has no limit then.
 */
export const stayRule = (index: CurbIndex, stay: Stay): StayRule | null => new StayRules(index).ruleOf(stay)

function ruleAt({ deciding }: Moment): StayRule | null {
  for (const use of stayUses) {
    const { answer, decided_by: by, max_stay: maxStay, no_return: noReturn } = verdictOf(deciding[use], use)
    if (answer === 'allowed' && by)
      return { use, maxStay, noReturn, policyId: by.curb_policy_id, rule: by.rule }
  }
  return null
}

const daySpanMs = 86_400_000

/** Rules of many stays: zones with the same rules share the decisions of a day. */
class StayRules {
  readonly #index: CurbIndex
  readonly #days = new Map<string, { until: number; rule: StayRule | null }[]>()

  constructor(index: CurbIndex) {
    this.#index = index
  }

  ruleOf({ zoneId, vehicleType, propulsion, purpose, start }: Stay): StayRule | null {
    const zoneRules = this.#index.at(start).ruleSetOf.get(zoneId)
    if (!zoneRules?.policies.length) return null
    const from = Math.floor(start / daySpanMs) * daySpanMs
    const key = [zoneRules.id, from, vehicleType, purpose, ...propulsion].join('\n')
    let moments = this.#days.get(key)
    if (!moments) {
      const question = {
        ...calendarOf(this.#index),
        userClasses: [...(vehicleType ? [vehicleType] : []), ...propulsion],
        purposes: purpose ? [purpose] : [],
      }
      const span = spanOf(question, from, from + daySpanMs)
      moments = [...timeline(zoneRules.rules, question, span)].map((moment) => ({
        until: moment.until,
        rule: ruleAt(moment),
      }))
      this.#days.set(key, moments)
    }
    return moments.find(({ until }) => start < until)?.rule ?? null
  }
}

/** A session as violations are found in. Times are ms; an open session ends now. */
export interface CheckedSession extends Stay {
  sessionId: string
  /** Hash; '' is unknown. */
  vehicle: string
  end: number
  isOpen: boolean
}

export interface StayViolation<Session extends CheckedSession = CheckedSession> {
  kind: 'max_stay' | 'no_return'
  session: Session
  rule: StayRule
  /** What the rule allows, or how long the vehicle had to be away, minutes. */
  limit: number
  /** How long it stayed, or was away, ms. */
  measuredMs: number
  /** The session before, of the same vehicle. */
  previousId: string | null
}

const minuteMs = 60_000

/** What policies say about coming back to a zone that was left at an instant: the longest time away. */
function awayRule(
  times: readonly AwayTime[],
  zoneId: string,
  left: number,
  timezone: string,
): StayRule | null {
  const day = localDay(new Date(left), timezone)
  let longest: AwayTime | null = null
  for (const each of times) {
    const holds =
      each.from <= left &&
      (each.to === null || left < each.to) &&
      (each.firstDay === null || day >= each.firstDay) &&
      (each.lastDay === null || day <= each.lastDay) &&
      (each.zoneIds === null || each.zoneIds.has(zoneId))
    if (holds && (!longest || each.minutes > longest.minutes)) longest = each
  }
  return (
    longest && {
      use: 'parking',
      maxStay: null,
      noReturn: longest.minutes,
      policyId: longest.policyId,
      rule: 0,
    }
  )
}

const longerAway = (one: StayRule | null, other: StayRule | null): StayRule | null =>
  (other?.noReturn ?? 0) > (one?.noReturn ?? 0) ? other : one

/** Stays that are longer than allowed, and returns that are too early. `sessions` are in the order of their start. */
export function findStayViolations<Session extends CheckedSession>(
  index: CurbIndex,
  sessions: readonly Session[],
  awayTimes: readonly AwayTime[] = [],
): StayViolation<Session>[] {
  const found: StayViolation<Session>[] = []
  const rules = new StayRules(index)
  const lastOf = new Map<string, { session: CheckedSession; rule: StayRule | null }>()
  for (const session of sessions) {
    const rule = rules.ruleOf(session)
    const stayedMs = session.end - session.start
    if (rule?.maxStay != null && stayedMs > rule.maxStay * minuteMs)
      found.push({
        kind: 'max_stay',
        session,
        rule,
        limit: rule.maxStay,
        measuredMs: stayedMs,
        previousId: null,
      })
    if (!session.vehicle) continue
    const key = `${session.vehicle} ${session.zoneId}`
    const last = lastOf.get(key)
    const awayMs = last ? session.start - last.session.end : 0
    // The rule under which it left says how long it must be away, or a policy of its zone, whichever is longer.
    const away = last
      ? longerAway(last.rule, awayRule(awayTimes, session.zoneId, last.session.end, index.zone))
      : null
    if (last && away?.noReturn != null && awayMs >= 0 && awayMs < away.noReturn * minuteMs)
      found.push({
        kind: 'no_return',
        session,
        rule: away,
        limit: away.noReturn,
        measuredMs: awayMs,
        previousId: last.session.sessionId,
      })
    lastOf.set(key, { session, rule })
  }
  return found
}
