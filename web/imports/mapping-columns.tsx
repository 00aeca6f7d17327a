import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TripColumn, TripMapping } from '#contract/imports.ts'
import styles from './imports.module.css'

/** The fields of a trip in the groups of the form. */
const columnGroups: readonly { key: string; columns: readonly TripColumn[] }[] = [
  { key: 'trip', columns: ['trip_id', 'vehicle_id', 'operator', 'vehicle_type'] },
  {
    key: 'start',
    columns: ['start_time', 'start_date', 'start_clock', 'start_lon', 'start_lat', 'start_station'],
  },
  { key: 'end', columns: ['end_time', 'end_date', 'end_clock', 'end_lon', 'end_lat', 'end_station'] },
  { key: 'measures', columns: ['distance', 'duration'] },
]

interface Props {
  header: readonly string[]
  columns: TripMapping['columns']
  onChange: (columns: TripMapping['columns']) => void
}

/** Selects for each field of a trip the column of the file. */
export function MappingColumns({ header, columns, onChange }: Props) {
  const { t } = useTranslation()
  const choose = (field: TripColumn, column: string | null) => {
    const { [field]: _, ...others } = columns
    onChange(column === null ? others : { ...others, [field]: column })
  }
  const choices = [...new Set(header)].filter((name) => name !== '')
  return columnGroups.map((group) => (
    <fieldset key={group.key} className={styles['group']}>
      <legend>{t(`imports:group.${group.key}`)}</legend>
      <div className={styles['grid']}>
        {group.columns.map((field) => (
          <Select
            key={field}
            label={t(`imports:column.${field}`)}
            placeholder={t('imports:mapping.noColumn')}
            data={choices}
            value={columns[field] ?? null}
            clearable
            searchable
            clearButtonProps={{
              'aria-label': t('imports:mapping.clear', { column: t(`imports:column.${field}`) }),
            }}
            onChange={(column) => choose(field, column)}
          />
        ))}
      </div>
    </fieldset>
  ))
}
