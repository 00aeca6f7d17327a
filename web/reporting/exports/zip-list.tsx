import { Button, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MonthlyZip } from '#contract/exports.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { Loaded, type QueryState } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { useRegion } from '#web/shell/region.tsx'
import { isBeingWritten, useFileColumns } from './export-file-columns.tsx'

/** The common part of all zips. */
type Zip = Omit<MonthlyZip, 'month' | 'version'>

/** Polling interval while zips are being built, in ms. */
const pollingIntervalMs = 2000

/** Query options that poll while zips are being built. */
export const followZips = {
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data: { items: Pick<Zip, 'status'>[] } | undefined } }) =>
    state.data?.items.some(isBeingWritten) ? pollingIntervalMs : (false as const),
}

interface Props<Row extends Zip> {
  texts: { title: string; text: string; emptyTitle: string; emptyText: string }
  zips: QueryState<{ items: Row[] }>
  /** Columns before those of the file. */
  columns: TableColumn<Row>[]
  /** Why a zip could not be requested. */
  error: ApiError | null
  /** Controls to request a zip. */
  controls: ReactNode
  canExpire: boolean
}

/** Zips of a region, with their status and downloads. */
export function ZipList<Row extends Zip>({ texts, zips, columns, error, controls, canExpire }: Props<Row>) {
  const { t } = useTranslation()
  const fileColumns = useFileColumns(useRegion().timezone)
  return (
    <section>
      <Title order={2} mt="xl" mb="sm">
        {texts.title}
      </Title>
      <Text mb="md">{texts.text}</Text>
      {error ? <FailedState error={error} /> : null}
      {controls}
      <Loaded
        query={zips}
        dim={false}
        isEmpty={({ items }) => items.length === 0}
        empty={<EmptyState title={texts.emptyTitle}>{texts.emptyText}</EmptyState>}
      >
        {({ items }) => (
          <Table<Row>
            label={texts.title}
            rows={items}
            rowKey={(row) => row.export_id}
            hasTools={false}
            isWrapped
            columns={[
              ...columns,
              ...fileColumns.filter(({ key }) => canExpire || key !== 'expires'),
              column('actions', t('kit:actions'), () => null, {
                isActions: true,
                width: 130,
                renderCell: ({ url, file_name: name }) =>
                  url ? (
                    <Button component="a" size="xs" href={url} download={name}>
                      {t('exports:list.download')}
                    </Button>
                  ) : null,
              }),
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}
