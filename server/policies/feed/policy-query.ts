/** The query parameters of the policies feed (MDS Policy). Times are in ms since 1970. */
export interface PoliciesFilter {
  start: number
  end: number | null
  policyId: string | null
  /** Only the time of the last change is requested. */
  onlyLastUpdated: boolean
  activeOnly: boolean
}

export const policyQuery = ['start_date', 'end_date', 'policy_id', 'last_updated', 'active_only'] as const
export type PolicyQuery = Partial<Record<(typeof policyQuery)[number], string | undefined>>

/** Whether a flag is set. Without a value it is. */
const isYes = (text: string | undefined): boolean => text !== undefined && !/^(false|0)$/i.test(text)
/** Parses ms since 1970. Returns null without a text, undefined if it is not valid. */
function parseTime(text: string | undefined): number | null | undefined {
  if (text === undefined) return null
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Parses the query; returns a message if it is invalid. A query by id also matches policies of the past. */
export function parsePolicyQuery(query: PolicyQuery, at: Date): PoliciesFilter | string {
  const start = parseTime(query.start_date)
  const end = parseTime(query.end_date)
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

/** A published revision, in force from its start until its end, or until it was superseded. */
export interface EffectiveRevision {
  policyId: string
  from: number
  /** Exclusive; null if it has no end. */
  until: number | null
}

/** Whether a revision is in force within the range and, if only active ones are requested, now. */
export function matchesFilter(
  { policyId, from, until }: EffectiveRevision,
  filter: PoliciesFilter,
  at: Date,
): boolean {
  if (filter.policyId !== null && filter.policyId !== policyId) return false
  if (filter.activeOnly && (from > at.getTime() || (until !== null && until <= at.getTime()))) return false
  // A revision that was superseded before it began is never in force.
  if (until !== null && until <= from) return false
  return (filter.end === null || from <= filter.end) && (until === null || until > filter.start)
}
