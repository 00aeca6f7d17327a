import type { TFunction } from 'i18next'
import type { RegulationFinding } from '#contract/curb-regulations.ts'

/** What is wrong, in words; a kind without a text of its own by its name. */
export const findingText = (t: TFunction, { code, values }: RegulationFinding): string =>
  t(`curb:regulations.finding.${code}`, { ...values, defaultValue: code.replaceAll('_', ' ') })
