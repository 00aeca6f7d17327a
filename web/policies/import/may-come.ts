import type { FoundPolicy } from '#contract/policy-import.ts'

type Found = Pick<FoundPolicy, 'faults' | 'here'>

/** Whether a policy can be imported: it has no fault, and is not here as the feed says it already. */
export const mayCome = ({ faults, here }: Found): boolean =>
  faults.length === 0 && (here === null || here.is_changed)

/** Whether it comes in with all: what was changed here is overwritten one by one. */
export const comesWithAll = (policy: Found): boolean => mayCome(policy) && policy.here?.is_edited !== true
