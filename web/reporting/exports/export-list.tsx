import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { cancelExport, type Export, listExports, startExport } from '#contract/exports.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { column } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { isBeingWritten, useFileColumns } from './export-file-columns.tsx'

/** Polling interval while exports are queued or running, in ms. */
const pollingIntervalMs = 1000
/** Number of exports in the list. */
const listSize = 50

/** The user's exports with their progress and actions. */
export function ExportList() {
  const { t, i18n } = useTranslation()
  const { regionId, timezone } = useRegion()
  const params = { region_id: regionId }
  const exports = useEndpointQuery(
    listExports,
    { params, query: { size: listSize } },
    {
      staleTime: 0,
      refetchInterval: (query) => (query.state.data?.items.some(isBeingWritten) ? pollingIntervalMs : false),
    },
  )
  const cancel = useEndpointMutation(cancelExport, [listExports])
  const restart = useEndpointMutation(startExport, [listExports])
  const fileColumns = useFileColumns(timezone)
  const error = cancel.error ?? restart.error
  const actions = (row: Export) => (
    <Group gap="xs" wrap="nowrap">
      {row.url ? (
        <Button component="a" size="xs" href={row.url} download={row.file_name}>
          {t('exports:list.download')}
        </Button>
      ) : null}
      {isBeingWritten(row) ? (
        <Button
          size="xs"
          variant="default"
          loading={cancel.isPending && cancel.variables.params.export_id === row.export_id}
          onClick={() => cancel.mutate({ params: { ...params, export_id: row.export_id } })}
        >
          {t('exports:list.cancel')}
        </Button>
      ) : (
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            restart.mutate({
              params: { ...params, table: row.table },
              body: { ...row.question, format: row.format },
            })
          }
        >
          {t('exports:list.again')}
        </Button>
      )}
    </Group>
  )
  return (
    <>
      {error ? <FailedState error={error} /> : null}
      <Loaded
        query={exports}
        dim={false}
        isEmpty={({ items }) => items.length === 0}
        empty={<EmptyState title={t('exports:list.empty.title')}>{t('exports:list.empty.text')}</EmptyState>}
      >
        {({ items }) => (
          <Table<Export>
            label={t('exports:list.title')}
            rows={items}
            rowKey={(row) => row.export_id}
            hasTools={false}
            isWrapped
            columns={[
              column(
                'table',
                t('exports:table.label'),
                ({ table, format }) => `${t(`exports:table.${table}`)}, ${t(`exports:format.${format}`)}`,
                { width: 135 },
              ),
              column(
                'period',
                t('filters:period.label'),
                ({ question: { start_date, end_date } }) =>
                  start_date && end_date ? formatPeriod({ start_date, end_date }, i18n.language) : '',
                { width: 130 },
              ),
              ...fileColumns.filter(({ key }) => key !== 'created'),
              column('actions', t('kit:actions'), () => null, {
                isActions: true,
                width: 205,
                renderCell: actions,
              }),
            ]}
          />
        )}
      </Loaded>
    </>
  )
}
