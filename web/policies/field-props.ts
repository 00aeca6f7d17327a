import type { FaultField } from '#contract/policy-types/policy-type.ts'
import type { PolicyFields } from '#contract/policy.ts'

/** What every part of the form is given. */
export interface FieldProps {
  draft: PolicyFields
  change: (part: Partial<PolicyFields>) => void
  /** The error of a field; null if it is valid. */
  faultOf: (field: FaultField | 'operators' | 'messages' | 'end_date') => string | null
  /** What the type offers. */
  offers: (field: string) => boolean
  /** ISO code. */
  currency: string
}
