import type { TFunction } from 'i18next'

/** What texts about a policy need besides the policy. */
export interface PolicyTextContext {
  t: TFunction
  language: string
  /** ISO code. */
  currency: string
  operatorName: (slug: string) => string
  /** Name of a layer by its id; null while it is unknown. */
  layerName: (id: string) => string | null
  /** Where the policy applies, if that does not follow from layer and shapes. */
  place?: string
}
