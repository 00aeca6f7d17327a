import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconParking } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { PublicFrame } from '#web/shell/public-frame.tsx'
import { PublicPage } from '#web/shell/public-page.tsx'

/** The curb regulations of a region for everybody, without sign-in. None can be published yet, which the page says. */
export function PublicRegulationsScreen() {
  const { t } = useTranslation()
  return (
    <PublicPage title={t('shell:pages.publicRegulations')}>
      {({ regionId, text }) => (
        <PublicFrame title={text}>
          <ReadingPage>
            <PageHeader title={t('curb:publicRegulations.heading', { region: text })} />
            <EmptyState
              title={t('curb:publicRegulations.none')}
              icon={<IconParking />}
              action={
                <Button component={Link} to={`/${regionId}/public/policies`} variant="default">
                  {t('curb:publicRegulations.policies')}
                </Button>
              }
            >
              {t('curb:publicRegulations.text')}
            </EmptyState>
          </ReadingPage>
        </PublicFrame>
      )}
    </PublicPage>
  )
}
