import { IconBarrierBlock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { PublicFrame } from './public-frame.tsx'

/** A page for everybody, without sign-in, that has no content yet. */
export function PublicNotBuilt({ page }: { page: 'publicRegulations' }) {
  const { t } = useTranslation()
  return (
    <PublicFrame>
      <ReadingPage>
        <PageHeader title={t(`shell:pages.${page}`)} />
        <EmptyState title={t('shell:notBuilt.title')} icon={<IconBarrierBlock />}>{t(`shell:notBuilt.${page}`)}</EmptyState>
      </ReadingPage>
    </PublicFrame>
  )
}
