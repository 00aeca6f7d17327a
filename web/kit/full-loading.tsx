import { useTranslation } from 'react-i18next'
import { Mark } from './mark.tsx'

/** The dark logo above a spinner while the app loads; identical to the static markup in index.html. */
export function FullLoading() {
  const { t } = useTranslation()
  return (
    <div className="first-load" role="status" aria-label={t('kit:loading')}>
      <Mark size={48} isDark />
      <span className="spinner" />
    </div>
  )
}
