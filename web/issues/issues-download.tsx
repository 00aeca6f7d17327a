import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { downloadIssues, type IssueSort } from '#contract/issues.ts'
import { call } from '#web/data/client.ts'
import { downloadFile } from '#web/kit/download-file.ts'
import type { IssuesQuestion } from './issues-question.ts'

interface Props {
  regionId: string
  question: IssuesQuestion
  sort: IssueSort | undefined
}

/** All issues of the question as a file, not only the page that is shown. */
export function IssuesDownload({ regionId, question, sort }: Props) {
  const { t } = useTranslation()
  const download = useMutation({
    mutationFn: async () => {
      const bytes = await call(downloadIssues, {
        params: { region_id: regionId },
        query: { ...question, ...(sort ? { order_by: sort } : {}) },
      })
      downloadFile(
        `issues_${regionId}_${question.start_date}_${question.end_date}.csv`,
        new Blob([bytes as Uint8Array<ArrayBuffer>]),
        'text/csv',
      )
    },
  })
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconDownload size={18} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t(download.isError ? 'issues:download.failed' : 'issues:download.label')}
    </Button>
  )
}
