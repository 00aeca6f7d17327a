import { Group, Select, Stack, Text } from '@mantine/core'
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
import { Dialog } from '#web/kit/dialog.tsx'
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
export function PiecesDialog({ feed, onClose }: { feed: Feed; onClose: () => void }) {
  const { t } = useTranslation()
  const [stream, setStream] = useState<string | null>(null)
  const [status, setStatus] = useState<PullWindowStatus | null>(null)
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
  const choose =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setState({ ...state, page: undefined })
    }
  return (
    <Dialog size={1080} title={t('feeds:pieces.title', { name: feed.name })} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('feeds:pieces.text')}
        </Text>
        <Group gap="sm">
          <Select
            label={t('feeds:pieces.stream')}
            placeholder={t('feeds:pieces.any')}
            data={streams}
            value={stream}
            onChange={choose(setStream)}
            clearable
            clearButtonProps={{ 'aria-label': t('feeds:pieces.clearStream') }}
          />
          <Select
            label={t('feeds:pieces.status')}
            placeholder={t('feeds:pieces.any')}
            data={pullWindowStatuses.map((value) => ({ value, label: t(`feeds:status.${value}`) }))}
            value={status}
            clearable
            clearButtonProps={{ 'aria-label': t('feeds:pieces.clearStatus') }}
            onChange={choose((value: string | null) =>
              setStatus(pullWindowStatuses.find((each) => each === value) ?? null),
            )}
          />
        </Group>
        {seen !== undefined && grid.data ? <HourGrid stream={seen} pieces={grid.data.items} /> : null}
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
