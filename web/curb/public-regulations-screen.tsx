import { Button } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { IconParking } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getPublicRegion } from '#contract/regions.ts'
import { newQueryClient, useAnswer } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { LoadingMessage } from '#web/kit/loading-message.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { NotFound } from '#web/shell/not-found.tsx'
import { PublicFrame } from '#web/shell/public-frame.tsx'

/** The curb regulations of a region for everybody, without sign-in. Outside of the frame of those who signed in, it keeps its answers itself. */
export function PublicRegulationsScreen() {
  const [client] = useState(newQueryClient)
  const { regionId = '' } = useParams({ strict: false })
  return <QueryClientProvider client={client}><PublicRegulations key={regionId} regionId={regionId} /></QueryClientProvider>
}

/** There is no way yet to publish any, which the page says. */
function PublicRegulations({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const region = useAnswer(getPublicRegion, { params: { region_id: regionId } })
  if (region.data)
    return (
      <PublicFrame title={region.data.text}>
        <ReadingPage>
          <PageHeader title={t('curb:publicRegulations.heading', { region: region.data.text })} />
          <EmptyState title={t('curb:publicRegulations.none')} icon={<IconParking />} action={<Button component={Link} to={`/${regionId}/public/policies`} variant="default">{t('curb:publicRegulations.policies')}</Button>}>
            {t('curb:publicRegulations.text')}
          </EmptyState>
        </ReadingPage>
      </PublicFrame>
    )
  return (
    <PublicFrame title={t('shell:pages.publicRegulations')}>
      {region.isLoading ? <LoadingMessage isLoading /> : null}
      {region.error?.status === 404 ? <NotFound /> : null}
      {region.error && region.error.status !== 404 ? <FailedState error={region.error} onRetry={() => void region.refetch()} /> : null}
    </PublicFrame>
  )
}
