import { IconBarrierBlock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'

/** A page that has its place but no content yet: says so, and what will be here. */
export function NotBuilt({ page }: { page: string }) {
  const { t } = useTranslation()
  return (
    <ReadingPage>
      <PageHeader title={t(`shell:pages.${page}`)} />
      <EmptyState title={t('shell:notBuilt.title')} icon={<IconBarrierBlock />}>
        {t(`shell:notBuilt.${page}`)}
      </EmptyState>
    </ReadingPage>
  )
}
