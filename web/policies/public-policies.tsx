import { Text, Title } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getPublicPolicies } from '#contract/public-policies.ts'
import type { PublicRegion } from '#contract/regions.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { LoadingMessage } from '#web/kit/loading-message.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { searchParams, uuid } from '#web/shell/search-params.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { PublicFrame } from '#web/shell/public-frame.tsx'
import { PublicDataLinks } from '#web/shell/public-data-links.tsx'
import { isPolicy, PublicPolicyList } from './public-policy-list.tsx'
import { PublicPolicyMap } from './public-policy-map.tsx'
import styles from './public.module.css'

/** Links to the machine-readable data; collapsed at first. */
function DataDetails({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  return (
    <details className={styles['data']}>
      <summary>{t('policies:public.data.title')}</summary>
      <PublicDataLinks regionId={regionId} />
    </details>
  )
}

/** The displayed policy, by the id of a revision or, in permanent links, by its constant id. */
const publicSearch = searchParams({ policy: uuid })

interface Props {
  region: PublicRegion
  /** The current time, in ms. */
  at: number
}

/** The published policies of a city in plain words, with their scope. */
export function PublicPolicies({ region, at }: Props) {
  const { t } = useTranslation()
  const { regionId } = region
  const { search, push } = useSearchState(publicSearch)
  const response = useEndpointQuery(getPublicPolicies, { params: { region_id: regionId } })
  const published = response.data
  // An unknown policy, such as an unpublished one, is ignored.
  const selectedId = published?.policies.some((policy) => isPolicy(policy, search.policy))
    ? search.policy!
    : null
  const shownGeographies = useMemo(() => {
    const { policies = [], geographies = [] } = published ?? {}
    // By default the map shows current and future policies; ended ones are shown on request. Policies of the entire
    // region are shown on request, too, if others have a smaller scope, which they would cover.
    const notEnded = policies.filter(({ effective_until: until }) => until === null || Date.parse(until) > at)
    const withScope = notEnded.filter(
      ({ is_region_wide: isWholeRegion, geography_ids: places }) => !isWholeRegion && places.length > 0,
    )
    const defaultPolicies = withScope.length > 0 ? withScope : notEnded
    const shownPolicies =
      selectedId === null ? defaultPolicies : policies.filter((policy) => isPolicy(policy, selectedId))
    const ids = new Set(shownPolicies.flatMap(({ geography_ids: places }) => places))
    return geographies.filter(({ geography_id: id }) => ids.has(id))
  }, [published, selectedId, at])
  const title = t('policies:public.heading', { region: region.text })
  if (!published || published.policies.length === 0)
    return (
      <PublicFrame title={title}>
        <ReadingPage>
          <LoadingMessage isLoading={response.isLoading} />
          {published ? (
            <EmptyState
              order={1}
              title={t('policies:public.none.title')}
              icon={<IconFileOff />}
              action={<DataDetails regionId={regionId} />}
            >
              {t('policies:public.none.in', { region: region.text })}
            </EmptyState>
          ) : null}
          {response.error ? (
            <FailedState error={response.error} onRetry={() => void response.refetch()} />
          ) : null}
        </ReadingPage>
      </PublicFrame>
    )
  return (
    <PublicFrame title={region.text}>
      <div className={styles['page']}>
        <section className={styles['list']} aria-label={t('policies:public.list')}>
          <Title order={1}>{title}</Title>
          <Text size="sm" c="dimmed">
            {t('policies:public.text')}{' '}
            {published.last_updated
              ? t('policies:public.updated', {
                  when: formatDateTime(published.last_updated, published.timezone),
                })
              : ''}
          </Text>
          <DataDetails regionId={regionId} />
          <PublicPolicyList
            published={published}
            at={at}
            selectedId={selectedId}
            onShow={(id) => push({ policy: id ?? undefined })}
          />
        </section>
        <div className={styles['map']}>
          <PublicPolicyMap region={region} geographies={shownGeographies} />
        </div>
      </div>
    </PublicFrame>
  )
}
