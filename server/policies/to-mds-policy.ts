import { civilClock } from '#contract/civil-clock.ts'
import type { MdsPolicy } from '#contract/mds-policy.ts'
import { dayNumber } from '#contract/period.ts'
import { mdsRules } from '#contract/policy-types/mds-rules.ts'
import type { RuleScope } from '#contract/policy-types/policy-type.ts'
import { effectiveFrom, type Policy, type PolicyFields } from '#contract/policy.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'

const maxTextLength = 255

/** Converts a text to the format of MDS strings: one line, shortened if necessary. */
export const formatMdsText = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength - 1)}…` : line
}

/** The content of an MDS policy besides the fields of the policy. Times are in ms since 1970. */
interface Publication {
  geographies: RuleScope['geographies']
  /** All providers if empty. */
  providerIds: readonly string[]
  currency: string
  published: number
  start: number
  end: number | null
  /** Ids of the revisions that it supersedes. */
  previous: readonly string[]
}

/** Converts a policy to MDS 2.0 without empty fields: its schema rejects null (SOURCES.md, defect 9). */
export function toMdsPolicy(
  policy: Policy,
  { geographies, providerIds, currency, published, start, end, previous }: Publication,
): MdsPolicy {
  return {
    name: formatMdsText(policy.policy_name),
    mode_id: 'micromobility',
    policy_id: policy.policy_uuid,
    ...(providerIds.length ? { provider_ids: [...new Set(providerIds)] } : {}),
    description: formatMdsText(policy.description ?? ''),
    currency,
    start_date: start,
    ...(end === null ? {} : { end_date: end }),
    published_date: published,
    ...(previous.length ? { prev_policies: [...previous] } : {}),
    rules: mdsRules(policy, { geographies, currency }).map((rule) => ({
      ...rule,
      name: formatMdsText(rule.name),
    })),
  }
}

/**
 * Returns the time in which a policy is in force, ms since 1970: from midnight of its first day or the end of
 * the notice period, whichever is later, until midnight after its last day.
 */
export function getEffectivePeriod(
  { start_date: firstDay, end_date: lastDay }: Pick<PolicyFields, 'start_date' | 'end_date'>,
  published: Date,
  timezone: string,
): { start: number; end: number | null } {
  const start = effectiveFrom({ start_date: firstDay }, published.getTime(), timezone)
  const end = lastDay === null ? null : civilClock(timezone).instant(dayNumber(lastDay) + 1, 0).ms
  return { start, end: end === null ? null : Math.max(start, end) }
}

/** Returns an operator's fixed placeholder of a provider id, without which a policy may apply to all. */
export const makePlaceholderProviderId = (regionId: string, slug: string): string =>
  deriveUuid('operator', regionId, slug)
