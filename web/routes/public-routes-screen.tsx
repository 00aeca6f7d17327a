import { IconMapOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { PublicRegion } from '#contract/regions.ts'
import { getPublicRoutes } from '#contract/routes.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { LoadingMessage } from '#web/kit/loading-message.tsx'
import { PublicFrame } from '#web/shell/public-frame.tsx'
import { PublicPage } from '#web/shell/public-page.tsx'
import { PublicRoutesMap } from './public-routes-map.tsx'

/** The public page of a region's routes, without sign-in. */
export function PublicRoutesScreen() {
  const { t } = useTranslation()
  return (
    <PublicPage title={t('shell:pages.publicRoutes')}>
      {(region) => <PublicRoutes region={region} />}
    </PublicPage>
  )
}

/** The map, or a message if nothing is published. */
function PublicRoutes({ region }: { region: PublicRegion }) {
  const { t } = useTranslation()
  const { has_public_routes: isPublished, regionId } = region
  const { data, isLoading, error, refetch } = useEndpointQuery(
    getPublicRoutes,
    { params: { region_id: regionId } },
    { enabled: isPublished },
  )
  // The map was unpublished after the page was opened.
  const isGone = error?.status === 404
  return (
    <PublicFrame
      title={data ? t('routes:public.title', { region: region.text }) : t('shell:pages.publicRoutes')}
    >
      {data ? <PublicRoutesMap region={region} routes={data} /> : null}
      {isLoading ? <LoadingMessage isLoading /> : null}
      {!isPublished || isGone ? (
        <EmptyState order={1} title={t('routes:public.none.title')} icon={<IconMapOff />}>
          {t('routes:public.none.text')}
        </EmptyState>
      ) : null}
      {error && !isGone ? <FailedState error={error} onRetry={() => void refetch()} /> : null}
    </PublicFrame>
  )
}
