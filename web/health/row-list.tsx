import { Button, Group, Text, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { IconX } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type FeedStatus,
  healthRowOrders,
  type HealthRow,
  listHealthRows,
  listHealthSpans,
} from '#contract/health.ts'
import { type HealthFigureName, personalFigures, type plainFigures } from '#contract/health-figures.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Table } from '#web/kit/table/table.tsx'
import { DownloadButton } from '#web/kit/download-button.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import type { TableStateHandler } from '#web/kit/table/table-state.ts'
import { useFocusReturn } from '#web/kit/focus.ts'
import styles from './row-list.module.css'
import type { HealthSearch } from './health-search.ts'
import { getRowColumns } from './row-columns.tsx'

/** Formats a record as text: indented if it is JSON; unchanged otherwise, such as when it is cut off. */
export function formatRecord(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2)
  } catch {
    return raw
  }
}

interface Props {
  regionId: string
  timezone: string
  operator: string
  figure: HealthFigureName
  period: { start_date?: string; end_date?: string }
  feeds: readonly FeedStatus[]
  state: HealthSearch
  onStateChange: TableStateHandler
  onClose: () => void
  /** Whether to move the focus here: on a press, but not when the page opens with these rows. */
  takesFocus: boolean
}

/** A figure with rows that name vehicles or trips; such rows have an endpoint of their own. */
type PersonalFigure = (typeof personalFigures)[number]
const isPersonal = (figure: HealthFigureName): figure is PersonalFigure =>
  (personalFigures as readonly string[]).includes(figure)

/** The rows behind a figure, in pages, with a download of all of them. */
export function RowList({
  regionId,
  timezone,
  operator,
  figure,
  period,
  feeds,
  state,
  onStateChange,
  onClose,
  takesFocus,
}: Props) {
  const { t } = useTranslation()
  const [record, setRecord] = useState<HealthRow | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusReturn()
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  const { page = 1, size = 50, sort } = state
  const query = { ...period, operator, page, size, ...(sort ? { order_by: sort } : {}) }
  const queryOptions = { staleTime: 0, placeholderData: keepPreviousData }
  const isPersonalFigure = isPersonal(figure)
  const personalRows = useEndpointQuery(
    listHealthRows,
    { params: { region_id: regionId, figure: isPersonalFigure ? figure : 'agreement' }, query },
    { ...queryOptions, enabled: isPersonalFigure },
  )
  const plainRows = useEndpointQuery(
    listHealthSpans,
    {
      params: {
        region_id: regionId,
        figure: isPersonalFigure ? 'gaps' : (figure as (typeof plainFigures)[number]),
      },
      query,
    },
    { ...queryOptions, enabled: !isPersonalFigure },
  )
  const rows = isPersonalFigure ? personalRows : plainRows
  const columns = useMemo(
    () => getRowColumns({ t, figure, timezone, feeds, onRecord: setRecord }),
    [t, figure, timezone, feeds],
  )
  const title = t('health:rows.title', { name: t(`health:figures.${figure}.name`) })
  const csv = endpointUrl(isPersonalFigure ? listHealthRows : listHealthSpans, {
    params: { region_id: regionId, figure },
    query: { ...period, operator, format: 'csv' },
  } as never)
  return (
    <section aria-label={title} className={styles['rows']}>
      <Group justify="space-between" mb="sm" gap="sm">
        <div>
          <Title order={3} tabIndex={-1} ref={heading}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {t(`health:figures.${figure}.definition`)}
          </Text>
        </div>
        <Group gap="sm">
          <DownloadButton
            label={t('health:rows.csv')}
            size="xs"
            variant="default"
            formats={[{ fileName: `${figure}.csv`, href: csv }]}
          />
          <Button size="xs" variant="subtle" leftSection={<IconX size={16} />} onClick={onClose}>
            {t('health:rows.close')}
          </Button>
        </Group>
      </Group>
      <Loaded
        query={rows}
        isEmpty={(data) => data.total === 0 && data.items.length === 0}
        empty={<EmptyState title={t('health:rows.empty.title')}>{t('health:rows.empty.text')}</EmptyState>}
      >
        {(data) => (
          <Table
            key={figure}
            label={t(`health:figures.${figure}.name`)}
            rows={data.items}
            columns={columns}
            rowKey={(row) => `${row.operator} ${row.id} ${row.part} ${row.time}`}
            maxHeight={420}
            state={state}
            onStateChange={onStateChange}
            defaultSort="-time"
            server={{ total: data.total, sortKeys: healthRowOrders }}
          />
        )}
      </Loaded>
      {record ? (
        <Dialog title={t('health:rows.raw')} size={640} onClose={() => setRecord(null)}>
          <Text size="sm" mb="sm">
            {record.reason}
          </Text>
          <pre className={styles['raw']} tabIndex={0} role="region" aria-label={t('health:rows.raw')}>
            {formatRecord(record.raw ?? '')}
          </pre>
        </Dialog>
      ) : null}
    </section>
  )
}
