import { useTranslation } from 'react-i18next'
import styles from './feeds.module.css'

/** Milliseconds since 1970 of the years that feeds tell of. */
const times = [Date.UTC(2015, 0), Date.UTC(2100, 0)] as const

/** The fields of some records, in the order in which they first come. */
export function fieldsOf(records: readonly unknown[]): string[] {
  const fields = new Set<string>()
  for (const record of records)
    for (const field of typeof record === 'object' && record !== null ? Object.keys(record) : ['value'])
      fields.add(field)
  return [...fields]
}

/** A field of a record as it was read, as text; times in UTC. What is not known is empty. */
export function cellText(record: unknown, field: string): string {
  const value: unknown =
    typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[field] : record
  if (value === null || value === undefined) return ''
  if (
    typeof value === 'number' &&
    /time|published|updated|received|reported/i.test(field) &&
    value >= times[0] &&
    value < times[1]
  )
    return new Date(value).toISOString().replace('.000Z', 'Z')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

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
