import { Button } from '@mantine/core'
import { IconBarrierBlock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { isPageEnabled } from './features.ts'
import { pagePath, type PageKey, pageTitle } from './pages.ts'
import { useRegion } from './region.tsx'
import { SlideChanger } from './slide-changer.tsx'
import { useAccessContext } from './use-access-context.ts'

/** Placeholder of a page that is not implemented, with a link to an alternative. */
export function NotBuilt({ page, alternative }: { page: PageKey; alternative?: PageKey }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const access = useAccessContext()
  const isOffered = alternative !== undefined && access !== null && isPageEnabled(access, alternative)
  return (
    <ReadingPage>
      <PageHeader title={t(pageTitle(page))} actions={<SlideChanger page={page} />} />
      <EmptyState
        title={t('shell:notBuilt.title')}
        icon={<IconBarrierBlock />}
        action={
          isOffered ? (
            <Button component={Link} to={pagePath(regionId, alternative)} variant="default">
              {t(`shell:meanwhile.${alternative}`)}
            </Button>
          ) : null
        }
      >
        {t(`shell:notBuilt.${page}`)}
      </EmptyState>
    </ReadingPage>
  )
}
