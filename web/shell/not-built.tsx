import { Button } from '@mantine/core'
import { IconBarrierBlock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { isOn } from './features.ts'
import { addressIn, type PageKey } from './pages.ts'
import { useRegion } from './region.tsx'
import { SlideChanger } from './slide-changer.tsx'
import { useStanding } from './use-standing.ts'

/** A page that has its place but no content yet: says so, what will be here, and what works until then. */
export function NotBuilt({ page, meanwhile }: { page: PageKey; meanwhile?: PageKey }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const standing = useStanding()
  const isOffered = meanwhile !== undefined && standing !== null && isOn(standing, meanwhile)
  return (
    <ReadingPage>
      <PageHeader title={t(`shell:pages.${page}`)} actions={<SlideChanger page={page} />} />
      <EmptyState
        title={t('shell:notBuilt.title')}
        icon={<IconBarrierBlock />}
        action={
          isOffered ? (
            <Button component={Link} to={addressIn(regionId, meanwhile)} variant="default">
              {t(`shell:meanwhile.${meanwhile}`)}
            </Button>
          ) : null
        }
      >
        {t(`shell:notBuilt.${page}`)}
      </EmptyState>
    </ReadingPage>
  )
}
