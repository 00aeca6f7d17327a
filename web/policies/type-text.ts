import type { TFunction } from 'i18next'
import { policyTypeOf } from '#contract/policy-types/list.ts'

/** The name of a type as it is read; of one that nobody knows, that it has rules as they were imported. */
export const typeText = (t: TFunction, name: string): string =>
  policyTypeOf(name) ? t(`policies:type.${name}`, { defaultValue: name }) : t('policies:type.unknown')
