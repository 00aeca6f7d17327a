import type { TFunction } from 'i18next'
import { findPolicyType } from '#contract/policy-types/list.ts'

/** Formats the name of a policy type; for an unknown type, that it has imported rules. */
export const formatPolicyType = (t: TFunction, name: string): string =>
  findPolicyType(name) ? t(`policies:type.${name}`, { defaultValue: name }) : t('policies:type.unknown')
