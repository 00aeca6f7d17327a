import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  listImports,
  previewImport,
  startImport,
  usesStations,
  type ImportPreview,
  type TripMapping,
} from '#contract/imports.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ApiError } from '#web/data/api-error.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { MappingColumns } from './mapping-columns.tsx'
import { MappingPreview } from './mapping-preview.tsx'
import { MappingUnits } from './mapping-units.tsx'
import { StationsField } from './stations-field.tsx'

/** The preview is requested after this time without a change. */
const previewDelayMs = 400

interface Props {
  params: { region_id: string; import_uuid: string }
  /** With the suggested mapping, before any change. */
  firstPreview: ImportPreview
  onDone: () => void
}

/** Whether a server's answer names places outside of the region, which the user must accept. */
const hasPlaces = (current: unknown): boolean =>
  typeof current === 'object' && current !== null && 'places' in current

/** The mapping and the firstPreview rows as it reads them, updated after every change. */
export function MappingForm({ params, firstPreview, onDone }: Props) {
  const { t } = useTranslation()
  const [mapping, setMapping] = useState<TripMapping>(firstPreview.mapping)
  const [settledMapping] = useDebouncedValue(mapping, previewDelayMs)
  const preview = useEndpointQuery(
    previewImport,
    { params, body: { mapping: settledMapping } },
    { placeholderData: keepPreviousData },
  )
  const start = useEndpointMutation(startImport, [listImports])
  const submitMapping = (accept_outside?: true) =>
    start.mutate(
      { params, body: { mapping, ...(accept_outside ? { accept_outside } : {}) } },
      { onSuccess: onDone },
    )
  const isOutside = start.error instanceof ApiError && hasPlaces(start.error.problem?.current)

  // If the columns are known, the units and the order of dates come first.
  const isMapped = !firstPreview.asks.includes('mapping')
  const units = (
    <MappingUnits
      mapping={mapping}
      orders={(preview.data ?? firstPreview).date_orders}
      onChange={setMapping}
    />
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submitMapping()
      }}
    >
      {usesStations(mapping) ? (
        <StationsField params={params} sent={(preview.data ?? firstPreview).stations} />
      ) : null}
      {isMapped ? units : null}
      <MappingColumns
        header={firstPreview.header}
        columns={mapping.columns}
        onChange={(columns) => setMapping({ ...mapping, columns })}
      />
      {isMapped ? null : units}
      <Loaded query={preview}>{(data) => <MappingPreview preview={data} />}</Loaded>
      {start.error && !isOutside ? (
        <FailedState error={start.error} title={t('imports:mapping.failed')} />
      ) : null}
      {start.error && isOutside ? (
        <ConfirmDialog
          title={t('imports:outside.title')}
          action={t('imports:outside.accept')}
          isPending={start.isPending}
          error={null}
          onClose={start.reset}
          onConfirm={() => submitMapping(true)}
        >
          {start.error.message}
        </ConfirmDialog>
      ) : null}
      <DialogFoot action={t('imports:mapping.start')} isPending={start.isPending} onCancel={onDone} />
    </form>
  )
}
