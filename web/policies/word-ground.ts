import type { TFunction } from 'i18next'

/** What a policy is put in words with beside itself. */
export interface WordGround {
  t: TFunction
  language: string
  /** ISO code. */
  currency: string
  operatorName: (slug: string) => string
  /** Of a layer by its id; null while it is unknown. */
  layerName: (id: string) => string | null
  /** Where the policy holds, where that is known otherwise than by layer and shapes. */
  place?: string
}
