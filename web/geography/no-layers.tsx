import { IconPolygon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'

/** What to do where a region has no layers. */
export function NoLayers({ mayEdit }: { mayEdit: boolean }) {
  const { t } = useTranslation()
  return (
    <EmptyState title={t('geography:empty.title')} icon={<IconPolygon />}>
      {t(mayEdit ? 'geography:empty.text' : 'geography:empty.ask')}
    </EmptyState>
  )
}
