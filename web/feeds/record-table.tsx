import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatExactTime } from '#web/kit/format.ts'
import { TextTable } from '#web/kit/table/text-table.tsx'
import { useCityZone } from '#web/shell/use-city-zone.ts'

/** Numbers in this range, in fields with the name of a time, are shown as times (ms since 1970). */
const timeRange = [Date.UTC(2015, 0), Date.UTC(2100, 0)] as const
const timeFieldPattern = /time|published|updated|received|reported/i

/** Lists the fields of records, in the order of first occurrence; `value` for records that are not objects. */
export function listFields(records: readonly unknown[]): string[] {
  const fields = new Set<string>()
  for (const record of records)
    for (const field of typeof record === 'object' && record !== null ? Object.keys(record) : ['value'])
      fields.add(field)
  return [...fields]
}

/** Formats a field of a record. Times are in the given time zone, which is appended; unknown is empty. */
export function formatRecordField(record: unknown, field: string, timezone: string): string {
  const value: unknown =
    typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[field] : record
  if (value === null || value === undefined) return ''
  if (
    typeof value === 'number' &&
    timeFieldPattern.test(field) &&
    value >= timeRange[0] &&
    value < timeRange[1]
  )
    return formatExactTime(value, timezone)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The first records of a list, as they were read. */
export function RecordTable({ name, records }: { name: string; records: readonly unknown[] }) {
  const { t } = useTranslation()
  const timezone = useCityZone()
  const fields = listFields(records)
  return (
    <Box mt="xs">
      <TextTable
        label={t('feeds:test.firstOf', { name })}
        heads={fields}
        rows={records.map((record) =>
          fields.map((field) => ({ text: formatRecordField(record, field, timezone) })),
        )}
      />
    </Box>
  )
}
