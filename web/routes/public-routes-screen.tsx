import { QueryClientProvider } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { IconMapOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getPublicRegion } from '#contract/regions.ts'
import { getPublicRoutes } from '#contract/routes.ts'
import { newQueryClient, useAnswer } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { LoadingMessage } from '#web/kit/loading-message.tsx'
import { NotFound } from '#web/shell/not-found.tsx'
import { PublicFrame } from '#web/shell/public-frame.tsx'
import { PublicRoutesMap } from './public-routes-map.tsx'

/** The routes of a region for everybody, without sign-in. Outside of the frame of those who signed in, it keeps its answers itself. */
export function PublicRoutesScreen() {
  const [client] = useState(newQueryClient)
  return <QueryClientProvider client={client}><PublicRoutes /></QueryClientProvider>
}

/** The map; where nothing is published, that. */
function PublicRoutes() {
  const { t } = useTranslation()
  const { regionId = '' } = useParams({ strict: false })
  const about = useAnswer(getPublicRoutes, { params: { region_id: regionId } })
  const hasNoRoutes = about.error?.status === 404
  const region = useAnswer(getPublicRegion, { params: { region_id: regionId } }, { enabled: hasNoRoutes })
  if (about.data) return <PublicFrame title={t('routes:public.title', { region: about.data.text })}><PublicRoutesMap key={regionId} regionId={regionId} about={about.data} /></PublicFrame>
  return (
    <PublicFrame title={t('shell:pages.publicRoutes')}>
      {about.isLoading || region.isLoading ? <LoadingMessage isLoading /> : null}
      {region.error?.status === 404 ? <NotFound /> : null}
      {hasNoRoutes && region.data ? <EmptyState order={1} title={t('routes:public.none.title')} icon={<IconMapOff />}>{t('routes:public.none.text')}</EmptyState> : null}
      {about.error && about.error.status !== 404 ? <FailedState error={about.error} onRetry={() => void about.refetch()} /> : null}
    </PublicFrame>
  )
}
