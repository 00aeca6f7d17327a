import { Button, Text } from '@mantine/core'
import { IconCalendarDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { downloadSpatialByDay } from '#contract/spatial.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { downloadFile } from '#web/kit/download-file.ts'
import type { MapQuestion } from './map-question.ts'

interface Props {
  regionId: string
  question: MapQuestion
  fileName: string
}

/** The same question by local day, as a file. */
export function ByDayButton({ regionId, question, fileName }: Props) {
  const { t } = useTranslation()
  const download = useMutation<Uint8Array, ApiError, void>({
    mutationFn: () => call(downloadSpatialByDay, { params: { region_id: regionId }, body: question }),
    onSuccess: (bytes) => downloadFile(fileName, new TextDecoder().decode(bytes), 'text/csv'),
  })
  return (
    <>
      {download.error ? (
        <Text size="sm" c="red" role="alert">
          {download.error.message} {download.error.id ? t('kit:quote', { id: download.error.id }) : ''}
        </Text>
      ) : null}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconCalendarDown size={16} />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        {t('evaluation:results.byDay')}
      </Button>
    </>
  )
}
