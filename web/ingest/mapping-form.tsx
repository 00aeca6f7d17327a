import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listImports, previewImport, startImport, type ImportPreview, type TripMapping } from '#contract/ingest.ts'
import { useAct } from '#web/data/act.ts'
import { useAnswer } from '#web/data/query.ts'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { MappingColumns } from './mapping-columns.tsx'
import { MappingPreview } from './mapping-preview.tsx'
import { MappingUnits } from './mapping-units.tsx'

interface Props {
  params: { region_id: string; import_uuid: string }
  first: ImportPreview
  onDone: () => void
}

/** The mapping, and the first rows as it reads them: every change shows at once. */
export function MappingForm({ params, first, onDone }: Props) {
  const { t } = useTranslation()
  const [mapping, setMapping] = useState<TripMapping>(first.mapping)
  const [settled] = useDebouncedValue(mapping, 400)
  const preview = useAnswer(previewImport, { params, body: { mapping: settled } }, { placeholderData: keepPreviousData })
  const start = useAct(startImport, [listImports])

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate({ params, body: { mapping } }, { onSuccess: onDone })
      }}
    >
      <MappingColumns header={first.header} columns={mapping.columns} onChange={(columns) => setMapping({ ...mapping, columns })} />
      <MappingUnits mapping={mapping} onChange={setMapping} />
      <Loaded of={preview}>{(read) => <MappingPreview preview={read} />}</Loaded>
      {start.error ? <FailedState error={start.error} title={t('ingest:mapping.failed')} /> : null}
      <DialogFoot action={t('ingest:mapping.start')} isPending={start.isPending} onCancel={onDone} />
    </form>
  )
}
