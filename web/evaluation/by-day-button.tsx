import { Button, Text } from '@mantine/core'
import { IconCalendarDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { useTranslation } from 'react-i18next'
import { askTripsByDaySpatial, type SpatialQuestion } from '#contract/evaluation.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { downloadFile } from '#web/kit/download-file.ts'

interface Props {
  question: z.input<typeof SpatialQuestion>
  fileName: string
}

/** The same question by local day, as a file. */
export function ByDayButton({ question, fileName }: Props) {
  const { t } = useTranslation()
  const download = useMutation<unknown, ApiError, void>({
    // Asked for CSV, the server answers the text of a file, whatever the endpoint's usual form is.
    mutationFn: () => call(askTripsByDaySpatial, { body: { ...question, format: 'csv' } }),
    onSuccess: (text) => downloadFile(fileName, String(text), 'text/csv'),
  })
  return (
    <>
      {download.error ? <Text size="sm" c="red" role="alert">{download.error.message} {download.error.id ? t('kit:quote', { id: download.error.id }) : ''}</Text> : null}
      <Button variant="subtle" size="compact-sm" leftSection={<IconCalendarDown size={16} />} loading={download.isPending} onClick={() => download.mutate()}>
        {t('evaluation:results.byDay')}
      </Button>
    </>
  )
}
