import { useTranslation } from 'react-i18next'
import { cellText, fieldsOf } from './cell-text.ts'
import styles from './feeds.module.css'

/** The first records of a list, as they were read. */
export function RecordTable({ name, records }: { name: string; records: readonly unknown[] }) {
  const { t } = useTranslation()
  const fields = fieldsOf(records)
  const label = t('feeds:test.firstOf', { name })
  return (
    // A box that scrolls must be reachable by keyboard.
    <div className={styles['table']} tabIndex={0} role="region" aria-label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            {fields.map((field) => (
              <th key={field} scope="col">
                {field}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record, at) => (
            <tr key={at}>
              {fields.map((field) => (
                <td key={field} title={cellText(record, field)}>
                  {cellText(record, field)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
