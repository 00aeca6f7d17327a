import { useTranslation } from 'react-i18next'
import { Mark } from './mark.tsx'

/** While the application itself loads: as index.html shows it before any script runs. */
export function FullLoading() {
  const { t } = useTranslation()
  return (
    <div className="first-load" role="status" aria-label={t('kit:loading')}>
      <Mark size={48} />
      <span className="spinner" />
    </div>
  )
}
