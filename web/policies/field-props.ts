import type { FaultField } from '#contract/policy-types/policy-type.ts'
import type { PolicyFields } from '#contract/policy.ts'

/** Props of all parts of the form. */
export interface FieldProps {
  draft: PolicyFields
  change: (changes: Partial<PolicyFields>) => void
  /** The error of a field; null if it is valid. */
  errorFor: (field: FaultField | 'operators' | 'messages' | 'end_date') => string | null
  /** Whether the policy type has a field. */
  offers: (field: string) => boolean
  /** ISO 4217 code. */
  currency: string
}
