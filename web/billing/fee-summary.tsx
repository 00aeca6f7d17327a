import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { useRegion } from '#web/shell/region.tsx'

/** Fees of the region by month, operator and policy. */
export function FeeSummary() {
  const { t } = useTranslation()
  const { text } = useRegion()
  return <EmptyState title={t('billing:tabs.fees')}>{text}</EmptyState>
}
