import type { MdsPolicy } from '#contract/mds-policy.ts'
import type { Policy } from '#contract/policy.ts'
import { mdsRules } from '#contract/policy-types/mds-rules.ts'
import type { RuleGround } from '#contract/policy-types/policy-type.ts'
import { mdsText } from './mds-text.ts'

/** What a published policy says beside its rules. Times in ms since 1970. */
export interface Publication {
  geographies: RuleGround['geographies']
  /** Empty: all. */
  providerIds: readonly string[]
  currency: string
  published: number
  start: number
  end: number | null
  /** The revisions that it takes the place of. */
  previous: readonly string[]
}

/** A policy as MDS 2.0 writes it. What has no value is left out: the official schema refuses null (SOURCES.md, defect 9). */
export function mdsPolicyOf(
  policy: Policy,
  { geographies, providerIds, currency, published, start, end, previous }: Publication,
): MdsPolicy {
  return {
    name: mdsText(policy.policy_name),
    mode_id: 'micromobility',
    policy_id: policy.policy_uuid,
    ...(providerIds.length ? { provider_ids: [...new Set(providerIds)] } : {}),
    description: mdsText(policy.description ?? ''),
    currency,
    start_date: start,
    ...(end === null ? {} : { end_date: end }),
    published_date: published,
    ...(previous.length ? { prev_policies: [...previous] } : {}),
    rules: mdsRules(policy, { geographies, currency }).map((rule) => ({ ...rule, name: mdsText(rule.name) })),
  }
}
