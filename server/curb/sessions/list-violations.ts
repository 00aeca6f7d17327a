import { startOfDay, endOfDay } from '#contract/civil-clock.ts'
import type { CurbViolation } from '#contract/curb-sessions.ts'
import { type LocalDay } from '#contract/period.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { readAwayTimes } from './away-times.ts'
import { readStays } from './read-stays.ts'
import { findStayViolations } from './stay-rules.ts'

/** Sessions that are checked for one response. If there are more, the response is marked as incomplete. */
const maxSessions = 100_000

/** Lists stays over the maximum and too early returns that start in a period, newest first. */
export async function listCurbViolations(
  { state, facts }: { state: State; facts: Facts },
  index: CurbIndex,
  { scope, regionId, timezone }: { scope: Scope; regionId: string; timezone: string },
  { first, last, zoneId, at }: { first: LocalDay; last: LocalDay; zoneId: string | undefined; at: Date },
): Promise<{ items: CurbViolation[]; is_complete: boolean }> {
  const stays = await readStays(facts, scope, {
    regionId,
    from: startOfDay(first, timezone),
    until: endOfDay(last, timezone),
    zoneId,
    now: at.getTime(),
    limit: maxSessions,
  })
  const violations = findStayViolations(index, stays, await readAwayTimes(state.as(scope), index))
  return {
    is_complete: stays.length < maxSessions,
    items: violations.toReversed().map(({ kind, session, rule, limit, measuredMs, previousId }) => ({
      kind,
      session_id: session.sessionId,
      curb_zone_id: session.zoneId,
      start: new Date(session.start).toISOString(),
      end: session.isOpen ? null : new Date(session.end).toISOString(),
      vehicle_type: session.vehicleType,
      purpose: session.purpose,
      source: session.source,
      limit_minutes: limit,
      measured_seconds: Math.round(measuredMs / 1000),
      curb_policy_id: rule.policyId,
      rule: rule.rule,
      previous_session_id: previousId,
    })),
  }
}
