import { Button, Group, Select } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Feed, listFeeds, pullFeed } from '#contract/feeds.ts'
import { listManagedOperators } from '#contract/managed-operators.ts'
import { getMdsStatus } from '#contract/health.ts'
import { listRegions, type Region } from '#contract/regions.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { rememberedRegion } from '#web/shell/browser-storage.ts'
import { searchParams, text } from '#web/shell/search-params.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { AdminPage } from '#web/shell/admin-page.tsx'
import type { FeedAction } from './feed-line.tsx'
import { type OpenedDialog, OpenDialog } from './open-dialog.tsx'
import { OperatorCard } from './operator-card.tsx'

/** URL parameters of the operators page: the region with the shown feeds. */
const operatorsSearch = searchParams({ region: text() })

const refreshMs = 5000
/** Polling interval of incidents, which change slowly. */
const incidentsRefreshMs = 60_000

/** Operators and feeds, region by region. */
export function OperatorsScreen() {
  const { t } = useTranslation()
  const { search, push: change } = useSearchState(operatorsSearch)
  const [open, setOpen] = useState<OpenedDialog | null>(null)
  const regions = useEndpointQuery(listRegions, { query: { size: 300 } })
  const allRegions = regions.data?.items ?? []
  const requestedId = search.region ?? rememberedRegion()
  const region = allRegions.find(({ regionId }) => regionId === requestedId) ?? allRegions[0]
  const operators = useEndpointQuery(listManagedOperators, {}, { staleTime: 0 })
  const { feeds, incidents } = useFeeds(region?.regionId)
  const pull = useEndpointMutation(pullFeed, [listFeeds])
  const addButton = (
    <Button
      leftSection={<IconPlus size={18} />}
      onClick={() => setOpen({ kind: 'operator', operator: null })}
    >
      {t('feeds:operator.add')}
    </Button>
  )
  const handleFeedAction = (action: FeedAction, feed: Feed) =>
    action === 'pull'
      ? pull.mutate({ params: { region_id: feed.regionId, feed_id: feed.feedId } })
      : setOpen({ kind: action, feed })
  const getFeeds = (operator: string | null): Feed[] =>
    (feeds.data ?? []).filter((feed) => feed.operator === operator)
  return (
    <AdminPage
      page="operators"
      context={t('feeds:context')}
      {...(region ? { timezone: region.timezone } : {})}
      actions={addButton}
    >
      <Loaded
        query={regions}
        isEmpty={(data) => data.items.length === 0}
        empty={<EmptyState title={t('feeds:noRegion.title')}>{t('feeds:noRegion.text')}</EmptyState>}
      >
        {() => (
          <>
            <RegionBar
              regions={allRegions}
              regionId={region?.regionId ?? null}
              onRegion={(regionId) => change({ region: regionId })}
              onMetrics={() => setOpen({ kind: 'metrics' })}
            />
            {pull.error ? <FailedState error={pull.error} title={t('feeds:failed.pull')} /> : null}
            {feeds.error ? (
              <FailedState
                error={feeds.error}
                title={t('feeds:failed.feeds')}
                onRetry={() => void feeds.refetch()}
              />
            ) : null}
            <Loaded
              query={operators}
              dim={false}
              isEmpty={(data) => data.length === 0}
              empty={
                <EmptyState title={t('feeds:empty.title')} action={addButton}>
                  {t('feeds:empty.text')}
                </EmptyState>
              }
            >
              {(data) =>
                data.map((operator) => (
                  <OperatorCard
                    key={operator.slug}
                    operator={operator}
                    feeds={getFeeds(operator.slug)}
                    timezone={region?.timezone ?? 'UTC'}
                    incidents={incidents}
                    onFeed={handleFeedAction}
                    onAddFeed={() => setOpen({ kind: 'addFeed', operator })}
                    onChange={() => setOpen({ kind: 'operator', operator })}
                    onRemove={() => setOpen({ kind: 'removeOperator', operator })}
                  />
                ))
              }
            </Loaded>
            {region ? (
              <OperatorCard
                operator={null}
                feeds={getFeeds(null)}
                timezone={region.timezone}
                incidents={incidents}
                onFeed={handleFeedAction}
                onAddFeed={() => setOpen({ kind: 'addFeed', operator: null })}
              />
            ) : null}
          </>
        )}
      </Loaded>
      {open && region ? (
        <OpenDialog
          open={open}
          regionId={region.regionId}
          timezone={region.timezone}
          operators={operators.data ?? []}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </AdminPage>
  )
}

/** Returns the feeds of a region, and their numbers of open incidents. */
function useFeeds(regionId: string | undefined) {
  const feeds = useEndpointQuery(
    listFeeds,
    { params: { region_id: regionId ?? '' } },
    { enabled: regionId !== undefined, staleTime: 0, refetchInterval: refreshMs },
  )
  const status = useEndpointQuery(
    getMdsStatus,
    { params: { region_id: regionId ?? '' } },
    { enabled: regionId !== undefined, refetchInterval: incidentsRefreshMs },
  )
  const incidents = new Map(
    (status.data?.items ?? []).map(({ feed_id, open_incidents }) => [feed_id, open_incidents]),
  )
  return { feeds, incidents }
}

interface RegionBarProps {
  regions: readonly Region[]
  regionId: string | null
  onRegion: (regionId: string) => void
  onMetrics: () => void
}

/** The choice of a region, and the access to metrics. */
function RegionBar({ regions, regionId, onRegion, onMetrics }: RegionBarProps) {
  const { t } = useTranslation()
  return (
    <Group align="flex-end" mb="md">
      <Select
        label={t('feeds:region')}
        maw={320}
        searchable
        allowDeselect={false}
        data={regions.map(({ regionId: value, text: label }) => ({ value, label }))}
        value={regionId}
        onChange={(value) => value && onRegion(value)}
      />
      <Button variant="default" leftSection={<IconKey size={18} />} onClick={onMetrics}>
        {t('feeds:metrics.open')}
      </Button>
    </Group>
  )
}
