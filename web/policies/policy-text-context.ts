import type { TFunction } from 'i18next'

/** What texts about a policy depend on besides the policy. */
export interface PolicyTextContext {
  t: TFunction
  language: string
  /** ISO 4217 code. */
  currency: string
  operatorName: (slug: string) => string
  /** Name of a layer by its id; null while it is unknown. */
  layerName: (id: string) => string | null
  /** Text of where the policy applies, if it does not follow from layer and shapes. */
  place?: string
}
