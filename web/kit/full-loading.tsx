import { useTranslation } from 'react-i18next'
import { Mark } from './mark.tsx'

/** While the application itself loads: the dark logo above a teal spinner of 40, as index.html shows them before any script runs. */
export function FullLoading() {
  const { t } = useTranslation()
  return (
    <div className="first-load" role="status" aria-label={t('kit:loading')}>
      <Mark size={48} isDark />
      <span className="spinner" />
    </div>
  )
}
