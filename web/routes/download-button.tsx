import { Button } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { downloadRoutes, type RouteDirection, type RouteFormat } from '#contract/routes.ts'
import { call } from '#web/data/client.ts'
import { ActionMenu } from '#web/kit/action-menu.tsx'
import { downloadFile } from '#web/kit/download-file.ts'
import type { RoutesQuestion } from './routes-question.ts'

interface Props {
  regionId: string
  question: RoutesQuestion
  direction: RouteDirection
}

const formats: Readonly<Record<RouteFormat, string>> = {
  csv: 'text/csv',
  geojson: 'application/geo+json',
  json: 'application/json',
  zip: 'application/zip',
}

/** All segments of the question as a file. */
export function DownloadButton({ regionId, question, direction }: Props) {
  const { t } = useTranslation()
  const download = useMutation({
    mutationFn: async (format: RouteFormat) => {
      const bytes = await call(downloadRoutes, {
        params: { region_id: regionId },
        query: { ...question, direction, format },
      })
      downloadFile(
        `routes-${regionId}-${question.start_date}-${question.end_date}.${format}`,
        new Blob([bytes as Uint8Array<ArrayBuffer>]),
        formats[format],
      )
    },
  })
  return (
    <ActionMenu
      position="top-end"
      width={180}
      target={
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconDownload size={18} />}
          rightSection={<IconChevronDown size={16} />}
          loading={download.isPending}
        >
          {t(download.isError ? 'routes:download.failed' : 'routes:download.label')}
        </Button>
      }
      acts={(Object.keys(formats) as RouteFormat[]).map((format) => ({
        key: format,
        label: t(`routes:download.${format}`),
        onSelect: () => download.mutate(format),
      }))}
    />
  )
}
