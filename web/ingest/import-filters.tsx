import { Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ImportStatus } from '#contract/ingest.ts'
import { formatInteger } from '#web/kit/format.ts'
import { SearchField } from '#web/kit/search-field.tsx'
import styles from './ingest.module.css'
import { importSort, type TripFilesSearch } from './trip-files-search.ts'

interface Props {
  search: TripFilesSearch
  /** Imports that match, once that is known. */
  total: number | undefined
  /** `isTyping`: a step that Back does not undo. */
  onChange: (part: TripFilesSearch, isTyping?: boolean) => void
}

const orders = ['-created_time', 'created_time', 'file_name', '-file_name', '-bytes', '-rows_read'] as const

/** What the list of imports is filtered and sorted by, and how many match. */
export function ImportFilters({ search, total, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles['grid']}>
      <SearchField
        label={t('ingest:filter.search')}
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text || undefined }, true)}
      />
      <Select
        label={t('ingest:filter.status')}
        placeholder={t('ingest:filter.any')}
        clearable
        clearButtonProps={{ 'aria-label': t('ingest:filter.clearStatus') }}
        data={ImportStatus.options.map((value) => ({ value, label: t(`ingest:status.${value}`) }))}
        value={search.status ?? null}
        onChange={(value) => onChange({ status: ImportStatus.safeParse(value).data })}
      />
      <Select
        label={t('ingest:filter.sort')}
        allowDeselect={false}
        data={orders.map((value) => ({ value, label: t(`ingest:sort.${value}`) }))}
        value={search.sort ?? '-created_time'}
        onChange={(value) => onChange({ sort: importSort(value) })}
      />
      {total === undefined ? null : (
        <Text size="sm" c="dimmed" className="figures" pb={8} role="status">
          {t('ingest:files', { count: total, shown: formatInteger(total) })}
        </Text>
      )}
    </div>
  )
}
