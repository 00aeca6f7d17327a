import { Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Feed,
  listPieces,
  pullWindowOrders,
  type PullWindowStatus,
  pullWindowStatuses,
} from '#contract/feeds.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { formatZone } from '#web/kit/format.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import type { TableState } from '#web/kit/table/table-state.ts'
import { sort as sortParam } from '#web/shell/search-params.ts'
import { HourGrid } from './hour-grid.tsx'
import { PieceTable } from './piece-table.tsx'

/** Two weeks of hours. */
const gridSize = 336
const refreshMs = 5000
const toOrder = sortParam(pullWindowOrders, '-piece')

/** Which hours of a feed are done, wait or failed. */
export function PiecesDialog({ feed, zone, onClose }: { feed: Feed; zone: string; onClose: () => void }) {
  const { t } = useTranslation()
  const [filters, setFilters] = useState<{ stream?: string; status?: PullWindowStatus }>({})
  const { stream, status } = filters
  const [state, setState] = useState<TableState>({})
  const order = toOrder(state.sort)
  const params = { region_id: feed.regionId, feed_id: feed.feedId }
  const fresh = { staleTime: 0, refetchInterval: refreshMs, placeholderData: keepPreviousData } as const
  const pieces = useEndpointQuery(
    listPieces,
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
    fresh,
  )
  const streams = pieces.data?.streams ?? []
  const seen = stream ?? streams[0]
  const grid = useEndpointQuery(
    listPieces,
    { params, query: { size: gridSize, stream: seen ?? '' } },
    { ...fresh, enabled: seen !== undefined },
  )
  const filter = (part: Partial<typeof filters>) => {
    setFilters({ ...filters, ...part })
    setState({ ...state, page: undefined })
  }
  return (
    <Dialog size={1080} title={t('feeds:pieces.title', { name: feed.name })} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('feeds:pieces.text', { zone: formatZone(zone) })}
        </Text>
        <FilterBar
          filters={[
            {
              kind: 'choice',
              key: 'stream',
              label: t('feeds:pieces.stream'),
              none: t('feeds:pieces.any'),
              options: streams.map((value) => ({ value, text: value })),
            },
            {
              kind: 'choice',
              key: 'status',
              label: t('feeds:pieces.status'),
              none: t('feeds:pieces.any'),
              options: pullWindowStatuses.map((value) => ({ value, text: t(`feeds:status.${value}`) })),
            },
          ]}
          state={filters}
          onChange={filter}
          onType={filter}
        />
        {seen !== undefined && grid.data ? (
          <HourGrid stream={seen} zone={zone} pieces={grid.data.items} />
        ) : null}
        <Loaded
          of={pieces}
          dim={false}
          isEmpty={(found) => found.total === 0}
          empty={
            <EmptyState title={t('feeds:pieces.empty.title')}>{t('feeds:pieces.empty.text')}</EmptyState>
          }
        >
          {(found) => (
            <PieceTable
              pieces={found.items}
              zone={zone}
              label={t('feeds:pieces.title', { name: feed.name })}
              total={found.total}
              state={state}
              onState={(part) => setState({ ...state, ...part })}
            />
          )}
        </Loaded>
      </Stack>
    </Dialog>
  )
}
