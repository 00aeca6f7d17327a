import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeRegion, createRegion, getRegion, listRegions, type Region } from '#contract/regions.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { fieldIssues } from '#web/data/api-error.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { askOf, draftOf, emptyDraft } from './region-draft.ts'
import { RegionFeatures } from './region-features.tsx'
import { RegionFields } from './region-fields.tsx'

interface Props {
  /** Null: a new one. */
  region: Region | null
  onClose: () => void
}

export function RegionDialog({ region, onClose }: Props) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => (region ? draftOf(region) : emptyDraft()))
  const create = useEndpointMutation(createRegion, [listRegions])
  const change = useEndpointMutation(changeRegion, [listRegions, getRegion])
  const error = create.error ?? change.error
  const issues = fieldIssues(error)

  const save = () => {
    const ask = askOf(draft)
    if (!ask) return
    const { regionId, ...settings } = ask
    if (region) change.mutate({ params: { region_id: regionId }, body: settings }, { onSuccess: onClose })
    else create.mutate({ body: ask }, { onSuccess: onClose })
  }

  return (
    <Dialog
      size={560}
      title={region ? t('regions:edit', { name: region.text }) : t('regions:add')}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Stack gap="lg">
          <RegionFields draft={draft} isNew={region === null} issues={issues} onChange={setDraft} />
          <RegionFeatures draft={draft} issues={issues} onChange={setDraft} />
          {error ? <FailedState error={error} title={t('regions:failed')} /> : null}
        </Stack>
        <DialogFoot
          action={t(region ? 'kit:save' : 'regions:create')}
          isPending={create.isPending || change.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
