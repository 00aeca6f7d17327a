import type { FoundPolicy } from '#contract/policy-import.ts'

/** Whether a policy can be imported: it has no fault, and is not there already. */
export const mayCome = ({ faults, is_known: known }: Pick<FoundPolicy, 'faults' | 'is_known'>): boolean => faults.length === 0 && !known
