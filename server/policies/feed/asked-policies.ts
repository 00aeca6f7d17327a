/** What may be asked of the policies feed (MDS Policy, query parameters), times in ms since 1970. */
export interface AskedPolicies {
  start: number
  end: number | null
  policyId: string | null
  /** Only when the feed changed last. */
  onlyLastUpdated: boolean
  activeOnly: boolean
}

export const policyQuery = ['start_date', 'end_date', 'policy_id', 'last_updated', 'active_only'] as const
export type PolicyQuery = Partial<Record<(typeof policyQuery)[number], string | undefined>>

const isYes = (text: string | undefined): boolean => text !== undefined && !/^(false|0)$/i.test(text)
const timeOf = (text: string | undefined): number | null | undefined =>
  text === undefined ? null : /^\d{1,15}$/.test(text) ? Number(text) : undefined

/** The query read; a text: what is wrong with it. A policy that is asked for by its id is found whenever it holds. */
export function askedPolicies(query: PolicyQuery, at: Date): AskedPolicies | string {
  const [start, end] = [timeOf(query.start_date), timeOf(query.end_date)]
  if (start === undefined) return 'start_date must be milliseconds since 1970.'
  if (end === undefined) return 'end_date must be milliseconds since 1970.'
  if (start !== null && end !== null && end < start) return 'end_date must not be before start_date.'
  const policyId = query.policy_id ?? null
  return {
    start: start ?? (policyId === null ? at.getTime() : 0),
    end,
    policyId,
    onlyLastUpdated: isYes(query.last_updated),
    activeOnly: isYes(query.active_only),
  }
}

/** A published revision with the time in which it holds: from its start until its end, or until another took its place. */
export interface Holding {
  policyId: string
  from: number
  /** Exclusive; null: without an end. */
  until: number | null
}

/** Whether a revision is asked for: its time overlaps with the asked range, and now where only active ones are. */
export function isAskedFor({ policyId, from, until }: Holding, asked: AskedPolicies, at: Date): boolean {
  if (asked.policyId !== null && asked.policyId !== policyId) return false
  if (asked.activeOnly && (from > at.getTime() || (until !== null && until <= at.getTime()))) return false
  // One whose place was taken before it began never holds.
  if (until !== null && until <= from) return false
  return (asked.end === null || from <= asked.end) && (until === null || until > asked.start)
}
