import { Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#web/data/api-error.ts'
import { downloadFile } from '#web/kit/download-file.ts'
import { formatWhole } from '#web/kit/format.ts'
import { toCsv } from '#web/kit/to-csv.ts'
import { auditColumns } from './audit-columns.tsx'
import type { auditAsk } from './audit-search.ts'
import { fetchAudit, mostRows } from './fetch-audit.ts'

interface Props {
  filters: ReturnType<typeof auditAsk>
  total: number
  today: string
}

/** All that the filters match as a file, not the shown page only; of very many the newest. */
export function AuditDownload({ filters, total, today }: Props) {
  const { t } = useTranslation()
  const download = useMutation<void, ApiError>({
    mutationFn: async () =>
      downloadFile(`audit-log-${today}.csv`, toCsv(await fetchAudit(filters), auditColumns(t)), 'text/csv'),
  })
  const note =
    total > mostRows
      ? t('users:audit.newest', { most: formatWhole(mostRows) })
      : t('users:audit.rows', { count: total, shown: formatWhole(total) })
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} />}
        loading={download.isPending}
        disabled={total === 0}
        onClick={() => download.mutate()}
      >
        {t('kit:downloadCsv')} ({note})
      </Button>
      {download.error ? (
        <Text role="alert" size="sm" c="var(--red)">
          {download.error.message}
        </Text>
      ) : null}
    </div>
  )
}
