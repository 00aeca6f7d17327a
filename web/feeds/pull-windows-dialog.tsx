import { Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Feed,
  listPullWindows,
  pullWindowOrders,
  type PullWindowStatus,
  pullWindowStatuses,
} from '#contract/feeds.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { formatTimezone } from '#web/kit/format.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import type { TableState } from '#web/kit/table/table-state.ts'
import { sort as sortParam } from '#web/shell/search-params.ts'
import { HourGrid } from './hour-grid.tsx'
import { PullWindowTable } from './pull-window-table.tsx'

/** Number of hourly pull windows in the grid: two weeks. */
const gridSize = 336
const refreshMs = 5000
const toOrder = sortParam(pullWindowOrders, '-window_start')

interface PullWindowsDialogProps {
  feed: Feed
  timezone: string
  onClose: () => void
}

/** Shows which hours of a feed are done, waiting or failed. */
export function PullWindowsDialog({ feed, timezone, onClose }: PullWindowsDialogProps) {
  const { t } = useTranslation()
  const [filters, setFilters] = useState<{ stream?: string; status?: PullWindowStatus }>({})
  const { stream, status } = filters
  const [state, setState] = useState<TableState>({})
  const order = toOrder(state.sort)
  const params = { region_id: feed.regionId, feed_id: feed.feedId }
  const queryOptions = {
    staleTime: 0,
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  } as const
  const pullWindows = useEndpointQuery(
    listPullWindows,
    {
      params,
      query: {
        page: state.page ?? 1,
        size: state.size ?? 50,
        ...(order ? { order_by: order } : {}),
        ...(stream ? { stream } : {}),
        ...(status ? { status } : {}),
      },
    },
    queryOptions,
  )
  const streams = pullWindows.data?.streams ?? []
  const selectedStream = stream ?? streams[0]
  const grid = useEndpointQuery(
    listPullWindows,
    { params, query: { size: gridSize, stream: selectedStream ?? '' } },
    { ...queryOptions, enabled: selectedStream !== undefined },
  )
  const handleFilter = (changes: Partial<typeof filters>) => {
    setFilters({ ...filters, ...changes })
    setState({ ...state, page: undefined })
  }
  return (
    <Dialog size={1080} title={t('feeds:pullWindows.title', { name: feed.name })} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('feeds:pullWindows.text', { zone: formatTimezone(timezone) })}
        </Text>
        <FilterBar
          filters={[
            {
              kind: 'choice',
              key: 'stream',
              label: t('feeds:pullWindows.stream'),
              none: t('feeds:pullWindows.any'),
              options: streams.map((value) => ({ value, text: value })),
            },
            {
              kind: 'choice',
              key: 'status',
              label: t('feeds:pullWindows.status'),
              none: t('feeds:pullWindows.any'),
              options: pullWindowStatuses.map((value) => ({ value, text: t(`feeds:status.${value}`) })),
            },
          ]}
          state={filters}
          onChange={handleFilter}
          onType={handleFilter}
        />
        {selectedStream !== undefined && grid.data ? (
          <HourGrid stream={selectedStream} timezone={timezone} pullWindows={grid.data.items} />
        ) : null}
        <Loaded
          query={pullWindows}
          dim={false}
          isEmpty={(data) => data.total === 0}
          empty={
            <EmptyState title={t('feeds:pullWindows.empty.title')}>
              {t('feeds:pullWindows.empty.text')}
            </EmptyState>
          }
        >
          {(data) => (
            <PullWindowTable
              pullWindows={data.items}
              timezone={timezone}
              label={t('feeds:pullWindows.title', { name: feed.name })}
              total={data.total}
              state={state}
              onStateChange={(changes) => setState({ ...state, ...changes })}
            />
          )}
        </Loaded>
      </Stack>
    </Dialog>
  )
}
