import type { TFunction } from 'i18next'
import { type CurbInventory, curbFormats, curbFormatTexts } from '#contract/curb-imports.ts'
import { declareTexts } from '#web/i18n/start-i18n.ts'

// The texts of formats are declared with the formats, in the contract.
const textsIn = (language: 'en' | 'es') => {
  const textsFor = (field: 'name' | 'text') =>
    Object.fromEntries(curbFormats.map((format) => [format, curbFormatTexts[format][language][field]]))
  return { imports: { format: textsFor('name'), formatText: textsFor('text') } }
}
declareTexts('curb', { en: textsIn('en'), es: textsIn('es') })

type SourceKind = CurbInventory['kind']
export const formatSourceKind = (t: TFunction, kind: SourceKind): string => t(`curb:imports.format.${kind}`)
export const describeSourceKind = (t: TFunction, kind: SourceKind): string =>
  t(`curb:imports.formatText.${kind}`)
