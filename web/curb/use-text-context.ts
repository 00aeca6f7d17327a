import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRegion } from '#web/shell/region.tsx'
import type { TextContext } from './rule-text.ts'

/** Language, currency and time zone of texts about regulations. */
export function useTextContext(): TextContext {
  const { t, i18n } = useTranslation()
  const { currencyCode: currency, timezone } = useRegion()
  const { language } = i18n
  return useMemo(() => ({ t, language, currency, timezone }), [t, language, currency, timezone])
}
