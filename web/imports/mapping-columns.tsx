import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TripColumn, TripMapping } from '#contract/imports.ts'
import styles from './imports.module.css'

/** The fields of a trip in the groups of the form. */
const fieldGroups: readonly { key: string; fields: readonly TripColumn[] }[] = [
  { key: 'trip', fields: ['trip_id', 'vehicle_id', 'operator', 'vehicle_type'] },
  {
    key: 'start',
    fields: ['start_time', 'start_date', 'start_clock', 'start_lon', 'start_lat', 'start_station'],
  },
  { key: 'end', fields: ['end_time', 'end_date', 'end_clock', 'end_lon', 'end_lat', 'end_station'] },
  { key: 'measures', fields: ['distance', 'duration'] },
]

interface Props {
  /** The column names of the file. */
  header: readonly string[]
  /** The assigned column of the file by trip field. */
  columns: TripMapping['columns']
  onChange: (columns: TripMapping['columns']) => void
}

/** Form fields that assign a column of the file to each field of a trip. */
export function MappingColumns({ header, columns, onChange }: Props) {
  const { t } = useTranslation()
  const assignColumn = (field: TripColumn, fileColumn: string | null) => {
    const { [field]: _, ...otherColumns } = columns
    onChange(fileColumn === null ? otherColumns : { ...otherColumns, [field]: fileColumn })
  }
  const fileColumns = [...new Set(header)].filter((name) => name !== '')
  return fieldGroups.map((group) => (
    <fieldset key={group.key} className={styles['group']}>
      <legend>{t(`imports:group.${group.key}`)}</legend>
      <div className={styles['grid']}>
        {group.fields.map((field) => (
          <Select
            key={field}
            label={t(`imports:column.${field}`)}
            placeholder={t('imports:mapping.noColumn')}
            data={fileColumns}
            value={columns[field] ?? null}
            clearable
            searchable
            clearButtonProps={{
              'aria-label': t('imports:mapping.clear', { column: t(`imports:column.${field}`) }),
            }}
            onChange={(fileColumn) => assignColumn(field, fileColumn)}
          />
        ))}
      </div>
    </fieldset>
  ))
}
