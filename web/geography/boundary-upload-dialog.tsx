import { Progress, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { boundaryBytesLimit, previewBoundaries, type BoundaryPreview } from '#contract/boundary-files.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { FileDrop } from '#web/kit/file-drop.tsx'
import { formatBytes } from '#web/kit/format.ts'
import { useRegion } from '#web/shell/region.tsx'
import { PreviewDialog } from './preview-dialog.tsx'

interface Props {
  /** A file that was dropped on the map; null to let the user choose one. */
  file: File | null
  onClose: () => void
  onCreated: (shapeLayerUuid: string) => void
}

/** Uploads a boundary file, shows a preview, and creates a layer from it. The preview replaces the dialog. */
export function BoundaryUploadDialog({ file: dropped, onClose, onCreated }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [sentShare, setSentShare] = useState(0)
  const [oversizedFile, setOversizedFile] = useState<File | null>(null)
  const sendFile = useMutation<BoundaryPreview, ApiError, File>({
    mutationFn: (file) =>
      call(
        previewBoundaries,
        { params: { region_id: regionId }, query: { file_name: file.name }, body: file },
        { onProgress: setSentShare },
      ),
  })
  const upload = (files: File[]) => {
    const file = files[0]
    if (!file) return
    setSentShare(0)
    setOversizedFile(file.size > boundaryBytesLimit ? file : null)
    sendFile.reset()
    if (file.size <= boundaryBytesLimit) sendFile.mutate(file)
  }
  const uploadDropped = useRef(upload)
  useEffect(() => {
    if (dropped) uploadDropped.current([dropped])
  }, [dropped])
  if (sendFile.data) return <PreviewDialog preview={sendFile.data} onClose={onClose} onCreated={onCreated} />
  return (
    <Dialog title={t('geography:import')} size={560} onClose={onClose}>
      <Stack gap="sm">
        <FileDrop
          title={t('geography:drop.title')}
          button={t('geography:drop.button')}
          accept=".geojson,.json,.zip,.kml,.kmz,.gpkg,application/geo+json"
          isDisabled={sendFile.isPending}
          onFiles={upload}
        >
          {t('geography:drop.text')}
        </FileDrop>
        {sendFile.isPending ? (
          <Progress
            value={100 * sentShare}
            animated={sentShare === 1}
            aria-label={t(sentShare < 1 ? 'geography:drop.sending' : 'geography:drop.reading')}
          />
        ) : null}
        {oversizedFile ? (
          <FailedState
            error={{
              message: t('geography:drop.tooLarge', {
                size: formatBytes(oversizedFile.size),
                limit: formatBytes(boundaryBytesLimit),
              }),
            }}
            title={t('geography:drop.failed')}
          />
        ) : null}
        {sendFile.error ? (
          <FailedState
            error={sendFile.error}
            title={t('geography:drop.failed')}
            onRetry={() => sendFile.variables && sendFile.mutate(sendFile.variables)}
          />
        ) : null}
      </Stack>
    </Dialog>
  )
}
