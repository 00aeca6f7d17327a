import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxBoundaryNotes, type BoundaryPreview, type Note } from '#contract/boundary-files.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { formatInteger } from '#web/kit/format.ts'
import { Warning } from '#web/kit/warning.tsx'
import { NewLayerForm } from './new-layer-form.tsx'
import { NoteList } from './note-list.tsx'
import { PreviewMap } from './preview-map.tsx'
import styles from './geography.module.css'

interface Props {
  preview: BoundaryPreview
  onClose: () => void
  onCreated: (shapeLayerUuid: string) => void
}

/** The contents of a file: its shapes, its notes, and the form that creates a layer from it. */
export function PreviewDialog({ preview, onClose, onCreated }: Props) {
  const { t } = useTranslation()
  const [createdLayer, setCreatedLayer] = useState<{ uuid: string; notes: Note[] } | null>(null)
  const geometries = useMemo(() => preview.features.map((feature) => feature.geometry), [preview])
  const [property, setProperty] = useState(preview.suggested_name ?? '')
  const notes = [...(preview.properties.find(({ name }) => name === property)?.notes ?? []), ...preview.notes]
  const label = t('geography:preview.drawing', {
    count: preview.feature_count,
    shown: formatInteger(preview.feature_count),
  })
  const handleCreated = (uuid: string, creationNotes: Note[]) => {
    // Notes that appear only at creation are shown before the dialog closes; those of the preview have been
    // seen. If the preview lists the maximum, those at creation may have occurred when the file was read.
    const seen = new Set(notes.map(({ code, text }) => `${code} ${text}`))
    const newNotes = creationNotes.filter(({ code, text }) => !seen.has(`${code} ${text}`))
    if (newNotes.length && preview.notes.length < maxBoundaryNotes)
      return setCreatedLayer({ uuid, notes: newNotes })
    onClose()
    onCreated(uuid)
  }
  const handleClose = () => {
    onClose()
    if (createdLayer) onCreated(createdLayer.uuid)
  }
  return (
    <Dialog size={1000} title={preview.file_name} onClose={handleClose}>
      {createdLayer ? (
        <NoteList title={t('geography:preview.madeWithNotes')} notes={createdLayer.notes} />
      ) : (
        <>
          {preview.question === null ? null : (
            <div className={styles['question']}>
              <Warning title={t('geography:preview.doubtful')}>{preview.question}</Warning>
            </div>
          )}
          <NewLayerForm
            preview={preview}
            property={property}
            onProperty={setProperty}
            onCancel={onClose}
            onCreated={handleCreated}
          >
            <div className={styles['map']}>
              <PreviewMap geometries={geometries} box={preview.bbox} label={label} />
            </div>
            <p>
              {label} · {preview.format}
            </p>
            {preview.features.length < preview.feature_count ? (
              <p>{t('geography:preview.some', { shown: formatInteger(preview.features.length) })}</p>
            ) : null}
            <NoteList title={t('geography:preview.notes', { count: notes.length })} notes={notes} />
          </NewLayerForm>
        </>
      )}
    </Dialog>
  )
}
