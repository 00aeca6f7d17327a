import type { CurbUse } from '#contract/curb-rules.ts'
import { dayMs, localDay, minuteMs } from '#contract/period.ts'
import { toVerdict } from '../rules/rule-set.ts'
import { type Moment, createSpan, computeTimeline } from '../rules/timeline.ts'
import { getCalendar } from '../map/curb-week.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import type { AwayTime } from './away-times.ts'

/** A vehicle that stops at a zone, with the attributes on which rules depend. */
export interface Stay {
  zoneId: string
  vehicleType: string
  propulsion: readonly string[]
  purpose: string
  /** Milliseconds since 1970. */
  start: number
}

/** The rule under which a vehicle stopped at a zone. Limits are in minutes, null if there is none. */
export interface StayRule {
  use: CurbUse
  maxStay: number | null
  noReturn: number | null
  policyId: string
  rule: number
}

/** Uses of the curb by a stopped vehicle, the one that permits most first. */
const stayUses = ['parking', 'loading', 'unloading', 'stopping'] as const

/**
 * Returns the rule under which a vehicle stays: that of parking, or else of the first other use that is
 * allowed. Null if no rule allows a stay; then there is no limit that it could exceed.
 */
export const findStayRule = (index: CurbIndex, stay: Stay): StayRule | null => new StayRules(index).find(stay)

function toStayRule({ deciding }: Moment): StayRule | null {
  for (const use of stayUses) {
    const {
      answer,
      decided_by: decidedBy,
      max_stay: maxStay,
      no_return: noReturn,
    } = toVerdict(deciding[use], use)
    if (answer === 'allowed' && decidedBy)
      return { use, maxStay, noReturn, policyId: decidedBy.curb_policy_id, rule: decidedBy.rule }
  }
  return null
}

/** Finds the rules of many stays. Decisions of a UTC day are cached and shared by zones with equal rules. */
class StayRules {
  readonly #index: CurbIndex
  readonly #days = new Map<string, { until: number; rule: StayRule | null }[]>()

  constructor(index: CurbIndex) {
    this.#index = index
  }

  find({ zoneId, vehicleType, propulsion, purpose, start }: Stay): StayRule | null {
    const zoneRules = this.#index.at(start).ruleSetByZone.get(zoneId)
    if (!zoneRules?.policies.length) return null
    const from = Math.floor(start / dayMs) * dayMs
    const key = [zoneRules.id, from, vehicleType, purpose, ...propulsion].join('\n')
    let moments = this.#days.get(key)
    if (!moments) {
      const question = {
        ...getCalendar(this.#index),
        userClasses: [...(vehicleType ? [vehicleType] : []), ...propulsion],
        purposes: purpose ? [purpose] : [],
      }
      const span = createSpan(question, from, from + dayMs)
      moments = [...computeTimeline(zoneRules.rules, question, span)].map((moment) => ({
        until: moment.until,
        rule: toStayRule(moment),
      }))
      this.#days.set(key, moments)
    }
    return moments.find(({ until }) => start < until)?.rule ?? null
  }
}

/** A session to be checked for violations. Times are ms since 1970. An open session ends now. */
export interface CheckedSession extends Stay {
  sessionId: string
  /** Hashed identity; '' if unknown. */
  vehicle: string
  end: number
  isOpen: boolean
}

/** A stay that was too long, or a return that was too early. */
export interface StayViolation<Session extends CheckedSession = CheckedSession> {
  kind: 'max_stay' | 'no_return'
  session: Session
  rule: StayRule
  /** The maximum stay, or the minimum time away, in minutes. */
  limit: number
  /** How long the vehicle stayed or was away, ms. */
  measuredMs: number
  /** The previous session of the same vehicle at the zone, for early returns. */
  previousId: string | null
}

/** Returns the policy with the longest away time for a zone that was left at an instant, as a rule, if any. */
function findAwayRule(
  awayTimes: readonly AwayTime[],
  zoneId: string,
  leftMs: number,
  timezone: string,
): StayRule | null {
  const day = localDay(new Date(leftMs), timezone)
  let longest: AwayTime | null = null
  for (const awayTime of awayTimes) {
    const applies =
      awayTime.from <= leftMs &&
      (awayTime.to === null || leftMs < awayTime.to) &&
      (awayTime.firstDay === null || day >= awayTime.firstDay) &&
      (awayTime.lastDay === null || day <= awayTime.lastDay) &&
      (awayTime.zoneIds === null || awayTime.zoneIds.has(zoneId))
    if (applies && (!longest || awayTime.minutes > longest.minutes)) longest = awayTime
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

const getLongerAway = (a: StayRule | null, b: StayRule | null): StayRule | null =>
  (b?.noReturn ?? 0) > (a?.noReturn ?? 0) ? b : a

/** Finds stays that are too long and returns that are too early. `sessions` must be sorted by start. */
export function findStayViolations<Session extends CheckedSession>(
  index: CurbIndex,
  sessions: readonly Session[],
  awayTimes: readonly AwayTime[] = [],
): StayViolation<Session>[] {
  const violations: StayViolation<Session>[] = []
  const rules = new StayRules(index)
  const lastStays = new Map<string, { session: CheckedSession; rule: StayRule | null }>()
  for (const session of sessions) {
    const rule = rules.find(session)
    const stayedMs = session.end - session.start
    if (rule?.maxStay != null && stayedMs > rule.maxStay * minuteMs)
      violations.push({
        kind: 'max_stay',
        session,
        rule,
        limit: rule.maxStay,
        measuredMs: stayedMs,
        previousId: null,
      })
    if (!session.vehicle) continue
    const key = `${session.vehicle} ${session.zoneId}`
    const lastStay = lastStays.get(key)
    const awayMs = lastStay ? session.start - lastStay.session.end : 0
    // The required time away is that of the rule of the previous stay or of an away policy of the zone,
    // whichever is longer.
    const awayRule = lastStay
      ? getLongerAway(
          lastStay.rule,
          findAwayRule(awayTimes, session.zoneId, lastStay.session.end, index.timezone),
        )
      : null
    if (lastStay && awayRule?.noReturn != null && awayMs >= 0 && awayMs < awayRule.noReturn * minuteMs)
      violations.push({
        kind: 'no_return',
        session,
        rule: awayRule,
        limit: awayRule.noReturn,
        measuredMs: awayMs,
        previousId: lastStay.session.sessionId,
      })
    lastStays.set(key, { session, rule })
  }
  return violations
}
