import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TripColumn, TripMapping } from '#contract/ingest.ts'
import { columnGroups } from './column-groups.ts'
import styles from './ingest.module.css'

interface Props {
  header: readonly string[]
  columns: TripMapping['columns']
  onChange: (columns: TripMapping['columns']) => void
}

/** For each meaning, the column of the file that has it. */
export function MappingColumns({ header, columns, onChange }: Props) {
  const { t } = useTranslation()
  const choose = (meaning: TripColumn, column: string | null) => {
    const { [meaning]: _, ...others } = columns
    onChange(column === null ? others : { ...others, [meaning]: column })
  }
  const choices = [...new Set(header)].filter((name) => name !== '')
  return columnGroups.map((group) => (
    <fieldset key={group.key} className={styles['group']}>
      <legend>{t(`ingest:group.${group.key}`)}</legend>
      <div className={styles['grid']}>
        {group.columns.map((meaning) => (
          <Select
            key={meaning}
            label={t(`ingest:column.${meaning}`)}
            placeholder={t('ingest:mapping.noColumn')}
            data={choices}
            value={columns[meaning] ?? null}
            clearable
            searchable
            clearButtonProps={{
              'aria-label': t('ingest:mapping.clear', { column: t(`ingest:column.${meaning}`) }),
            }}
            onChange={(column) => choose(meaning, column)}
          />
        ))}
      </div>
    </fieldset>
  ))
}
